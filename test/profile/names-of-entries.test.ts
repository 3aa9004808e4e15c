import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from '../../src/index.js';
import { defineSignal, z } from '../../src/sdk.js';
import { messageOf, rankBy, scoresOf } from '../properties/ranked.js';
import { told } from './broken.js';

const nothing = { summary: 'Nothing.', params: z.strictObject({}) };

class SomeSignal {
  static readonly meta = defineSignal(nothing);
  prepare(): number {
    return 1;
  }
}

describe('names of entries, and what refers to them', () => {
  test('before: phase puts a rule before the one that phase_profiles makes', async () => {
    const profile: ProfileInput = {
      phases: { early: {} },
      phase_profiles: { early: { s: 0.5 } },
      adjustments: [{ id: 'first', set: 4, before: 'phase' }],
    };
    expect(scoresOf(await rankBy(profile, [{ id: 'x', strategy: { id: 's' } }]))).toEqual({ x: 2 });
  });

  test.each<[string, ProfileInput]>([
    ['before names nothing', { tier2_scorers: [{ id: 'a', expr: '1.0', before: 'nope' }] }],
    ['a signal is named phase, and there are phases', { phases: { a: {} }, signals: [{ id: 'phase', class: 'Some' }] }],
    [
      'a measure and a scorer have one id',
      { measures: [{ id: 'm', expr: '7.0' }], tier2_scorers: [{ id: 'm', expr: '1.0' }] },
    ],
  ])('nothing is ignored in silence: %s', async (_, profile) => {
    expect(await messageOf(createPipeline(profile, { units: { Some: SomeSignal } }))).toContain('AssizeError');
  });

  test('before puts a rule that goes before another one of them there, too', async () => {
    const profile: ProfileInput = {
      phases: { early: {} },
      phase_profiles: { early: { s: 0.5 } },
      adjustments: [
        { id: 'second', add: 1, before: 'phase' },
        { id: 'last', add: 1 },
        { id: 'first', set: 3, before: 'second' },
      ],
    };
    expect(scoresOf(await rankBy(profile, [{ id: 'x', strategy: { id: 's' } }]))).toEqual({ x: 3 });
  });

  test('before holds in a file on its own', async () => {
    const profile: ProfileInput = {
      adjustments: [
        { id: 'second', multiply: 2 },
        { id: 'first', set: 3, before: 'second' },
      ],
    };
    expect(scoresOf(await rankBy(profile, [{ id: 'x' }]))).toEqual({ x: 6 });
  });

  test('before that names nothing, or that cannot hold', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: novelty, expr: "1.0", before: fresh }
  - { id: fresh, expr: "1.0", before: novelty }
  - { id: other, expr: "1.0", before: noveltyy }
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:2:41 error ASZ205 before: novelty cannot stand before fresh
        2 |   - { id: novelty, expr: "1.0", before: fresh }
          |                                         ^
        an inherited entry keeps its position; a new one is put before those that are there already
      p.yaml:4:39 error ASZ205 before: there is no noveltyy in tier2_scorers
        4 |   - { id: other, expr: "1.0", before: noveltyy }
          |                                       ^
        did you mean novelty?
      2 problems
      "
    `);
  });

  test('names that are taken', async () => {
    expect(
      await told(`phases: { early: {} }
phase_profiles: { early: { a: 2 } }
signals: [{ id: phase, class: Nope }]
measures: [{ id: tools, expr: "1.0" }]
tier2_scorers: [{ id: tools, expr: "1.0" }]
adjustments: [{ id: phase, add: 1 }]
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:3:17 error ASZ204 the id phase is taken by the signal that phases make
        3 | signals: [{ id: phase, class: Nope }]
          |                 ^
        expressions read the phase as signals.phase; name the signal otherwise
      p.yaml:3:31 error ASZ301 unknown signal class Nope
        3 | signals: [{ id: phase, class: Nope }]
          |                               ^
        searched: core; name the pack that has it under plugins
      p.yaml:5:23 error ASZ203 the id "tools" is taken
        5 | tier2_scorers: [{ id: tools, expr: "1.0" }]
          |                       ^
        a measure has it; results and explanations name both by their ids
      p.yaml:6:21 error ASZ203 the id "phase" is taken by the rule of phase_profiles
        6 | adjustments: [{ id: phase, add: 1 }]
          |                     ^
        name the rule otherwise; before: phase puts it before that one
      4 problems
      "
    `);
  });
});
