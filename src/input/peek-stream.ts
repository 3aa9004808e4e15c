/** An input that is read a part at a time. */
export type CandidateBytes = AsyncIterable<string | Uint8Array>;

/**
 * Reads the beginning of a stream.
 *
 * @param enough called with ever more of the beginning, until it is enough or all there is
 * @returns the beginning, and the stream with it put back
 */
export async function peekStream(
  parts: CandidateBytes,
  enough: (start: string) => boolean,
): Promise<[start: string, parts: AsyncGenerator<string | Uint8Array>]> {
  const iterator = parts[Symbol.asyncIterator]();
  const seen: (string | Uint8Array)[] = [];
  const decoder = new TextDecoder(); // a character may have come apart
  let start = '';
  while (!enough(start)) {
    // oxlint-disable-next-line no-await-in-loop -- each part decides whether another is needed
    const next = await iterator.next();
    if (next.done) return [start + decoder.decode(), resumeStream(seen, iterator)];
    seen.push(next.value);
    start += typeof next.value === 'string' ? next.value : decoder.decode(next.value, { stream: true });
  }
  return [start, resumeStream(seen, iterator)];
}

async function* resumeStream(
  seen: readonly (string | Uint8Array)[],
  rest: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  yield* seen;
  yield* { [Symbol.asyncIterator]: () => rest };
}
