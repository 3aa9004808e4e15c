import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { rankBy, scoresOf } from '../properties/ranked.js';
import { told } from './problems-of.js';

const scoring: NonNullable<ProfileInput['scoring']> = {
  tier1_scorers: [{ id: 'small', expr: 'candidate.n < 1' }],
  tier2_scorers: [{ id: 's', expr: 'candidate.n' }],
};

test('keys under scoring count as keys of the root', async () => {
  const profile: ProfileInput = { name: 'nested', scoring, adjustments: [{ id: 'more', add: 1 }] };
  const candidates = [
    { id: 'a', n: 1 },
    { id: 'b', n: 0 },
  ];
  const ranking = await rankBy(profile, candidates);
  expect(scoresOf(ranking)).toEqual({ a: 2 });
  expect(ranking.refused.map(({ id, by }) => [id, by])).toEqual([['b', 'small']]);
  expect((await createPipeline({ scoring: { name: 'nested' } })).name).toBe('nested');
});

test('places are those under scoring', async () => {
  expect(await told('scoring:\n  tier2_scorers:\n    - { id: s, expr: candidat.n }\n')).toMatchInlineSnapshot(`
    "
    p.yaml:3:22 error ASZ402 unknown name "candidat" in a scorer
      3 |     - { id: s, expr: candidat.n }
        |                      ^
      did you mean candidate?
    "
  `);
});

test('a key in both places is an error with both places', async () => {
  const profile = 'tier2_scorers: []\nscoring:\n  tier2_scorers: []\n  tier1_scorers: []\n';
  expect(await told(profile)).toMatchInlineSnapshot(`
    "
    p.yaml:3:3 error ASZ515 tier2_scorers is both under scoring and at the root
      3 |   tier2_scorers: []
        |   ^
      keep it here, or at p.yaml:1:1
    "
  `);
});

test('both spellings merge with inherited keys', async () => {
  const nested = 'scoring:\n  tier2_scorers:\n    - { id: a, weight: nothing }\n';
  const base = 'tier2_scorers:\n  - { id: a, expr: "1.0" }\n';
  expect(await told(`extends: [./base.yaml]\n${nested}`, { 'base.yaml': base })).toMatchInlineSnapshot(`
    "
    p.yaml:4:24 error ASZ402 unknown name "nothing" in an expression evaluated once per run
      4 |     - { id: a, weight: nothing }
        |                        ^
      there are context, now, signals
    "
  `);
});

test('rejects a value that is not a map, and scoring within itself', async () => {
  expect(await told('scoring: 3\n')).toMatchInlineSnapshot(`
    "
    p.yaml:1:10 error ASZ202 expected a map, found the number 3
      1 | scoring: 3
        |          ^
      scoring contains the same keys as the root of a profile
    "
  `);
  expect(await told('scoring: { scoring: {} }\n')).toMatchInlineSnapshot(`
    "
    p.yaml:1:12 error ASZ201 unknown key scoring
      1 | scoring: { scoring: {} }
        |            ^
      known here: name, description, extends, plugins, candidate, fields, context, defaults, phases, signals, strategies, let, veto_on_first, tier1_scorers, measures, stats, tier2_scorers, combine, weights, adjustments, phase_profiles, rerank, select, fallback, expression_steps, report, serve
    "
  `);
});
