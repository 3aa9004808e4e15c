import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPipeline, explanationParts, type ProfileInput, scorer } from 'assize';
import { defineScorer, type Run, type Score, z } from 'assize/sdk';
import { messageOf } from '../properties/ranked.js';
import { temporaryFolder } from '../temporary-folder.js';

interface Item {
  readonly id: string;
  readonly k: number;
  readonly x: number;
}

const items: readonly Item[] = Array.from({ length: 50 }, (_, i) => ({
  id: `c${i}`,
  k: i / 50,
  x: ((i * 7) % 50) / 50,
}));

/** Records its candidates; has no range, so it cannot be pruned. */
const seeing = (seen: string[][]) =>
  class {
    static readonly meta = defineScorer({ summary: 'Sees all.', params: z.strictObject({}), scope: 'set' });
    async prepare(_params: object, { candidates }: Run<Item>): Promise<Score<Item>> {
      seen.push(candidates.map(({ id }) => id));
      return (_candidate, index) => candidates[index]!.x;
    }
  };

const profile: ProfileInput = {
  tier2_scorers: [
    { id: 'known', expr: 'candidate.k' },
    { id: 'judged', class: 'Judged', weight: 3 },
  ],
  rerank: { top: 10, ask: ['judged'] },
  select: { top: 3 },
};

describe('a rerank', () => {
  test('evaluates the best rows by the other scorers, all at once, and ranks only these', async () => {
    const seen: string[][] = [];
    const ranking = await (await createPipeline<Item>(profile, { units: { Judged: seeing(seen) } })).rank(items);
    const best = items.slice(40);
    expect(seen).toEqual([best.map(({ id }) => id)]);
    const scores = best.map(({ id, k, x }) => [id, 0.25 * k + 0.75 * x] as const).toSorted((a, b) => b[1] - a[1]);
    expect(ranking.ranked.map(({ id, score }) => [id, score])).toEqual(scores);
    expect(ranking.selected).toHaveLength(3);
    expect(ranking.pruned).toEqual({ exact: false, entries: [{ entry: 'judged', evaluated: 10, pruned: 40 }] });
    expect(ranking.notSelected).toHaveLength(47);
    expect(ranking.notSelected.at(-1)).toMatchObject({
      id: 'c0',
      reason: 'not_reranked',
      text: 'not among the best 10 by the scorers that ran first',
    });
    const explanation = ranking.explain('c0');
    const { outcome } = explanation;
    const { scorers } = explanationParts(explanation);
    expect(outcome).toEqual({
      kind: 'not_evaluated',
      notSelected: { reason: 'not_reranked', text: 'not among the best 10 by the scorers that ran first' },
    });
    expect(scorers[1]).toMatchObject({
      state: 'not_evaluated',
      text: 'it is not among the best 10 by the other scorers',
    });
    expect(await ranking.compare('c0', 'c40')).toMatchObject({ ahead: 'b', decidedBy: 'not_evaluated' });
  });

  test('also orders by the rules, and does not change refusals', async () => {
    const seen: string[][] = [];
    const pipeline = await createPipeline<Item>(
      {
        ...profile,
        tier2_scorers: [
          { id: 'judged', class: 'Judged', weight: 3 },
          { id: 'known', expr: 'candidate.id == "c49" ? candidate.nothing : candidate.k', on_absent: 'refuse' },
        ],
        adjustments: [{ id: 'first', when: 'candidate.id == "c0"', add: 5 }],
      },
      { units: { Judged: seeing(seen) } },
    );
    const ranking = await pipeline.rank(items);
    expect(seen[0]).toEqual(['c0', ...items.slice(40, 49).map(({ id }) => id)]);
    expect(ranking.refused.map(({ id, by }) => [id, by])).toEqual([['c49', 'known']]);
    expect(ranking.ranked[0]?.id).toBe('c0');
  });

  test('of more rows than exist is exact and reports nothing', async () => {
    const seen: string[][] = [];
    const ranking = await (
      await createPipeline<Item>(
        { ...profile, rerank: { top: 50, ask: ['judged'] } },
        { units: { Judged: seeing(seen) } },
      )
    ).rank(items);
    expect(seen[0]).toHaveLength(50);
    expect(ranking.pruned).toBeUndefined();
    expect(ranking.ranked).toHaveLength(50);
  });

  test('works with reports, duplicates and formulas, which receive only evaluated rows', async () => {
    const seen: string[][] = [];
    const pipeline = await createPipeline<Item>(
      {
        ...profile,
        combine: { formula: 'known' },
        tier2_scorers: [
          { id: 'known', expr: 'candidate.k' },
          { id: 'judged', class: 'Judged' },
        ],
        adjustments: [{ id: 'by_judge', add: 'scores.judged' }],
        select: { duplicates: 'candidate.x > 0.5', top: 3 },
        report: [{ id: 'others', class: 'Alternatives', params: { count: 2 } }],
      },
      { units: { Judged: seeing(seen) } },
    );
    const { ranked, selected, report } = await pipeline.rank(items);
    expect(seen[0]).toEqual(items.slice(40).map(({ id }) => id));
    expect(ranked[0]?.score).toBe(Math.max(...items.slice(40).map(({ k, x }) => k + x)));
    expect(selected).toHaveLength(2);
    expect(report['others']).toHaveLength(2);
  });

  test('applies its rule to the evaluated rows if it cannot be prepared', async () => {
    class Judged {
      static readonly meta = defineScorer({ summary: 'Gone.', params: z.strictObject({}) });
      async prepare(): Promise<Score<unknown>> {
        throw new Error('the model is gone');
      }
    }
    const failing = await createPipeline<Item>(profile, { units: { Judged } });
    expect(await messageOf(failing.rank(items))).toContain('the model is gone');
    const tier2_scorers = [
      { id: 'known', expr: 'candidate.k' },
      { id: 'judged', class: 'Judged', on_error: 'skip' as const },
    ];
    const ranking = await (await createPipeline<Item>({ ...profile, tier2_scorers }, { units: { Judged } })).rank(
      items,
    );
    expect(ranking.selected.map(({ id, score }) => [id, score])).toEqual([
      ['c49', 0.98],
      ['c48', 0.96],
      ['c47', 0.94],
    ]);
    expect(ranking.degraded).toMatchObject([{ entry: 'judged', instead: 'absent' }]);
    expect(ranking.notSelected).toHaveLength(47);
    expect(ranking.pruned).toEqual({ exact: false, entries: [{ entry: 'judged', evaluated: 10, pruned: 40 }] });
    expect(ranking.explain('c0').outcome.kind).toBe('not_evaluated');
  });

  test('evaluates a single candidate, and rejects a stream', async () => {
    const Judged = scorer(({ x }: Item) => x, { range: [0, 1] });
    const pipeline = await createPipeline<Item>(profile, { units: { Judged } });
    expect(await pipeline.score(items[0]!, {}, { among: items })).toMatchObject({ score: 0 });
    expect(pipeline.needsAll).toEqual(['judged']);
    expect(() => pipeline.scoreStream(items)).toThrow(/its entry judged needs all candidates at once/);
  });

  test('does not evaluate an entry that a what-if removes', async () => {
    const ranking = await (await createPipeline<Item>(profile, { units: { Judged: seeing([]) } })).rank(items);
    const without = await ranking.whatIf({ without: 'judged' });
    expect(without.ranked).toHaveLength(50);
    expect(without.pruned).toBeUndefined();
  });

  test('is inherited key by key, and does not evaluate a disabled entry', async () => {
    const folder = temporaryFolder('rerank-');
    const tier2_scorers = [
      { id: 'known', expr: 'candidate.k' },
      { id: 'judged', expr: 'candidate.x' },
    ];
    writeFileSync(join(folder, 'base.json'), JSON.stringify({ tier2_scorers, rerank: profile.rerank }));
    const rankedBy = async (over: object): Promise<number> => {
      writeFileSync(join(folder, 'over.json'), JSON.stringify({ extends: ['./base.json'], ...over }));
      const pipeline = await createPipeline<Item>('./over.json', { units: { Judged: seeing([]) }, folder });
      return (await pipeline.rank(items)).ranked.length;
    };
    expect(await rankedBy({ tier2_scorers: [{ id: 'judged', class: 'Judged' }], rerank: { top: 5 } })).toBe(5);
    expect(await rankedBy({ tier2_scorers: [{ id: 'judged', enabled: false }] })).toBe(50);
  });

  test('does not apply if its scorers do not take part in the run', async () => {
    const tier2_scorers = [
      { id: 'known', expr: 'candidate.k' },
      { id: 'judged', class: 'Judged', when: 'has(context.deep)' },
    ];
    const pipeline = await createPipeline<Item>({ ...profile, tier2_scorers }, { units: { Judged: seeing([]) } });
    expect((await pipeline.rank(items)).ranked).toHaveLength(50);
    expect((await pipeline.rank(items, { deep: true })).ranked).toHaveLength(10);
  });
});
