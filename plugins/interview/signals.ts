import { defineSignal, type ParamsOf, type RunFacts, type Signal, z } from '../../src/unit-sdk.js';
import { type ConceptEdge, conceptGraphOf, type ConceptNode } from './concepts.js';
import { mapAt, numberAt } from './fields.js';
import { answersOf, containsAny, EXHAUSTION_PHRASES, historyOf, lowInfoStreak, streakOf } from './history.js';
import { phrasesParam } from './params.js';

/** Counts the latest turns in a row that brought little new: fewer than one in five of the answer's concepts. */
export class LowInfoStreak implements Signal<object, number> {
  static readonly meta = defineSignal({
    summary: 'The number of latest turns in a row with little new, by the concepts of the answers.',
    params: z.strictObject({}),
  });

  prepare(_params: object, { context }: RunFacts): number {
    return numberAt(context, 'low_info_streak', 'context') ?? lowInfoStreak(historyOf(context));
  }
}

type Params = ParamsOf<typeof TerminalStreak>;

/** Counts the latest answers in a row with nothing more to say. */
export class TerminalStreak implements Signal<Params, number> {
  static readonly meta = defineSignal({
    summary: 'The number of latest answers in a row with nothing more to say.',
    params: z.strictObject({
      negative_patterns: phrasesParam(EXHAUSTION_PHRASES, 'Phrases of such an answer.'),
      include_current: z
        .boolean()
        .default(false)
        .describe('Whether to count the current answer. context.terminal_streak, if present, never includes it.'),
    }),
  });

  prepare({ negative_patterns: patterns, include_current: includeCurrent }: Params, { context }: RunFacts): number {
    const answers = answersOf(historyOf(context));
    const current = answers.slice(-1);
    const streak = (utterances: typeof answers): number =>
      streakOf(utterances, ({ lower }) => containsAny(lower, patterns));
    const before = numberAt(context, 'terminal_streak', 'context') ?? streak(answers.slice(0, -1));
    return includeCurrent ? (current.length > 0 && streak(current) === current.length ? before + 1 : 0) : before;
  }
}

/** Returns the lengths of the chains in the graph's `nodes` and `edges`; missing if the context does not list them. */
export class ChainDepth implements Signal<object> {
  static readonly meta = defineSignal({
    summary: 'The lengths of the chains in the concept graph.',
    params: z.strictObject({}),
  });

  prepare(_params: object, { context }: RunFacts): ChainStatistics | Readonly<Record<string, unknown>> | undefined {
    const given = mapAt(context, 'chain_depth', 'context');
    if (given) return given;
    const lists = conceptGraphOf(context);
    return lists && chainDepthOf(lists.nodes, lists.edges);
  }
}

/** Statistics of the chains of a graph, in edges. Configurations and expressions read these keys. */
interface ChainStatistics {
  readonly max_chain_length: number;
  readonly avg_chain_length: number;
  readonly chain_count: number;
  /** The chains that end at a value: attribute → consequence → value. */
  readonly complete_chains: number;
}

const VALUE_TYPES: ReadonlySet<string | undefined> = new Set(['instrumental_value', 'terminal_value']);

/**
 * Measures the chains of a means-end graph, from the roots (nodes without incoming edges, or attributes) to the leaves
 * (nodes without outgoing edges, or values). Breadth-first search counts each leaf by the shortest path from its root.
 * Without edges there are no chains.
 */
export function chainDepthOf(nodes: readonly ConceptNode[], edges: readonly ConceptEdge[]): ChainStatistics {
  const types = new Map(nodes.map(({ id, type }) => [id, type]));
  const next = new Map<string, string[]>();
  const targets = new Set<string>();
  for (const { source, target } of edges) {
    const known = next.get(source);
    if (known) known.push(target);
    else next.set(source, [target]);
    targets.add(target);
  }
  if (edges.length === 0) return { max_chain_length: 0, avg_chain_length: 0, chain_count: 0, complete_chains: 0 };
  const all = new Set([...types.keys(), ...edges.flatMap(({ source, target }) => [source, target])]);
  const roots = [...all].filter((id) => !targets.has(id) || types.get(id) === 'attribute');
  const chains = roots.flatMap((root) => chainsFrom(root, next, types));
  const lengths = chains.map(({ length }) => length);
  return {
    max_chain_length: lengths.reduce((max, length) => Math.max(max, length), 0),
    avg_chain_length: lengths.length === 0 ? 0 : lengths.reduce((sum, length) => sum + length, 0) / lengths.length,
    chain_count: chains.length,
    complete_chains: chains.filter(({ leaf }) => VALUE_TYPES.has(types.get(leaf))).length,
  };
}

interface Chain {
  readonly leaf: string;
  readonly length: number;
}

/** The chains from one root to each leaf that it reaches. */
function chainsFrom(
  root: string,
  next: ReadonlyMap<string, readonly string[]>,
  types: ReadonlyMap<string, string | undefined>,
): readonly Chain[] {
  const chains: Chain[] = [];
  const seen = new Set([root]);
  let level: readonly string[] = [root];
  for (let length = 0; level.length > 0; length++) {
    const below: string[] = [];
    for (const id of level) {
      const after = next.get(id) ?? [];
      if (after.length === 0 || VALUE_TYPES.has(types.get(id))) {
        chains.push({ leaf: id, length });
        continue;
      }
      for (const target of after) {
        if (seen.has(target)) continue;
        seen.add(target);
        below.push(target);
      }
    }
    level = below;
  }
  return chains;
}
