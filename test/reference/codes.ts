import { loadPlugins } from '../../src/pipeline/create-pipeline.js';
import { FAULTS, faultOf } from '../../src/base/codes.js';
import { PROBLEM_CODES } from 'assize/sdk';

/** The topics of codes: each from a number on, up to the next. */
const GROUPS: readonly (readonly [number, string])[] = [
  [100, 'files'],
  [200, 'profiles'],
  [300, 'classes and plugins'],
  [400, 'expressions'],
  [500, 'a run'],
  [540, 'measuring and tuning'],
  [544, 'a run'],
  [550, 'measuring and tuning'],
  [560, 'a run'],
  [565, 'databases'],
  [575, 'jobs of several machines'],
  [585, 'databases'],
  [586, 'jobs of several machines'],
  [590, 'a server'],
  [600, 'the command line'],
  [605, 'measuring and tuning'],
  [607, 'the command line'],
  [610, 'models'],
  [620, 'models and frameworks'],
  [630, 'profiles'],
  [650, 'the studio'],
  [658, 'a server'],
  [700, 'warnings: valid, but probably a mistake'],
];

/** The topic of a code; one that is not the core's belongs to its plugin. */
const groupOf = (code: string): string =>
  code.startsWith('ASZ') ? (GROUPS.findLast(([first]) => Number(code.slice(3)) >= first)?.[1] ?? '') : 'a plugin';

/** The possible faults of a problem. */
export const faultsTable = (): string =>
  [
    '| `fault` | cause |',
    '|---|---|',
    ...Object.entries(FAULTS).map(([fault, meaning]) => `| \`${fault}\` | ${meaning} |`),
  ].join('\n');

/** Every code of the core and of the shipped plugins. */
export async function codesTable(): Promise<string> {
  const tables = [PROBLEM_CODES, ...(await loadPlugins(undefined)).map((plugin) => plugin.codes)];
  const codes = tables.flatMap((table) => Object.entries<string>(table)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = codes.map(([code, meaning]) => {
    return `| ${code} | ${meaning} | ${groupOf(code)} | ${faultOf(code)} |`;
  });
  return ['| code | meaning | topic | fault |', '|---|---|---|---|', ...rows].join('\n');
}
