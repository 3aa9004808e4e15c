import type { Problem } from '../../base/index.js';
import type { Pipeline } from '../../index.js';
import { type Dataset, readDataset } from '../../evaluate/node.js';
import { parsePath } from '../../expression/index.js';
import { type DatasetVerbOptions, datasetOptionsOf } from '../dataset-options.js';
import type { Io } from '../terminal/io.js';
import { writeProblems } from '../terminal/problems.js';
import { checkCandidateFile, readContext } from './session.js';

/**
 * Reads the queries and judgements of a verb that takes the options of `withDataset`.
 *
 * @param file      the queries or candidates
 * @param pipelines the measured profiles; the first defines a candidate's id unless `--id` is given
 */
export async function readCliDataset(
  file: string,
  options: DatasetVerbOptions,
  io: Io,
  pipelines: readonly Pick<Pipeline, 'candidateReads'>[],
): Promise<Dataset> {
  checkCandidateFile(file, options.input);
  const context = await readContext(options.context, options.now);
  const { stdin, progress } = io;
  const warn = (warning: Problem): void => writeProblems([warning], io);
  const { id = pipelines[0]?.candidateReads[0]?.field } = options;
  const reads = keysRead(pipelines);
  return readDataset(file, { ...datasetOptionsOf(options), id, reads, context, stdin, progress, warn });
}

/** The keys of candidates that some profiles read; undefined if one may read any key. */
function keysRead(pipelines: readonly Pick<Pipeline, 'candidateReads'>[]): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (const { by, field } of pipelines.flatMap(({ candidateReads }) => candidateReads)) {
    if (by === 'candidate.id') continue;
    const [first] = field === undefined ? [] : parsePath(field);
    if (first?.kind !== 'key') return undefined;
    keys.add(first.key);
  }
  return keys;
}
