import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Context, createPipeline, type ProfileInput, type Ranking } from 'assize';
import { defineSignal, type RunFacts, z } from 'assize/sdk';
import { answers, scenario } from './scenario.js';

const NAMES = ['uncertainty', 'reasoning', 'emotional', 'contradiction', 'knowledge_ceiling', 'concept_depth'] as const;
type Readings = Readonly<Partial<Record<(typeof NAMES)[number], unknown>>>;

/** The reading of a language model: a value from the context, or a failure. */
class Given {
  static readonly meta = defineSignal({ summary: 'As given.', params: z.strictObject({ name: z.string() }) });
  prepare({ name }: { name: string }, { context }: RunFacts): unknown {
    const reading = (context['read'] as Readonly<Record<string, unknown>>)[name];
    if (reading === 'fails') throw new Error('no answer');
    return reading;
  }
}

const withReadings = (preset: string, rest: ProfileInput = {}): ProfileInput => ({
  ...rest,
  extends: [preset],
  context: { read: { type: 'map' } },
  signals: NAMES.map((name) => ({ id: name, class: 'Given', params: { name } })),
});

const rank = async (profile: ProfileInput, context: Context, read: Readings): Promise<Ranking<unknown>> =>
  (await createPipeline(profile, { units: { Given } })).rank(undefined, { ...context, read });

/** The raw scores of one scorer, by candidate. */
async function raws(scorer: string, read: Readings, rest: ProfileInput = {}) {
  const { ranked, matrix } = await rank(withReadings('interview-extended', rest), scenario(), read);
  const { values } = matrix.column(scorer);
  const rows = [...matrix.index];
  return Object.fromEntries(ranked.map(({ id, index }) => [id.replace(/\/.*/, ''), values[rows.indexOf(index)]]));
}

describe('a reading alone decides if it exists', () => {
  test('uncertainty: prefers moves that help', async () => {
    expect(await raws('ambiguity', {})).toMatchObject({ clarify: 1.2, deepen: 1.2, ease: 1.2 });
    expect(await raws('ambiguity', { uncertainty: { uncertainty_type: 'apathy' } })).toMatchObject({
      clarify: 1.2,
      deepen: 0.5,
      ease: 1.6,
      broaden: 0.9,
    });
    const qualified = { uncertainty_type: 'confidence_qualification', severity: 1 };
    expect((await raws('ambiguity', { uncertainty: qualified }))['deepen']).toBeCloseTo(1.3, 12);
  });

  test('an empty reading counts as missing: the rules decide', async () => {
    const refusals = async (knowledge_ceiling: object) => {
      const context = { ...scenario(), ...answers("I don't know about coffee") };
      return (await rank(withReadings('interview'), context, { knowledge_ceiling })).refused.map(({ id }) => id);
    };
    expect(await refusals({})).toEqual(['deepen/node_coffee']);
    expect(await refusals({ is_terminal: false })).toEqual([]);
  });

  test('uncertainty: clarifies an unclear question first', async () => {
    const unclear = { uncertainty_type: 'conceptual_clarity', severity: 0.31 };
    const { refused } = await rank(withReadings('interview-extended'), scenario(), { uncertainty: unclear });
    expect(refused.map(({ id, by, reason }) => [id, by, reason])).toEqual([
      ['deepen/node_coffee', 'clarification', 'the question is unclear to the respondent (severity 0.31)'],
      ['broaden/open', 'clarification', 'the question is unclear to the respondent (severity 0.31)'],
      ['bridge/open', 'clarification', 'the question is unclear to the respondent (severity 0.31)'],
    ]);
  });

  test('reasoning: the engagement behind it', async () => {
    const of = (reasoning_quality: string) => raws('engagement', { reasoning: { reasoning_quality } });
    expect(await of('causal')).toMatchObject({ deepen: 1.1, broaden: 1 });
    expect(await of('reactive')).toMatchObject({ deepen: 0.8, broaden: 1.2 });
    expect(await of('associative')).toMatchObject({ deepen: 1, broaden: 1 });
  });

  test('reasoning about depth: deeper, wider, or neither', async () => {
    const of = (suggestion: string) => raws('depth_breadth_balance', { concept_depth: { suggestion } });
    expect(await of('deepen')).toMatchObject({ deepen: 1.5, broaden: 0.7, ease: 0.9 });
    expect(await of('broaden')).toMatchObject({ deepen: 0.7, broaden: 1.5, cover_element: 1.5 });
    expect(await of('stay')).toMatchObject({ deepen: 1.1, broaden: 1.1, ease: 1.1 });
  });

  test('a contradiction requires depth, regardless of other readings', async () => {
    const read = { contradiction: { has_contradiction: true }, concept_depth: { suggestion: 'broaden' } };
    expect(await raws('depth_breadth_balance', read)).toMatchObject({ deepen: 1.5, broaden: 0.7 });
    const none = { ...read, contradiction: { has_contradiction: false } };
    expect(await raws('depth_breadth_balance', none)).toMatchObject({ deepen: 0.7, broaden: 1.5 });
  });

  test('emotion: an upset respondent may stop after the first turns', async () => {
    const phase = async (turn_count: number, intensity: string | undefined) => {
      const read = intensity === undefined ? {} : { emotional: { intensity } };
      const { ranked } = await rank(withReadings('interview'), { ...scenario(), turn_count }, read);
      return ranked[0]?.id.startsWith('closing/') === true || ranked[0]?.id.startsWith('synthesis/') === true;
    };
    expect(await phase(5, undefined)).toBe(false);
    expect(await phase(5, 'moderate_negative')).toBe(false);
    expect(await phase(5, 'high_negative')).toBe(true);
    expect(await phase(2, 'high_negative')).toBe(false);
  });

  test('knowledge ceiling: an end refuses depth, several in a row refuse to continue', async () => {
    const refused = async (context: Context, is_terminal: boolean) => {
      const found = await rank(withReadings('interview'), context, { knowledge_ceiling: { is_terminal } });
      return found.refused.map(({ id }) => id);
    };
    const ends = answers('I know nothing of that', 'Nothing', 'That is all');
    expect(await refused(answers("I don't know"), false)).toEqual([]);
    expect(await refused(answers("I don't know"), true)).toEqual(['deepen/open']);
    expect(await refused(ends, true)).toEqual(['deepen/open', 'broaden/open']);
    expect(await refused({ ...ends, terminal_streak: 1 }, true)).toEqual(['deepen/open']);
  });

  test('no reading is used if the entry disables it', async () => {
    const off: ProfileInput = {
      tier2_scorers: [{ id: 'depth_breadth_balance', params: { use_llm_signals: false } }],
    };
    const read = { concept_depth: { suggestion: 'deepen' } };
    expect(await raws('depth_breadth_balance', read, off)).toEqual(await raws('depth_breadth_balance', {}));
  });
});

describe('candidates are conserved', () => {
  const reading = (fields: Readonly<Record<string, readonly unknown[]>>) =>
    fc.oneof(
      fc.constant(undefined),
      fc.constant('fails'),
      fc.record(Object.fromEntries(Object.entries(fields).map(([key, values]) => [key, fc.constantFrom(...values)]))),
    );
  const arbitraryReadings: fc.Arbitrary<Readings> = fc.record({
    uncertainty: reading({
      uncertainty_type: ['conceptual_clarity', 'apathy', 'knowledge_gap', 'other'],
      severity: [0, 0.3, 1],
    }),
    reasoning: reading({ reasoning_quality: ['causal', 'reactive', 'associative'] }),
    emotional: reading({ intensity: ['high_negative', 'neutral'] }),
    contradiction: reading({ has_contradiction: [true, false] }),
    knowledge_ceiling: reading({ is_terminal: [true, false] }),
    concept_depth: reading({ suggestion: ['deepen', 'broaden', 'stay'] }),
  });
  const said = fc.constantFrom(
    "I don't know the taste",
    'Nothing',
    'What do you mean?',
    'The taste is great because it is mild!',
    '',
  );
  const arbitraryContext: fc.Arbitrary<Context> = fc.record({
    turn_count: fc.nat(12),
    history: fc.array(fc.record({ speaker: fc.constantFrom('user', 'system'), text: said }), { maxLength: 8 }),
    recent_nodes: fc.array(
      fc.record({
        id: fc.oneof(fc.nat(3), fc.constantFrom('a', 'b')),
        label: fc.constantFrom('taste', 'price'),
        connected_to: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
      }),
      { maxLength: 4 },
    ),
    coverage: fc.record({
      elements_seen: fc.subarray(['taste', 'price']),
      elements_total: fc.subarray(['taste', 'price', 7, 'foam']),
    }),
    strategy_history: fc.array(fc.constantFrom('deepen', 'broaden'), { maxLength: 6 }),
  });

  test.each(['interview', 'interview-extended'])(
    '%s: with, without and with failing readings, the same moves are ranked, or refused with a reason',
    async (preset) => {
      const pipeline = await createPipeline(withReadings(preset), { units: { Given } });
      const moves = async (context: Context, read: Readings) => {
        const ranking = await pipeline.rank(undefined, { ...context, read });
        for (const { reason, by } of ranking.refused) expect([reason, by]).not.toContain('');
        expect(ranking.degraded.map(({ entry }) => entry).toSorted()).toEqual(
          NAMES.filter((name) => read[name] === 'fails').toSorted(),
        );
        // A fallback is one of them, generated again, or was refused.
        expect(ranking.selected).toHaveLength(1);
        return [...ranking.ranked, ...ranking.refused].toSorted((a, b) => a.index - b.index).map(({ id }) => id);
      };
      await fc.assert(
        fc.asyncProperty(arbitraryContext, arbitraryReadings, async (context, read) => {
          expect(await moves(context, read)).toEqual(await moves(context, {}));
        }),
        { numRuns: 60 },
      );
    },
  );
});
