/* Units that break their contract: the message, and its place. */
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { defineGenerator, defineReport, defineScorer, type ReportRun, z } from 'assize/sdk';
import { messageOf, rankBy } from '../properties/ranked.js';

const meta = { summary: 'Does it wrong.', params: z.strictObject({}) };
const profile: ProfileInput = { tier2_scorers: [{ id: 'a', class: 'Unit' }] };

/** A scorer whose `compile` or `prepare` returns any value. */
const giving = (method: 'compile' | 'prepare', value: () => unknown): object =>
  Object.assign(function Unit() {}, { meta: defineScorer(meta), prototype: { [method]: value } });

describe('a unit that does not return a function gets an error', () => {
  test.each([
    ['a number', () => 5],
    ['nothing', () => undefined],
    ['no score', () => ({ memory: 1 })],
  ])('prepare gives %s', async (_, value) => {
    const ranking = rankBy(profile, [{}], {}, { units: { Unit: giving('prepare', value) } });
    expect(await messageOf(ranking)).toMatch(/^AssizeError: .*a failed: .*prepare/);
  });

  test('a report and a generator that return another type', async () => {
    class Nothing {
      static readonly meta = defineReport(meta);
      prepare(): never {
        return undefined as never;
      }
    }
    class Unnamed {
      static readonly meta = defineGenerator(meta);
      prepare(): { key: string }[] {
        return [{}, {}] as { key: string }[];
      }
    }
    const reported = await rankBy({ report: [{ id: 'r', class: 'Nothing' }] }, [{}], {}, { units: { Nothing } });
    expect(reported.degraded[0]?.cause).not.toContain('Cannot read properties');
    const strategies = [{ id: 's', focus: { class: 'Unnamed' } }];
    const made = await (await createPipeline({ strategies }, { units: { Unnamed } })).rank();
    expect(made.ranked.map(({ id }) => id)).not.toContain('s/undefined');
  });
});

test('a report receives pinned candidates among the selected', async () => {
  const seen: string[][] = [];
  class Selected {
    static readonly meta = defineReport(meta);
    prepare(_params: object, { selected }: ReportRun): { value: number } {
      seen.push(selected.map(({ id }) => id));
      return { value: selected.length };
    }
  }
  const pinning = { candidate: { pinned: 'candidate.keep' }, report: [{ id: 'r', class: 'Selected' }] };
  await rankBy(pinning, [{ id: 'p', keep: true }, { id: 'q' }], {}, { units: { Selected } });
  expect(seen).toEqual([['p', 'q']]);
});

test('many concurrent runs cause no process warning', async () => {
  const warned: string[] = [];
  const listen = (warning: Error): void => void warned.push(warning.name);
  process.on('warning', listen);
  const slow = giving('prepare', () => new Promise((resolve) => setTimeout(resolve, 20, () => 1)));
  const pipeline = await createPipeline(profile, { units: { Unit: slow } });
  await Promise.all(Array.from({ length: 40 }, () => pipeline.rank([{}])));
  process.off('warning', listen);
  expect(warned).toEqual([]);
});
