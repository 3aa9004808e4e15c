import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphOf, ranked, scores } from './rank.js';

const one = async (...args: Parameters<typeof scores>) => (await scores(...args))[0];
const sum = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);
const nodes = ['a', 'b', 'c', 'd', 'e', 'f'];
/** a > b > c > d, with the pair c, d both ways; e alone. */
const chain = graphOf('a > b', 'b > c', 'c > d', 'd > c', 'e');

describe('AdamicAdarScorer', () => {
  const aa = (candidates: readonly string[], tools: readonly string[], params = {}, graph: unknown = chain) =>
    scores({ class: 'AdamicAdarScorer', params }, candidates, { graph, tools });

  it('is 1 for an edge in either direction, otherwise half of the measure', async () => {
    expect(await aa(['b', 'd', 'a', 'e', 'gone'], ['c'])).toEqual([1, 1, expect.closeTo(0.5 / Math.LN2, 12), 0, 0]);
  });

  it('takes the maximum over the tools in use, and ignores those that are not in the graph', async () => {
    expect(await aa(['a'], ['e', 'gone', 'c'])).toEqual([expect.closeTo(0.5 / Math.LN2, 12)]);
  });

  it('is absent without tools in use, and without a graph', async () => {
    expect(await aa(['a'], [])).toEqual([undefined]);
    expect(await aa(['a'], ['gone'])).toEqual([undefined]);
    expect(await aa(['a'], ['b'], {}, null)).toEqual([undefined]);
    expect(await aa(['a'], ['b'], {}, { nodes: [], edges: [] })).toEqual([undefined]);
  });

  it('counts neighbours, or edges if configured', async () => {
    const mutual = graphOf('a > b', 'b > c', 'c > b');
    const raw = { direct_edge: 'ignore', divide_by: 1, cap: 'none' };
    expect(await aa(['a'], ['c'], raw, mutual)).toEqual([1 / Math.log(2)]);
    expect(await aa(['a'], ['c'], { ...raw, degree: 'edges' }, mutual)).toEqual([1 / Math.log(3)]);
  });

  it('follows its definition on any graph', async () => {
    const pair = fc.tuple(fc.constantFrom(...nodes), fc.constantFrom(...nodes));
    const used = fc.subarray(nodes, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { maxLength: 15 }), used, async (pairs, tools) => {
        const around = new Map(nodes.map((id) => [id, new Set<string>()]));
        for (const [a, b] of pairs) {
          if (a === b) continue;
          around.get(a)?.add(b);
          around.get(b)?.add(a);
        }
        const degree = (id: string) => around.get(id)?.size ?? 0;
        const measure = (a: string, b: string) =>
          sum(
            nodes
              .filter((id) => around.get(a)?.has(id) && around.get(b)?.has(id) && degree(id) > 1)
              .map((id) => 1 / Math.log(degree(id))),
          );
        const score = (a: string, b: string) => (around.get(a)?.has(b) ? 1 : Math.min(measure(a, b) / 2, 1));
        const expected = nodes.map((a) => expect.closeTo(Math.max(...tools.map((b) => score(a, b))), 12));
        const graph = { nodes, edges: pairs.map(([from, to]) => ({ from, to })) };
        expect(await aa(nodes, tools, {}, graph)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('of a node with itself ignores neighbours of degree 1', async () => {
    const raw = { direct_edge: 'ignore', divide_by: 1, cap: 'none' };
    expect(await aa(['a'], ['a'], raw, graphOf('a > b', 'a > c', 'c > d'))).toEqual([1 / Math.log(2)]);
  });
});

describe('PageRankScorer', () => {
  const pageRank = (graph: unknown, params = {}) => scores({ class: 'PageRankScorer', params }, nodes, { graph });
  const edges = fc.array(
    fc.tuple(fc.constantFrom(...nodes), fc.constantFrom(...nodes), fc.double({ min: 0, max: 5, noNaN: true })),
    {
      maxLength: 20,
    },
  );

  it('sums to 1, whatever the edges, and does not depend on their order', async () => {
    await fc.assert(
      fc.asyncProperty(edges, async (given) => {
        const list = given.map(([from, to, weight]) => ({ from, to, weight }));
        const values = await pageRank({ nodes, edges: list });
        expect(sum(values)).toBeCloseTo(1, 9);
        const turned = await pageRank({ nodes: nodes.toReversed(), edges: list.toReversed() });
        for (const [i, value] of values.entries()) expect(turned[i]).toBeCloseTo(value ?? Number.NaN, 12);
      }),
      { numRuns: 25 },
    );
  });

  it('distributes the rank of nodes without outgoing edges evenly, or with edges of weight 0 only', async () => {
    expect(await pageRank({ nodes })).toEqual(nodes.map(() => expect.closeTo(1 / 6, 12)));
    expect(await pageRank({ nodes, edges: [{ from: 'a', to: 'b', weight: 0 }] })).toEqual(
      nodes.map(() => expect.closeTo(1 / 6, 12)),
    );
  });

  it('gives an isolated node its share of the distributed rank, and 0 to a node outside the graph', async () => {
    const [, , , d, e, f] = await pageRank(graphOf('a > b', 'b > a', 'c > d', 'e'));
    expect(e).toBeCloseTo((0.15 + 0.85 * ((d ?? 0) + (e ?? 0))) / 5, 12);
    expect(f).toBe(0);
  });

  it('is scaled to the mean, the maximum, or the rank', async () => {
    const raw = await pageRank(chain);
    const [times, max, rank] = await Promise.all(['times_n', 'max', 'rank'].map((scale) => pageRank(chain, { scale })));
    expect(sum(times ?? [])).toBeCloseTo(5, 9);
    expect(Math.max(...(max ?? []).map(Number))).toBe(1);
    expect(max?.[0]).toBeCloseTo((raw[0] ?? 0) / Math.max(...raw.map(Number)), 12);
    expect(rank).toEqual([0.125, 0.5, 1, 0.75, 0.125, 0]);
  });

  it('gives nodes the same rank if only the order of a sum distinguishes them', async () => {
    const graph = graphOf(...[1, 2, 3].flatMap((k) => [`from${k} > e ${k}`, `from${k} > f ${4 - k}`]));
    const [, , , , e, f] = await pageRank(graph, { scale: 'rank' });
    expect(e).toBe(f);
    const [, , , , rawE, rawF] = await pageRank(graph);
    expect(rawE).not.toBe(rawF);
  });

  it('returns its last values and a warning if it does not converge', async () => {
    const profile = {
      plugins: ['agentcards'],
      tier2_scorers: [{ id: 'pr', class: 'PageRankScorer', params: { iterations: 1, tolerance: 0 } }],
    };
    const ranking = await ranked(profile, ['a'], { graph: chain });
    expect(ranking.ranked[0]?.score).toBeGreaterThan(0);
    expect(JSON.stringify(ranking.explain('a'))).toContain('still moving after the last iteration');
  });
});

describe('PathScorer', () => {
  const path = (candidates: readonly string[], params = {}, tools: readonly string[] = ['a']) =>
    scores({ class: 'PathScorer', params }, candidates, { graph: chain, tools });

  it('counts edges: a direct one is 1 hop', async () => {
    expect(await path(['b', 'c', 'd'])).toEqual([0.95, 0.8, 0.65]);
    expect(await path(['b', 'c', 'd'], { give: 'hops' })).toEqual([1, 2, 3]);
    expect(await path(['d'], { confidences: [0.9] })).toEqual([0.5]);
  });

  it('starts from the nearest tool in use, and follows the direction of edges', async () => {
    expect(await path(['d'], {}, ['a', 'c'])).toEqual([0.95]);
    expect(await path(['a'], {}, ['d'])).toEqual([undefined]);
  });

  it('is absent if there is no path, and for a tool in use', async () => {
    expect(await path(['e', 'gone', 'a'])).toEqual([undefined, undefined, undefined]);
    expect(await path(['b'], {}, [])).toEqual([undefined]);
  });

  it('can take the cheapest path, which may have more hops', async () => {
    const graph = graphOf('a > z 0.1', 'a > b 0.9', 'b > z 0.8', 'a > y 0.01');
    const asked = (params: object) =>
      scores({ class: 'PathScorer', params: { ...params, path: 'cheapest' } }, ['z', 'y'], { graph, tools: ['a'] });
    expect(await asked({ give: 'hops' })).toEqual([2, 1]);
    expect(await asked({ give: 'cost' })).toEqual([1 / 0.9 + 1 / 0.8, 10]);
  });

  it('finds the same paths as Bellman–Ford', async () => {
    const arc = fc.tuple(
      fc.constantFrom(...nodes),
      fc.constantFrom(...nodes),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(arc, { maxLength: 15, selector: ([from, to]) => `${from}${to}` }),
        async (given) => {
          const costs = new Map([['a', 0]]);
          for (const _ of nodes)
            for (const [from, to, weight] of given) {
              const cost = (costs.get(from) ?? Number.POSITIVE_INFINITY) + 1 / Math.max(weight, 0.1);
              if (cost < (costs.get(to) ?? Number.POSITIVE_INFINITY)) costs.set(to, cost);
            }
          const graph = { nodes, edges: given.map(([from, to, weight]) => ({ from, to, weight })) };
          const found = await scores(
            { class: 'PathScorer', params: { path: 'cheapest', give: 'cost' } },
            nodes.slice(1),
            { graph, tools: ['a'] },
          );
          for (const [i, id] of nodes.slice(1).entries()) {
            const cost = costs.get(id);
            if (cost === undefined) expect(found[i]).toBeUndefined();
            else expect(found[i]).toBeCloseTo(cost, 9);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('EdgeScorer', () => {
  const graph = {
    edges: [
      { from: 'a', to: 'b', weight: 0.5, count: 7 },
      { from: 'c', to: 'b', weight: 0.9 },
      { from: 'b', to: 'd', weight: 0.2, count: 1 },
    ],
  };
  const edge = (candidate: string, tools: readonly string[], params = {}) =>
    one({ class: 'EdgeScorer', params }, [candidate], { graph, tools });

  it('is the weight or the count of the strongest edge from a tool in use', async () => {
    expect(await edge('b', ['a'])).toBe(0.5);
    expect(await edge('b', ['a', 'c'])).toBe(0.9);
    expect(await edge('b', ['a', 'c'], { give: 'count' })).toBe(0);
    expect(await edge('b', ['a'], { give: 'count' })).toBe(7);
  });

  it('is absent if there is no edge, unless edges may lead back', async () => {
    expect(await edge('b', ['d'])).toBeUndefined();
    expect(await edge('b', ['d'], { direction: 'from_candidate' })).toBe(0.2);
    expect(await edge('b', ['a', 'd'], { direction: 'either' })).toBe(0.5);
  });

  it('can give a number if there is no edge, and is still absent if nothing is known', async () => {
    expect(await edge('b', ['d'], { no_edge: 0.3 })).toBe(0.3);
    expect(await edge('gone', ['d'], { no_edge: 0.3 })).toBe(0.3);
    expect(await edge('b', ['d', 'a'], { no_edge: 0.7 })).toBe(0.5);
    expect(await edge('b', ['gone'], { no_edge: 0.3 })).toBeUndefined();
    expect(await edge('b', [], { no_edge: 0.3 })).toBeUndefined();
  });

  it('accepts the edge of a tool in use to itself', async () => {
    const loop = { graph: graphOf('a > a 0.4', 'a > b'), tools: ['a'] };
    expect(await scores({ class: 'EdgeScorer' }, ['a'], loop)).toEqual([0.4]);
  });
});

describe('CommunityScorer', () => {
  const two = graphOf('a > b', 'b > c', 'c > a', 'd > e', 'e > f', 'f > d', 'c > d 0.1');
  const community = (tools: readonly string[], params = {}) =>
    scores({ class: 'CommunityScorer', params }, [...nodes, 'gone'], { graph: two, tools });

  it('handles the first community like any other', async () => {
    expect(await community(['a'])).toEqual([1, 1, 1, 0, 0, 0, 0]);
    expect(await community(['f'])).toEqual([0, 0, 0, 1, 1, 1, 0]);
  });

  it('gives the same result for the same seed, and without edges a community for each node', async () => {
    expect(await community(['a'], { seed: 9 })).toEqual(await community(['a'], { seed: 9 }));
    expect(await scores({ class: 'CommunityScorer' }, nodes, { graph: { nodes }, tools: ['b'] })).toEqual([
      0, 1, 0, 0, 0, 0,
    ]);
    expect(await scores({ class: 'CommunityScorer' }, nodes, { graph: graphOf('a > b 0', 'c'), tools: ['b'] })).toEqual(
      [0, 1, 0, 0, 0, 0],
    );
  });

  it('counts edges of weight 0 like others if all count equally', async () => {
    const graph = graphOf('a > b 0', 'c > d 0');
    const params = { weighted: false };
    expect(await scores({ class: 'CommunityScorer', params }, nodes.slice(0, 4), { graph, tools: ['b'] })).toEqual([
      1, 1, 0, 0,
    ]);
  });

  it('does not depend on the total weight of all edges', async () => {
    const weighing = (scale: number) =>
      graphOf(
        ...['a > b', 'b > c', 'c > a', 'd > e', 'e > f', 'f > d'].map((line) => `${line} ${scale}`),
        `c > d ${scale / 10}`,
      );
    for (const scale of [5e-322, 1e-300, 1e-12, 1e99]) {
      // oxlint-disable-next-line no-await-in-loop -- a few small graphs
      const found = await scores({ class: 'CommunityScorer' }, nodes, { graph: weighing(scale), tools: ['a'] });
      expect([scale, found]).toEqual([scale, [1, 1, 1, 0, 0, 0]]);
    }
  });

  it('accepts nodes with any id', async () => {
    const ids = ['__proto__', 'constructor', '10', '9', 'x y'];
    const graph = { edges: ids.slice(1).map((to, i) => ({ from: ids[i], to })) };
    const found = await scores({ class: 'CommunityScorer' }, ids, { graph, tools: ['__proto__'] });
    expect(found.slice(0, 2)).toEqual([1, 1]);
    expect(found).not.toContain(undefined);
  });
});
