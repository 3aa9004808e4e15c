import { isWarning } from '../../diagnostics/codes.js';
import { escapeInvisible } from '../../text/wrap.js';
import type { Problem } from '../../diagnostics/problem.js';

/**
 * A problem as a workflow command of GitHub Actions, which shows it at its line of a pull request:
 * `::error file=team.yaml,line=3,col=9,title=ASZ201::unknown key wieght`.
 */
export function workflowCommand({ code, message, place, hint }: Problem): string {
  const at = place ? [`file=${property(place.file)}`, `line=${place.line}`, `col=${place.column}`] : [];
  const properties = [...at, `title=${property(code)}`].join(',');
  const text = [message, ...(hint === undefined ? [] : [hint])].join('\n');
  return `::${isWarning(code) ? 'warning' : 'error'} ${properties}::${data(text)}\n`;
}

/** What ends a command, or a property of it, is written as a percent code. */
const data = (text: string): string => escapeInvisibleInLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
const escapeInvisibleInLines = (text: string): string => text.split('\n').map(escapeInvisible).join('\n');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
