/** What does one item of some work. */
export type ItemWorker<I, R> = (item: I) => Promise<R>;

/**
 * Does the same with each item, as many at once as there are hands: each takes the next item when it is done with one.
 * What comes of them comes in their order.
 *
 * @param recruit is told how a hand joins, at once or later; its promise rejects where the work cannot go on
 * @param ahead   how many items may be begun before what came of the first of them is taken
 */
export async function* mapInOrder<I, R>(
  items: Iterable<I>,
  recruit: (join: (hand: ItemWorker<I, R>) => void) => Promise<void>,
  ahead: number,
): AsyncGenerator<readonly [item: I, result: R]> {
  const left = items[Symbol.iterator]();
  const idle: ItemWorker<I, R>[] = [];
  const begun: (readonly [I, Promise<R>])[] = [];
  const begin = (): void => {
    while (idle.length > 0 && begun.length < ahead) {
      const next = left.next();
      if (next.done) return;
      const hand = idle.shift()!;
      const result = hand(next.value);
      begun.push([next.value, result]);
      result.then(
        () => join(hand),
        () => {}, // told when it is its turn, and ends the work
      );
    }
  };
  const join = (hand: ItemWorker<I, R>): void => {
    idle.push(hand);
    begin();
  };
  const trouble = new Promise<never>((_, reject) => void recruit(join).catch(reject));
  trouble.catch(() => {}); // of no consequence once all is done
  for (let first = begun[0]; first; first = begun[0]) {
    const result = await Promise.race([first[1], trouble]);
    void begun.shift();
    begin();
    yield [first[0], result];
  }
}
