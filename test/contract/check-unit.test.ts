import { describe, expect, test } from 'vitest';
import { abstain, defineScorer, type Live, path, type Run, type Score, z } from 'assize/sdk';
import { checkUnit } from 'assize/testing';
import { type Stars, stars, unitOf, unitPreparing, unitRemembering } from './broken-units.js';

const rulesOf = async (unit: Parameters<typeof checkUnit>[0], params?: Record<string, unknown>): Promise<string[]> => [
  ...new Set((await checkUnit(unit, { candidates: stars, ...(params && { params }) })).map(({ rule }) => rule)),
];

describe('a unit that breaks one rule has one finding', () => {
  test('a correct unit has none', async () => {
    const good = unitOf((c, _index, note) => (c.stars === 0 ? abstain(note, 'none') : c.stars / 10), {
      range: [0, 1],
      reasons: { none: 'no stars' },
    });
    expect(await checkUnit(good, { candidates: stars })).toEqual([]);
  });

  test('loads: params that its schema rejects', async () => {
    const [finding, ...others] = await checkUnit(
      unitOf((c) => c.stars),
      { candidates: stars, params: { most: 1 } },
    );
    expect(finding?.rule).toBe('loads');
    expect(finding?.seen).toContain('unknown key most');
    expect(others).toEqual([]);
  });

  test('params: accepts any params', async () => {
    expect(await rulesOf(unitOf((c) => c.stars, { params: z.object({}) }))).toEqual(['params']);
  });

  test('value: not a number, and failures that the example does not announce', async () => {
    const odd = unitOf((c) => (c.stars === 7 ? (String(c.stars) as unknown as number) : c.stars));
    expect(await checkUnit(odd, { candidates: stars })).toEqual([
      { rule: 'value', seen: 'candidate 2: the string "7"; expected a finite number or undefined' },
    ]);
    const failing = unitOf((c) => {
      if (c.stars === 7) throw new Error('seven');
      return c.stars;
    });
    expect(await checkUnit(failing, { candidates: stars })).toEqual([
      { rule: 'value', seen: 'candidate 2: it failed (seven); set mayFail if the example should fail' },
    ]);
    expect(await checkUnit(failing, { candidates: stars, mayFail: true })).toEqual([]);
  });

  test('range: leaves the declared range', async () => {
    expect(
      await checkUnit(
        unitOf((c) => c.stars, { range: [0, 5] }),
        { candidates: stars },
      ),
    ).toEqual([{ rule: 'range', seen: 'candidate 2: 7 is outside 0 to 5' }]);
  });

  test('deterministic: a different number each time', async () => {
    let calls = 0;
    expect(await rulesOf(unitOf(() => ++calls))).toContain('deterministic');
  });

  test('unchanged: writes into the candidate', async () => {
    const writing = unitOf((c: { stars: number; seen?: boolean }) => {
      c.seen = true;
      return c.stars;
    });
    const candidates = structuredClone(stars);
    expect((await checkUnit(writing, { candidates })).map(({ rule }) => rule)).toContain('unchanged');
  });

  test('unchanged: writes into values of the context', async () => {
    class Counting {
      static readonly meta = defineScorer({ summary: 'Counts.', params: z.strictObject({}) });
      compile(_params: object, live: Live): Score<unknown> {
        return () => {
          (live.context()['seen'] as number[]).push(1);
          return 1;
        };
      }
    }
    expect(await checkUnit(Counting, { candidates: stars, context: { seen: [] } })).toEqual([
      { rule: 'unchanged', seen: expect.stringContaining('with a frozen context, candidate 0: 1, then an error') },
    ]);
  });

  test('reads: a field that no param names', async () => {
    expect(await rulesOf(unitOf((candidate) => candidate.stars, { reads: 'params' }))).toEqual(['reads']);
    const byPath = { reads: 'params', params: z.strictObject({ field: path('stars') }) } as const;
    expect(await rulesOf(unitOf((candidate) => candidate.stars, byPath))).toEqual([]);
  });

  test('scope: a score that depends on the position', async () => {
    expect(await rulesOf(unitOf((_candidate, index) => index))).toEqual(['scope']);
  });

  test('scope: set declared as candidate, and sequence declared as set', async () => {
    const most = unitPreparing('candidate', ({ candidates }) => {
      const top = Math.max(...candidates.map((c) => c.stars));
      return (c) => c.stars / top;
    });
    expect(await rulesOf(most)).toEqual(['scope']);
    const first = unitPreparing(
      'set',
      ({ candidates }) =>
        (c) =>
          Number(c === candidates[0]),
    );
    expect(await rulesOf(first)).toEqual(['scope']);
    expect(
      await rulesOf(
        unitPreparing(
          'sequence',
          ({ candidates }) =>
            (c) =>
              Number(c === candidates[0]),
        ),
      ),
    ).toEqual([]);
  });

  test('reasons: undeclared, and without the data of the template', async () => {
    const noting = unitOf(
      (c, _index, note) => {
        note?.(c.stars > 5 ? 'many' : 'few', { stars: c.stars });
        return c.stars;
      },
      { reasons: { many: '{stars} of {most}' } },
    );
    expect(await checkUnit(noting, { candidates: stars })).toEqual([
      { rule: 'reasons', seen: 'it notes few, which is not declared in its meta' },
      { rule: 'reasons', seen: 'it notes many without most, which its template uses' },
    ]);
  });

  test('explanation: another value with a note', async () => {
    expect(
      await checkUnit(
        unitOf((c, _index, note) => (note ? 0 : c.stars)),
        { candidates: stars },
      ),
    ).toEqual([{ rule: 'explanation', seen: 'with a note, candidate 1: 3, then 0' }]);
  });

  test('memory: writes into the old one', async () => {
    const seen = unitRemembering((memory, run) => {
      const before = new Set(memory);
      for (const { stars: n } of run.candidates) memory.add(n);
      return { score: (c) => Number(before.has(c.stars)), memory };
    });
    expect(await rulesOf(seen)).toContain('memory');
  });

  test('memory: the restored memory differs from the stored one', async () => {
    const file = {
      version: 1,
      store: (memory: Set<number>) => Uint8Array.from(memory),
      restore: (bytes: Uint8Array) => new Set(bytes.subarray(1)),
    };
    const make = (memory: Set<number>, run: Run<Stars>) => ({
      score: (c: Stars) => Number(memory.has(c.stars)),
      memory: new Set([...memory, ...run.candidates.map((c) => c.stars)]),
    });
    expect(await rulesOf(unitRemembering(make))).toEqual([]);
    expect(await rulesOf(unitRemembering(make, file))).toEqual(['memory']);
    expect(await rulesOf(unitRemembering(make, { ...file, restore: (bytes) => new Set(bytes) }))).toEqual([]);
  });

  test('memory: a batch updates less state than its candidates one by one', async () => {
    const forgetful = unitRemembering((memory, run) => {
      const before = new Set(memory);
      return { score: (c) => Number(before.has(c.stars)), memory: new Set([...memory, run.candidates[0]?.stars ?? 0]) };
    });
    expect(await rulesOf(forgetful)).toEqual(['memory']);
  });
});
