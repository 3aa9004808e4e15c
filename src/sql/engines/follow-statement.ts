import type { Progress } from '../../contract/index.js';

const EVERY_MS = 200;

/**
 * Reports a statement while it runs.
 *
 * @param task    in one line: `asking duckdb about films.parquet`
 * @param percent how far the database says that it is; undefined where it says nothing
 */
export async function followStatement<R>(
  task: string,
  statement: Promise<R>,
  progress: Progress | undefined,
  percent: () => number | undefined = () => undefined,
): Promise<R> {
  if (!progress) return statement;
  const report = (): void => {
    const done = percent();
    // The last step alone is all of it.
    progress({
      task,
      unit: 'percent',
      done: Math.min(99, Math.floor(done ?? 0)),
      total: done === undefined ? done : 100,
    });
  };
  report();
  const timer = setInterval(report, EVERY_MS);
  try {
    return await statement;
  } finally {
    clearInterval(timer);
    progress({ task, unit: 'percent', done: 100, total: 100 });
  }
}

/** Reports how many rows of a table have come. */
export async function* followRows(
  task: string,
  chunks: AsyncIterable<readonly object[]>,
  progress: Progress | undefined,
  total: number | undefined,
): AsyncGenerator<readonly object[]> {
  let done = 0;
  try {
    for await (const chunk of chunks) {
      done += chunk.length;
      if (done !== total) progress?.({ task, unit: 'rows', done, total });
      yield chunk;
    }
  } finally {
    progress?.({ task, unit: 'rows', done, total: done });
  }
}
