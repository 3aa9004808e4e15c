import { filePath, type PathReader, z } from '../../src/unit-sdk.js';

/** A file that a param refers to cannot be used. The message contains the place in the file and what was expected. */
export class ParamFileError extends Error {
  override readonly name = 'ParamFileError';
}

/** A place in a file, at the start of a message: `/models/a.txt:12:5`. */
export const filePlace = (file: string, line: number, column: number): string => `${file}:${line}:${column}`;

/** The maximum size of a file, to protect the memory. */
const MAX_BYTES = 256 * 2 ** 20;

/**
 * Reads a text file synchronously, because params are checked synchronously. Node's module is loaded when it is needed,
 * since a page has none.
 *
 * @throws ParamFileError
 */
function readTextFile(file: string): string {
  const fs = (globalThis as { readonly process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.('fs');
  if (!fs) throw new ParamFileError(`${file}: no file can be read here`);
  try {
    const { size } = regularFile(fs.statSync(file), file);
    if (size > MAX_BYTES) throw new ParamFileError(`${file}: expected at most ${MAX_BYTES} bytes, found ${size}`);
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof ParamFileError || !(error instanceof Error)) throw error;
    throw new ParamFileError(`${file}: cannot be read: ${error.message}`);
  }
}

/** Refuses folders and endless devices. */
function regularFile<S extends { isFile(): boolean }>(stats: S, file: string): S {
  if (!stats.isFile()) throw new ParamFileError(`${file}: expected a file`);
  return stats;
}

/**
 * A param that is the path to a file, relative to the profile. The file is read and parsed when the profile is loaded.
 *
 * @param parse parses the text; a `ParamFileError` that it throws becomes a problem of the param
 */
export const parsedFile = <V>(parse: (text: string, file: string) => V) =>
  filePath().transform((file, ctx): V => {
    try {
      return parse(readTextFile(file), file);
    } catch (error) {
      if (!(error instanceof ParamFileError)) throw error;
      ctx.issues.push({ code: 'custom', input: file, message: error.message });
      return z.NEVER;
    }
  });

/**
 * A param that is a map whose keys are paths. It becomes the list of what `make` returns for each entry. An invalid path
 * is reported at its key.
 *
 * @param record the schema of the map
 * @param keyPath parses a key: `path()` or `itemPath()`
 */
export const pathRecord = <V, R>(
  record: z.ZodType<Readonly<Record<string, V>>, Readonly<Record<string, V>>>,
  keyPath: z.ZodType<PathReader, string>,
  make: (read: PathReader, value: V) => R,
) =>
  record.transform((entries, ctx): readonly R[] =>
    Object.entries(entries).flatMap(([key, value]) => {
      const read = keyPath.safeParse(key);
      if (read.success) return [make(read.data, value)];
      for (const issue of read.error.issues) ctx.issues.push({ ...issue, code: 'custom', input: entries, path: [key] });
      return [];
    }),
  );
