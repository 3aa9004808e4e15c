import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createPipeline, type Pipeline, type Ranking } from '../../index.js';
import { toAssizeError, toError } from '../../base/index.js';
import { type Dataset, writeRun } from '../../evaluate/node.js';
import { drawnOrder, checkLabel } from '../../evaluate/index.js';
import type { DatasetVerbOptions } from '../dataset-options.js';
import type { Io } from '../terminal/io.js';
import { usageError, writeProblems } from '../terminal/problems.js';
import { readCliDataset } from './dataset.js';

/** Profiles by the names that they have in a report, and what they are measured by. */
export interface Judged {
  readonly pipelines: Readonly<Record<string, Pipeline<object>>>;
  readonly dataset: Dataset;
}

/**
 * Loads profiles and what they are measured by.
 *
 * @throws AssizeError where a profile is given twice, or reads the label (ASZ540), and with all that is wrong with both
 */
export async function openJudged(
  profiles: readonly string[],
  file: string,
  options: DatasetVerbOptions,
  io: Io,
): Promise<Judged> {
  const twice = profiles.find((profile, k) => profiles.indexOf(profile) < k);
  if (twice !== undefined) throw usageError(`the profile ${twice} is given twice`);
  const opened: [string, Pipeline<object>][] = [];
  // oxlint-disable-next-line no-await-in-loop -- what is wrong with the first is said first
  for (const profile of profiles) opened.push([profile, await createPipeline<object>(profile)]);
  const dataset = await readCliDataset(
    file,
    options,
    io,
    opened.map(([, one]) => one),
  );
  if (dataset.label !== undefined) checkLabel(Object.fromEntries(opened), dataset.label);
  for (const [, { warnings }] of opened) writeProblems(warnings, io);
  const names = opened.map(([, { name }]) => name);
  // Keys that look like numbers would come in another order.
  const name = (given: string, own: string): string =>
    /^\d+$/.test(own) || names.filter((one) => one === own).length > 1 ? given : own;
  return { pipelines: Object.fromEntries(opened.map(([given, one]) => [name(given, one.name), one])), dataset };
}

/** The texts of profiles that are files; an empty one of a preset. */
export const textsOf = (profiles: readonly string[]): Promise<readonly string[]> =>
  Promise.all(profiles.map((profile) => readFile(profile, 'utf8').catch(() => '')));

/** Collects rankings, and writes them as a file for each profile; the tied in the order that a seed draws. */
export async function writeRuns(folder: string, { hasQueries }: Dataset, seed: number) {
  if (!hasQueries) throw usageError('--run-out: a run has queries, and this data has none', 'say --group PATH');
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

/** A name without blanks, which separate the columns of a run: they are written as in an address, %20. */
const trecName = (name: string): string => name.replaceAll(/[\s%]/g, encodeURIComponent);

/** A profile's name, or its path, as the name of a file. */
const fileName = (profile: string): string =>
  profile
    .replace(/^\.\//, '')
    .replace(/\.(?:ya?ml|json)$/i, '')
    .replaceAll(/[^\w.-]+/g, '_');

/** Writes a text to a file, in place of what is there. */
export const writeText = (file: string, text: string): Promise<void> =>
  tryWrite(file, async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  });

async function tryWrite(file: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw toAssizeError([{ code: 'ASZ542', message: `cannot write ${file}: ${toError(error).message}` }], {
      cause: error,
    });
  }
}
