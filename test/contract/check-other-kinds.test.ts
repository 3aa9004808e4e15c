import { describe, expect, test } from 'vitest';
import {
  defineGenerator,
  defineReport,
  defineSelector,
  defineSignal,
  type Focus,
  type SelectorFunction,
  type SelectorResult,
  z,
} from 'assize/sdk';
import { checkUnit } from 'assize/testing';
import { stars } from './broken-units.js';

const meta = { summary: 'Counts.', params: z.strictObject({}) };
const rulesOf = async (unit: Parameters<typeof checkUnit>[0]): Promise<string[]> =>
  (await checkUnit(unit, { candidates: stars })).map(({ rule }) => rule);

const generating = (make: () => readonly Focus[]) =>
  class {
    static readonly meta = defineGenerator(meta);
    prepare(): readonly Focus[] {
      return make();
    }
  };

describe('the other kinds of unit', () => {
  test('a signal and a report that change on every call', async () => {
    let calls = 0;
    class Counting {
      static readonly meta = defineSignal(meta);
      prepare(): number {
        return ++calls;
      }
    }
    class Reporting {
      static readonly meta = defineReport(meta);
      prepare(): { value: number } {
        return { value: ++calls };
      }
    }
    expect(await rulesOf(Counting)).toEqual(['deterministic']);
    expect(await rulesOf(Reporting)).toEqual(['deterministic']);
  });

  test('a generator, by the keys of its focus objects', async () => {
    expect(await rulesOf(generating(() => [{ key: 'a' }, { key: 'b' }]))).toEqual([]);
    expect(await rulesOf(generating(() => [{ key: 'a' }, { key: 'a' }]))).toEqual(['value']);
    expect(await rulesOf(generating(() => [{ key: '' }]))).toEqual(['value']);
  });
});

describe('a selector', () => {
  const selecting = (select: SelectorFunction, reasons: Record<string, string> = { no_room: 'no room' }) =>
    class {
      static readonly meta = defineSelector({ ...meta, reasons });
      prepare(): SelectorFunction {
        return select;
      }
    };
  const rows = stars.map((_, i) => ({ score: 1 - i / 10, cost: 10, pinned: i === 0 }));
  const broken = async (unit: Parameters<typeof checkUnit>[0]): Promise<string[]> =>
    (await checkUnit(unit, { candidates: stars, rows, limits: { target: 20, max: 20 } })).map(
      ({ rule, seen }) => `${rule}: ${seen}`,
    );
  /** Keeps the pinned and the first others, and leaves the rest. */
  const first =
    (count: number, reason = 'no_room'): SelectorFunction =>
    (given) => ({
      kept: given.slice(0, count + 1),
      left: given.slice(count + 1).map(({ index }) => ({ index, reason })),
    });

  test('that keeps its contract', async () => {
    expect(await broken(selecting(first(2)))).toEqual([]);
  });

  test('that loses rows, drops the pinned, or keeps too many', async () => {
    const losing: SelectorFunction = (given) => ({ kept: given.slice(0, 1), left: [] });
    expect(await broken(selecting(losing))).toEqual([
      expect.stringMatching(/^value: it received the rows 0, 1, .*, but returned 0$/),
    ]);
    const dropping: SelectorFunction = (given) => ({
      kept: [],
      left: given.map(({ index }) => ({ index, reason: 'no_room' })),
    });
    expect(await broken(selecting(dropping))).toEqual(['value: it dropped the pinned row 0']);
    expect(await broken(selecting(first(3)))).toEqual(['limits: the kept rows cost 30, and the limit is 20']);
  });

  test('that uses undeclared reasons, or names rows that are not kept', async () => {
    expect(await broken(selecting(first(1, 'tired')))).toEqual([
      'reasons: a row is left: it notes tired, which is not declared in its meta',
    ]);
    expect(await broken(selecting(first(1), { no_room: '{cost} too much' }))).toEqual([
      'reasons: a row is left: it notes no_room without cost, which its template uses',
    ]);
    const naming: SelectorFunction = (given) => ({
      kept: given.slice(0, -1),
      left: [{ index: given.length - 1, reason: 'no_room', replacedBy: [given.length - 1] }],
    });
    expect((await broken(selecting(naming)))[0]).toMatch(/^value: row \d+ was left for \d+, which it did not keep$/);
  });

  test('that has state, or writes into its rows', async () => {
    let calls = 0;
    const counting: SelectorFunction = (given, limits): SelectorResult => first(calls++ % 2)(given, limits);
    expect((await broken(selecting(counting))).map((text) => text.split(':')[0])).toContain('deterministic');
    const writing: SelectorFunction = (given) => {
      Object.assign(given[0]!, { cost: 0 });
      return first(1)(given, { target: 20, max: 20 });
    };
    expect((await broken(selecting(writing))).map((text) => text.split(':')[0])).toContain('unchanged');
  });
});
