import { readFile } from 'node:fs/promises';

/** The rows of a JSONL file that was made for Assize: not checked. */
export async function readRows<T>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** The little-endian float32 numbers of a file. */
export async function readFloats(file: string): Promise<Float32Array> {
  const bytes = await readFile(file);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
