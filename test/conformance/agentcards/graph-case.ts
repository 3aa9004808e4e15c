import { ask, type Case } from './case.js';

/** As strict as the reference for PageRank; everything else agrees to 1e-9. */
export const PAGE_RANK = 1e-6;

/** The measure itself. */
export const RAW = { direct_edge: 'ignore', divide_by: 1, cap: 'none' };

export const node = (id: string): { readonly id: string } => ({ id });

/** A signal of the preset tool-search. */
export const fact = (name: string, expected: number, context: object, read: string): Case => ({
  name,
  expected,
  found: async () => {
    const measured = {
      extends: ['tool-search'],
      measures: [{ id: 'asked', expr: read }],
      tier2_scorers: [{ id: 'text', expr: '1.0' }],
    };
    return (await ask(measured, [{ name: 'any' }], context)).column('asked');
  },
});
