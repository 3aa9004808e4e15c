import { sha256 } from './memory-envelope.js';

/** A record begins with the length of its content, twice: the second time with all bits inverted. */
const HEADER_BYTES = 8;
/** A record ends with the start of a digest of the record before it, the length and the content. */
const LINK_BYTES = 16;

/** What a record takes besides its content. */
export const RECORD_OVERHEAD = HEADER_BYTES + LINK_BYTES;

const lengthOf = (content: Uint8Array): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(content.length, 0);
  header.writeUInt32LE(~content.length >>> 0, 4);
  return header;
};

/**
 * Encodes a record of the log. Its digest includes that of the record before it (of the snapshot, for the first one), so a
 * record is valid only in its place.
 */
export function encodeRecord(
  before: Uint8Array,
  content: Uint8Array,
): { readonly bytes: Buffer; readonly link: Buffer } {
  const header = lengthOf(content);
  const link = linkOf(before, header, content);
  return { bytes: Buffer.concat([header, content, link]), link };
}

const linkOf = (before: Uint8Array, header: Uint8Array, content: Uint8Array): Buffer =>
  sha256(before, header, content).subarray(0, LINK_BYTES);

/** The records of a log, or of its end. */
export interface LogRecords {
  readonly contents: readonly Uint8Array[];
  /** The digest of the last valid record. */
  readonly link: Uint8Array;
  /** The number of bytes of valid records. */
  readonly end: number;
  /** The rest is not a record that was written only in part, so the file was changed by something else. */
  readonly damaged: boolean;
}

/**
 * Decodes records. An incomplete record at the end is not included: its writer has not finished, or was interrupted.
 *
 * @param before the digest of the record before the first one
 */
export function decodeRecords(bytes: Buffer, before: Uint8Array): LogRecords {
  const contents: Uint8Array[] = [];
  let link = before;
  let end = 0;
  while (bytes.length - end >= HEADER_BYTES) {
    const header = bytes.subarray(end, end + HEADER_BYTES);
    const length = header.readUInt32LE(0);
    if (~length >>> 0 !== header.readUInt32LE(4))
      return { contents, link, end, damaged: !isBlank(bytes.subarray(end)) };
    const next = end + RECORD_OVERHEAD + length;
    if (next > bytes.length) break;
    const content = bytes.subarray(end + HEADER_BYTES, end + HEADER_BYTES + length);
    const found = bytes.subarray(next - LINK_BYTES, next);
    const expected = linkOf(link, header, content);
    // A crash of the machine may leave a last record of the full length, with blocks that were never written.
    if (!expected.equals(found)) return { contents, link, end, damaged: next < bytes.length };
    contents.push(content);
    link = expected;
    end = next;
  }
  return { contents, link, end, damaged: false };
}

/** Whether all bytes are 0: a file system may extend a file before it writes its content. */
const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
