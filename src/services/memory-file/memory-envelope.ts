import { createHash, randomBytes } from 'node:crypto';
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

/** The first bytes of a memory file. Version 1 is only read: it has no length and no log. */
const MAGIC = Buffer.from('assize-memory 2\n');
const MAGIC_1 = Buffer.from('assize-memory 1\n');
const DIGEST_BYTES = 32;
const NEW_LINE = 0x0a;

export const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** A memory file without its log. */
export interface Snapshot {
  readonly memory: Uint8Array;
  /** The version of the unit's layout. */
  readonly version: number;
  /** The bytes up to the memory. They include a random id, so that equal bytes mean the same snapshot. */
  readonly header: Uint8Array;
  /** The digest of the snapshot: the first link of the chain of its log. */
  readonly digest: Uint8Array;
  /** The length of the snapshot. The log begins here. */
  readonly end: number;
  /** Whether records may follow. */
  readonly hasLog: boolean;
}

/**
 * Encodes a snapshot: a line that identifies the file, a line of JSON with the owner, the length of the memory and a random
 * id, the memory, and a digest of all that. The digest detects truncated and changed files.
 */
export function encodeSnapshot(owner: MemoryOwner, memory: Uint8Array): Snapshot & { readonly bytes: Buffer } {
  const { unit, version, madeWith } = owner;
  const facts = { unit, version, madeWith, bytes: memory.length, id: randomBytes(8).toString('hex') };
  const header = Buffer.concat([MAGIC, Buffer.from(`${JSON.stringify(facts)}\n`)]);
  const digest = sha256(header, memory);
  const bytes = Buffer.concat([header, memory, digest]);
  return { memory, version, header, digest, end: bytes.length, hasLog: true, bytes };
}

/**
 * Decodes the owner's snapshot at the start of a file. Returns a problem if the file contains something else.
 *
 * @param older the older layouts that the owner's unit can also read
 */
export function decodeSnapshot(
  bytes: Buffer,
  owner: MemoryOwner,
  older: readonly number[] = [],
): Snapshot | MemoryFileProblem {
  const isOld = startsWith(bytes, MAGIC_1);
  if (!isOld && !startsWith(bytes, MAGIC))
    return { code: 'ASZ108', message: 'it is not a memory file', hint: 'name another file, or move this one away' };
  const start = bytes.indexOf(NEW_LINE, MAGIC.length) + 1;
  const found = start === 0 ? undefined : parseOwner(bytes.subarray(MAGIC.length, start - 1).toString());
  const end = isOld ? bytes.length : start + (found?.bytes ?? 0) + DIGEST_BYTES;
  const body = bytes.subarray(0, Math.max(0, end - DIGEST_BYTES));
  const digest = bytes.subarray(body.length, end);
  if (body.length < MAGIC.length || !sha256(body).equals(digest)) {
    const hint = 'restore it from a copy, or delete it to start with an empty memory';
    return { code: 'ASZ107', message: 'it was cut off or changed by something else', hint };
  }
  if (!found) {
    const hint = 'delete it to start with an empty memory, or name another file';
    return { code: 'ASZ108', message: 'its second line does not name the owner of the memory', hint };
  }
  const differs = ownerMismatch(found, owner, older);
  if (differs !== undefined) return { code: 'ASZ108', message: differs, hint: 'give each entry its own file' };
  const header = bytes.subarray(0, start);
  return { memory: body.subarray(start), version: found.version, header, digest, end, hasLog: !isOld };
}

const startsWith = (bytes: Buffer, magic: Buffer): boolean =>
  magic.subarray(0, bytes.length).equals(bytes.subarray(0, magic.length));

/** The owner in a file; undefined if the line is invalid. A valid digest does not rule that out. */
function parseOwner(line: string): (MemoryOwner & { readonly bytes: number }) | undefined {
  try {
    const { unit, version, madeWith, bytes = 0 } = JSON.parse(line) as Partial<Record<string, unknown>>;
    if (typeof unit !== 'string' || typeof madeWith !== 'string' || typeof version !== 'number') return undefined;
    if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return undefined;
    return { unit, version, madeWith, bytes };
  } catch {
    return undefined;
  }
}

/** Names that a message may quote: short printable ASCII. */
const NAME = /^[\x20-\x7e]{1,200}$/;
const nameOf = (text: string): string => (NAME.test(text) ? text : 'something else');

function ownerMismatch(found: MemoryOwner, wanted: MemoryOwner, older: readonly number[]): string | undefined {
  if (found.unit !== wanted.unit)
    return `it is the memory of a ${nameOf(found.unit)}, expected that of a ${wanted.unit}`;
  if (found.madeWith !== wanted.madeWith)
    return `it was made with ${nameOf(found.madeWith)}, but this entry uses ${wanted.madeWith}`;
  if (found.version !== wanted.version && !older.includes(found.version))
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
