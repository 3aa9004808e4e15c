import type { Progress } from '../../contract/index.js';

const EVERY_MS = 200;

/**
 * Runs a statement, and reports how far it is.
 *
 * @param task    in one line: `asking duckdb about films.parquet`
 * @param percent how far the database says that it is, below 0 where it has not begun; left out where it never says
 * @throws what the statement fails with, or else what `progress` has thrown: the statement is waited for in any case
 */
export async function followStatement<R>(
  task: string,
  run: () => Promise<R>,
  progress: Progress | undefined,
  percent?: () => number,
): Promise<R> {
  if (!progress) return run();
  const report = (): void =>
    percent
      ? progress({ task, unit: 'percent', done: withoutEnd(percent()), total: 100 })
      : progress({ task, unit: 'percent', done: 0, total: undefined });
  report();
  let thrown: { readonly error: unknown } | undefined;
  const timer = setInterval(() => {
    try {
      report();
    } catch (error) {
      thrown = { error }; // beyond this timer nothing would catch it
      clearInterval(timer);
    }
  }, EVERY_MS);
  try {
    const result = await run();
    if (thrown) throw thrown.error;
    return result;
  } finally {
    clearInterval(timer);
    if (!thrown) progress({ task, unit: 'percent', done: 100, total: 100 });
  }
}

/** A percentage as a step before the last, which alone is all of it. */
const withoutEnd = (percent: number): number => Math.max(0, Math.min(99, Math.floor(percent)));
