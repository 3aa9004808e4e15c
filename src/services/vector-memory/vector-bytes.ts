import { euclideanLength, type QueryVector, VectorBlock, type VectorMark } from './vector-block.js';
import type { BlockSlice, LogPlace } from './vector-log.js';

/** The header is two 32-bit integers: the dimensions of a vector, and the number of vectors. */
const HEADER_BYTES = 8;
const [TIME_BYTES, FLOAT_BYTES] = [8, 4];

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Swaps 32-bit floats between the machine's byte order and little-endian. */
function swapToLittleEndian(bytes: Uint8Array): void {
  if (IS_LITTLE_ENDIAN) return;
  for (let i = 0; i < bytes.length; i += FLOAT_BYTES) bytes.subarray(i, i + FLOAT_BYTES).reverse();
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/**
 * Encodes vectors as little-endian bytes: dimensions, count, the times (64-bit floats), the vectors (32-bit floats), and the
 * marks. Version 1 of the layout had no marks.
 */
export function encodeSlices(slices: readonly BlockSlice[]): Uint8Array {
  const dimensions = slices[0]?.block.dimensions;
  if (dimensions === undefined) return new Uint8Array(HEADER_BYTES);
  const rows = slices.flatMap(rowsOf);
  const count = rows.length;
  const marks = encodeMarks(rows.map(({ block, row }) => block.markOf(row)));
  const start = HEADER_BYTES + count * TIME_BYTES;
  const end = start + count * dimensions * FLOAT_BYTES;
  const bytes = new Uint8Array(end + marks.length);
  const view = viewOf(bytes);
  view.setUint32(0, dimensions, true);
  view.setUint32(4, count, true);
  const vectors = bytes.subarray(start, end);
  for (const [k, { block, row }] of rows.entries()) {
    const { buffer, byteOffset, byteLength } = block.vectorAt(row);
    view.setFloat64(HEADER_BYTES + k * TIME_BYTES, block.timeOf(row), true);
    vectors.set(new Uint8Array(buffer, byteOffset, byteLength), k * byteLength);
  }
  swapToLittleEndian(vectors);
  bytes.set(marks, end);
  return bytes;
}

function rowsOf({ block, first, end, includes }: BlockSlice): LogPlace[] {
  const rows: LogPlace[] = [];
  for (let row = first; row < end; row++) if (includes?.(row) !== false) rows.push({ block, row });
  return rows;
}

/** The length of an absent id. */
const NO_ID = 0xffffffff;
/** A mark begins with the similarity (NaN if there is none) and the length of the id. */
const MARK_BYTES = 12;

function encodeMarks(marks: readonly (VectorMark | undefined)[]): Uint8Array {
  const encoder = new TextEncoder();
  const ids = marks.map((mark) => mark && encoder.encode(mark.id));
  const bytes = new Uint8Array(ids.reduce((sum, id) => sum + MARK_BYTES + (id?.length ?? 0), 0));
  const view = viewOf(bytes);
  let at = 0;
  for (const [k, id] of ids.entries()) {
    view.setFloat64(at, marks[k]?.similarity ?? Number.NaN, true);
    view.setUint32(at + 8, id?.length ?? NO_ID, true);
    if (id) bytes.set(id, at + MARK_BYTES);
    at += MARK_BYTES + (id?.length ?? 0);
  }
  return bytes;
}

/** @throws Error if the bytes are not the marks of this number of vectors */
function decodeMarks(bytes: Uint8Array, count: number): readonly (VectorMark | undefined)[] {
  if (bytes.length === 0) return []; // Version 1.
  const view = viewOf(bytes);
  const decoder = new TextDecoder();
  const marks: (VectorMark | undefined)[] = [];
  let at = 0;
  while (marks.length < count && at + MARK_BYTES <= bytes.length) {
    const similarity = view.getFloat64(at, true);
    const length = view.getUint32(at + 8, true);
    at += MARK_BYTES;
    if (length === NO_ID) {
      marks.push(undefined);
      continue;
    }
    const id = decoder.decode(bytes.subarray(at, at + length));
    at += length;
    marks.push({ id, similarity: Number.isNaN(similarity) ? undefined : similarity });
  }
  if (marks.length !== count || at !== bytes.length) throw new Error(NOT_VECTORS);
  return marks;
}

const NOT_VECTORS = 'its content is not a list of vectors';

/** A decoded vector. */
interface DecodedRow {
  readonly vector: QueryVector;
  readonly time: number;
  readonly mark: VectorMark | undefined;
}

/**
 * Decodes the newest `maxCount` vectors, oldest first. They share one buffer: copy a vector before you read the next.
 *
 * @throws Error if the bytes are not a list of vectors
 */
export function* decodeRows(bytes: Uint8Array, maxCount = Number.POSITIVE_INFINITY): Generator<DecodedRow, void> {
  const view = viewOf(bytes);
  const hasHeader = bytes.length >= HEADER_BYTES;
  const [dimensions, count] = hasHeader ? [view.getUint32(0, true), view.getUint32(4, true)] : [0, 0];
  const end = HEADER_BYTES + count * (TIME_BYTES + dimensions * FLOAT_BYTES);
  if (!hasHeader || bytes.length < end || (count > 0 && dimensions === 0)) throw new Error(NOT_VECTORS);
  const marks = decodeMarks(bytes.subarray(end), count);
  if (count === 0) return; // Ignores its dimensions.
  const floats = new Float32Array(dimensions);
  const raw = new Uint8Array(floats.buffer);
  for (let i = Math.max(0, count - maxCount); i < count; i++) {
    const start = HEADER_BYTES + count * TIME_BYTES + i * raw.length;
    raw.set(bytes.subarray(start, start + raw.length));
    swapToLittleEndian(raw);
    const time = view.getFloat64(HEADER_BYTES + i * TIME_BYTES, true);
    yield { vector: { floats, length: euclideanLength(floats) }, time, mark: marks[i] };
  }
}

/** Decodes the newest `maxCount` vectors into blocks of `size`. The last block may be partly filled. */
export function decodeBlocks(bytes: Uint8Array, maxCount: number, size: number): readonly VectorBlock[] {
  const blocks: VectorBlock[] = [];
  for (const { vector, time, mark } of decodeRows(bytes, maxCount)) {
    let last = blocks.at(-1);
    if (last === undefined || last.end === size) blocks.push((last = new VectorBlock(vector.floats.length, size)));
    last.append(vector, time, mark);
  }
  return blocks;
}
