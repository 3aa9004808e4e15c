import type { Pipeline } from 'assize';
import { candidateSource, type Io, readContext } from 'assize/verbs';
import type { Dataset } from '../dataset/read-dataset.js';
import { type DatasetVerbOptions, datasetOptionsOf } from './dataset-options.js';

/**
 * Reads the queries and judgements of a verb that takes the options of `withQueries`.
 *
 * @param file      the queries or candidates
 * @param pipelines the measured profiles; the first defines a candidate's id unless `--id` is given
 */
export async function readVerbDataset(
  file: string,
  options: DatasetVerbOptions,
  io: Io,
  pipelines: readonly Pick<Pipeline, 'candidateReads'>[],
): Promise<Dataset> {
  const { readDataset } = await import('../dataset/read-dataset.js');
  const source = await candidateSource(file, io, options, pipelines);
  const context = await readContext(options);
  const { id = pipelines[0]?.candidateReads[0]?.field } = options;
  return readDataset(file, { ...datasetOptionsOf(options), ...source, id, context });
}
