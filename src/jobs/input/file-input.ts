import { open, stat } from 'node:fs/promises';
import { toAssizeError } from '../../diagnostics/index.js';
import { readSourceFile } from '../../input/index.js';
import type { ByteInput } from './byte-input.js';

/**
 * A file as the input of a job.
 *
 * @param name what problems call it, and by which other machines have it; its path when not given
 * @throws AssizeError where there is none (ASZ101), or it can only be read from its beginning (ASZ581)
 */
export async function fileInput(path: string, name = path): Promise<ByteInput> {
  const found = await stat(path).catch(async (error: unknown) => {
    await readSourceFile(path); // fails likewise, in words
    throw error;
  });
  if (found.isDirectory()) await readSourceFile(path);
  if (!found.isFile()) throw notInPartsError(`${name} can only be read from its beginning`);
  return { name, size: found.size, vectors: `${path}.vectors`, read: (from, to) => readRange(path, from, to - from) };
}

async function readRange(path: string, position: number, length: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { bytesRead } = await file.read(bytes, done, length - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  } finally {
    await file.close();
  }
}

const LINES_HINT = 'write it to a file of JSON Lines first, an object a line';

/** The error of an input that is no JSON Lines, or no file. */
export const notInPartsError = (message: string, hint = LINES_HINT): Error =>
  toAssizeError([{ code: 'ASZ581', message, hint }]);
