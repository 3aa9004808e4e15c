import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diversityTable, measureDiversity, PARAGRAPHS, TOOLS } from './diversity.js';
import { alphaNdcg, topicRecall } from './diversity-measures.js';

const page = readFileSync(new URL('../bench/QUALITY.md', import.meta.url), 'utf8');

describe('the evaluation of diversity', () => {
  it.each([TOOLS, PARAGRAPHS])('gives the numbers of the page: $name', async (one) => {
    const lines = [...diversityTable(one, await measureDiversity(one))];
    expect(page).toContain(lines.join('\n'));
  });
});

describe('its measures', () => {
  it('agree with the definitions of the papers', () => {
    const all = [['a'], ['a'], ['b'], ['c']];
    expect(topicRecall([['a'], [], ['a']], all)).toBe(1 / 3);
    // gains 1, 1/2 (again a), 1; ideally 1, 1, 1
    const discounts = [1, 1 / Math.log2(3), 1 / 2];
    const ideal = discounts[0]! + discounts[1]! + discounts[2]!;
    const got = discounts[0]! + discounts[1]! / 2 + discounts[2]!;
    expect(alphaNdcg([['a'], ['a'], ['b']], all, 3)).toBeCloseTo(got / ideal, 15);
    expect(alphaNdcg([], all, 3)).toBe(0);
    expect(alphaNdcg([], [], 3)).toBe(0);
  });

  it('with one topic per document α does not matter, and the ideal order has 1', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1 }),
        fc.nat(9),
        (ids, more) => {
          const all = ids.map((id) => [id]);
          expect(alphaNdcg(all, all, ids.length)).toBeCloseTo(1, 12);
          const list = [...Array.from({ length: more }, () => []), ...all];
          expect(alphaNdcg(list, all, ids.length, 0.9)).toBeCloseTo(alphaNdcg(list, all, ids.length, 0), 12);
        },
      ),
    );
  });
});
