import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { type JudgedQuery, readDataset } from '@assize/evaluate';

/** Data that is not in this repository: a folder next to the package, or the one in ASSIZE_SHARED. */
const shared = join(process.env['ASSIZE_SHARED'] ?? join(packageRoot(), '..', 'shared'), 'data');

/** Whether a folder of it exists. */
export const hasData = (folder: string): boolean => existsSync(join(shared, folder));

/** The folder of the tuned profiles. */
export const profileOf = (path: string): string => join(packageRoot(), 'config', 'evaluation', path);

/** Film searches, with the films that people played. */
export const readFilms = async (): Promise<readonly JudgedQuery<object>[]> =>
  (await readDataset(profileOf('films/films.csv'), { group: 'normalized_query', label: 'score' })).queries;

/** The example of LightGBM: 300 features of 3,005 documents of 201 queries. */
export const readLightGbm = async (): Promise<readonly JudgedQuery<object>[]> =>
  (await readDataset(join(shared, 'ltr/lightgbm-lambdarank/rank.train'), { input: 'libsvm' })).queries;

interface Trace {
  readonly id: string;
  readonly metadata: { readonly framework: string };
  readonly task: object;
  readonly steps: readonly object[];
}

interface Label {
  readonly source: string;
  readonly task: string;
  readonly success: boolean;
}

const lines = async <T>(name: string): Promise<readonly T[]> =>
  (await readFile(join(shared, 'traces', name), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** Runs of agents, without the fields that reveal their outcome; their groups are tasks, their folds the sources. */
export async function readTraces(withFramework = false): Promise<readonly JudgedQuery<object>[]> {
  const [traces, labels] = await Promise.all([lines<Trace>('traces.jsonl'), lines<Label>('labels.jsonl')]);
  return [
    {
      id: 'all',
      candidates: traces.map(({ id, metadata: { framework }, task, steps }) =>
        withFramework ? { id, metadata: { framework }, task, steps } : { id, task, steps },
      ),
      grades: labels.map(({ success }) => (success ? 1 : 0)),
      candidateGroups: labels.map(({ source, task }) => `${source}/${task}`),
      candidateFolds: labels.map(({ source }) => source),
    },
  ];
}
