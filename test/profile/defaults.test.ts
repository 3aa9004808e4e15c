import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatProblems } from '../../src/base/format.js';
import { createPipeline, diffProfiles, type ProfileInput, scorer } from 'assize';
import { defineScorer, defineSignal, z } from 'assize/sdk';
import { messageOf } from '../properties/ranked.js';
import { told } from './problems-of.js';

interface Thing {
  readonly id: string;
  readonly a?: number | string;
  readonly b?: number;
}

const things: readonly Thing[] = [
  { id: 'both', a: 0.5, b: 0.5 },
  { id: 'none' },
  { id: 'odd', a: 'text', b: 1 },
  { id: 'one', b: 1 },
];

const two: ProfileInput = {
  tier2_scorers: [
    { id: 'a', expr: 'candidate.a * 1.0' },
    { id: 'b', expr: 'candidate.b' },
  ],
};

/** A class that declares the effect of its absence. */
class Lenient {
  static readonly meta = defineScorer({ summary: 'Abstains.', params: z.strictObject({}), onAbsent: 0.75 });
  compile() {
    return () => undefined;
  }
}

/** Never ready. */
class Endless {
  static readonly meta = defineScorer({ summary: 'Is never ready.', params: z.strictObject({}) });
  prepare(): Promise<never> {
    return new Promise(() => {});
  }
}

class EndlessSignal {
  static readonly meta = defineSignal({ summary: 'Is never ready.', params: z.strictObject({}) });
  prepare(): Promise<never> {
    return new Promise(() => {});
  }
}

const units = { Lenient, Endless, EndlessSignal, Half: scorer(() => 0.5) };

const open = (profile: ProfileInput) => createPipeline<Thing>(profile, { units });
const scoresOf = async (profile: ProfileInput): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries((await (await open(profile)).rank(things)).ranked.map(({ id, score }) => [id, score]));
const warnedOf = async (profile: ProfileInput): Promise<string> => formatProblems((await open(profile)).warnings);

describe('the defaults of a profile', () => {
  test('apply to entries without their own value', async () => {
    expect(await scoresOf(two)).toEqual({ both: 0.5, one: 1 });
    expect(await scoresOf({ ...two, defaults: { on_absent: 0 } })).toEqual({ both: 0.5, none: 0, one: 0.5 });
    expect(await scoresOf({ ...two, defaults: { on_absent: 0, on_error: 'skip' } })).toEqual({
      both: 0.5,
      none: 0,
      odd: 1,
      one: 0.5,
    });
  });

  test('are equal to the same value in every entry', async () => {
    const onAbsent = fc.constantFrom('skip' as const, 'refuse' as const, 0, 0.5);
    const onError = fc.constantFrom('skip' as const, 'refuse' as const, 0, 0.5);
    const own = fc.record({ on_absent: onAbsent, on_error: onError }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(own, own, own, async (defaults, ofA, ofB) => {
        const [a, b] = two.tier2_scorers!;
        const silent = {
          defaults,
          tier2_scorers: [
            { ...a!, ...ofA },
            { ...b!, ...ofB },
          ],
        };
        const outspoken = {
          tier2_scorers: [
            { ...a!, ...defaults, ...ofA },
            { ...b!, ...defaults, ...ofB },
          ],
        };
        expect(await scoresOf(silent)).toEqual(await scoresOf(outspoken));
      }),
      { numRuns: 60 },
    );
  });

  test('rank after the value of an entry, and before that of its class', async () => {
    const lenient = (rest: object): ProfileInput => ({ ...rest, tier2_scorers: [{ id: 's', class: 'Lenient' }] });
    expect(await scoresOf(lenient({}))).toMatchObject({ both: 0.75 });
    expect(await scoresOf(lenient({ defaults: { on_absent: 0.25 } }))).toMatchObject({ both: 0.25 });
    const says = { tier2_scorers: [{ id: 's', class: 'Lenient', on_absent: 1 }], defaults: { on_absent: 0.25 } };
    expect(await scoresOf(says)).toMatchObject({ both: 1 });
  });

  test('apply only to kinds of entries that support the value', async () => {
    const profile = (defaults: NonNullable<ProfileInput['defaults']>): ProfileInput => ({
      ...two,
      defaults,
      tier1_scorers: [{ id: 'v', expr: 'candidate.b > 9' }],
    });
    // A number is not valid for a veto.
    expect(Object.keys(await scoresOf(profile({ on_absent: 0 })))).toEqual(['both', 'one', 'none']);
    // Refusing is valid: 'none' has no b, 'one' has no a.
    expect(Object.keys(await scoresOf(profile({ on_absent: 'refuse' })))).toEqual(['both']);
    expect(Object.keys(await scoresOf(profile({ on_absent: 'pass' })))).toEqual(['one', 'both']);
    expect(await messageOf(scoresOf(profile({ on_error: 'fail' })))).toContain('ASZ501');
  });

  test('leave the absence of a part of a scorer to its class', async () => {
    const first = (defaults: ProfileInput['defaults']): ProfileInput => ({
      defaults,
      tier2_scorers: [
        {
          id: 's',
          class: 'CompositeScorer',
          params: { scorers: [{ expr: 'candidate.a * 1.0' }, { expr: 'candidate.b' }] },
          on_error: 'skip',
        },
      ],
    });
    expect(await scoresOf(first(undefined))).toMatchObject({ one: 1 });
    expect(await scoresOf(first({ on_absent: 0 }))).toEqual({ both: 0.5, none: 0, one: 1 });
  });

  test('stop entries that exceed the timeout', async () => {
    const waiting: ProfileInput = {
      defaults: { timeout: '20ms', on_error: 'skip' },
      signals: [{ id: 'never', class: 'EndlessSignal' }],
      tier2_scorers: [
        { id: 'half', class: 'Half' },
        { id: 'endless', class: 'Endless' },
      ],
    };
    const { ranked, degraded } = await (await open(waiting)).rank(things);
    expect(ranked.map(({ score }) => score)).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(degraded.map(({ entry, cause }) => `${entry}: ${cause}`)).toEqual([
      expect.stringContaining('never: '),
      expect.stringContaining('endless: '),
    ]);
    expect(await warnedOf(waiting)).toBe('');
  });

  test('merge by key, and apply to inherited entries', async () => {
    const files = {
      'base.yaml': 'defaults: { on_absent: 0, on_error: skip }\ntier2_scorers: [{ id: a, expr: candidate.a }]\n',
    };
    expect(await told('extends: [./base.yaml]\ndefaults: { on_absent: 5s }\n', files)).toMatchInlineSnapshot(`
      "
      p.yaml:2:24 error ASZ202 expected a number, skip, refuse or pass, found the string "5s"
        2 | defaults: { on_absent: 5s }
          |                        ^
      "
    `);
    expect(await told('extends: [./base.yaml]\ndefaults: { on_absent: refuse }\n', files)).toBe('it is valid');
  });

  test('apply in what-if runs and in differences', async () => {
    const silent: ProfileInput = { ...two, defaults: { on_absent: 0, on_error: 'skip' } };
    const ranking = await (await open(silent)).rank(things);
    const heavier = await ranking.whatIf({ weights: { b: 3 } });
    const said: ProfileInput = {
      tier2_scorers: [
        { id: 'a', expr: 'candidate.a * 1.0', on_absent: 0, on_error: 'skip' },
        { id: 'b', expr: 'candidate.b', on_absent: 0, on_error: 'skip', weight: 3 },
      ],
    };
    expect(heavier.ranked).toEqual((await (await open(said)).rank(things)).ranked);
    expect(ranking.reweigh({ weights: { b: 3 } }).ranked).toEqual(heavier.ranked);
    const { moves } = await diffProfiles(two, silent, things, {}, { units });
    expect(moves.map(({ id }) => id)).toEqual(['odd', 'none', 'one']);
  });

  test('are reported if no entry supports or uses them', async () => {
    const broken = `defaults: { on_absent: maybe, on_error: [], timeout: -1s, weight: 2 }
tier2_scorers: [{ id: a, expr: candidate.a }]
`;
    expect(await told(broken)).toMatchInlineSnapshot(`
      "
      p.yaml:1:24 error ASZ202 expected a number, skip, refuse or pass, found the string "maybe"
        1 | defaults: { on_absent: maybe, on_error: [], timeout: -1s, weight: 2 }
          |                        ^
      p.yaml:1:41 error ASZ202 expected a number, refuse, skip, pass or fail, found a list of 0
        1 | defaults: { on_absent: maybe, on_error: [], timeout: -1s, weight: 2 }
          |                                         ^
      p.yaml:1:54 error ASZ202 expected a duration (500ms, 5s, 30m, 24h, 7d, 2w, 1y, or milliseconds), found the string "-1s"
        1 | defaults: { on_absent: maybe, on_error: [], timeout: -1s, weight: 2 }
          |                                                      ^
      p.yaml:1:59 error ASZ201 unknown key weight
        1 | defaults: { on_absent: maybe, on_error: [], timeout: -1s, weight: 2 }
          |                                                           ^
        known here: on_absent, on_error, timeout
      4 problems
      "
    `);
    expect(await warnedOf({ ...two, defaults: { on_absent: 'pass', timeout: '2s' } })).toMatchInlineSnapshot(`
      "defaults.on_absent warning ASZ702 no entry uses the default on_absent, so it has no effect
        remove it, or check its value: an entry uses a default only if the value is valid for its kind
      defaults.timeout warning ASZ702 no entry uses the default timeout, so it has no effect
        remove it, or check its value: an entry uses a default only if the value is valid for its kind"
    `);
  });
});
