import { filePlace, ParamFileError } from './param-file.js';

/** A feature and its weight. */
export type FeatureWeight = readonly [feature: string, weight: number];

/** The tokens of a flat map in JSON, each with the blanks before it. */
const TOKENS = {
  open: /\s*(\{)/y,
  close: /\s*(\})/y,
  comma: /\s*(,)/y,
  colon: /\s*(:)/y,
  text: /\s*("[^"\\\n]*(?:\\.[^"\\\n]*)*")/y,
  number: /\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.])/y,
  end: /\s*($)/y,
} as const;
type TokenKind = keyof typeof TOKENS;

/**
 * Reads weights: JSON, a map of numbers by feature, or CSV, a line `feature,weight` for each under exactly that
 * heading. A file whose name ends in `.csv` is CSV.
 *
 * @throws ParamFileError with the place of the first mistake
 */
export function parseWeights(text: string, file: string): readonly FeatureWeight[] {
  const pairs = /\.csv$/i.test(file) ? readCsv(text, file) : readJson(text, file);
  const weights = new Map<string, number>();
  for (const { feature, weight, at } of pairs) {
    if (weights.has(feature))
      throw new ParamFileError(`${at()}: the feature ${JSON.stringify(feature)} is there twice`);
    if (!Number.isFinite(weight)) throw new ParamFileError(`${at()}: expected a finite number`);
    weights.set(feature, weight);
  }
  if (weights.size === 0) throw new ParamFileError(`${filePlace(file, 1, 1)}: expected at least one weight`);
  return [...weights];
}

/** A pair with its place, as messages begin; found only when it is needed. */
interface PlacedWeight {
  readonly feature: string;
  readonly weight: number;
  readonly at: () => string;
}

function* readJson(text: string, file: string): Generator<PlacedWeight> {
  let at = text.charCodeAt(0) === 0xfe_ff ? 1 : 0;
  const place = (offset: number): string => {
    const before = text.slice(0, offset).split('\n');
    return filePlace(file, before.length, before.at(-1)!.length + 1);
  };
  const next = (kind: TokenKind): string | undefined => {
    const token = TOKENS[kind];
    token.lastIndex = at;
    const found = token.exec(text)?.[1];
    if (found !== undefined) at = token.lastIndex;
    return found;
  };
  const expected = (kind: TokenKind, words: string): string => {
    const found = next(kind);
    if (found !== undefined) return found;
    const offset = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    const there = offset >= text.length ? 'the end of the file' : JSON.stringify(text.slice(offset, offset + 20));
    throw new ParamFileError(`${place(offset)}: expected ${words}, found ${there}`);
  };
  expected('open', 'a map of weights by feature');
  if (next('close') === undefined) {
    do {
      const key = expected('text', 'the name of a feature');
      const start = at - key.length;
      expected('colon', 'a colon');
      const weight = Number(expected('number', `a number, the weight of ${key}`));
      yield { feature: unquote(key, () => place(start)), weight, at: () => place(start) };
    } while (next('comma') !== undefined);
    expected('close', 'a comma or a closing brace');
  }
  expected('end', 'the end of the file');
}

function unquote(text: string, at: () => string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new ParamFileError(`${at()}: expected the name of a feature, found ${text}`);
  }
}

const CSV_LINE = /^(?:"((?:[^"]|"")*)"|([^",]*)),\s*(\S+)\s*$/;
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

function* readCsv(text: string, file: string): Generator<PlacedWeight> {
  const [heading = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (heading !== 'feature,weight')
    throw new ParamFileError(
      `${filePlace(file, 1, 1)}: expected the heading feature,weight, found ${heading.slice(0, 40)}`,
    );
  for (const [k, line] of lines.entries()) {
    if (line === '') continue;
    const [, quoted, plain = '', number = ''] = CSV_LINE.exec(line) ?? [];
    const at = () => filePlace(file, k + 2, 1);
    if (!NUMBER.test(number))
      throw new ParamFileError(`${at()}: expected a feature, a comma and a number, found ${line.slice(0, 60)}`);
    yield { feature: quoted?.replaceAll('""', '"') ?? plain, weight: Number(number), at };
  }
}
