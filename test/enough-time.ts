/**
 * Calls `work` with a time limit that should end exactly with it: each limit is ten times the one before, until the
 * machine is fast enough.
 *
 * @param work returns undefined if the time ended too early
 */
export async function inEnoughTime<R>(work: (ms: number) => Promise<R | undefined>, first = 100): Promise<R> {
  for (let ms = first; ms <= 100_000; ms *= 10) {
    const found = await work(ms); // oxlint-disable-line no-await-in-loop -- one after another
    if (found !== undefined) return found;
  }
  throw new Error('no time was enough');
}
