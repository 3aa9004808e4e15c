import { createHash } from 'node:crypto';
import type { Problem } from '../../diagnostics/problem.js';

/** Whose memory it is, and what it means. */
export interface MemoryOwner {
  /** The class, with its pack: `core/NoveltyScorer`. */
  readonly unit: string;
  /** The layout of its bytes. */
  readonly version: number;
  /** What it was made with; empty where the unit does not say. */
  readonly madeWith: string;
}

/** What is wrong with a file's contents. */
export type MemoryFileProblem = Pick<Problem, 'code' | 'message' | 'hint'>;

/** How every memory file begins. */
const MAGIC = Buffer.from('assize-memory 1\n');
const DIGEST_BYTES = 32;
const NEW_LINE = 0x0a;

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/**
 * A memory in its envelope: a line that says what the file is, a line of JSON with its owner, the memory's own bytes,
 * and a digest of all that. A file that was cut off or changed anywhere has another digest.
 */
export function encodeEnvelope(owner: MemoryOwner, memory: Uint8Array): Buffer {
  const { unit, version, madeWith } = owner;
  const body = Buffer.concat([MAGIC, Buffer.from(`${JSON.stringify({ unit, version, madeWith })}\n`), memory]);
  return Buffer.concat([body, sha256(body)]);
}

/** The bytes of the owner's memory, or why a file's contents are not that. */
export function decodeEnvelope(
  file: Uint8Array,
  owner: MemoryOwner,
): { readonly memory: Uint8Array } | MemoryFileProblem {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!MAGIC.subarray(0, bytes.length).equals(bytes.subarray(0, MAGIC.length)))
    return { code: 'ASZ108', message: 'it is no memory file', hint: 'name another file, or move this one away' };
  const body = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_BYTES));
  if (body.length < MAGIC.length || !sha256(body).equals(bytes.subarray(body.length))) {
    const hint = 'put a copy in its place, or delete it to start with an empty memory';
    return { code: 'ASZ107', message: 'it was cut off or changed by something else', hint };
  }
  const end = body.indexOf(NEW_LINE, MAGIC.length);
  const differs = ownerMismatch(JSON.parse(body.subarray(MAGIC.length, end).toString()) as Partial<MemoryOwner>, owner);
  if (differs !== undefined) return { code: 'ASZ108', message: differs, hint: 'give each its own file' };
  return { memory: body.subarray(end + 1) };
}

function ownerMismatch(found: Partial<MemoryOwner>, wanted: MemoryOwner): string | undefined {
  if (found.unit !== wanted.unit) return `it is the memory of a ${found.unit}, and a ${wanted.unit}'s is expected`;
  if (found.madeWith !== wanted.madeWith)
    return `it was made with ${found.madeWith}, and this entry works with ${wanted.madeWith}`;
  if (found.version !== wanted.version)
    return `its layout is version ${found.version}, and this ${wanted.unit} reads version ${wanted.version}`;
  return undefined;
}
