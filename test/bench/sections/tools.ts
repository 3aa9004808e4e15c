import { createPipeline } from 'assize';
import { count } from '../growth/grown.js';
import { random } from '../random.js';
import type { Result } from '../result.js';
import type { Section } from '../section.js';
import { spread } from '../statistics.js';

interface Tool {
  readonly id: string;
}

const IN_USE = 20;
const GRAPHS = [
  [1000, 10_000],
  [10_000, 10_000],
  [10_000, 100_000],
] as const;

/** Tools with random edges, of which the first are used most. */
function graphOf(nodes: number, edges: number, next: () => number): object {
  const pick = () => `t${Math.floor(next() ** 2 * nodes)}`;
  return {
    nodes: Array.from({ length: nodes }, (_, i) => `t${i}`),
    edges: Array.from({ length: edges }, () => ({
      from: pick(),
      to: pick(),
      weight: next(),
      count: Math.floor(next() * 20),
    })),
  };
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1e6;
};

export const tools: Section = {
  name: 'tools',
  title: 'The next tool, on a graph of how tools were used',
  about: `The preset \`next-tool\` with 20 tools in use, over random graphs. The first run on a graph computes PageRank and communities.`,
  async *run(effort) {
    const pipeline = await createPipeline<Tool>('next-tool');
    const next = random();
    const inUse = Array.from({ length: IN_USE }, (_, i) => `t${i * 7}`);
    const repeats = Math.ceil(effort.rounds / 5);
    for (const [allNodes, allEdges] of GRAPHS) {
      const [nodes, edges] = [effort.of(allNodes), effort.of(allEdges)];
      const candidates = Array.from({ length: nodes }, (_, i) => ({ id: `t${i}` }));
      const first: number[] = [];
      const again: number[] = [];
      for (let k = 0; k < repeats; k++) {
        const graph = graphOf(nodes, edges, next);
        const rank = () => timed(async () => (await pipeline.rank(candidates, { graph, tools: inUse })).ranked.length);
        // oxlint-disable-next-line no-await-in-loop -- they are timed one after another
        first.push(await rank());
        // oxlint-disable-next-line no-await-in-loop -- see above
        for (let n = 0; n < repeats; n++) again.push(await rank());
      }
      const result = { work: `${count(allNodes)} tools, ${count(allEdges)} edges`, unit: 'ns', per: 'run' } as const;
      yield { ...result, subject: 'the first run on a graph', amount: spread(first) } satisfies Result;
      yield { ...result, subject: 'the next runs', amount: spread(again) } satisfies Result;
    }
  },
};
