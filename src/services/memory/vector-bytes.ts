import { lengthOf, VectorLog } from './vector-log.js';

/** Two whole numbers stand first: how many numbers a vector has, and how many vectors there are. */
const HEAD = 8;
const [TIME, NUMBER] = [8, 4];

/** A restored log has room for as many vectors again, as one has that was copied. */
const roomFor = (count: number): number => 2 * (count + 1);

/** A part of a log as bytes, little-endian: dimensions, count, the times (64-bit floats), the vectors (32-bit floats). */
export function writeLog(log: VectorLog | undefined, first: number, end: number): Uint8Array {
  if (log === undefined) return new Uint8Array(HEAD);
  const { dimensions } = log;
  const count = end - first;
  const bytes = new Uint8Array(HEAD + count * (TIME + dimensions * NUMBER));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, dimensions, true);
  view.setUint32(4, count, true);
  for (let i = 0; i < count; i++) {
    view.setFloat64(HEAD + i * TIME, log.timeOf(first + i), true);
    const at = HEAD + count * TIME + i * dimensions * NUMBER;
    for (const [k, value] of log.vectorAt(first + i).entries()) view.setFloat32(at + k * NUMBER, value, true);
  }
  return bytes;
}

/**
 * The log that was written, as far as its newest vectors; undefined when it was empty.
 *
 * @throws Error when the bytes are no log
 */
export function readLog(bytes: Uint8Array, most: number): VectorLog | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [dimensions, count] = bytes.length < HEAD ? [0, 0] : [view.getUint32(0, true), view.getUint32(4, true)];
  if (bytes.length !== HEAD + count * (TIME + dimensions * NUMBER) || (count > 0 && dimensions === 0))
    throw new Error('what it holds is no list of vectors');
  if (count === 0) return undefined;
  const first = Math.max(0, count - most);
  const log = new VectorLog(dimensions, roomFor(count - first));
  const vector = new Float32Array(dimensions);
  for (let i = first; i < count; i++) {
    const at = HEAD + count * TIME + i * dimensions * NUMBER;
    for (let k = 0; k < dimensions; k++) vector[k] = view.getFloat32(at + k * NUMBER, true);
    log.append(vector, lengthOf(vector), view.getFloat64(HEAD + i * TIME, true));
  }
  return log;
}
