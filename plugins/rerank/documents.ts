import {
  abstain,
  type Context,
  contextPath,
  type Note,
  type PathReader,
  paths,
  readText,
  type Score,
  typeMismatch,
  valueOrError,
} from '../../src/unit-sdk.js';

/** The param for the text of a candidate that a model reads. */
export const documentParam = () =>
  paths().describe('The path to the text of a candidate, or several paths whose texts are joined by line breaks.');

/** The texts that a model reads, one for each candidate of a run. */
export class Documents {
  /** Undefined if a candidate has no text, an error if it is malformed. */
  readonly #texts: readonly (string | undefined | Error)[];

  constructor(readers: readonly PathReader[], candidates: readonly unknown[]) {
    this.#texts = candidates.map((candidate) => valueOrError(() => documentText(readers, candidate)));
  }

  /** The texts that are present, in the order of the candidates. */
  get present(): readonly string[] {
    return this.#texts.filter((text) => typeof text === 'string');
  }

  /** The score of a candidate by the score of its text. It abstains with the reason `absent` if there is no text. */
  scoreBy<V>(scoreOf: (text: string, note: Note | undefined) => V | undefined): Score<unknown, V> {
    return (_candidate, index, note) => {
      const text = this.#texts[index];
      if (text instanceof Error) throw text;
      return text === undefined ? abstain(note, 'absent') : scoreOf(text, note);
    };
  }
}

/**
 * The texts at the paths, one per line, with the elements of a list on the same line. Undefined if all are absent or
 * blank.
 */
function documentText(readers: readonly PathReader[], candidate: unknown): string | undefined {
  const lines = readers.flatMap((read) => {
    const value = read(candidate);
    const parts = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).flatMap((part) =>
      part === undefined || part === null ? [] : [partText(read, part)],
    );
    return parts.length === 0 ? [] : [parts.join(', ')];
  });
  const text = lines.join('\n');
  return text.trim() === '' ? undefined : text;
}

function partText(read: PathReader, part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part === 'number' || typeof part === 'boolean') return String(part);
  throw typeMismatch(read.source, 'a string', part);
}

/** The param for the path to the query in the context. */
export const queryParam = () => contextPath('query').describe('The path to the query in the context.');

/** The query; undefined if it is absent or blank. */
export function readQuery(query: PathReader, context: Context): string | undefined {
  const text = readText(query, context);
  return text?.trim() === '' ? undefined : text;
}

/** The score function without a query: it abstains with the reason `no_query`. */
export const withoutQuery =
  (query: PathReader): Score<unknown, never> =>
  (_candidate, _index, note) =>
    abstain(note, 'no_query', { query: query.source });
