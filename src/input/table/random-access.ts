import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { toAssizeError } from '../../diagnostics/index.js';
import type { TextInput } from '../line-blocks.js';
import type { RandomAccess } from './table.js';

/** The bytes of a stream, read to its end. */
export async function bytesOf(input: TextInput): Promise<RandomAccess> {
  const parts: Buffer[] = [];
  if (typeof input === 'string') parts.push(Buffer.from(input));
  else for await (const part of input) parts.push(Buffer.from(part));
  const bytes = Buffer.concat(parts);
  return {
    byteLength: bytes.length,
    slice: async (start, end) => Uint8Array.from(bytes.subarray(start, end)).buffer,
  };
}

/** A file that is open for reading at any place. Others may read it by its path: it must stay the file that is there. */
export interface OpenFile extends RandomAccess {
  close(): Promise<void>;
}

/**
 * Opens a file.
 *
 * @param name what problems call it
 * @throws the system's error; while reading an AssizeError (ASZ101) where the file is written to meanwhile, or another one
 *   has taken its place
 */
export async function openFile(path: string, name = path): Promise<OpenFile> {
  const handle = await open(path);
  const absolute = resolve(path);
  const { size, mtimeMs, ino } = await handle.stat();
  return {
    byteLength: size,
    path: absolute,
    async slice(start, end = size) {
      const bytes = await readFully(handle, start, Math.max(0, Math.min(end, size) - start));
      const now = await stat(absolute).catch(() => undefined);
      if (now?.size !== size || now.mtimeMs !== mtimeMs || now.ino !== ino) throw changedError(name);
      return bytes;
    },
    close: () => handle.close(),
  };
}

async function readFully(handle: FileHandle, position: number, length: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    // oxlint-disable-next-line no-await-in-loop -- a read may give less than was asked for
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done === length ? bytes.buffer : bytes.slice(0, done).buffer;
}

const changedError = (name: string): Error =>
  toAssizeError([
    { code: 'ASZ101', message: `cannot read ${name}: it changed while it was read`, hint: 'rank a copy of it' },
  ]);
