import { existsSync } from 'node:fs';
import { toAssizeError } from '../../diagnostics/index.js';
import { readSourceFile } from '../../input/index.js';
import type { QueryDraft } from './query-draft.js';

/**
 * The queries of a LIBSVM file without `qid`, by the file beside it that LightGBM reads: `rank.train` has
 * `rank.train.query`, how many rows each query has, a number a line. Their ids are their numbers, from 1.
 *
 * @returns undefined where there is no such file
 * @throws AssizeError (ASZ541) where the numbers do not add up to the rows
 */
export async function sizedGroups(file: string, rows: readonly object[]): Promise<readonly QueryDraft[] | undefined> {
  const beside = `${file}.query`;
  if (file === '-' || !existsSync(beside)) return undefined;
  const { text } = await readSourceFile(beside);
  const sizes = text.trim().split(/\s+/).map(Number);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total !== rows.length) {
    const message = `the sizes in ${beside} add up to ${total}; ${file} has ${rows.length} rows`;
    throw toAssizeError([{ code: 'ASZ541', message }]);
  }
  let start = 0;
  return sizes.map((size, k) => {
    const of = Array.from({ length: size }, (_, n) => start + n);
    start += size;
    const candidates = of.map((row) => rows[row]!);
    return { id: String(k + 1), described: candidates.slice(0, 1), candidates, rows: of };
  });
}
