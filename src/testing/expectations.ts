import * as z from 'zod';
import { toAssizeError, type Problem } from '../base/index.js';
import { readSourceFile } from '../data/node.js';
import { schemaProblems } from '../profile/index.js';
import { parseDocument } from '../profile/node.js';

const map = z.record(z.string(), z.unknown());
const sentence = z.string().check(({ value, issues }) => {
  if (parseExpectation(value) !== undefined) return;
  const message = `${JSON.stringify(value)} is not an expectation`;
  issues.push({ code: 'custom', input: value, message, params: { hint: EXPECTATION_FORMS } });
});
const expect = z.array(sentence).min(1);
const situation = { context: map.optional(), candidates: z.array(map).optional() };
const schema = z
  .strictObject({
    ...situation,
    expect: expect.optional(),
    cases: z.array(z.strictObject({ name: z.string().optional(), ...situation, expect })).optional(),
  })
  .check(({ value, issues }) => {
    if (value.expect || value.cases?.length) return;
    issues.push({
      code: 'custom',
      input: value,
      message: 'the list of expectations is empty',
      params: { hint: EXPECTATION_FORMS },
    });
  });

/** Expectations about the ranking of some candidates. */
export interface ExpectedCase {
  /** The name of the case in messages. */
  readonly name?: string | undefined;
  /** The context of the case; merged with the context of all cases. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the candidates of the call. */
  readonly candidates?: readonly object[] | undefined;
  /** `compass above sextant`, `atlas refused by archived`, `compass in top 3`, `sextant scores at least 0.5` … */
  readonly expect: readonly string[];
}

/** Expectations about the rankings of a profile: the content of a golden file. */
export interface Expectations extends Partial<ExpectedCase> {
  /** Further cases. Each inherits the `context` and the `candidates`. */
  readonly cases?: readonly ExpectedCase[] | undefined;
}

/**
 * Reads expectations from YAML or JSON, with their line numbers.
 *
 * @throws AssizeError with all problems of the file
 */
export async function readExpectations(file: string): Promise<Expectations> {
  const source = await readSourceFile(file);
  const { data, problems } = await parseDocument(source);
  if (problems.length > 0) throw toAssizeError(problems);
  checkExpectationData(data, source.placeAt(0));
  return data; // not a copy: line numbers are attached to this object
}

/** Whether a case has no candidates of its own. */
export const needCandidates = ({ expect: own, candidates, cases = [] }: Expectations): boolean =>
  candidates === undefined && (own !== undefined || cases.some((one) => one.candidates === undefined));

/** @throws AssizeError (ASZ201, ASZ202) with all schema violations */
export function checkExpectationData(data: unknown, start?: Problem['place']): asserts data is Expectations {
  const { error } = schema.safeParse(data);
  if (!error) return;
  const problems = schemaProblems(error.issues, { root: data, path: [], schema });
  throw toAssizeError(problems.map((problem) => ({ ...problem, place: problem.place ?? start })));
}

/** A parsed expectation about one or two candidates. A name is an id, or a position: `@3`. */
export type Expectation =
  | { readonly kind: 'above'; readonly id: string; readonly other: string }
  | { readonly kind: 'top'; readonly id: string; readonly most: number; readonly not: boolean }
  | { readonly kind: 'refused'; readonly id: string; readonly by?: string; readonly not: boolean }
  | { readonly kind: 'selected'; readonly id: string; readonly not: boolean }
  | { readonly kind: 'scores'; readonly id: string; readonly least?: number; readonly most?: number };

/** All forms of expectations, for messages. */
const EXPECTATION_FORMS =
  'A above B, A below B, A in top 3, A selected, A refused, A refused by ENTRY, A scores at least 0.5, A scores at most 0.5; also with not';

/** A name: a word or a quoted string. */
const NAME = String.raw`("(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+'|\S+)`;
const form = (rest: string): RegExp => new RegExp(String.raw`^${NAME}\s+${rest}$`, 'u');

const ABOVE = form(String.raw`(above|below)\s+${NAME}`);
const TOP = form(String.raw`(not\s+)?in\s+top\s+(\d+)`);
const REFUSED_BY = form(String.raw`refused\s+by\s+(\S+)`);
const REFUSED = form(String.raw`(not\s+)?refused`);
const SELECTED = form(String.raw`(not\s+)?selected`);
const SCORES = form(String.raw`scores\s+at\s+(least|most)\s+(\S+)`);

const unquoted = (name: string): string => (/^["']/.test(name) ? name.slice(1, -1).replace(/\\(.)/gu, '$1') : name);

/** Parses `compass above sextant`; undefined if the text is not an expectation. */
export function parseExpectation(text: string): Expectation | undefined {
  const line = text.trim();
  const match = (pattern: RegExp): readonly string[] | undefined => pattern.exec(line)?.map((part) => part ?? '');
  const above = match(ABOVE);
  if (above) {
    const [a, b] = [unquoted(above[1]!), unquoted(above[3]!)];
    return above[2] === 'above' ? { kind: 'above', id: a, other: b } : { kind: 'above', id: b, other: a };
  }
  const top = match(TOP);
  if (top && Number(top[3]) > 0) {
    return { kind: 'top', id: unquoted(top[1]!), most: Number(top[3]), not: top[2] !== '' };
  }
  const by = match(REFUSED_BY);
  if (by) return { kind: 'refused', id: unquoted(by[1]!), by: by[2]!, not: false };
  const refused = match(REFUSED);
  if (refused) return { kind: 'refused', id: unquoted(refused[1]!), not: refused[2] !== '' };
  const selected = match(SELECTED);
  if (selected) return { kind: 'selected', id: unquoted(selected[1]!), not: selected[2] !== '' };
  const scores = match(SCORES);
  const bound = scores && scores[3]!.trim() !== '' ? Number(scores[3]) : Number.NaN;
  if (!scores || !Number.isFinite(bound)) return undefined;
  return { kind: 'scores', id: unquoted(scores[1]!), ...(scores[2] === 'least' ? { least: bound } : { most: bound }) };
}
