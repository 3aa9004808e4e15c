import { loadPlugins } from '../../src/pipeline/create-pipeline.js';
import { type Fault, FAULTS, faultOf } from '../../src/base/codes.js';
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

/** A code with its meaning, its topic and its fault. */
interface CodeEntry {
  readonly code: string;
  readonly meaning: string;
  readonly topic: string;
  readonly fault: Fault;
}

/** Every code of the core and of the shipped plugins, in order. */
export async function allCodes(): Promise<readonly CodeEntry[]> {
  const tables = [PROBLEM_CODES, ...(await loadPlugins(undefined)).map((plugin) => plugin.codes)];
  const codes = tables.flatMap((table) => Object.entries<string>(table)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return codes.map(([code, meaning]) => ({ code, meaning, topic: groupOf(code), fault: faultOf(code) }));
}

/** The codes as a table. */
export async function codesTable(): Promise<string> {
  const rows = (await allCodes()).map(
    ({ code, meaning, topic, fault }) => `| ${code} | ${meaning} | ${topic} | ${fault} |`,
  );
  return ['| code | meaning | topic | fault |', '|---|---|---|---|', ...rows].join('\n');
}
