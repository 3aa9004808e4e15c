import type { Progress } from '../contract/index.js';

/** Some rows: a list of them, or columns. */
interface Rows {
  readonly length: number;
}

/**
 * Reports how many rows have come.
 *
 * @param task  in one line: `reading films.parquet`
 * @param total how many there are; undefined where that is not known before the end
 */
export const followRows = <R extends Rows>(
  task: string,
  chunks: AsyncIterable<R>,
  progress: Progress | undefined,
  total: number | undefined,
): AsyncIterable<R> => (progress ? counted(task, chunks, progress, total) : chunks);

/** The last step, also where the reading ends early, is all of it. */
async function* counted<R extends Rows>(
  task: string,
  chunks: AsyncIterable<R>,
  progress: Progress,
  total: number | undefined,
): AsyncGenerator<R, void> {
  let done = 0;
  try {
    for await (const chunk of chunks) {
      done += chunk.length;
      if (done !== total) progress({ task, unit: 'rows', done, total });
      yield chunk;
    }
  } finally {
    progress({ task, unit: 'rows', done, total: done });
  }
}
