import { type ReadBytesAt, readShardLines, type ShardLines } from '../../workers/index.js';
import { digestOf } from '../fingerprint.js';
import { type BytesOfJob, shardOf } from '../job.js';
import { type ByteInput, inputChangedError, readsOf } from './byte-input.js';

/** The lines of a shard, whole. */
export const readLinesOf = (input: ByteInput, of: BytesOfJob, index: number): Promise<ShardLines> =>
  readShardLines(readsOf(input), shardOf(of, index), of.size);

/**
 * The lines of a shard, as they were when the job was made.
 *
 * @throws AssizeError (ASZ577) where they are not
 */
export async function readKnownLines(input: ByteInput, of: BytesOfJob, index: number): Promise<ShardLines> {
  const lines = await readLinesOf(input, of, index);
  const known = of.digests[index];
  if (known === undefined || digestOf(lines.bytes) === known) return lines;
  const { from, to } = shardOf(of, index);
  throw inputChangedError(of.name, `the lines that begin between byte ${from} and byte ${to} are others`);
}

/** Reads of lines as they were when the job was made: of an input without an `etag`, each in its whole shard. */
export function knownLineReads(input: ByteInput, of: BytesOfJob): ReadBytesAt {
  if (of.etag !== undefined) return readsOf(input);
  let last: { readonly index: number; readonly lines: Promise<ShardLines> } | undefined;
  return async (position, length) => {
    const index = Math.floor(position / of.shardBytes);
    if (last?.index !== index) last = { index, lines: readKnownLines(input, of, index) };
    const { bytes, offset } = await last.lines;
    return bytes.subarray(position - offset, position - offset + length);
  };
}

/** @throws AssizeError (ASZ577) where an input is not that of a job */
export function checkInput(input: ByteInput, of: BytesOfJob): void {
  const { name, size, etag } = of;
  if (input.size !== size) throw inputChangedError(name, `it has ${input.size} bytes, and had ${size}`);
  if (input.etag === etag) return;
  throw inputChangedError(name, `its version is ${input.etag ?? 'not known'}, and was ${etag ?? 'not known'}`);
}
