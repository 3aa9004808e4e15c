import { describe, expect, test } from 'vitest';
import { type Context, createPipeline, type ProfileInput } from 'assize';
import { answers, scenario } from './scenario.js';

const rank = async (profile: string | ProfileInput, context: Context) =>
  (await createPipeline(profile)).rank(undefined, context);

const scoresOf = async (profile: string, context: Context): Promise<ReadonlyMap<string, number>> =>
  new Map((await rank(profile, context)).ranked.map(({ id, score }) => [id, score]));

describe("the document's example", () => {
  /** The raw scores printed for broaden; for the others only the sums are printed. */
  const BROADEN = [1.2, 1, 0.6, 1.2, 0.4, 1];
  const SUMS: readonly (readonly [strategy: string, focus: string, sum: number])[] = [
    ['deepen', 'node_coffee', 0.85],
    ['cover_element', 'taste', 1.1],
    ['cover_element', 'texture', 1.1],
    ['synthesis', 'recent_nodes', 0.95],
  ];
  const SCORERS = ['coverage_gap', 'ambiguity', 'depth_breadth_balance', 'engagement', 'strategy_diversity', 'novelty'];
  const WEIGHTS = [0.2, 0.15, 0.2, 0.15, 0.15, 0.15];

  test('with its raw scores: cover_element wins with 1.21, broaden has 1.08, and nothing is rounded before', async () => {
    const candidate = (strategy: string, focus: string, raws: readonly number[]) => ({
      id: `${strategy}/${focus}`,
      strategy: { id: strategy },
      raws,
    });
    const candidates = SUMS.map(([strategy, focus, sum]) =>
      candidate(
        strategy,
        focus,
        SCORERS.map(() => sum),
      ),
    ).toSpliced(1, 0, candidate('broaden', 'open', BROADEN));
    const pipeline = await createPipeline<(typeof candidates)[number]>({
      extends: ['interview'],
      tier1_scorers: ['knowledge_ceiling', 'element_exhausted', 'recent_redundancy'].map((id) => ({
        id,
        expr: 'false',
      })),
      tier2_scorers: SCORERS.map((id, k) => ({ id, expr: `candidate.raws[${k}]`, weight: WEIGHTS[k] })),
    });
    const ranking = await pipeline.rank(candidates, { turn_count: 3 });
    expect(ranking.selected.map(({ id }) => id)).toEqual(['cover_element/taste']);
    const found = Object.fromEntries(ranking.ranked.map(({ id, score }) => [id, score]));
    expect(found['cover_element/taste']).toBeCloseTo(1.21, 12);
    expect(found['cover_element/texture']).toBe(found['cover_element/taste']);
    expect(found['broaden/open']).toBeCloseTo(1.08, 12);
    expect(found['deepen/node_coffee']).toBeCloseTo(0.68, 12);
    expect(found['synthesis/recent_nodes']).toBeCloseTo(0.285, 12); // printed as 0.29
  });

  test.each([
    ['interview', 2, 'cover_element/taste', { 'cover_element/taste': 1.133, 'broaden/open': 1.092 }],
    ['interview', 5, 'cover_element/taste', { 'cover_element/taste': 1.221, 'broaden/open': 1.188 }],
    ['interview-extended', 2, 'broaden/open', { 'broaden/open': 1.1844, 'cover_element/taste': 1.1209 }],
    ['interview-extended', 5, 'broaden/open', { 'broaden/open': 1.2516, 'cover_element/taste': 1.1825 }],
  ] as const)('with the scorers of %s and %i edges', async (preset, edges, winner, expected) => {
    const scores = await scoresOf(preset, scenario(edges));
    for (const [id, score] of Object.entries(expected)) expect(scores.get(id)).toBeCloseTo(score, 12);
    expect((await rank(preset, scenario(edges))).selected[0]?.id).toBe(winner);
  });

  test('the alternatives are the next three with a score of at least 0.3', async () => {
    const { report } = await rank('interview', scenario());
    expect(report['alternatives']).toMatchObject([
      { id: 'cover_element/texture' },
      { id: 'broaden/open' },
      { id: 'ease/open' },
    ]);
  });
});

test('every strategy of the presets generates candidates', async () => {
  const ids = async (preset: string) => {
    const { ranked, refused } = await rank(preset, scenario());
    return [...ranked, ...refused].toSorted((a, b) => a.index - b.index).map(({ id }) => id);
  };
  const nine = [
    'deepen/node_coffee',
    'broaden/open',
    'cover_element/taste',
    'cover_element/texture',
    'closing/open',
    'reflection/open',
    'bridge/open',
    'contrast/open',
    'ease/open',
    'synthesis/open',
  ];
  expect(await ids('interview')).toEqual(nine);
  expect(await ids('interview-extended')).toEqual([...nine, 'clarify/open']);
});

describe('without a candidate to choose', () => {
  const all = (expr: string): ProfileInput => ({
    extends: ['interview'],
    tier1_scorers: [{ id: 'knowledge_ceiling', expr, on_error: 'refuse' }],
  });
  const chosen = async (profile: ProfileInput) => {
    const { selected, report } = await rank(profile, scenario());
    return [selected.map(({ id, because }) => [id, because]), report['alternatives']];
  };

  test('if everything is vetoed, the interview closes', async () => {
    expect(await chosen(all('true'))).toEqual([[['closing/open', 'fallback']], []]);
  });

  test('a failed veto refuses but does not count as a veto, so that the fallback is to reflect', async () => {
    expect(await chosen(all('candidate.focus.confidence.size() > 0'))).toEqual([[['reflection/open', 'fallback']], []]);
  });

  test('a disabled strategy is not a fallback', async () => {
    const strategies = (...ids: readonly string[]) => ids.map((id) => ({ id, enabled: false }));
    const without = (...ids: readonly string[]) => ({ ...all('true'), strategies: strategies(...ids) });
    expect(await chosen(without('closing'))).toEqual([[], []]);
    const failing = { ...all('candidate.focus.confidence.size() > 0'), strategies: strategies('reflection') };
    expect(await chosen(failing)).toEqual([[['broaden/open', 'fallback']], []]);
  });
});

test('a factor of 0 is not a veto: such a move can be chosen if no other scores more', async () => {
  const profile: ProfileInput = {
    extends: ['interview'],
    tier1_scorers: [{ id: 'only_closing', expr: 'candidate.strategy.id != "closing"' }],
  };
  expect((await rank(profile, scenario())).selected).toMatchObject([{ id: 'closing/open', score: 0 }]);
});

describe('a factor of 0 that refuses', () => {
  const adjustments: ProfileInput['adjustments'] = [
    {
      id: 'excluded',
      multiply: {
        table: { exploratory: { closing: 0, contrast: 0 } },
        by: ['signals.phase', 'candidate.strategy.id'],
        zero: 'refuse',
      },
    },
  ];

  test('names the rule, and applies in its phase alone', async () => {
    const refused = async (turn_count: number) =>
      (await rank({ extends: ['interview'], adjustments }, { ...scenario(), turn_count })).refused;
    expect((await refused(3)).map(({ id, kind, by }) => [id, kind, by])).toEqual([
      ['closing/open', 'veto', 'excluded'],
      ['contrast/open', 'veto', 'excluded'],
    ]);
    expect(await refused(4)).toEqual([]);
  });

  test('such a move can still be a fallback', async () => {
    const only: ProfileInput['tier1_scorers'] = [{ id: 'only', expr: 'candidate.strategy.id != "closing"' }];
    const { selected } = await rank({ extends: ['interview'], tier1_scorers: only, adjustments }, scenario());
    expect(selected).toMatchObject([{ id: 'closing/open', because: 'fallback' }]);
  });
});

test('the extended preset never refuses moves that continue the conversation', async () => {
  const context = { ...answers("I don't know", "I don't know what you mean, that is unclear"), turn_count: 2 };
  const profile: ProfileInput = {
    extends: ['interview-extended'],
    tier1_scorers: [{ id: 'knowledge_ceiling', params: { require_topic_match: false } }],
  };
  const { ranked, refused } = await rank(profile, context);
  expect(ranked.map(({ candidate }) => (candidate as { strategy: { id: string } }).strategy.id).toSorted()).toEqual([
    'clarify',
    'closing',
    'ease',
    'reflection',
  ]);
  expect(refused.every(({ kind, reason }) => kind === 'veto' && reason !== '')).toBe(true);
});

test('a malformed context is rejected with its place, or fails the run', async () => {
  const pipeline = await createPipeline('interview');
  await expect(pipeline.rank(undefined, { history: 'none' })).rejects.toThrow(
    'the context\'s history is the string "none"; expected list',
  );
  await expect(pipeline.rank(undefined, { graph: { node_count: 'many' } })).rejects.toThrow(
    'context.graph.node_count: expected a finite number, found the string "many"',
  );
});
