import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphOf, ranked, scores } from './rank.js';

const capabilities = ['c1', 'c2', 'c3', 'c4'];
const tools = ['t1', 't2', 't3', 't4'];
/** Two blocks that a weak link joins, and an unused tool. */
const lines = [
  ...capabilities.map((id) => `(${id})`),
  'lonely',
  'c1 > t1',
  'c1 > t2',
  'c2 > t1',
  'c2 > t2',
  'c3 > t3',
  'c3 > t4',
  'c4 > t3',
  'c4 > t4',
  'c4 > t2 0.1',
];
const all = [...tools, ...capabilities, 'lonely', 'gone'];
const cluster = (
  used: readonly string[],
  params = {},
  graph: object = graphOf(...lines),
  of: readonly string[] = all,
) => scores({ class: 'ClusterScorer', params }, of, { graph, tools: used });

describe('ClusterScorer', () => {
  it('boosts members of the cluster of the tools in use; one tool is enough', async () => {
    expect(await cluster(['t1'])).toEqual([0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 0]);
  });

  it('can give the others the share of their tools in the cluster', async () => {
    expect((await cluster(['t1', 't2'], { partial: 0.25 })).slice(4, 8)).toEqual([
      0.5,
      0.5,
      0,
      expect.closeTo(0.25 / 3, 12),
    ]);
  });

  it('chooses the cluster with most tools in use, and among equals the one with the first id', async () => {
    expect((await cluster(['t4', 't3', 't1'])).slice(4, 8)).toEqual([0, 0, 0.5, 0.5]);
    expect((await cluster(['t4', 't1'])).slice(4, 8)).toEqual([0.5, 0.5, 0, 0]);
  });

  it('boosts nothing if no tool in use is linked, or with fewer than two capabilities; is absent without tools', async () => {
    expect(await cluster(['lonely'])).toEqual(all.map(() => 0));
    expect(await cluster(['t'], {}, graphOf('(c)', 'c > t'), ['c', 't'])).toEqual([0, 0]);
    expect(await cluster([], {}, graphOf(...lines), ['c1'])).toEqual([undefined]);
    expect(await cluster(['a'], {}, graphOf('(c)', '(d)', 'a'), ['c'])).toEqual([0]);
  });

  it('does not depend on the order of the graph', async () => {
    const expected = await cluster(['t1']);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines.slice(5), { minLength: 9 }), async (edges) => {
        expect(await cluster(['t1'], {}, graphOf(...lines.slice(0, 5), ...edges))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('does not depend on the total weight of all links', async () => {
    const weighing = (scale: number) =>
      graphOf(...lines.map((line) => (line.includes('>') ? `${line.replace(' 0.1', '')} ${scale}` : line)));
    for (const scale of [1e-320, 1e-300, 1e99]) {
      // oxlint-disable-next-line no-await-in-loop -- a few small graphs
      expect([scale, await cluster(['t1'], {}, weighing(scale))]).toEqual([
        scale,
        await cluster(['t1'], {}, weighing(1)),
      ]);
    }
  });

  it('finds three blocks, joined or not, and the configured number', async () => {
    const blocks = (joints: readonly string[]) =>
      graphOf(
        ...['x', 'y', 'z'].flatMap((b) => [
          `(c${b}1)`,
          `(c${b}2)`,
          `c${b}1 > ${b}1`,
          `c${b}1 > ${b}2`,
          `c${b}2 > ${b}1`,
          `c${b}2 > ${b}2`,
        ]),
        ...joints,
      );
    const of = ['cx1', 'cx2', 'cy1', 'cy2', 'cz1', 'cz2'];
    expect(await cluster(['y2'], {}, blocks([]), of)).toEqual([0, 0, 0.5, 0.5, 0, 0]);
    expect(await cluster(['y2'], {}, blocks(['cx1 > y1 0.1', 'cz1 > y2 0.1']), of)).toEqual([0, 0, 0.5, 0.5, 0, 0]);
    expect(await cluster(['y2'], { clusters: 1 }, blocks([]), of)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
  });

  it('finds blocks of any size that few links join', async () => {
    const blocks = fc.record({
      count: fc.integer({ min: 2, max: 4 }),
      each: fc.constantFrom(12, 60),
      seed: fc.infiniteStream(fc.nat(1e6)),
    });
    await fc.assert(
      fc.asyncProperty(blocks, async ({ count, each, seed }) => {
        const some = (most: number): number => Number(seed.next().value) % most;
        const users = Array.from({ length: count * each }, (_, i) => ({ id: `c${i}`, kind: 'capability' }));
        const edges = users.flatMap(({ id: from }, i) => [
          ...[0, 1, 2, 3, 4, 5].map(() => ({ from, to: `t${some(each) * count + (i % count)}` })),
          ...(some(10) === 0 ? [{ from, to: `t${some(each * count)}`, weight: 0.2 }] : []),
        ]);
        const [first = ''] = edges.map(({ to }) => to);
        const found = await cluster(
          [first],
          {},
          { nodes: users, edges },
          users.map(({ id }) => id),
        );
        expect(found).toEqual(users.map((_, i) => (i % count === 0 ? 0.5 : 0)));
      }),
      { numRuns: 12 },
    );
  });

  it('reports a request for too many clusters of too many capabilities', async () => {
    const many = Array.from({ length: 700 }, (_, i) => [`(c${i})`, `c${i} > t${i}`]).flat();
    expect(await cluster(['t1'], { clusters: 3 }, graphOf(...many), ['t1'])).toEqual([0.5]);
    await expect(cluster(['t1'], { clusters: 72 }, graphOf(...many), ['c1'])).rejects.toThrow(
      'expected at most 71 clusters among 700 tools or capabilities, found 72',
    );
  });
});

describe('HypergraphNeighbourScorer', () => {
  it('is the share of the items in use that share a capability or tool', async () => {
    const neighbours = (used: readonly string[]) =>
      scores({ class: 'HypergraphNeighbourScorer' }, ['t1', 't3', 'c1', 'c4', 'lonely'], {
        graph: graphOf(...lines),
        tools: used,
      });
    expect(await neighbours(['t2', 't4'])).toEqual([0.5, 1, 0.5, 1, 0]);
    expect(await neighbours(['c2'])).toEqual([1, 0, 1, 1, 0]);
    expect(await neighbours(['t1'])).toEqual([0, 0, 1, 0, 0]);
  });
});

describe('PageRankScorer over the hypergraph', () => {
  it('ignores directions and edges between tools', async () => {
    const rank = (graph: object) =>
      scores({ class: 'PageRankScorer', params: { over: 'hypergraph' } }, ['t', 'c'], { graph });
    const [t, c] = await rank(graphOf('(c)', 'c > t'));
    expect([t, c]).toEqual([0.5, 0.5]);
    expect(await rank(graphOf('(c)', 't > c'))).toEqual([0.5, 0.5]);
    expect(await rank(graphOf('(c)', 't > c', 'c > t'))).toEqual([0.5, 0.5]);
    const [other] = await rank(graphOf('(c)', 'c > t', 't > u', 'u > t'));
    expect(other).toBeCloseTo(0.475 * (1 - 0.05), 1);
  });
});

describe('ClusterHubVeto', () => {
  const hubs = async (candidates: readonly string[], params: object = {}) => {
    const profile = {
      plugins: ['agentcards'],
      tier1_scorers: [{ id: 'hubs', class: 'ClusterHubVeto', params: { ...params } }],
    };
    const { ranked: kept, refused } = await ranked(profile, candidates, {
      graph: graphOf(...lines, '(c5)', 'c5 > t5'),
    });
    return {
      kept: kept.map(({ id }) => id),
      reasons: Object.fromEntries(refused.map(({ id, reason }) => [id, reason])),
    };
  };

  it('accepts the first of each cluster by PageRank, with ties by id', async () => {
    const { kept, reasons } = await hubs(['c3', 'c2', 'c1', 'c4', 'lonely']);
    expect(kept).toEqual(['c1', 'c4']);
    expect(reasons).toEqual({
      c2: 'not among the first 1 of its cluster, whose hub is c1',
      c3: 'not among the first 1 of its cluster, whose hub is c4',
      lonely: 'nothing links it with tools or capabilities',
    });
    expect((await hubs(['c3', 'c2'])).kept).toEqual(['c3', 'c2']);
    expect((await hubs(['c3', 'c2', 'c1'], { top: 2 })).kept).toEqual(['c3', 'c2', 'c1']);
  });

  it('refuses a cluster with too few capabilities', async () => {
    expect((await hubs(['c1', 'c5'])).reasons).toEqual({ c5: 'its cluster has fewer than 2 capabilities' });
    expect((await hubs(['c1', 'c5'], { min_capabilities: 1 })).kept).toEqual(['c1', 'c5']);
  });
});
