import { describe, expect, it } from 'vitest';
import { graphOf, ranked } from './rank.js';

const weights = '{"hybrid": 0.5, "page_rank": 0.25, "path": 0.25}';
const report = async (
  candidates: readonly object[],
  params: object = {},
  graph: object = graphOf('a > b', 'b > c', 'd'),
) => {
  const ranking = await ranked(
    {
      plugins: ['agentcards'],
      tier2_scorers: [{ id: 'hybrid', expr: 'candidate.hybrid' }],
      measures: [{ id: 'page_rank', expr: 'candidate.rank' }],
      report: [{ id: 'confidence', class: 'DagConfidence', params: { weights, ...params } }],
    },
    candidates,
    { graph },
  );
  return { value: ranking.report['confidence'], ranking };
};

describe('DagConfidence', () => {
  const tools = [
    { id: 'a', hybrid: 0.9, rank: 0.1 },
    { id: 'b', hybrid: 0.8, rank: 0.3 },
    { id: 'c', hybrid: 0.7 },
    { id: 'd', hybrid: 0.6, rank: 1 },
  ];

  it('combines the best score, the mean PageRank of the first three, and the paths between them', async () => {
    const { value } = await report(tools);
    const path = (0.95 + 0.8 + 0.95) / 3;
    expect(value).toEqual({
      hybrid: 0.9,
      page_rank: 0.2,
      path,
      confidence: expect.closeTo(0.45 + 0.05 + path / 4, 12),
    });
  });

  it('searches only for paths from better to worse ones, among the first', async () => {
    const turned = tools.map((tool, i) => ({ ...tool, hybrid: i / 10 }));
    expect((await report(turned)).value).toMatchObject({ path: 0.5 });
    expect((await report(tools, { steps: 1, no_path: 0 })).value).toMatchObject({ path: 0 });
    expect((await report(tools, { beyond: 0, confidences: [0] })).value).toMatchObject({ path: 0 });
  });

  it('is 0 for an empty ranking, and respects its bounds', async () => {
    expect((await report([])).value).toEqual({ confidence: 0, hybrid: 0, page_rank: 0, path: 0 });
    expect((await report(tools, { max: 0.5 })).value).toMatchObject({ confidence: 0.5 });
  });

  it('warns about a low confidence, and keeps the ranking', async () => {
    const { ranking } = await report(tools, { warn_below: 0.8 });
    expect(ranking.warnings.map(({ message }) => message)).toEqual(['confidence: low confidence: 0.725, below 0.8']);
    expect(ranking.selected).toHaveLength(4);
  });

  it('reports an unknown id or weights', async () => {
    const wrong = await report(tools, { hybrid: 'hybird' });
    expect(wrong.ranking.degraded[0]?.cause).toBe('there is no scorer or measure hybird; there are: page_rank, hybrid');
    const light = await report(tools, { weights: '{"hybrid": 1.0}' });
    expect(light.ranking.degraded[0]?.cause).toContain('expected a map with hybrid, page_rank and path');
  });
});
