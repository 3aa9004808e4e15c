import { type DataPath, locate, type Problem, toAssizeError } from '../../diagnostics/index.js';
import { readSourceFile } from '../../input/index.js';
import { parseDocument } from '../../profile/source/parse-document.js';
import { z } from '../../sdk.js';
import { EXPECTATION_FORMS, parseExpectation } from './expectation.js';

const map = z.record(z.string(), z.unknown());
const expect = z
  .array(z.string().refine((text) => parseExpectation(text) !== undefined, { abort: true, message: 'no expectation' }))
  .min(1);
const situation = { context: map.optional(), candidates: z.array(map).optional() };
const schema = z.strictObject({
  ...situation,
  expect: expect.optional(),
  cases: z.array(z.strictObject({ name: z.string().optional(), ...situation, expect })).optional(),
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
 * @throws AssizeError with everything that is wrong with the file (ASZ544)
 */
export async function readExpectations(file: string): Promise<Expectations> {
  const source = await readSourceFile(file);
  const { data, problems } = await parseDocument(source);
  if (problems.length > 0) throw toAssizeError(problems);
  checkShape(data, () => source.placeAt(0));
  return data as Expectations; // oxlint-disable-line typescript/no-unsafe-type-assertion -- checked, and with its places
}

/** Whether expectations need candidates that they do not bring. */
export const needCandidates = ({ expect: own, candidates, cases = [] }: Expectations): boolean =>
  candidates === undefined && (own !== undefined || cases.some((one) => one.candidates === undefined));

/** @throws AssizeError (ASZ544) where data is no expectations */
export function checkShape(data: unknown, start?: () => Problem['place']): void {
  const { error } = schema.safeParse(data);
  const problems = (error?.issues ?? []).map(({ path, code, message }): Problem => {
    const at = path.filter((step): step is DataPath[number] => typeof step !== 'symbol');
    const found = at.reduce<unknown>((value, step) => Object(value)[step] as unknown, data);
    const place = locate(data, at) ?? start?.();
    if (code === 'custom') {
      return { code: 'ASZ544', message: `${JSON.stringify(found)} is no expectation`, place, hint: EXPECTATION_FORMS };
    }
    const hint = 'the keys are expect, a list of sentences; context, candidates; and cases, each with the same keys';
    return { code: 'ASZ544', message: `${at.join('.') || 'the file'}: ${message}`, place, hint };
  });
  if (!error && !hasAny(data)) {
    problems.push({ code: 'ASZ544', message: 'nothing is expected', place: start?.(), hint: EXPECTATION_FORMS });
  }
  if (problems.length > 0) throw toAssizeError(problems);
}

const hasAny = (data: unknown): boolean => {
  const { expect: own, cases } = Object(data) as Expectations; // oxlint-disable-line typescript/no-unsafe-type-assertion -- checked
  return (own?.length ?? 0) + (cases?.length ?? 0) > 0;
};
