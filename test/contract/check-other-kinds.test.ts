import { describe, expect, test } from 'vitest';
import { defineGenerator, defineReport, defineSignal, type Focus, z } from '../../src/sdk.js';
import { checkUnit } from '../../src/testing.js';
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
  test('a signal and a report that say something else each time', async () => {
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
