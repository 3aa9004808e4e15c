import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';
import { errorCode, isModuleNotFound, toError } from '../diagnostics/index.js';

/** What a plugin may be. */
export const PLUGIN_FORMS = 'a plugin is JavaScript or TypeScript: .js, .mjs, .cjs, .ts …';

/** A line and a column, both from 1. */
interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Transforms a file's text into plain JavaScript with an inline source map. */
export type SourceTransform = (source: string, file: string) => string;

/** The first line of an error's message. */
export const errorReason = (error: unknown): string => {
  const first = toError(error).message.split('\n')[0] ?? '';
  return first.trimEnd().replaceAll(/\(0 , \w+\.(\w+)\)/g, '$1'); // a call of an imported function, as transformed
};

/** The first frame of an error's stack in a plugin's own file. */
function findStackFrame(
  file: string,
  { stack = '' }: Error,
): { readonly at: SourcePosition; readonly native: boolean } | undefined {
  for (const line of stack.split('\n').filter((text) => /^\s+at /.test(text))) {
    for (const place of [file, pathToFileURL(file).href]) {
      const start = line.indexOf(`${place}:`);
      const found = start < 0 ? null : /^:(\d+):(\d+)\)?$/.exec(line.slice(start + place.length));
      if (found) return { at: { line: Number(found[1]), column: Number(found[2]) }, native: place !== file };
    }
  }
  return undefined;
}

/** The position that a syntax error has under its message; its columns count from 0. */
function syntaxErrorLocation({ message }: Error): string | undefined {
  for (const line of message.split('\n').slice(1)) {
    const [, file, row, column] = /^\s*((?:[\\/]|[A-Za-z]:|file:).*?):(\d+)(?::(\d+))?\s*$/.exec(line) ?? [];
    if (file !== undefined) return `${file}:${row}${column === undefined ? '' : `:${Number(column) + 1}`}`;
  }
  return undefined;
}

const INLINE_SOURCE_MAP = /\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([\w+/=]+)/;

/** The position in a file as it was written of one in its transformed text; undefined where it is not mapped. */
async function originalPosition(
  file: string,
  { line, column }: SourcePosition,
  transform: SourceTransform,
): Promise<SourcePosition | undefined> {
  try {
    const encoded = INLINE_SOURCE_MAP.exec(transform(await readFile(file, 'utf8'), file))?.[1];
    if (encoded === undefined) return undefined;
    const map = new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString()));
    const entry = map.findEntry(line - 1, column - 1);
    if (!('originalLine' in entry)) return undefined;
    return { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  } catch {
    return undefined;
  }
}

async function errorLocation(file: string, error: Error, transform: SourceTransform): Promise<string | undefined> {
  const frame = findStackFrame(file, error);
  if (frame === undefined) return syntaxErrorLocation(error);
  const { at, native } = frame;
  // Node's own loader runs the file as written; any other was transformed, which keeps lines but not columns.
  const own = native || /[\\/]node_modules[\\/]|\.cjs$/.test(file) ? at : await originalPosition(file, at, transform);
  return own ? `${file}:${own.line}:${own.column}` : `${file}:${at.line}`;
}

/** The hint for a plugin that cannot be imported: where it fails, or was looked for. */
export async function importHint(
  file: string,
  error: unknown,
  transform: SourceTransform,
  sdk: string,
): Promise<string> {
  if (errorCode(error) === 'ERR_UNKNOWN_FILE_EXTENSION') return PLUGIN_FORMS;
  const place = error instanceof Error ? await errorLocation(file, error, transform) : undefined;
  const missing = isModuleNotFound(error);
  const where =
    place === undefined ? (missing ? `it was looked for at ${file}` : `it fails in ${file}`) : `it fails at ${place}`;
  // Only the SDK is found for a file outside any project that has Assize installed. No code names what was not found.
  const isMainEntry = missing && errorReason(error).includes("'assize'");
  return isMainEntry ? `import from '${sdk}', which every plugin finds; ${where}` : where;
}
