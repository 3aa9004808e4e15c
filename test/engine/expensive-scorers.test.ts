/*
 * An expensive scorer is called once for each candidate and run, whatever is read from the result: its calls are
 * counted.
 */
import { expect, test } from 'vitest';
import { columns, createPipeline, type ProfileInput, scorer } from 'assize';
import { defineScorer, path, type Run, type Score, type UnitClass, z } from 'assize/sdk';

interface Row {
  readonly id: string;
  readonly n: number;
  readonly gone?: boolean;
}

const ROWS = 2000;
const rows: readonly Row[] = Array.from({ length: ROWS }, (_, k) => ({ id: `r${k}`, n: k % 500, gone: k % 10 === 0 }));
const KEPT = ROWS - ROWS / 10;

/** Takes far more than 10 µs: loops until the clock has advanced by 60. */
function takeLong(): void {
  const until = performance.now() + 0.06;
  while (performance.now() < until);
}

const none = z.strictObject({});

/** A scorer that counts its calls by candidate; it abstains and fails on some. */
function counting(take: () => void, facts: object = {}) {
  const calls = new Map<string, number>();
  const score = ({ id, n }: Row): number | undefined => {
    calls.set(id, (calls.get(id) ?? 0) + 1);
    take();
    if (n === 7) throw new Error('it fails on seven');
    return n === 8 ? undefined : n / 500;
  };
  class Prepared {
    static readonly meta = defineScorer({ summary: 'Counts.', params: none, scope: 'candidate', range: [0, 1] });
    prepare(_params: object, { candidates }: Run<Row>): Score<Row> {
      return (_candidate, index) => score(candidates[index]!);
    }
  }
  const units: Record<string, UnitClass> = { Slow: scorer(score, facts), Prepared };
  return { units, calls, most: () => Math.max(0, ...calls.values()) };
}

const profileOf = (more: Partial<ProfileInput> = {}, slow: object = {}): ProfileInput => ({
  tier1_scorers: [{ id: 'gone', expr: 'candidate.gone' }],
  tier2_scorers: [
    { id: 'n', expr: 'candidate.n / 500' },
    { id: 'slow', class: 'Slow', on_error: 'skip', ...slow },
  ],
  select: { top: 10 },
  ...more,
});

const ways: Readonly<Record<string, Partial<ProfileInput>>> = {
  fused: {},
  staged: { measures: [{ id: 'twice', expr: 'candidate.n * 2' }] },
  rules: { adjustments: [{ id: 'more', when: 'scores.slow > 0.5', add: 'scores.slow' }] },
  formula: { combine: { formula: 'scores.n + scores.slow' } },
  'weighted sum': { combine: 'weighted_sum' },
};

test.each(Object.entries(ways))('over a ranking and everything read from it: %s', async (name, more) => {
  const profile = profileOf(name === 'formula' ? { ...more, combine: { formula: 'n + slow' } } : more);
  for (const entry of ['Slow', 'Prepared']) {
    const { units, calls, most } = counting(takeLong);
    const [n, slow] = profile.tier2_scorers!;
    const given = { ...profile, tier2_scorers: [n!, { ...slow!, class: entry }] };
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const pipeline = await createPipeline<Row>(given, { units });
    for (let run = 1; run <= 2; run++) {
      calls.clear();
      const ranking = await pipeline.rank(rows); // oxlint-disable-line no-await-in-loop
      for (const row of ranking.ranked) void ranking.terms(row);
      void [ranking.selected, ranking.notSelected, ranking.refused, ranking.warnings, ranking.degraded];
      expect(ranking.matrix.column('slow').values.length).toBeGreaterThan(KEPT - 10);
      void ranking.reweigh({ top: 5 }).selected;
      expect([calls.size, most()]).toEqual([KEPT, 1]);
      void ranking.explain(ranking.ranked[0]!.id); // needs the reasons
      expect(most()).toBe(2);
    }
  }
});

test('over a stream, its rows and warnings', async () => {
  const { units, calls, most } = counting(takeLong);
  const pipeline = await createPipeline<Row>(profileOf(), { units });
  const top = await pipeline.rankStream(rows);
  for (const row of top.selected) void top.terms(row);
  void [top.warnings, top.matrix];
  expect([calls.size, most()]).toEqual([KEPT, 1]);
  calls.clear();
  const stream = pipeline.scoreStream(rows, {}, { terms: true });
  for await (const row of stream) void row;
  void stream.warnings;
  expect([calls.size, most()]).toEqual([KEPT, 1]);
});

test('next to a deferred scorer', async () => {
  const { units, calls, most } = counting(takeLong);
  const Late = scorer(({ n }: Row) => n / 500, { range: [0, 1], cost: 1e5 });
  const profile = profileOf({ tier2_scorers: [...profileOf().tier2_scorers!, { id: 'late', class: 'Late' }] });
  const ranking = await (await createPipeline<Row>(profile, { units: { ...units, Late } })).rank(
    rows,
    {},
    { prune: true },
  );
  for (const row of ranking.ranked) void ranking.terms(row);
  void ranking.warnings;
  expect([calls.size, most()]).toEqual([KEPT, 1]);
});

test('the numbers equal those of a scorer that is called again', async () => {
  const results: string[] = [];
  for (const cost of [1, 1e3, undefined]) {
    const { units } = counting(() => {}, cost === undefined ? {} : { cost });
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const ranking = await (await createPipeline<Row>(profileOf(ways['rules']), { units })).rank(rows);
    results.push(JSON.stringify(ranking));
  }
  expect(new Set(results).size).toBe(1);
});

test('a declared cost takes precedence over measurements', async () => {
  const cheap = counting(takeLong, { cost: 1 });
  const dear = counting(() => {}, { cost: 1e3 });
  for (const { units } of [cheap, dear]) {
    const ranking = await (await createPipeline<Row>(profileOf(), { units })).rank(rows); // oxlint-disable-line no-await-in-loop
    void [ranking.warnings, ranking.matrix.column('slow').values];
  }
  expect(cheap.most()).toBeGreaterThan(1);
  expect(dear.most()).toBe(1);
});

test('a stream of columns gives each row its own score, however expensive the scorer is', async () => {
  class Slow {
    static readonly meta = defineScorer({
      summary: 'Takes long.',
      params: z.strictObject({ field: path() }),
      reads: 'params',
      range: [0, 1],
    });
    compile({ field }: { readonly field: (candidate: unknown) => unknown }): Score<Row> {
      return (candidate) => {
        takeLong();
        return Number(field(candidate)) / 500;
      };
    }
  }
  const profile: ProfileInput = {
    tier1_scorers: [{ id: 'gone', expr: 'candidate.gone' }],
    tier2_scorers: [{ id: 'slow', class: 'Slow', params: { field: 'n' } }],
    select: { top: 10 },
  };
  const pipeline = await createPipeline<Row>(profile, { units: { Slow } });
  const byColumn = columns({
    id: rows.map(({ id }) => id),
    n: Float64Array.from(rows, ({ n }) => n),
    gone: rows.map(({ gone }) => gone),
  }) as unknown as readonly Row[];
  for (let run = 0; run < 2; run++) {
    // oxlint-disable-next-line no-await-in-loop -- the second run knows that the scorer is expensive
    const [fromColumns, fromObjects] = [await pipeline.rankStream(byColumn), await pipeline.rankStream(rows)];
    expect(fromColumns.selected.map(({ id, score }) => [id, score])).toEqual(
      fromObjects.selected.map(({ id, score }) => [id, score]),
    );
  }
});
