import { type DataPath, describeValue, escapeInvisible, locate, type Problem } from '../../base/index.js';
import { checkExpression, isMap } from '../../expression/index.js';
import { CEL_KEYWORDS, RESERVED_IDS } from '../../profile/index.js';
import { inline } from '../show/profile-yaml.js';

/** The entry of a profile, with the part of the input that it comes from. */
export interface DraftEntry {
  readonly comment: string;
  readonly entry: Readonly<Record<string, unknown>> & { readonly id: string };
}

/** A profile that is being written. */
export interface Draft {
  /** What the input is: `3 rules of json-rules-engine`. */
  readonly source: string;
  readonly names: readonly DraftNamed[];
  readonly vetoes: readonly DraftEntry[];
  readonly scorers: readonly DraftEntry[];
  /** Keys of the profile after its entries. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** A name of `let`. */
interface DraftNamed {
  readonly comment: string;
  readonly name: string;
  readonly expr: string;
}

/** What a converter has read, and what it could not carry over. */
export class Conversion {
  readonly problems: Problem[] = [];
  readonly #ids = new Set<string>([
    ...RESERVED_IDS,
    ...CEL_KEYWORDS,
    'candidate',
    'context',
    'now',
    'score',
    'scores',
    'stats',
  ]);

  constructor(readonly data: object) {}

  /** Reports a part that the profile does not have. */
  lost(path: DataPath, message: string, hint?: string): undefined {
    this.#report('ASZ742', path, message, hint);
  }

  /** Reports a part that the profile has in another form, or that has no effect. */
  note(path: DataPath, message: string, hint?: string): void {
    this.#report('ASZ743', path, message, hint);
  }

  /** An id that no other entry has, from any text. */
  idOf(text: string, fallback: string): string {
    const slug = text
      .slice(0, 200)
      .normalize('NFKD')
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40);
    const base = /^[a-z]/.test(slug) ? slug : `${fallback}${slug === '' ? '' : `_${slug}`}`;
    let id = base;
    for (let n = 2; this.#ids.has(id); n++) id = `${base}_${n}`;
    this.#ids.add(id);
    return id;
  }

  /** The expression, or undefined if the language cannot read it, which is reported. */
  checked(path: DataPath, expr: string): string | undefined {
    const [problem] = checkExpression(expr);
    return problem === undefined ? expr : this.lost(path, `it cannot be written as an expression: ${problem.message}`);
  }

  #report(code: 'ASZ742' | 'ASZ743', path: DataPath, message: string, hint: string | undefined): void {
    const place = locate(this.data, path, 'value');
    this.problems.push({ code, message: `${pointer(path)}: ${message}`, path: pointer(path), place, hint });
  }
}

/** A JSON pointer. */
const pointer = (path: DataPath): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('') || '/';

/** Joins conditions with `&&` or `||`. */
export function joined(parts: readonly string[], by: '&&' | '||'): string {
  if (parts.length < 2) return parts[0] ?? 'true';
  return parts.map((one) => (/&&|\|\||\?/.test(one) ? `(${one})` : one)).join(` ${by} `);
}

/** A number as CEL, with a decimal point: arithmetic of whole numbers differs between CEL and Assize. */
export const decimal = (value: number): string => (/^-?\d+$/.test(String(value)) ? `${value}.0` : String(value));

/** A JSON value as CEL. JSON texts, finite numbers and lists are CEL. */
export const literal = (value: unknown): string => JSON.stringify(value);

const NAME = /^[A-Za-z_]\w*$/;

/** An expression that reads a field of the candidate. */
export function fieldText(keys: DataPath): string {
  return keys.reduce<string>(
    (text, key) =>
      typeof key === 'string' && NAME.test(key) && !CEL_KEYWORDS.has(key)
        ? `${text}.${key}`
        : `${text}[${literal(key)}]`,
    'candidate',
  );
}

/** Checks that a value is a map; otherwise reports it. */
export function mapAt(
  conversion: Conversion,
  value: unknown,
  path: DataPath,
): Readonly<Record<string, unknown>> | undefined {
  return isMap(value) ? value : conversion.lost(path, `expected a map, found ${describeValue(value)}`);
}

/** The longest entry that is written on one line. */
const MAX_LINE = 100;
const MAX_COMMENT = 160;

/** The profile as YAML, with a comment above each entry. */
export function draftYaml({ source, names, vetoes, scorers, rest }: Draft, name: string): string {
  const lines = [
    '# yaml-language-server: $schema=./node_modules/assize/config/profile.schema.json',
    `name: ${inline(name)}`,
    `description: ${inline(`Converted from ${source}.`)}`,
  ];
  if (names.length > 0) lines.push('', 'let:');
  for (const { comment, name: key, expr } of names) lines.push(commentLine(comment), `  ${key}: ${inline(expr)}`);
  for (const [section, entries] of [
    ['tier1_scorers', vetoes],
    ['tier2_scorers', scorers],
  ] as const) {
    if (entries.length > 0) lines.push('', `${section}:`);
    for (const { comment, entry } of entries) lines.push(commentLine(comment), ...entryLines(entry));
  }
  if (Object.keys(rest).length > 0) lines.push('');
  for (const [key, value] of Object.entries(rest)) lines.push(`${key}: ${inline(value)}`);
  return `${lines.join('\n')}\n`;
}

function commentLine(comment: string): string {
  const text = escapeInvisible(comment.replace(/\s+/g, ' '));
  return `  # ${text.length > MAX_COMMENT ? `${text.slice(0, MAX_COMMENT)}…` : text}`;
}

function entryLines(entry: Readonly<Record<string, unknown>>): readonly string[] {
  const short = `  - ${inline(entry)}`;
  if (short.length <= MAX_LINE) return [short];
  return Object.entries(entry).map(([key, value], index) => `${index === 0 ? '  - ' : '    '}${key}: ${inline(value)}`);
}
