import type { BlocksGraph } from './blocks-graph.js';
import { type Query, type Seen, unitOf } from './vector-block.js';
import type { Slice } from './vector-log.js';

/** The greatest cosine of a query and vectors that are seen, all of them compared; undefined where none is seen. */
export function greatestCosine(slices: readonly Slice[], query: Query, seen: Seen): number | undefined {
  let greatest: number | undefined;
  for (const { block, first, end } of slices) greatest = block.greatestCosine(query, first, end, seen, greatest);
  return greatest;
}

/** What an index has of the slices, by its graphs, and what it has not. */
function split(slices: readonly Slice[]): readonly [filed: ReadonlyMap<BlocksGraph, Slice[]>, rest: readonly Slice[]] {
  const filed = new Map<BlocksGraph, Slice[]>();
  const rest = slices.map(({ block, first, end }): Slice => {
    const { filing } = block;
    if (filing === undefined || filing.count <= first) return { block, first, end };
    const between = Math.min(end, filing.count);
    const slice = { block, first, end: between };
    const others = filed.get(filing.graph);
    if (others) others.push(slice);
    else filed.set(filing.graph, [slice]);
    return { block, first: between, end };
  });
  return [filed, rest];
}

/** Among the vectors that a graph finds. It may find only such as are too old, or are not in the slices. */
function among(graph: BlocksGraph, unit: Float32Array, slices: readonly Slice[], query: Query, seen: Seen) {
  const found = graph.search(unit);
  let greatest: number | undefined;
  for (const { block, first, end } of slices) {
    const rows = found.get(block)?.filter((row) => row >= first && row < end) ?? [];
    greatest = block.greatestCosineAmong(query, rows, seen, greatest);
  }
  return greatest ?? greatestCosine(slices, query, seen);
}

/** The same where an index finds what is compared, as far as it goes: never more than the greatest. */
export function greatestCosineFound(slices: readonly Slice[], query: Query, seen: Seen): number | undefined {
  const [filed, rest] = split(slices);
  const unit = unitOf(query.floats, query.length);
  const found = [...filed].map(([graph, parts]) => among(graph, unit, parts, query, seen));
  const all = [greatestCosine(rest, query, seen), ...found].filter((one) => one !== undefined);
  return all.length === 0 ? undefined : Math.max(...all);
}

/** Whether an index has any of them. */
export const isFiled = ({ block, first }: Slice): boolean => (block.filing?.count ?? 0) > first;
