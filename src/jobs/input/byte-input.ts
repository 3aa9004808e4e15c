import { toAssizeError } from '../../diagnostics/index.js';
import type { ReadBytesAt } from '../../workers/index.js';

/** JSON Lines that can be read at any offset: a file, an object of a store, anything with a `read`. */
export interface ByteInput {
  /** Every machine has it by this name. Problems call it so, a URL without its query. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /**
   * What its store says of its version: another content has another one. Where there is none, the input is read once
   * when the job is made, and each shard known by its digest.
   */
  readonly etag?: string | undefined;
  /** The folder beside it in which vectors of its texts are kept, where it has a place. */
  readonly vectors?: string | undefined;
  /** Reads the bytes from an offset up to another. */
  read(from: number, to: number): Promise<Uint8Array>;
}

/** A name as messages say it: a URL without what may be secret in it, the signature in its query and a password. */
export const shownName = (name: string): string =>
  /^https?:/i.test(name) ? name.replace(/[?#].*$/s, '').replace(/^(https?:\/\/)[^/]*@/i, '$1') : name;

/**
 * Reads of an input, all of the length that was asked for.
 *
 * @throws AssizeError (ASZ577) where an input gives less
 */
export const readsOf =
  (input: ByteInput): ReadBytesAt =>
  async (position, length) => {
    if (length === 0) return Buffer.alloc(0);
    const { buffer, byteOffset, byteLength } = await input.read(position, position + length);
    if (byteLength === length) return Buffer.from(buffer, byteOffset, byteLength);
    const found = `${length} bytes from ${position} on were asked for, and ${byteLength} came`;
    throw inputChangedError(input.name, found);
  };

/** The error of an input that is not, or no longer, that of the job. */
export const inputChangedError = (name: string, found: string): Error =>
  toAssizeError([
    {
      code: 'ASZ577',
      message: `${shownName(name)} is not what it was: ${found}`,
      hint: 'make a new job of it as it is now',
    },
  ]);

/** How many bytes are read at a time by who reads an input from its beginning. */
const READ_BYTES = 65_536;

/** An input from its beginning on, a part at a time. */
export async function* bytesOf(input: ByteInput): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < input.size; from += READ_BYTES) {
    yield await readsOf(input)(from, Math.min(READ_BYTES, input.size - from));
  }
}
