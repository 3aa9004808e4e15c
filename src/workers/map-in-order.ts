/** Does the work of one item. */
export type ItemWorker<I, R> = (item: I) => Promise<R>;

/**
 * Maps items by a growing number of workers: each takes the next item when its last is done. Results are yielded in the
 * order of the items.
 *
 * @param startWorkers adds workers, now or later; its promise rejects where the work cannot go on
 * @param ahead        how many items may be pending or done before the first of them is yielded
 */
export async function* mapInOrder<I, R>(
  items: Iterable<I>,
  startWorkers: (addWorker: (worker: ItemWorker<I, R>) => void) => Promise<void>,
  ahead: number,
): AsyncGenerator<readonly [item: I, result: R]> {
  const left = items[Symbol.iterator]();
  const idle: ItemWorker<I, R>[] = [];
  const pending: (readonly [I, Promise<R>])[] = [];
  const assign = (): void => {
    while (idle.length > 0 && pending.length < ahead) {
      const next = left.next();
      if (next.done) return;
      const worker = idle.shift()!;
      const result = worker(next.value);
      pending.push([next.value, result]);
      result.then(
        () => addWorker(worker),
        () => {}, // thrown below, in the order of the items
      );
    }
  };
  const addWorker = (worker: ItemWorker<I, R>): void => {
    idle.push(worker);
    assign();
  };
  const startFailure = new Promise<never>((_, reject) => void startWorkers(addWorker).catch(reject));
  startFailure.catch(() => {}); // irrelevant once all items are done
  for (let first = pending[0]; first; first = pending[0]) {
    const result = await Promise.race([first[1], startFailure]);
    void pending.shift();
    assign();
    yield [first[0], result];
  }
}
