/** Does the same with each item, several at once; what comes of them comes in their order. */
export async function* inOrder<I, R>(
  items: Iterable<I>,
  work: (item: I) => Promise<R>,
  atOnce: number,
): AsyncGenerator<readonly [item: I, result: R]> {
  const begun: (readonly [I, Promise<R>])[] = [];
  for (const item of items) {
    const result = work(item);
    result.catch(() => {}); // told when it is its turn
    begun.push([item, result]);
    if (begun.length < atOnce) continue;
    const [first, done] = begun.shift()!;
    yield [first, await done];
  }
  for (const [item, done] of begun) yield [item, await done];
}
