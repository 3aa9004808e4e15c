import { loadPlugins } from '../../src/container.js';
import { FAULTS, faultOf } from '../../src/diagnostics/index.js';
import { PROBLEM_CODES } from '../../src/sdk.js';

/** What the codes of a first digit, or of the first two, are about. */
const GROUPS: Readonly<Record<string, string>> = {
  1: 'files and what is in them',
  2: 'what a profile says',
  3: 'classes and plugins',
  4: 'expressions',
  5: 'a run',
  6: 'the command line',
  61: 'models that are asked',
  62: 'models that are asked, and frameworks',
  63: 'what a profile says',
  65: 'a run',
  7: 'warnings: legal, and surely a mistake',
};

/** What a code is about: one that is not the core's is its plugin's own matter. */
const groupOf = (code: string): string =>
  code.startsWith('ASZ') ? (GROUPS[code.slice(3, 5)] ?? GROUPS[code.charAt(3)] ?? '') : 'a plugin';

/** Whose fault a problem may be. */
export const faultsTable = (): string =>
  [
    '| `fault` | what it lies in |',
    '|---|---|',
    ...Object.entries(FAULTS).map(([fault, meaning]) => `| \`${fault}\` | ${meaning} |`),
  ].join('\n');

/** Every code of the core and of the plugins that ship. */
export async function codesTable(): Promise<string> {
  const tables = [PROBLEM_CODES, ...(await loadPlugins(undefined)).map((plugin) => plugin.codes)];
  const codes = tables.flatMap((table) => Object.entries<string>(table)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = codes.map(([code, meaning]) => {
    return `| ${code} | ${meaning} | ${groupOf(code)} | ${faultOf(code)} |`;
  });
  return ['| code | what it says | about | whose fault |', '|---|---|---|---|', ...rows].join('\n');
}
