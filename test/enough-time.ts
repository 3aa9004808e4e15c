/**
 * Does something under a limit of time that is to be over at its end and not before: with the first limit, each ten times the one before, in which this
 * machine comes as far as that.
 *
 * @param work gives nothing where the time was over too early
 */
export async function inEnoughTime<R>(work: (ms: number) => Promise<R | undefined>, first = 100): Promise<R> {
  for (let ms = first; ms <= 100_000; ms *= 10) {
    const found = await work(ms); // oxlint-disable-line no-await-in-loop -- one after another
    if (found !== undefined) return found;
  }
  throw new Error('no time was enough');
}
