import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createPipeline, type Pipeline, type Ranking, toAssizeError } from 'assize';
import { type Io, usageError, writeProblems } from 'assize/verbs';
import { toError } from 'assize/internal';
import type { Dataset } from '../dataset/read-dataset.js';
import { drawnOrder } from '../evaluate-profiles.js';
import { checkLabel } from '../judged-query.js';
import { writeRun } from '../trec.js';
import { type DatasetVerbOptions, readVerbDataset } from './dataset-options.js';

/** Profiles by their names in a report, and the data set that measures them. */
export interface Judged {
  readonly pipelines: Readonly<Record<string, Pipeline<object>>>;
  readonly dataset: Dataset;
}

/**
 * Loads profiles and the data set that measures them.
 *
 * @throws AssizeError if a profile is given twice or reads the label (ASZ540), and for invalid profiles and data
 */
export async function openJudged(
  profiles: readonly string[],
  file: string,
  options: DatasetVerbOptions,
  io: Io,
): Promise<Judged> {
  const twice = profiles.find((profile, k) => profiles.indexOf(profile) < k);
  if (twice !== undefined) throw usageError(`the profile ${twice} is given twice: remove one`);
  const opened: [string, Pipeline<object>][] = [];
  // oxlint-disable-next-line no-await-in-loop -- the problems of the first profile are reported first
  for (const profile of profiles) opened.push([profile, await createPipeline<object>(profile)]);
  const dataset = await readVerbDataset(
    file,
    options,
    io,
    opened.map(([, one]) => one),
  );
  if (dataset.label !== undefined) checkLabel(Object.fromEntries(opened), dataset.label);
  for (const [, { warnings }] of opened) writeProblems(warnings, io);
  const names = opened.map(([, { name }]) => name);
  // Object keys that look like numbers would be reordered.
  const name = (given: string, own: string): string =>
    /^\d+$/.test(own) || names.filter((one) => one === own).length > 1 ? given : own;
  return { pipelines: Object.fromEntries(opened.map(([given, one]) => [name(given, one.name), one])), dataset };
}

/** The texts of profile files; an empty text for a preset. */
export const textsOf = (profiles: readonly string[]): Promise<readonly string[]> =>
  Promise.all(profiles.map((profile) => readFile(profile, 'utf8').catch(() => '')));

/** Collects rankings, and writes a TREC run for each profile. The seed orders tied candidates. */
export async function writeRuns(folder: string, { hasQueries }: Dataset, seed: number) {
  if (!hasQueries) throw usageError('--run-out needs queries, and this data has none', 'add --group PATH');
  await tryWrite(folder, () => mkdir(folder, { recursive: true }));
  const lines = new Map<string, string[]>();
  return {
    add(profile: string, query: string, ranking: Ranking<unknown>): void {
      const written = lines.get(profile) ?? [];
      lines.set(profile, written);
      const tag = fileName(profile);
      const rows = drawnOrder(ranking, seed, query).map(({ id, score }) => ({ id: trecName(id), score }));
      for (const line of writeRun([[trecName(query), rows]], tag)) written.push(line);
    },
    async finish(): Promise<void> {
      const all = [...lines].map(([profile, of]) => {
        return writeText(join(folder, `${fileName(profile)}.run`), `${of.join('\n')}\n`);
      });
      await Promise.all(all);
    },
  };
}

/** A name with blanks encoded as %20, because blanks separate the columns of a run. */
const trecName = (name: string): string => name.replaceAll(/[\s%]/g, encodeURIComponent);

/** A profile's name, or its path, as the name of a file. */
const fileName = (profile: string): string =>
  profile
    .replace(/^\.\//, '')
    .replace(/\.(?:ya?ml|json)$/i, '')
    .replaceAll(/[^\w.-]+/g, '_');

/** Writes a text to a file, and replaces an existing one. */
export const writeText = (file: string, text: string): Promise<void> =>
  tryWrite(file, async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  });

async function tryWrite(file: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const reason = toError(error).message;
    throw toAssizeError([{ code: 'ASZ542', message: `cannot write ${file}: ${reason}` }], { cause: error });
  }
}
