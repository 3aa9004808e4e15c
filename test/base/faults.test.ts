import { expect, test } from 'vitest';
import { FAULTS, faultOf, PROBLEM_CODES, type ProblemCode } from '../../src/base/codes.js';
import { AssizeError, createPipeline } from 'assize';

const errorWith = (...codes: readonly ProblemCode[]) =>
  new AssizeError(codes.map((code) => ({ code, message: 'something' })));

/** Who is at fault for a problem. */
const faultIn = async (failing: Promise<unknown>): Promise<unknown> =>
  failing.catch((error: unknown) => (error instanceof AssizeError ? error.fault : error));

test('every code has exactly one fault', () => {
  for (const code of Object.keys(PROBLEM_CODES)) expect(Object.keys(FAULTS)).toContain(faultOf(code));
  expect(faultOf('ACME001')).toBe('caller');
});

test('the caller is at fault if all problems of an error are the caller’s', () => {
  expect(errorWith('ASZ502', 'ACME001').fault).toBe('caller');
  expect(errorWith('ASZ502', 'ASZ106', 'ASZ202').fault).toBe('environment');
});

test('the code of an error is that of its first problem', async () => {
  expect(errorWith('ACME001', 'ASZ502').code).toBe('ACME001');
  const failing = createPipeline({ tier2_scorers: [{ id: 'a', class: 'Nothing' }] });
  await expect(failing).rejects.toMatchObject({ name: 'AssizeError', code: 'ASZ301' });
  await expect(createPipeline('./nowhere.yaml')).rejects.toHaveProperty('code', 'ASZ101');
});

test('distinguishes mistakes in a profile, a call and a unit from a missing file', async () => {
  const tier2_scorers = [{ id: 'a', expr: 'candidate.a', on_error: 'fail' as const }];
  const pipeline = await createPipeline<object>({ tier2_scorers });
  expect(await faultIn(createPipeline({ tier2_scorers: [{ id: 'a', expr: 'candidat.a' }] }))).toBe('profile');
  expect(await faultIn(createPipeline('./nowhere.yaml'))).toBe('environment');
  expect(await faultIn(pipeline.rank([1 as unknown as object]))).toBe('caller');
  expect(await faultIn(pipeline.rank([{ a: 'x' }]))).toBe('unit');
  const ranking = await pipeline.rank([{ a: 1 }]);
  expect(await faultIn(ranking.whatIf({ without: 'b' }))).toBe('caller');
  expect(await faultIn(ranking.whatIf({ weights: { a: Number.NaN } }))).toBe('caller');
});
