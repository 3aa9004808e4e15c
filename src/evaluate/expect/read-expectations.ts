import { type Problem, toAssizeError } from '../../diagnostics/index.js';
import { readSourceFile } from '../../input/index.js';
import { schemaProblems } from '../../profile/schema/schema-problems.js';
import { parseDocument } from '../../profile/source/parse-document.js';
import { z } from '../../sdk.js';
import { EXPECTATION_FORMS, parseExpectation } from './expectation.js';

const map = z.record(z.string(), z.unknown());
const sentence = z.string().check(({ value, issues }) => {
  if (parseExpectation(value) !== undefined) return;
  const message = `${JSON.stringify(value)} is no expectation`;
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
    issues.push({ code: 'custom', input: value, message: 'nothing is expected', params: { hint: EXPECTATION_FORMS } });
  });

/** What must hold of the ranking of some candidates. */
export interface ExpectedCase {
  /** Names it in messages. */
  readonly name?: string | undefined;
  /** What is known about the request, beside what is known about all. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** Those of the call when not given. */
  readonly candidates?: readonly object[] | undefined;
  /** `compass above sextant`, `atlas refused by archived`, `compass in top 3`, `sextant scores at least 0.5` … */
  readonly expect: readonly string[];
}

/** What must hold of a profile's rankings: a golden file, as data. */
export interface Expectations extends Partial<ExpectedCase> {
  /** The same of other situations, each beside the `context` and the `candidates` of all. */
  readonly cases?: readonly ExpectedCase[] | undefined;
}

/**
 * Reads expectations from YAML or JSON. They remember their lines.
 *
 * @throws AssizeError with everything that is wrong with the file
 */
export async function readExpectations(file: string): Promise<Expectations> {
  const source = await readSourceFile(file);
  const { data, problems } = await parseDocument(source);
  if (problems.length > 0) throw toAssizeError(problems);
  checkExpectationData(data, source.placeAt(0));
  return data; // not a copy of it: it remembers its lines
}

/** Whether expectations need candidates that they do not bring. */
export const needCandidates = ({ expect: own, candidates, cases = [] }: Expectations): boolean =>
  candidates === undefined && (own !== undefined || cases.some((one) => one.candidates === undefined));

/** @throws AssizeError with everything by which data is no expectations (ASZ201, ASZ202) */
export function checkExpectationData(data: unknown, start?: Problem['place']): asserts data is Expectations {
  const { error } = schema.safeParse(data);
  if (!error) return;
  const problems = schemaProblems(error.issues, { root: data, path: [], schema });
  throw toAssizeError(problems.map((problem) => ({ ...problem, place: problem.place ?? start })));
}
