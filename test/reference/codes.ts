import { loadPlugins } from '../../src/container.js';
import { PROBLEM_CODES } from '../../src/sdk.js';

/** What the codes of a first digit are about. */
const GROUPS: Readonly<Record<string, string>> = {
  1: 'files and what is in them',
  2: 'what a profile says',
  3: 'classes and plugins',
  4: 'expressions',
  5: 'a run',
  6: 'the command line',
  7: 'warnings: legal, and surely a mistake',
};

/** Every code of the core and of the plugins that ship. */
export async function codesTable(): Promise<string> {
  const tables = [PROBLEM_CODES, ...(await loadPlugins(undefined)).map(({ codes }) => codes)];
  const codes = tables.flatMap((table) => Object.entries<string>(table)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = codes.map(([code, meaning]) => {
    return `| ${code} | ${meaning} | ${GROUPS[code.charAt(3)] ?? ''} |`;
  });
  return ['| code | what it says | about |', '|---|---|---|', ...rows].join('\n');
}
