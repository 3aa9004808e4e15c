import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { type BatchScorer, defineScorer, type Run, type Score, z } from 'assize/sdk';
import { duckDbEngine, rankWith } from 'assize/sql';
import { translateRelation } from '../../../src/scale/sql/translate.js';
import { closing, promised } from './digest.js';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder('assize-pruning-');
const file = join(folder, 'rows.jsonl');

let asked = 0;

interface Doc {
  readonly dear?: number;
}

/** A scorer as expensive as a model, unknown to SQL; it sometimes abstains and fails. */
class Dear implements BatchScorer<object, Doc> {
  static readonly meta = defineScorer({
    summary: 'Costs much.',
    params: z.strictObject({}),
    scope: 'candidate',
    cost: 20_000,
    range: [0, 1],
  });
  async prepare(_: object, { candidates }: Run<Doc>): Promise<Score<Doc>> {
    asked += candidates.length;
    return ({ dear }) => {
      if (dear === -1) throw new Error('no answer');
      return dear;
    };
  }
}

const units = { Dear };

const profileOf = (top: number, more: Partial<ProfileInput> = {}, onAbsent: 'skip' | 0 = 0): ProfileInput => ({
  name: 'dear',
  tier1_scorers: [{ id: 'gone', expr: 'candidate.gone' }],
  tier2_scorers: [
    { id: 'cheap', expr: 'clamp(ln(candidate.a + 1), 0, 3) / 3', weight: 2, on_absent: 'refuse' },
    { id: 'dear', class: 'Dear', weight: 1, on_absent: onAbsent },
  ],
  adjustments: [{ id: 'late', when: 'candidate.late', multiply: 0.8 }],
  select: { top, min_score: 0.2 },
  ...more,
});

async function same(profile: ProfileInput, rows: readonly object[]): Promise<void> {
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  asked = 0;
  const whole = await (await createPipeline<object>(profile, { units })).rank(rows);
  const askedInProcess = asked;
  asked = 0;
  const engine = await duckDbEngine([file], { threads: 1 });
  const found = await closing(engine, rankWith(profile, engine, {}, { units }));
  expect(found.notices.filter((one) => !one.startsWith('the process evaluates '))).toEqual([]);
  expect(found.notices).not.toEqual([]);
  expect(asked).toBe(askedInProcess);
  const finished = await finishedElsewhere(profile);
  asked = askedInProcess;
  const { selected, degraded, pruned } = whole;
  const said = promised(found);
  const { counts, notSelected, refused } = inCounts(whole);
  expect(said).toEqual(
    promised({ selected, degraded, counts, notSelectedCounts: notSelected, refusedCounts: refused }),
  );
  expect(found.pruned).toEqual(pruned);
  expect(promised(finished)).toEqual(said);
}

/** The ranking of a statement's result, as if the database ran elsewhere. */
async function finishedElsewhere(profile: ProfileInput) {
  const engine = await duckDbEngine([file], { threads: 1 });
  const { sql, finish } = await translateRelation(profile, 'duckdb', await engine.relation(), {}, { units });
  const rows = await closing(engine, engine.sieve(sql));
  return finish(rows.map((row) => ({ ...row })));
}

type Whole = Awaited<ReturnType<Awaited<ReturnType<typeof createPipeline<object>>>['rank']>>;

/** The report of a full ranking, in the form of rankStream. */
function inCounts({ selected, notSelected, refused, ranked }: Whole) {
  const by = new Map<string, number>();
  for (const { reason } of notSelected) by.set(reason, (by.get(reason) ?? 0) + 1);
  const groups = new Map<string, (typeof refused)[number][]>();
  for (const row of refused) groups.set(`${row.by} ${row.kind}`, [...(groups.get(`${row.by} ${row.kind}`) ?? []), row]);
  return {
    counts: {
      given: selected.length + notSelected.length + refused.length,
      ranked: ranked.length,
      selected: selected.length,
      notSelected: notSelected.length,
      refused: refused.length,
    },
    notSelected: [...by].map(([reason, count]) => ({ reason, count })),
    refused: [...groups.values()].map((rows) => ({
      by: rows[0]!.by,
      kind: rows[0]!.kind,
      count: rows.length,
      examples: rows.slice(0, 3).map(({ id, index, reason }) => ({ id, index, reason })),
    })),
  };
}

const random = (seed: number): (() => number) => {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
};

describe('scorers unknown to SQL', () => {
  test('are called for the same rows as with pruning in the process', async () => {
    const next = random(7);
    const rows = Array.from({ length: 20_000 }, (_, k) => {
      return { id: `r${k}`, a: next() * 18, dear: next(), gone: next() < 0.1, late: next() < 0.3 };
    });
    await same(profileOf(10), rows);
    await same(profileOf(100, {}, 'skip'), rows);
    expect(asked).toBeLessThan(6000);
  });

  test('also if the kept rows are ranked as one set', async () => {
    const next = random(11);
    const rows = Array.from({ length: 2000 }, (_, k) => {
      return { id: `r${k}`, a: Math.floor(next() * 300), dear: next(), gone: next() < 0.5 };
    });
    await same(profileOf(10, { select: { top: 10, duplicates: 'candidate.a' } }), rows);
    expect(asked).toBeLessThan(1100); // all of the kept ones: duplicates need every score
    const scaled = { id: 'scaled', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.a' } } };
    await same(profileOf(10, { tier2_scorers: [...profileOf(10).tier2_scorers!, scaled] }), rows);
    expect(asked).toBeLessThan(500);
  });

  test('a statement that returned too few promising rows reports it', async () => {
    const rows = Array.from({ length: 50 }, (_, k) => ({ id: k, a: 19 - k / 100, dear: k / 50 }));
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const engine = await duckDbEngine([file], { threads: 1 });
    const options = { units, promising: 5 };
    const { sql, finish } = await translateRelation(profileOf(1), 'duckdb', await engine.relation(), {}, options);
    const few = await closing(engine, engine.sieve(sql));
    await expect(finish(few.map((row) => ({ ...row })))).rejects.toThrow(
      'ASZ585 the 5 most promising rows are not enough: another row may be among the best\n  create a statement with more rows: 40, for example',
    );
  });

  test('expressions of functions without a translation are evaluated by the process', async () => {
    expect.hasAssertions();
    const rows = ['a,b', ' A ', '', 'aaa', 7, null].map((s, k) => ({ id: `r${k}`, a: 19 - k, dear: 0.5, s }));
    const expr = 'size(candidate.s.trim().replace("a", "b").split(",").join("")) / 10.0';
    const more = {
      tier2_scorers: [...profileOf(3).tier2_scorers!, { id: 'size', expr, on_error: 'skip' as const, on_absent: 0 }],
    };
    await same(profileOf(3, more), rows);
  });

  test('give the same result for any rows', async () => {
    expect.hasAssertions();
    const row = fc.record(
      {
        a: fc.oneof(
          fc.constantFrom(0, 1, 5, 19),
          fc.double({ min: 0, max: 20, noNaN: true }),
          fc.constantFrom<unknown>('x', null),
        ),
        dear: fc.constantFrom(0, 0.5, 1, 0.25, -1),
        gone: fc.constantFrom<unknown>(true, false, false, 'no'),
        late: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const cases = fc.asyncProperty(
      fc.array(row, { maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom<'skip' | 0>('skip', 0),
      async (rows, top, onAbsent) =>
        same(
          profileOf(top, {}, onAbsent),
          rows.map((one, id) => ({ id, ...one })),
        ),
    );
    await fc.assert(cases, { numRuns: process.env['FUZZ'] ? 1000 : 40 });
  });
});
