import { createHash } from 'node:crypto';
import { errorCode, type Problem, toError } from '../../base/index.js';

/** The owner of a memory, and the format of its bytes. */
export interface MemoryOwner {
  /** The class, with its plugin: `core/NoveltyScorer`. */
  readonly unit: string;
  /** The version of the memory's layout. */
  readonly version: number;
  /** The unit's fingerprint of the settings that the memory depends on; may be empty. */
  readonly madeWith: string;
}

/** A problem of a memory file. */
export type MemoryFileProblem = Pick<Problem, 'code' | 'message' | 'hint'>;

/** The first bytes of every memory file. */
const MAGIC = Buffer.from('assize-memory 1\n');
const DIGEST_BYTES = 32;
const NEW_LINE = 0x0a;

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/**
 * Encodes a memory in an envelope: a line that identifies the file, a line of JSON with the owner, the memory's bytes,
 * and a digest of all that. The digest detects truncated and changed files.
 */
export function encodeEnvelope(owner: MemoryOwner, memory: Uint8Array): Buffer {
  const { unit, version, madeWith } = owner;
  const body = Buffer.concat([MAGIC, Buffer.from(`${JSON.stringify({ unit, version, madeWith })}\n`), memory]);
  return Buffer.concat([body, sha256(body)]);
}

/** Decodes the owner's memory from an envelope. Returns a problem if the file contains something else. */
export function decodeEnvelope(
  file: Uint8Array,
  owner: MemoryOwner,
): { readonly memory: Uint8Array } | MemoryFileProblem {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!MAGIC.subarray(0, bytes.length).equals(bytes.subarray(0, MAGIC.length)))
    return { code: 'ASZ108', message: 'it is not a memory file', hint: 'name another file, or move this one away' };
  const body = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_BYTES));
  if (body.length < MAGIC.length || !sha256(body).equals(bytes.subarray(body.length))) {
    const hint = 'restore it from a copy, or delete it to start with an empty memory';
    return { code: 'ASZ107', message: 'it was cut off or changed by something else', hint };
  }
  const end = body.indexOf(NEW_LINE, MAGIC.length);
  const found = end < 0 ? undefined : parseOwner(body.subarray(MAGIC.length, end).toString());
  if (!found) {
    const hint = 'delete it to start with an empty memory, or name another file';
    return { code: 'ASZ108', message: 'its second line does not name the owner of the memory', hint };
  }
  const differs = ownerMismatch(found, owner);
  if (differs !== undefined) return { code: 'ASZ108', message: differs, hint: 'give each entry its own file' };
  return { memory: body.subarray(end + 1) };
}

/** The owner in a file; undefined if the line is invalid. A valid digest does not rule that out. */
function parseOwner(line: string): MemoryOwner | undefined {
  try {
    const { unit, version, madeWith } = JSON.parse(line) as Partial<Record<keyof MemoryOwner, unknown>>;
    if (typeof unit !== 'string' || typeof madeWith !== 'string' || typeof version !== 'number') return undefined;
    return { unit, version, madeWith };
  } catch {
    return undefined;
  }
}

/** Names that a message may quote: short printable ASCII. */
const NAME = /^[\x20-\x7e]{1,200}$/;
const nameOf = (text: string): string => (NAME.test(text) ? text : 'something else');

function ownerMismatch(found: MemoryOwner, wanted: MemoryOwner): string | undefined {
  if (found.unit !== wanted.unit)
    return `it is the memory of a ${nameOf(found.unit)}, expected that of a ${wanted.unit}`;
  if (found.madeWith !== wanted.madeWith)
    return `it was made with ${nameOf(found.madeWith)}, but this entry uses ${wanted.madeWith}`;
  if (found.version !== wanted.version)
    return `its layout is version ${found.version}, but this ${wanted.unit} reads version ${wanted.version}`;
  return undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory, expected a file',
  ENOTDIR: 'a part of its path is not a directory',
  ENOENT: 'its folder does not exist',
  EACCES: 'this process has no permission',
  EPERM: 'this process has no permission',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
  EFBIG: 'it would exceed the file size limit of this process',
  EIO: 'its disk has failed',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
};

const HINTS: Readonly<Record<string, string>> = {
  EISDIR: 'name a file in it',
  ENOENT: 'create the folder, or name another file',
  EACCES: 'let this process read and write there, or name another file',
  EPERM: 'let this process read and write there, or name another file',
  EROFS: 'name a file elsewhere',
  ENOSPC: 'free some space; the memory was not updated',
  EDQUOT: 'free some space; the memory was not updated',
};

/** Converts an error of the file system to a problem; undefined for any other error. */
export function fileProblem(action: string, path: string, error: unknown): MemoryFileProblem | undefined {
  const code = errorCode(error);
  if (code === undefined) return undefined;
  const reason = REASONS[code] ?? toError(error).message;
  return { code: 'ASZ106', message: `cannot ${action} ${path}: ${reason}`, hint: HINTS[code] };
}
