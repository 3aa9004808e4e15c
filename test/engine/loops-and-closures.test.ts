import { describe, expect, test } from 'vitest';
import { columns, createPipeline, type ProfileInput, type Ranking } from 'assize';

const outcomeOf = ({ ranked, refused }: Ranking<object>) => ({
  ranked: ranked.map(({ index, score }) => [index, score]),
  refused: refused.map(({ index, by, kind, reason }) => [index, by, kind, reason]),
});

/** More rows than an expression is called before it becomes a generated function. */
const ROWS = 300;

/** The outcome of a second run, with loops and without. */
async function outcomes(
  profile: ProfileInput,
  candidate: (i: number) => object,
  context: Readonly<Record<string, unknown>> = {},
) {
  const candidates = Array.from({ length: ROWS }, (_, i) => candidate(i));
  const run = async (codegen: boolean) => {
    const pipeline = await createPipeline<object>(profile, { codegen });
    pipeline.rankSync(candidates, context);
    return outcomeOf(pipeline.rankSync(candidates, context));
  };
  return { loops: await run(true), plain: await run(false) };
}

describe('a loop gives the result of its closures', () => {
  test('if a part of a rule without text reads the score', async () => {
    const profile = {
      tier2_scorers: [{ id: 'a', expr: 'candidate.f' }],
      adjustments: [{ id: 'r', add: 'min([score, 3.0]) * 0.5' }],
    };
    const { loops, plain } = await outcomes(profile, (f) => ({ f }));
    expect(loops).toEqual(plain);
    expect(loops.ranked[0]).toEqual([ROWS - 1, ROWS - 1 + 1.5]);
  });

  test('if a part of a formula without text reads the scores', async () => {
    const profile = {
      tier2_scorers: [
        { id: 'a', expr: 'candidate.f' },
        { id: 'b', expr: 'candidate.g' },
      ],
      combine: { formula: 'min([a, b]) * 2.0 + 1.0' },
    };
    const { loops, plain } = await outcomes(profile, (f) => ({ f, g: ROWS - f }));
    expect(loops).toEqual(plain);
    expect(loops.ranked[0]).toEqual([ROWS / 2, ROWS + 1]);
  });

  test.each([{}, { top: 2 }, { min_score: 0 }])('if a score is infinite, with select %j', async (select) => {
    const profile = { tier2_scorers: [{ id: 'a', expr: 'candidate.f', on_error: 0.5 }], select };
    const infinite = new Map([
      [0, -Infinity],
      [ROWS - 1, Infinity],
    ]);
    const { loops, plain } = await outcomes(profile, (i) => ({ f: infinite.get(i) ?? i / ROWS }));
    expect(loops).toEqual(plain);
    expect(loops.ranked[0]).toEqual([ROWS - 2, (ROWS - 2) / ROWS]);
    if (!select.top) expect(loops.ranked.filter(([, score]) => score === 0.5)).toHaveLength(3);
  });

  test('if a part that is not evaluated would fail', async () => {
    const profile = {
      tier1_scorers: [{ id: 'v', expr: 'candidate.k == "x" && (candidate.t.contains("re") || size(candidate.t) > 9)' }],
      tier2_scorers: [{ id: 'a', expr: 'candidate.k == "x" && size(candidate.t) > 2 ? candidate.f : 0.5' }],
      adjustments: [{ id: 'r', when: 'candidate.k == "x"', add: 'size(candidate.t) * 2.0' }],
    };
    const candidate = (f: number) => ({ f, k: f % 3 > 0 ? 'x' : 'y', t: f % 3 > 0 ? ['red', 'oak'][f % 2] : 5 });
    const { loops, plain } = await outcomes(profile, candidate);
    expect(loops).toEqual(plain);
    expect(loops.refused).toHaveLength(ROWS / 3);
    expect(loops.refused.filter(([, , kind]) => kind === 'error')).toEqual([]);
  });

  test('if a field that is not needed cannot be read', async () => {
    const profile = {
      tier1_scorers: [{ id: 'v', expr: 'candidate.f > 1000 && candidate.g > 3' }],
      tier2_scorers: [{ id: 'a', expr: 'candidate.f < 1000 ? candidate.f : candidate.g' }],
    };
    const candidate = (f: number) => ({
      f,
      get g() {
        throw new Error('not readable');
      },
    });
    const { loops, plain } = await outcomes(profile, candidate);
    expect(loops).toEqual(plain);
    expect(loops.ranked).toHaveLength(ROWS);
  });

  test('if a value of the context cannot be read', async () => {
    const profile = {
      tier1_scorers: [{ id: 'v', expr: 'has(context.user.age)' }],
      tier2_scorers: [{ id: 'a', expr: 'candidate.f + context.user.?age.orValue(3.0)' }],
    };
    const user = {
      get age() {
        throw new Error('not readable');
      },
    };
    const { loops, plain } = await outcomes(profile, (f) => ({ f }), { user });
    expect(loops).toEqual(plain);
    expect(loops.refused[0]).toEqual([0, 'v', 'error', 'not readable']);
  });

  test('if there are so many scorers that a loop has several functions', async () => {
    const profile = {
      tier2_scorers: Array.from({ length: 250 }, (_, k) => ({
        id: `s${k}`,
        expr: `candidate.f / ${k + 1}.5 + candidate.g`,
      })),
    };
    const { loops, plain } = await outcomes(profile, (f) => ({ f, ...(f % 3 > 0 && { g: f / 7 }) }));
    expect(loops).toEqual(plain);
    expect(loops.ranked).toHaveLength((ROWS * 2) / 3);
  });

  test('if a dictionary has changed since the last run', async () => {
    const dictionary = ['x', 'y'];
    const codes = Int32Array.from({ length: ROWS }, (_, i) => (i % 3 > 0 ? 0 : 1));
    const pipeline = await createPipeline<object>({
      tier1_scorers: [{ id: 'v', expr: 'candidate.k == "x"' }],
      tier2_scorers: [{ id: 'a', expr: 'candidate.f' }],
    });
    const kept = () =>
      pipeline.rankSync(columns({ f: new Float64Array(ROWS), k: { dictionary, codes } })).ranked.length;
    expect(kept()).toBe(ROWS / 3);
    dictionary.reverse();
    expect(kept()).toBe((ROWS * 2) / 3);
  });

  test.each([1, 20, 60])('over columns with dictionaries, for the best %i', async (top) => {
    const profile = {
      tier1_scorers: [{ id: 'v', expr: 'candidate.k == "x" || candidate.k == "y"' }],
      tier2_scorers: [
        { id: 'a', expr: 'candidate.k == "a" ? 1.0 : candidate.k in ["b", "c\\"\\n"] ? 0.5 : 0.1', on_absent: 0.7 },
        { id: 'b', expr: 'candidate.l == "low" ? 1.0 : 1.0 / 0.0' },
        { id: 'c', expr: 'candidate.f' },
      ],
      weights: { by: 'candidate.l', cases: { low: { a: 3 }, high: { a: 1, c: 2 } } },
      adjustments: [
        { id: 'r', multiply: { table: { a: 0.5, b: -2, z: 0 }, by: ['candidate.k'], zero: 'refuse' as const } },
        { id: 't', when: 'scores.c > 5', refuse: true as const },
        { id: 's', multiply: { table: { low: 0.5 }, by: ['candidate.l'], missing: 2 } },
      ],
      select: { top },
    };
    const [ks, ls] = [
      ['a', 'b', 'c"\n', 'x', 'y', 'z', 'toString'],
      ['low', 'high', 'other'],
    ];
    const rows = Array.from({ length: ROWS }, (_, i) => ({ k: ks[i % 8] ?? null, l: ls[i % 5] ?? null, f: i % 7 }));
    const table = {
      k: { dictionary: ks, codes: Int32Array.from(rows, ({ k }) => (k === null ? -1 : ks.indexOf(k))) },
      l: { dictionary: ls, codes: Int32Array.from(rows, ({ l }) => (l === null ? -1 : ls.indexOf(l))) },
      f: Float64Array.from(rows, ({ f }) => f),
    };
    const run = async (codegen: boolean, candidates: readonly object[]) => {
      const pipeline = await createPipeline<object>(profile, { codegen });
      return [1, 2].map(() => outcomeOf(pipeline.rankSync(candidates)));
    };
    const plain = await run(false, rows);
    expect(plain[0]?.ranked.length).toBeGreaterThan(0);
    expect(plain[0]?.refused.map(([, by, kind]) => `${String(by)} ${String(kind)}`)).toEqual(
      expect.arrayContaining(['v veto', 'r veto', 'b error']),
    );
    for (const candidates of [rows, columns(table)]) expect(await run(true, candidates)).toEqual(plain);
    expect(await run(false, columns(table))).toEqual(plain);
  });
});
