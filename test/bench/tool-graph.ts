import { createPipeline } from '../../src/index.js';
import { random } from './pair.js';

interface Tool {
  readonly id: string;
}

const IN_USE = 20;

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
  return performance.now() - start;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The preset next-tool, over graphs of several sizes: the first run on a graph reads it, the next ones know it. */
export async function* benchToolGraph(): AsyncGenerator<string> {
  const pipeline = await createPipeline<Tool>('next-tool');
  const next = random();
  const tools = Array.from({ length: IN_USE }, (_, i) => `t${i * 7}`);
  for (const [nodes, edges] of [
    [1000, 10_000],
    [10_000, 10_000],
    [10_000, 100_000],
  ] as const) {
    const candidates = Array.from({ length: nodes }, (_, i) => ({ id: `t${i}` }));
    const graphs = [graphOf(nodes, edges, next), graphOf(nodes, edges, next), graphOf(nodes, edges, next)];
    const cold: number[] = [];
    const warm: number[] = [];
    const rank = (graph: object) =>
      timed(async () => (await pipeline.rank(candidates, { graph, tools })).ranked.length);
    for (const graph of graphs) {
      // oxlint-disable-next-line no-await-in-loop -- they are timed one after another
      cold.push(await rank(graph));
      // oxlint-disable-next-line no-await-in-loop -- see above
      for (let again = 0; again < 3; again++) warm.push(await rank(graph));
    }
    const name = `next-tool, ${nodes.toLocaleString('en')} tools, ${edges.toLocaleString('en')} edges, ${IN_USE} in use`;
    yield `${name.padEnd(60)} first ${median(cold).toFixed(0).padStart(6)} ms   again ${median(warm).toFixed(0).padStart(6)} ms`;
  }
}
