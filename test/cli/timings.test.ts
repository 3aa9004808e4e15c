import { describe, expect, it } from 'vitest';
import { assize, inFolder } from './run-here.js';

inFolder({
  'team.yaml': `tier1_scorers: [{ id: old, expr: candidate.n == 0 }]
tier2_scorers:
  - { id: n, expr: candidate.n }
  - { id: like, class: SemanticSimilarityScorer, params: { text: id, embedder: lexical } }
`,
  'fused.yaml': 'tier2_scorers: [{ id: n, expr: candidate.n }]',
  'pack.yaml':
    'plugins: [cupel]\ntier2_scorers: [{ id: n, expr: candidate.n }]\nselect: { pack: { cost: candidate.n, class: GreedyPack } }',
  'query.json': '{ "query": "b" }',
  'rows.jsonl': ['a', 'b', 'c'].map((id, n) => JSON.stringify({ id, n })).join('\n'),
});

/** The table without values that depend on time: milliseconds, shares, and column widths. */
const masked = (err: string): string =>
  err
    .replaceAll(/ +\d+\.\d\d +\d+%/g, '  #')
    .replace(/ +ms +share/, '  #')
    .replaceAll(/─+/g, '─');

describe('--timings', () => {
  it('writes a line for each stage, preparation and model to standard error', async () => {
    const args = ['rank', '--profile', './team.yaml', '--context', 'query.json', 'rows.jsonl'];
    const { code, out, err } = await assize([...args, '--timings']);
    const plain = await assize(args);
    expect({ code, out }).toEqual({ code: 0, out: plain.out });
    expect(masked(err)).toMatchInlineSnapshot(`
      "
      timings                       times  candidates  #
      ─
      rank                              1           3  #
        veto                            1           3  #
        score                           1           2  #
          prepare like                  1           2  #
            embeddings lexical:512      2  #
        select                          1           2  #
      "
    `);
  });

  it('lists the stages of a fused run; works for score and pack too', async () => {
    const score = await assize(['score', '--profile', './fused.yaml', 'rows.jsonl', '--timings', '--format', 'jsonl']);
    expect(score.out.split('\n')).toHaveLength(4);
    expect(masked(score.err)).toContain('fused (score, combine)');
    expect(masked(score.err)).toMatch(/^scoreStream +1 +3 +#$/m);
    const pack = await assize(['pack', '--profile', './pack.yaml', '--budget', '2', 'rows.jsonl', '--timings']);
    expect(masked(pack.err)).toMatch(/^ {2}select +1 +3 +#$/m);
  });

  it('prints nothing if the run does not start', async () => {
    const { code, err } = await assize(['rank', '--profile', './none.yaml', 'rows.jsonl', '--timings']);
    expect(code).toBe(1);
    expect(err).not.toContain('timings');
  });
});
