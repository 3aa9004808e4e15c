import { createPipeline, type ProfileInput } from 'assize';

/** The scores of one scorer of the plugin, computed by the engine; undefined if it abstains. */
export async function scores(
  use: { readonly class: string; readonly params?: Readonly<Record<string, unknown>> },
  candidates: readonly (string | object)[],
  context: Readonly<Record<string, unknown>>,
): Promise<(number | undefined)[]> {
  const pipeline = await createPipeline<object>({
    plugins: ['agentcards'],
    tier2_scorers: [{ id: 'scored', ...use, on_absent: -1, on_error: 'fail' }],
  });
  const ranking = await pipeline.rank(candidates.map(asNode), context);
  const { values, states } = ranking.matrix.column('scored');
  return Array.from(values, (value, row) => (states[row] === 0 ? value : undefined));
}

/** Ranks candidates by a profile with the plugin; a string is the id of a node. */
export async function ranked(
  profile: string | ProfileInput,
  candidates: readonly (string | object)[],
  context: Readonly<Record<string, unknown>>,
) {
  const pipeline = await createPipeline<object>(profile);
  return pipeline.rank(candidates.map(asNode), context);
}

const asNode = (candidate: string | object): object => (typeof candidate === 'string' ? { id: candidate } : candidate);

/** A graph from lines such as `a > b 0.5`; a name alone is a node, one in brackets a capability. */
export function graphOf(...lines: readonly string[]): object {
  const nodes: object[] = [];
  const edges: object[] = [];
  for (const line of lines) {
    const [from = '', to, weight] = line.split(/ > | /);
    if (to === undefined)
      nodes.push(from.startsWith('(') ? { id: from.slice(1, -1), kind: 'capability' } : { id: from });
    else edges.push({ from, to, ...(weight !== undefined && { weight: Number(weight) }) });
  }
  return { nodes, edges };
}
