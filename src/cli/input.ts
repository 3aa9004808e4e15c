import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { readAllRows, readSource, type RowFormat } from '../document/index.js';

type Parts = AsyncIterable<string | Uint8Array>;

const BY_ENDING: Readonly<Record<string, RowFormat>> = {
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.csv': 'csv',
  '.tsv': 'tsv',
};

/**
 * Reads the candidates of a file, or of standard input.
 *
 * @param file   its path; `-` is standard input
 * @param format what it is in; by its ending, else by how it begins, when not said
 * @throws AssizeError with everything that is wrong with them
 */
export async function readCandidates(file: string, stdin: Parts, format?: RowFormat): Promise<readonly object[]> {
  if (file === '-') return valuesOf(stdin, 'stdin', format);
  try {
    return await valuesOf(createReadStream(file), file, format ?? BY_ENDING[extname(file).toLowerCase()]);
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) await readSource(file); // fails likewise, and says it in words
    throw error;
  }
}

async function valuesOf(parts: Parts, name: string, format: RowFormat | undefined): Promise<readonly object[]> {
  const [start, input] = format ? ['', parts] : await peek(parts);
  const rows = await readAllRows(input, name, format ?? formatOf(start));
  return rows.map(({ value }) => value);
}

/**
 * A list is JSON, and so is an object that goes on in the next line; anything else has an object a line. A byte order
 * mark is a space to a pattern.
 */
const formatOf = (start: string): RowFormat => (/^\s*(?:\[|\{[\t ]*\r?\n)/.test(start) ? 'json' : 'jsonl');

/** How a stream begins, past its blank lines, and the stream with its beginning put back. */
async function peek(parts: Parts): Promise<[start: string, parts: Parts]> {
  const iterator = parts[Symbol.asyncIterator]();
  const seen: (string | Uint8Array)[] = [];
  const decoder = new TextDecoder(); // a character may have come apart
  let start = '';
  while (!/\{[\t ]*\r?\n|[^\s{]/.test(start)) {
    // oxlint-disable-next-line no-await-in-loop -- each part says whether another is needed
    const next = await iterator.next();
    if (next.done) break;
    seen.push(next.value);
    start += typeof next.value === 'string' ? next.value : decoder.decode(next.value, { stream: true });
  }
  return [start, resumed(seen, iterator)];
}

async function* resumed(
  seen: readonly (string | Uint8Array)[],
  rest: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  yield* seen;
  yield* { [Symbol.asyncIterator]: () => rest };
}
