import { rowsOf } from '../../columns/index.js';
import type { CandidateReader } from '../candidate-reader.js';
import { bytesOf } from './random-access.js';
import type { TableReader } from './table.js';

/** Reads a table from a stream. */
export const tableReader = (open: TableReader): CandidateReader =>
  async function* (input, name) {
    const table = await open(await bytesOf(input), name, 1);
    for await (const columns of table.batches()) yield rowsOf(columns);
  };
