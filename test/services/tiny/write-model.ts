import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a model's files under a folder. */
export function writeModel(folder: string, files: ReadonlyMap<string, Buffer>): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
}
