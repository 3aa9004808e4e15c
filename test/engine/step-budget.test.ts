import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { messageOf } from '../properties/ranked.js';
import { temporaryFolder } from '../temporary-folder.js';

/** A condition that takes about the square of the list's length in steps. */
const PAIRS = 'candidate.xs.all(x, candidate.xs.all(y, x + y > 0))';
const xs = Array.from({ length: 2000 }, () => 1);

let folder = '';
beforeAll(async () => {
  folder = temporaryFolder('assize-steps-');
});

/** The message of a run of a profile in a file, with the name of the file alone. */
async function told(text: string): Promise<string> {
  const file = join(folder, 'p.yaml');
  await writeFile(file, text);
  const pipeline = await createPipeline(file);
  const said = await messageOf(
    pipeline.rank([
      { id: 'short', xs: [1] },
      { id: 'long', xs },
    ]),
  );
  return said.replaceAll(`${folder}/`, '');
}

describe('an expression that takes too many steps fails the run, with its place', () => {
  test('in a scorer, whatever its on_error', async () => {
    expect(
      await told(`tier2_scorers:\n  - { id: pairs, expr: '${PAIRS} ? 1 : 0', on_error: skip }\n`),
    ).toMatchInlineSnapshot(`
      "AssizeError: p.yaml:2:24 error ASZ403 the score entry pairs failed on long: its expression exceeds the limit of 1000000 steps: candidate.xs.all(x, candidate.xs.all(y, x + y > 0)) ? 1 : 0
        2 |   - { id: pairs, expr: 'candidate.xs.all(x, candidate.xs.all(y, x + y > 0)) ? 1 : 0', on_error: skip }
          |                        ^
        nested macros take a step for each pair of elements, and texts take one for 16 characters: simplify the expression, or raise expression_steps at the root of the profile"
    `);
  });

  test.each([
    ['a veto', `tier1_scorers: [{ id: a, on_error: pass, expr: '${PAIRS}' }]`],
    ['a measure', `measures: [{ id: a, expr: '${PAIRS} ? 1 : 0' }]`],
    ['pinned', `candidate: { pinned: '${PAIRS}' }`],
    ['a formula', `tier2_scorers: [{ id: a, expr: '1.0' }]\ncombine: { formula: '${PAIRS} ? a : a' }`],
    ['a rule', `tier2_scorers: [{ id: a, expr: '1.0' }]\nadjustments: [{ id: b, when: '${PAIRS}', add: 1 }]`],
    [
      'the cases of weights',
      `tier2_scorers: [{ id: a, expr: '1.0' }]\nweights: { by: '${PAIRS} ? "a" : "b"', cases: { a: { a: 1 } } }`,
    ],
    ['duplicates', `tier2_scorers: [{ id: a, expr: '1.0' }]\nselect: { duplicates: '${PAIRS}' }`],
    ['ties', `tier2_scorers: [{ id: a, expr: '1.0' }]\nselect: { ties: [input, '${PAIRS}'], top: 1 }`],
    ['a cost', `plugins: [cupel]\nselect: { pack: { class: GreedyPack, budget: 10, cost: '${PAIRS} ? 1 : 0' } }`],
    [
      'an entry inside a class',
      `tier2_scorers: [{ id: a, class: ScaledScorer, params: { scorer: { expr: '${PAIRS} ? 1 : 0' } } }]`,
    ],
  ])('%s', async (_, text) => {
    const said = await told(text);
    expect(said).toMatch(/^AssizeError: p\.yaml:\d+:\d+ error ASZ403 the .* entry .* failed/);
    expect(said).toContain('exceeds the limit of 1000000 steps');
    expect(said).toContain('expression_steps');
  });

  test('a profile can allow more', async () => {
    const profile: ProfileInput = { tier1_scorers: [{ id: 'pairs', expr: PAIRS }] };
    const pipeline = await createPipeline({ ...profile, expression_steps: 5_000_000 });
    expect((await pipeline.rank([{ xs }])).refused).toHaveLength(1);
  });

  test('a profile can allow fewer', async () => {
    const pipeline = await createPipeline({ tier1_scorers: [{ id: 'a', expr: PAIRS }], expression_steps: 10 });
    expect(await messageOf(pipeline.rank([{ xs: [1, 1, 1] }]))).toContain('exceeds the limit of 10 steps');
  });

  test('a warning does not evaluate a constant condition to its end', async () => {
    const all = Array.from({ length: 30 }).reduce<string>((inner, _, k) => `[1, 2, 3].all(x${k}, ${inner})`, 'true');
    const pipeline = await createPipeline({ tier1_scorers: [{ id: 'a', expr: all }] });
    expect(pipeline.warnings).toEqual([]);
    expect(await messageOf(pipeline.rank([{}]))).toContain('exceeds the limit of 1000000 steps');
  });
});

describe('an abort acts between chunks of rows', () => {
  const SLOW = 'candidate.xs.all(x, candidate.xs.all(y, x + y > 0))';
  const rows = Array.from({ length: 5000 }, () => ({ xs: Array.from({ length: 900 }, () => 1) }));
  test.each<[string, ProfileInput]>([
    ['in the fused pass', { tier2_scorers: [{ id: 'a', expr: `${SLOW} ? 1 : 0` }] }],
    ['in vetoes', { tier1_scorers: [{ id: 'a', expr: `!${SLOW}` }], measures: [{ id: 'b', expr: '1.0' }] }],
    ['in measures', { measures: [{ id: 'b', expr: `${SLOW} ? 1 : 0` }] }],
    ['in scorers', { measures: [{ id: 'b', expr: '1.0' }], tier2_scorers: [{ id: 'a', expr: `${SLOW} ? 1 : 0` }] }],
    ['in rows that are resolved', { tier2_scorers: [{ id: 'a', expr: `${SLOW} ? candidate.none : 0` }] }],
    ['in rules', { adjustments: [{ id: 'a', when: SLOW, add: 1 }] }],
  ])('%s', async (_, profile) => {
    const pipeline = await createPipeline(profile);
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 0);
    // Without the abort, all the rows would take minutes.
    expect(await messageOf(pipeline.rank(rows, {}, { signal: abort.signal }))).toBe('Error: enough');
  });

  test('other runs execute between chunks, each with its own context', async () => {
    const pipeline = await createPipeline({
      measures: [{ id: 'm', expr: 'candidate.n * context.k' }],
      tier2_scorers: [{ id: 'a', expr: 'candidate.xs.all(x, x > 0) ? measures.m + context.k : 0' }],
      adjustments: [{ id: 'r', when: 'context.k > 1', add: 'context.k' }],
    });
    const many = Array.from({ length: 3000 }, (_, n) => ({ n, xs: Array.from({ length: 300 }, () => 1) }));
    const runs = [1, 2, 3].map((k) => pipeline.rank(many, { k }, { signal: new AbortController().signal }));
    for (const [n, { selected }] of (await Promise.all(runs)).entries()) {
      const k = n + 1;
      for (const { candidate, score } of selected)
        expect(score).toBe((candidate as { n: number }).n * k + k + (k > 1 ? k : 0));
    }
  });

  test('chunks do not change the result', async () => {
    const pipeline = await createPipeline({
      tier1_scorers: [{ id: 'odd', expr: 'candidate.n % 3 == 0' }],
      tier2_scorers: [
        { id: 'a', expr: 'candidate.n / 7' },
        { id: 'b', expr: 'candidate.none', on_absent: 0.5 },
      ],
      adjustments: [{ id: 'c', when: 'candidate.n % 2 == 0', multiply: 0.5 }],
      select: { top: 50 },
    });
    const numbers = Array.from({ length: 20_000 }, (_, n) => ({ n }));
    const whole = await pipeline.rank(numbers);
    const inTurns = await pipeline.rank(numbers, {}, { signal: new AbortController().signal });
    expect(inTurns.selected).toEqual(whole.selected);
    expect(inTurns.refused.length).toBe(whole.refused.length);
  });
});
