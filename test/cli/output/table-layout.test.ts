import { describe, expect, it } from 'vitest';
import { layOutTable } from '../../../src/cli/output/ranking-table.js';

describe('the layout of a table', () => {
  it('gives the remaining width to bars', () => {
    const wishes = { columns: 60, fixed: [1, 5], id: 20, scorers: [{ name: 7, values: 5 }], rules: 0, bars: true };
    expect(layOutTable(wishes)).toEqual({ gap: 2, id: 20, rules: 0, bar: 16, scorers: [7] });
    expect(layOutTable({ ...wishes, columns: 46 })).toEqual({ gap: 2, id: 20, rules: 0, bar: 6, scorers: [7] });
    expect(layOutTable({ ...wishes, columns: 40 })).toEqual({ gap: 2, id: 20, rules: 0, bar: 0, scorers: [7] });
    expect(layOutTable({ ...wishes, bars: false }).bar).toBe(0);
  });
});
