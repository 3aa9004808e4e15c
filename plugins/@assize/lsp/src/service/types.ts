import type { Place, Problem } from 'assize';
import type { LanguageHost } from 'assize/language';

/** A path through data: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[];

/** The value at a path of data. */
export function valueAtPath(data: unknown, path: Path): unknown {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** What may be written at an offset of a YAML text. */
export interface Cursor {
  /** The map in which a key may be written here. */
  readonly keyOf: Path | undefined;
  /** The path of the value that may be written here. */
  readonly valueAt: Path | undefined;
  /** The start of the key or value that the offset is in, after its opening quote. */
  readonly start: number;
  /** Its text up to the offset. */
  readonly text: string;
  readonly quote: Quote;
  /** The brackets around the offset that are open, outermost first. */
  readonly open: string;
  /** The column at which a nested block would have to be indented more. */
  readonly indent: number;
}

/** How a text is written: plain, in quotes, or as a block after `|` or `>`. */
export type Quote = '' | "'" | '"' | '|';

/** Offsets in the text of a profile, in UTF-16 units from 0. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A replacement of a part of the text. */
export interface TextChange extends TextRange {
  readonly text: string;
}

export type CompletionKind = 'key' | 'class' | 'value' | 'id' | 'field' | 'variable' | 'function' | 'preset' | 'plugin';

/** Something that can be written at an offset. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** What to change if it is chosen. */
  readonly change: TextChange;
  /** Changes elsewhere in the text, such as a plugin that the profile must list. */
  readonly others?: readonly TextChange[];
  /** A few words to show beside it. */
  readonly detail?: string | undefined;
  /** Markdown. */
  readonly documentation?: string | undefined;
  /** The position among the others: lower numbers come first. */
  readonly rank: number;
}

/** An explanation of the name at an offset. */
export interface Hover extends TextRange {
  readonly markdown: string;
}

/** A problem of a profile, with the part of the text to underline. */
export interface Diagnostic extends TextRange {
  readonly severity: 'error' | 'warning';
  /** The problem as `assize check` reports it. */
  readonly problem: Problem;
  readonly message: string;
  /** The change that its hint proposes. */
  readonly fix?: TextChange & { readonly title: string };
}

/** What the service needs from its surroundings. The name of a profile is its file, from which paths are resolved. */
export interface ProfileServiceOptions extends Omit<LanguageHost, 'base'> {
  /**
   * Checks a profile: `createPipeline` of `assize` or of `assize/browser`.
   *
   * @throws AssizeError with the problems of the profile
   */
  readonly check: (profile: {
    readonly yaml: string;
    readonly name: string;
  }) => Promise<{ readonly warnings: readonly Problem[] }>;
  /**
   * Reads a sample of candidates, whose fields are completed.
   *
   * @param file the path in the line `# candidates: PATH` of the profile; undefined if it has none
   * @param profile the name of the profile
   */
  readonly candidates?: (file: string | undefined, profile: string) => Promise<readonly unknown[]>;
}

/** The place of a definition: the file as problems show it, with a line and a column from 1. */
export type Definition = Pick<Place, 'file' | 'line' | 'column'>;
