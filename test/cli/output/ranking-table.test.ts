import { describe, expect, it } from 'vitest';
import { rankingTable, type TableStyle } from '../../../src/cli/output/ranking-table.js';
import { runWarningsText, summary } from '../../../src/cli/output/summary.js';
import { createPipeline, type ProfileInput } from 'assize';
import { displayWidth } from '../../../src/base/wrap.js';

const look = (columns: number): TableStyle => ({ columns, limit: columns, colour: false, bars: false });

async function tableOf(profile: ProfileInput, candidates: readonly object[], columns = 80): Promise<string> {
  const pipeline = await createPipeline(profile);
  const ranking = await pipeline.rank(candidates);
  return (
    rankingTable(ranking, pipeline.describe().scorers, look(columns)) +
    summary(ranking, look(columns)) +
    runWarningsText(ranking, look(columns))
  );
}

const SCORERS = ['relevance', 'popularity', 'freshness', 'distance'];
const wide: ProfileInput = { tier2_scorers: SCORERS.map((id) => ({ id, expr: `candidate.${id}` })) };
const hotels = ['Hotel zum Goldenen Hirschen, Salzburg', 'ホテルニューオータニ', 'a\u001b[31mred\nname'].map(
  (id, i) => ({
    id,
    relevance: 0.9 - i / 10,
    popularity: 1200 - i * 7.5,
    freshness: i / 3,
    distance: i === 1 ? null : -0.25,
  }),
);

describe('the table of a ranking', () => {
  it.each([120, 80, 60, 40])('fits %i columns', async (columns) => {
    const table = await tableOf(wide, hotels, columns);
    for (const line of table.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    expect(table).toMatchSnapshot();
  });

  it('marks rows that are listed before a better rank', async () => {
    const profile: ProfileInput = {
      tier2_scorers: [{ id: 's', expr: 'candidate.s' }],
      select: { diversify: { class: 'MmrSelector', params: { fields: 'kind', lambda: 0.4 } }, top: 3 },
    };
    const rows = ['x', 'x', 'x', 'y'].map((kind, k) => ({ id: `c${k}`, s: 1 - k / 10, kind }));
    expect(await tableOf(profile, rows)).toMatchInlineSnapshot(`
      "profile: 4 candidates, 3 selected, 1 not selected

       #  id  score      s
      ────────────────────
      1   c0  1.000  1.000
      4↑  c3  0.700  0.700
      2   c1  0.900  0.900
      ↑ put before better ranks by diversify

      Not selected
        too alike: 1
      "
    `);
  });

  it('shows pinned rows, and counts those not selected by reason', async () => {
    const profile: ProfileInput = {
      candidate: { pinned: 'candidate.keep' },
      tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }],
      select: { duplicates: 'candidate.kind', min_score: 2 },
    };
    const rows = [
      { id: 'pin', keep: true, stars: 0 },
      { id: 'best', keep: false, kind: 'a', stars: 5 },
      { id: 'twin', keep: false, kind: 'a', stars: 4 },
      { id: 'low', keep: false, kind: 'b', stars: 1 },
    ];
    expect(await tableOf(profile, rows)).toMatchInlineSnapshot(`
      "profile: 4 candidates, 2 selected, 2 not selected

      #  id     score  stars
      ──────────────────────
         pin   pinned      –
      1  best       5      5

      Not selected
        duplicate of a better one: 1
        scored below min_score: 1
      "
    `);
  });

  it('shows the weights, and the rules that changed a score', async () => {
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'stars', expr: 'candidate.stars / 5', weight: 2 },
        { id: 'fresh', expr: 'candidate.fresh' },
      ],
      adjustments: [
        { id: 'well_known_to_all', when: 'candidate.stars > 3', add: 0.1 },
        { id: 'young', when: 'candidate.fresh > 0.8', multiply: 1.1 },
        { id: 'bound', min: 0, max: 2 },
      ],
    };
    const rows = [
      { id: 'a', stars: 5, fresh: 0.9, kind: 'inn' },
      { id: 'b', stars: 4, fresh: 0.2 },
      { id: 'c', stars: 1, fresh: 0.5 },
    ];
    expect(await tableOf(profile, rows)).toMatchInlineSnapshot(`
      "profile: 3 candidates, 3 selected

      #  id  score   stars   fresh  rules
                    ×0.667  ×0.333
      ──────────────────────────────────────────────────────
      1  a   1.173   1.000   0.900  well_known_to_all, young
      2  b   0.700   0.800   0.200  well_known_to_all
      3  c   0.300   0.200   0.500
      "
    `);
    const byKind = { by: 'candidate.?kind.orValue("")', cases: { inn: { fresh: 6 }, hostel: { fresh: 0 } } };
    expect(await tableOf({ ...profile, weights: byKind }, rows, 50)).toMatchInlineSnapshot(`
      "profile: 3 candidates, 3 selected

      #  id  score  case  stars  fresh  rules
      ───────────────────────────────────────────────────
      1  a   1.128  inn   1.000  0.900  well_known_to_al…
      2  b   0.700        0.800  0.200  well_known_to_all
      3  c   0.300        0.200  0.500

      Weights
        inn: stars 0.25, fresh 0.75
        no case: stars 0.6667, fresh 0.3333
      "
    `);
  });

  it('shows a fallback', async () => {
    const profile: ProfileInput = {
      tier1_scorers: [{ id: 'all', expr: 'true' }],
      tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }],
      fallback: [{ use: 'b' }],
    };
    const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, stars: 1 }));
    expect(await tableOf(profile, rows)).toMatchInlineSnapshot(`
      "profile: 5 candidates, 1 selected, 4 refused

      #  id     score  stars
      ──────────────────────
         b   fallback      –

      Refused
        all: 4
          a: true
          c: true
          d: true
      "
    `);
  });

  it('marks failures, and shows their causes', async () => {
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'stars', expr: 'candidate.stars', on_error: 0.5 },
        { id: 'forks', expr: 'candidate.forks' },
      ],
    };
    const rows = [
      { id: 'a', stars: 1, forks: 1 },
      { id: 'b', stars: 'many', forks: 2 },
      { id: 'c', stars: 2, forks: 'few' },
    ];
    expect(await tableOf(profile, rows)).toMatchInlineSnapshot(`
      "profile: 3 candidates, 2 selected, 1 refused

      #  id  score  stars  forks
                     ×0.5   ×0.5
      ──────────────────────────
      1  b   1.250      ✗      2
      2  a   1.000      1      1

      Refused
        forks (error): 1
          c: expected a finite number as the score, found the string "few"

      Degraded
        stars failed in score; replaced by 0.5: expected a finite number as the score,
          found the string "many"
        forks failed in score; refused: expected a finite number as the score, found
          the string "few"
      "
    `);
  });

  it('shows the number of further warnings', async () => {
    const rows = Array.from({ length: 24 }, (_, i) => ({ id: `twin ${i >> 1}`, stars: i }));
    const table = await tableOf({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] }, rows);
    expect(table).toContain(
      '  2 candidates have the id twin 7: @14, @15 (ASZ711)\n  … and 4 more: --format json lists all\n',
    );
  });
});
