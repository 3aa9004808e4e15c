import type { Problem } from '../../diagnostics/problem.js';
import { type Dataset, readDataset } from '../../evaluate/index.js';
import { type DatasetVerbOptions, datasetOptionsOf } from '../dataset-options.js';
import type { Io } from '../terminal/io.js';
import { writeProblems } from '../terminal/problems.js';
import { checkCandidateFile, readContext } from './session.js';

/**
 * Reads the queries and judgements of a verb that takes the options of `withDataset`.
 *
 * @param file the queries or candidates
 * @param id   the path to a candidate's id, where `--id` does not say it
 */
export async function readCliDataset(
  file: string,
  options: DatasetVerbOptions,
  io: Io,
  id: string | undefined,
): Promise<Dataset> {
  checkCandidateFile(file, options.input);
  const context = await readContext(options.context, options.now);
  const { stdin, progress } = io;
  const warn = (warning: Problem): void => writeProblems([warning], io);
  return readDataset(file, { ...datasetOptionsOf(options), id: options.id ?? id, context, stdin, progress, warn });
}
