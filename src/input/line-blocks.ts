/** Text as it comes: all of it, or a stream of parts as Node and the web have them. */
export type TextInput = string | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** A part of a stream that holds whole lines: bytes until somebody has checked that they are text. */
export type LineBlock = string | Buffer;

/**
 * Cuts a stream at line ends. Cutting bytes, not texts, keeps a character whose bytes came apart whole, since no part
 * of one looks like a line end. A line in many parts is put together once, so that length costs no more than its own.
 */
export async function* lineBlocks(input: TextInput): AsyncGenerator<LineBlock> {
  if (typeof input === 'string') {
    yield input;
    return;
  }
  let parts: LineBlock[] = [];
  for await (const part of input) {
    const chunk = typeof part === 'string' ? part : Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    const end = chunk.lastIndexOf('\n') + 1;
    if (end > 0) {
      yield concatBlocks([...parts, slice(chunk, 0, end)]);
      parts = [];
    }
    if (end < chunk.length) parts.push(slice(chunk, end, chunk.length));
  }
  if (parts.length > 0) yield concatBlocks(parts);
}

const slice = (chunk: LineBlock, from: number, to: number): LineBlock =>
  typeof chunk === 'string' ? chunk.slice(from, to) : chunk.subarray(from, to);

function concatBlocks(parts: readonly LineBlock[]): LineBlock {
  if (parts.length === 1) return parts[0]!;
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
