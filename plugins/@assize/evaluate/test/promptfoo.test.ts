import { expect, test } from 'vitest';
import { assertScore, scoreAssertion } from '@assize/evaluate';

const BRIEF = {
  name: 'brief',
  tier1_scorers: [{ id: 'apology', expr: 'candidate.output.contains("sorry")' }],
  tier2_scorers: [
    { id: 'short', expr: '1.0 / double(size(candidate.output))' },
    { id: 'on_topic', expr: 'candidate.output.contains(context.topic) ? 1.0 : 0.0' },
  ],
  select: { min_score: 0.2 },
};

const vars = { topic: 'sun' };

test('scores an output by a profile, with the vars of the test as context', async () => {
  const assertion = scoreAssertion(BRIEF, { threshold: 0.6 });
  expect(await assertion('suns', { vars })).toEqual({
    pass: true,
    score: 0.625,
    reason: 'brief: 0.625',
    namedScores: { short: 0.25, on_topic: 1 },
    componentResults: [
      { pass: true, score: 0.25, reason: 'short: 1.0 / double(size(candidate.output))' },
      { pass: true, score: 1, reason: 'on_topic: candidate.output.contains(context.topic) ? 1.0 : 0.0' },
    ],
  });
  expect(await assertion('the sun!', { vars })).toMatchObject({ pass: false, reason: 'brief: 0.5625, below 0.6' });
  expect(await assertion('rain', { vars })).toMatchObject({
    pass: false,
    reason: 'brief: 0.125, below 0.6, not selected: scored below min_score',
  });
});

test('without a threshold, passes what the profile selects', async () => {
  const assertion = scoreAssertion(BRIEF);
  expect(await assertion('the sun!', { vars })).toMatchObject({ pass: true });
  expect(await assertion('rain', { vars })).toMatchObject({ pass: false, score: 0.125 });
});

test('fails a refused output with the reason', async () => {
  expect(await scoreAssertion(BRIEF)('sorry', { vars })).toEqual({
    pass: false,
    score: 0,
    reason: 'refused by apology: candidate.output.contains("sorry")',
  });
});

test.each([
  ['an object', { words: 4 }],
  ['the text of an object', '{ "words": 4 }'],
])('takes %s as the candidate', async (_, output) => {
  const assertion = scoreAssertion({ tier2_scorers: [{ id: 'short', expr: '1.0 / double(candidate.words)' }] });
  expect(await assertion(output)).toMatchObject({ pass: true, score: 0.25 });
});

test('takes other outputs, and the prompt and metadata, as fields of a candidate', async () => {
  const fields = {
    id: 'fields',
    expr: 'candidate.output + candidate.prompt + candidate.metadata.of == "{not}ab" ? 1.0 : 0.0',
  };
  const assertion = scoreAssertion({ tier2_scorers: [fields] });
  expect(await assertion('{not}', { prompt: 'a', metadata: { of: 'b' } })).toMatchObject({ score: 1 });
});

test('makes the candidate by a function', async () => {
  const assertion = scoreAssertion(
    { tier2_scorers: [{ id: 'lines', expr: '1.0 / double(candidate.lines)' }] },
    { candidateOf: (output) => ({ lines: String(output).split('\n').length }) },
  );
  expect(await assertion('one\ntwo')).toMatchObject({ score: 0.5 });
});

test('reads profile and threshold from the config of an assertion', async () => {
  const trace = { steps: [{ step_id: 0, type: 'thought', content: 'It is 330 m high.' }] };
  const result = await assertScore(trace, { config: { profile: 'trace-quality', threshold: 0.5 } });
  expect(result).toMatchObject({ pass: true, namedScores: { errors: 1 } });
  expect(result.componentResults?.find(({ reason }) => reason.startsWith('errors'))?.reason).toMatch(
    /none of 0 results reports an error$/,
  );
  await expect(assertScore({}, { config: { profile: 'trace-quality' } })).resolves.toMatchObject({ pass: false });
});

test.each([
  [{}, 'config.profile is missing'],
  [{ profile: 'trace-quality', threshold: 'high' }, 'expected a number'],
  [{ profile: 'trace-quality', treshold: 1 }, 'treshold'],
  [{ profile: 'trace-qualitty' }, 'trace-qualitty'],
])('refuses the config %o', async (config, message) => {
  await expect(assertScore('x', { config })).rejects.toThrow(message);
});
