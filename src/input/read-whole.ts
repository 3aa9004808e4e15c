import { isUtf8 } from 'node:buffer';
import { SourceFile } from '../diagnostics/index.js';
import type { RowProblems } from './candidate-reader.js';
import { concatBlocks, type LineBlock, lineBlocks, type TextInput } from './line-blocks.js';
import { utf8Problem } from './utf8.js';

/**
 * Reads an input to its end, for a format whose parts cannot be read by themselves.
 *
 * @returns undefined where it is not UTF-8 text, which is added to the problems
 */
export async function readWhole(
  input: TextInput,
  name: string,
  problems: RowProblems,
): Promise<SourceFile | undefined> {
  const parts: LineBlock[] = [];
  for await (const part of lineBlocks(input)) parts.push(part);
  const whole = parts.length > 0 ? concatBlocks(parts) : '';
  const source = new SourceFile(name, whole.toString());
  if (typeof whole === 'string' || isUtf8(whole)) return source;
  problems.add(source, 0, () => utf8Problem(whole, source));
  return undefined;
}
