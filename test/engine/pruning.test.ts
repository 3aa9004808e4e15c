import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, scorer, explanationParts } from 'assize';
import { child, defineScorer, type Embedder, embedderToken, type Live, type Run, type Score, z } from 'assize/sdk';

interface Doc {
  readonly id: string;
  readonly text: string;
  readonly words: number;
}

/** A thousand documents with known words; few of them match the query well. */
const docs: readonly Doc[] = Array.from({ length: 1000 }, (_, i): Doc => {
  const words = ((i * 7919) % 1000) / 1000;
  return { id: `d${i}`, text: `document ${i}`, words: words ** 3 };
});

/**
 * An embedder that counts its calls: the vector of a text depends on its number, which sets its similarity to the
 * query.
 */
function counting(): { readonly texts: string[]; readonly services: [{ token: symbol; value: unknown }] } {
  const texts: string[] = [];
  const embed: Embedder['embed'] = async (some) => {
    texts.push(...some);
    return some.map((text) => {
      const angle = text === 'query' ? 0 : (Number(text.split(' ')[1]) % 97) / 97;
      return Float32Array.of(Math.cos(angle), Math.sin(angle));
    });
  };
  const value = { open: () => ({ name: 'counting', dimensions: 2, embed }) };
  return { texts, services: [{ token: embedderToken('counting'), value }] };
}

const semantic: ProfileInput = {
  tier2_scorers: [
    { id: 'words', expr: 'candidate.words', weight: 2 },
    { id: 'meaning', class: 'SemanticSimilarityScorer', params: { text: 'text', embedder: 'counting' } },
  ],
  select: { top: 10 },
};

/** An expensive scorer of one number, called for each candidate. */
const dear = (asked: unknown[], least = 0, most = 1) =>
  scorer(
    (candidate: { readonly x: number }) => {
      asked.push(candidate);
      return candidate.x;
    },
    { range: [least, most], cost: 1_000_000 },
  );

describe('a pruned ranking', () => {
  test.each([
    ['warn', 1, true],
    ['warn', 0.3, false],
    ['clamp', 0.3, true],
  ] as const)('is exact unless a scorer leaves what it declares: %s, at most %d', async (policy, most, exact) => {
    const pipeline = await createPipeline(
      {
        tier2_scorers: [
          { id: 'cheap', expr: 'candidate.cheap' },
          { id: 'dear', class: 'Dear', out_of_range: policy },
        ],
        select: { top: 3 },
      },
      { units: { Dear: dear([], 0, most) } },
    );
    const given = Array.from({ length: 100 }, (_, i) => ({ cheap: i / 100, x: ((i * 37) % 100) / 100 }));
    const { pruned } = await pipeline.rank(given);
    expect(pruned?.entries[0]?.pruned).toBeGreaterThan(0);
    expect(pruned?.exact).toBe(exact);
  });

  test('embeds only the texts that can still reach the top', async () => {
    const [few, all] = [counting(), counting()];
    const pruned = await (await createPipeline<Doc>(semantic, { services: few.services })).rank(docs, {
      query: 'query',
    });
    const whole = await (
      await createPipeline<Doc>({ ...semantic, select: { top: 10, prune: false } }, { services: all.services })
    ).rank(docs, { query: 'query' });
    expect(pruned.selected).toEqual(whole.selected);
    expect(all.texts).toHaveLength(1001);
    expect(few.texts.length).toBeLessThan(150);
    const asked = few.texts.length - 1;
    expect(pruned.pruned).toEqual({
      exact: true,
      entries: [{ entry: 'meaning', evaluated: asked, pruned: 1000 - asked }],
    });
    expect(whole.pruned).toBeUndefined();
    expect(pruned.ranked).toHaveLength(asked);
    expect(pruned.notSelected).toHaveLength(990);
  });

  test('evaluates a row that can equal the last of the top only if it comes earlier in the input', async () => {
    const asked: unknown[] = [];
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'known', expr: 'candidate.k' },
        { id: 'dear', class: 'Dear', on_absent: 2 }, // a bound that is reached: the end of a range has tolerance for rounding
      ],
      select: { top: 1 },
    };
    const promising = Array.from({ length: 9 }, (_, i) => ({ id: `c${i}`, k: 2, x: 0 }));
    const candidates = [{ id: 'before', k: 0 }, ...promising, { id: 'behind', k: 0 }];
    const ranking = await (await createPipeline(profile, { units: { Dear: dear(asked) } })).rank(candidates);
    expect(ranking.selected).toMatchObject([{ id: 'before', score: 1 }]);
    expect(asked).toHaveLength(10);
    expect(ranking.notSelected.at(-1)).toMatchObject({ id: 'behind', reason: 'out_of_reach' });
  });

  test('reports the upper bound of a row that was not selected, and explains it', async () => {
    const asked: unknown[] = [];
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'known', expr: 'candidate.k' },
        { id: 'dear', class: 'Dear' },
      ],
      select: { top: 1 },
    };
    const candidates = Array.from({ length: 20 }, (_, i) => ({ id: `c${i}`, k: i < 8 ? 1 : i / 100, x: i / 10 }));
    const pipeline = await createPipeline(profile, { units: { Dear: dear(asked) } });
    const ranking = await pipeline.rank(candidates);
    expect(asked).toHaveLength(8);
    expect(ranking.selected.map(({ id, score }) => [id, score])).toEqual([['c7', 0.85]]);
    const [last] = ranking.notSelected.slice(-1);
    expect(last).toMatchObject({ id: 'c8', score: undefined, rank: undefined, reason: 'out_of_reach' });
    expect(last!.text).toBe('could reach at most 0.54, but rank 1 has 0.85');
    const explanation = ranking.explain('c8');
    expect(explanation.outcome).toEqual({
      kind: 'not_evaluated',
      atMost: expect.closeTo(0.54, 6) as number,
      notSelected: { reason: 'out_of_reach', text: 'could reach at most 0.54, but rank 1 has 0.85' },
    });
    expect(explanationParts(explanation).scorers.map(({ id, state, value, text }) => [id, state, value, text])).toEqual(
      [
        ['known', 'scored', 0.08, expect.any(String)],
        ['dear', 'not_evaluated', undefined, 'it could not be selected'],
      ],
    );
    expect(explanationParts(explanation).combine).toBeUndefined();
    const comparison = await ranking.compare('c8', 'c7');
    expect(comparison).toMatchObject({
      ahead: 'b',
      decidedBy: 'not_evaluated',
      flips: { behind: 'a', because: 'c8 was excluded before all scorers ran' },
    });
    expect(asked.length).toBe(8 + 1); // explaining c7 calls it again
    expect(JSON.parse(JSON.stringify(ranking))).toMatchObject({
      pruned: { exact: true, entries: [{ entry: 'dear', evaluated: 8, pruned: 12 }] },
    });
    const { values } = ranking.matrix.column('dear');
    expect(values).toHaveLength(8);
    void ranking.warnings;
    expect(asked.length).toBe(9);
  });

  test('evaluates no row whose upper bound is below min_score', async () => {
    const asked: unknown[] = [];
    const candidates = Array.from({ length: 100 }, (_, i) => ({ id: `c${i}`, k: i / 100, x: 1 }));
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'known', expr: 'candidate.k' },
        { id: 'dear', class: 'Dear' },
      ],
      select: { top: 50, min_score: 0.995 },
    };
    const ranking = await (await createPipeline(profile, { units: { Dear: dear(asked) } })).rank(candidates);
    expect(asked).toHaveLength(1);
    expect(ranking.selected.map(({ id }) => id)).toEqual(['c99']);
    expect(ranking.notSelected[0]).toMatchObject({
      reason: 'below_min_score',
      text: 'could reach at most 0.99, below the min_score of 0.995',
    });
  });

  test('does not affect scoring a single candidate', async () => {
    const asked: unknown[] = [];
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'rank', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.k' } } },
        { id: 'dear', class: 'Dear' },
      ],
      select: { top: 1 },
    };
    const candidates = Array.from({ length: 30 }, (_, i) => ({ id: `c${i}`, k: i, x: 0.5 }));
    const pipeline = await createPipeline<(typeof candidates)[number]>(profile, { units: { Dear: dear(asked) } });
    expect(await pipeline.score(candidates[0]!, {}, { among: candidates })).toMatchObject({ score: 0.25 });
  });

  test('counts evaluated and pruned rows per scorer, the cheapest first', async () => {
    const asks: Record<string, number> = { cheaper: 0, dearer: 0 };
    const count = (name: string, cost: number) =>
      scorer(
        ({ [name]: value }: Record<string, number>) => {
          asks[name]! += 1;
          return value;
        },
        { range: [0, 1], cost },
      );
    const candidates = Array.from({ length: 200 }, (_, i) => ({
      id: `c${i}`,
      known: (i % 10) / 10,
      cheaper: ((i * 7) % 11) / 11,
      dearer: ((i * 5) % 13) / 13,
    }));
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'dearer', class: 'Dearer' },
        { id: 'cheaper', class: 'Cheaper' },
        { id: 'known', expr: 'candidate.known' },
      ],
      select: { top: 5 },
    };
    const units = { Dearer: count('dearer', 1e6), Cheaper: count('cheaper', 1e4) };
    const { pruned } = await (await createPipeline(profile, { units })).rank(candidates);
    expect(pruned?.entries.map(({ entry, evaluated }) => [entry, evaluated])).toEqual([
      ['cheaper', asks['cheaper']],
      ['dearer', asks['dearer']],
    ]);
    expect(asks['dearer']).toBeLessThan(asks['cheaper']!);
    expect(asks['cheaper']).toBeLessThan(200);
  });
});

const over = z.strictObject({ scorer: child(), factor: child() });

/** An expensive scorer: a prepared entry, times one that reads a measure. */
class Over {
  static readonly meta = defineScorer({ summary: 'Over another.', params: over, range: [0, 1], cost: 1e5 });
  compile({ scorer: inner, factor }: z.output<typeof over>, live: Live): Score<unknown> {
    const [score, times] = [live.child(inner), live.child(factor)];
    return (candidate, index, note) => Number(score(candidate, index, note)) * Number(times(candidate, index));
  }
}

/** Knows a candidate only by its position in its prepare. */
class Placed {
  static readonly meta = defineScorer({
    summary: 'Prepared.',
    params: z.strictObject({}),
    range: [0, 1],
    scope: 'candidate',
  });
  prepare(_params: object, run: Run<{ readonly x: number }>): Score<unknown> {
    const column = run.candidates.map(({ x }, i) => x * run.measures['half']![i]! * 2);
    return (_candidate, index) => column[index]!;
  }
}

describe('a scorer that is prepared on some candidates', () => {
  test('reads its own numbers, those of measures and of entries inside it, and explains them', async () => {
    const candidates = Array.from({ length: 60 }, (_, i) => ({
      id: `c${i}`,
      k: ((i * 17) % 60) / 60,
      x: ((i * 23) % 60) / 60,
      half: 0.5,
    }));
    const profile: ProfileInput = {
      measures: [
        { id: 'half', expr: 'candidate.half' },
        { id: 'k', expr: 'candidate.k' },
      ],
      tier2_scorers: [
        { id: 'known', expr: 'candidate.k', weight: 2 },
        { id: 'over', class: 'Over', params: { scorer: { class: 'Placed' }, factor: { expr: 'measures.k' } } },
      ],
      select: { top: 3 },
    };
    const units = { Over, Placed };
    const pruned = await (await createPipeline(profile, { units })).rank(candidates);
    const whole = await (await createPipeline({ ...profile, select: { top: 3, prune: false } }, { units })).rank(
      candidates,
    );
    expect(pruned.pruned?.entries[0]?.pruned).toBeGreaterThan(20);
    expect(pruned.selected).toEqual(whole.selected);
    for (const { id } of pruned.ranked)
      expect(explanationParts(pruned.explain(id)).scorers).toEqual(explanationParts(whole.explain(id)).scorers);
    const { values } = pruned.matrix.column('over');
    expect([...values]).toEqual(Array.from(pruned.matrix.index, (i) => candidates[i]!.x * candidates[i]!.k));
  });

  test('applies its rule to all rows if a later batch cannot be prepared', async () => {
    let parts = 0;
    class Second {
      static readonly meta = defineScorer({
        summary: 'Fails the second time.',
        params: z.strictObject({}),
        range: [0, 1],
        scope: 'candidate',
        cost: 1e4,
      });
      async prepare(_params: object, { candidates }: Run<{ readonly x: number }>): Promise<Score<unknown>> {
        parts += 1;
        if (parts === 2) throw new Error('the model is gone');
        return (_candidate, index) => candidates[index]!.x;
      }
    }
    const candidates = Array.from({ length: 40 }, (_, i) => ({ id: `c${i}`, k: i / 40, x: 1 - i / 40 }));
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'known', expr: 'candidate.k' },
        { id: 'second', class: 'Second', weight: 5, on_error: 0.5 },
      ],
      select: { top: 2 },
    };
    const ranking = await (await createPipeline(profile, { units: { Second } })).rank(candidates);
    expect(parts).toBe(2);
    expect(ranking.degraded).toEqual([
      { entry: 'second', stage: 'score', cause: 'the model is gone', count: 40, instead: 0.5 },
    ]);
    expect(ranking.pruned).toBeUndefined();
    expect(ranking.ranked).toHaveLength(40);
    expect(ranking.selected.map(({ id }) => id)).toEqual(['c39', 'c38']);
    expect(explanationParts(ranking.explain('c39')).scorers[1]).toMatchObject({
      state: 'failed',
      value: 0.5,
      error: 'the model is gone',
    });
  });

  test('can be aborted between batches', async () => {
    const stop = new AbortController();
    let parts = 0;
    class Stopping {
      static readonly meta = defineScorer({
        summary: 'Stops the run.',
        params: z.strictObject({}),
        range: [0, 1],
        scope: 'candidate',
        cost: 1e4,
      });
      prepare(): Score<unknown> {
        parts += 1;
        stop.abort(new Error('enough'));
        return () => 0.5;
      }
    }
    const candidates = Array.from({ length: 40 }, (_, i) => ({ id: `c${i}` }));
    const profile: ProfileInput = { tier2_scorers: [{ id: 's', class: 'Stopping' }], select: { top: 2 } };
    const pipeline = await createPipeline(profile, { units: { Stopping } });
    await expect(pipeline.rank(candidates, {}, { signal: stop.signal })).rejects.toThrow('enough');
    expect(parts).toBe(1);
  });
});

describe('why nothing is pruned', () => {
  const entry = { id: 'dear', class: 'Dear' };
  const known = { id: 'known', expr: 'candidate.k' };
  const base: ProfileInput = { tier2_scorers: [known, entry], select: { top: 1 } };
  test.each<[string, ProfileInput, string]>([
    ['there is no top', { ...base, select: {} }, 'select.top is not set'],
    ['it is not wanted', { ...base, select: { top: 1, prune: false } }, 'select.prune is false'],
    [
      'there is no expensive scorer',
      { ...base, tier2_scorers: [known] },
      'no scorer declares a cost of 10,000 or more',
    ],
    ['a formula', { ...base, combine: { formula: 'known + dear' } }, 'the effect of a formula on the score is unknown'],
    [
      'duplicates',
      { ...base, select: { top: 1, duplicates: 'candidate.k' } },
      'select.duplicates compares every score',
    ],
    ['a report', { ...base, report: [{ id: 'others', class: 'Alternatives' }] }, 'the report others reads every score'],
    [
      'a rule on scores',
      { ...base, adjustments: [{ id: 'r', when: 'scores.dear > 0.5', add: 1 }] },
      'the rule r reads scores',
    ],
    [
      'a rule that reverses the order',
      { ...base, adjustments: [{ id: 'r', multiply: -1 }] },
      'the rule r reverses the order',
    ],
    [
      'a fallback',
      { ...base, select: { top: 1, min_score: 0.5 }, fallback: [{ use: 'c0' }] },
      'a fallback may read the number of refused candidates',
    ],
    [
      'a rerank',
      { ...base, rerank: { top: 1, ask: ['dear'] } },
      'rerank chooses the candidates that the scorers run on',
    ],
    [
      'no range',
      { ...base, tier2_scorers: [known, { id: 'endless', class: 'Endless' }] },
      'endless declares no finite range',
    ],
    ['the whole set', { ...base, tier2_scorers: [known, { id: 'set', class: 'Whole' }] }, 'set needs all candidates'],
  ])('%s', async (_, profile, why) => {
    class Whole {
      static readonly meta = defineScorer({ summary: 'All.', params: z.strictObject({}), range: [0, 1], cost: 1e4 });
      prepare(): Score<unknown> {
        return () => 0.5;
      }
    }
    const units = { Dear: dear([]), Endless: scorer(() => 1, { cost: 1e4 }), Whole };
    const { pruning } = await createPipeline(profile, { units });
    expect(pruning).toEqual({ scorers: [], off: why });
  });

  test('otherwise, the deferred scorers are reported', async () => {
    const { pruning } = await createPipeline(base, { units: { Dear: dear([]) } });
    expect(pruning).toEqual({ scorers: ['dear'], off: undefined });
  });
});
