import type { IndexSegment } from './index-segment.js';
import { type QueryVector, type TimeFilter, unitVector } from './vector-block.js';
import type { BlockSlice } from './vector-log.js';

/** The greatest cosine of a query and vectors that are seen, all of them compared; undefined where none is seen. */
export function maxCosine(slices: readonly BlockSlice[], query: QueryVector, seen: TimeFilter): number | undefined {
  let greatest: number | undefined;
  for (const { block, first, end } of slices) greatest = block.maxCosine(query, first, end, seen, greatest);
  return greatest;
}

/** What an index has of the slices, by its graphs, and what it has not. */
function splitIndexed(
  slices: readonly BlockSlice[],
): readonly [filed: ReadonlyMap<IndexSegment, BlockSlice[]>, rest: readonly BlockSlice[]] {
  const filed = new Map<IndexSegment, BlockSlice[]>();
  const rest = slices.map(({ block, first, end }): BlockSlice => {
    const { indexState } = block;
    if (indexState === undefined || indexState.count <= first) return { block, first, end };
    const between = Math.min(end, indexState.count);
    const slice = { block, first, end: between };
    const others = filed.get(indexState.graph);
    if (others) others.push(slice);
    else filed.set(indexState.graph, [slice]);
    return { block, first: between, end };
  });
  return [filed, rest];
}

/** Among the vectors that a graph finds. It may find only such as are too old, or are not in the slices. */
function maxCosineInSegment(
  graph: IndexSegment,
  unit: Float32Array,
  slices: readonly BlockSlice[],
  query: QueryVector,
  seen: TimeFilter,
) {
  const found = graph.search(unit);
  let greatest: number | undefined;
  for (const { block, first, end } of slices) {
    const rows = found.get(block)?.filter((row) => row >= first && row < end) ?? [];
    greatest = block.maxCosineAmong(query, rows, seen, greatest);
  }
  return greatest ?? maxCosine(slices, query, seen);
}

/** The same where an index finds what is compared, as far as it goes: never more than the greatest. */
export function approximateMaxCosine(
  slices: readonly BlockSlice[],
  query: QueryVector,
  seen: TimeFilter,
): number | undefined {
  const [filed, rest] = splitIndexed(slices);
  const unit = unitVector(query.floats, query.length);
  const found = [...filed].map(([graph, parts]) => maxCosineInSegment(graph, unit, parts, query, seen));
  const all = [maxCosine(rest, query, seen), ...found].filter((one) => one !== undefined);
  return all.length === 0 ? undefined : Math.max(...all);
}

/** Whether an index has any of them. */
export const isIndexed = ({ block, first }: BlockSlice): boolean => (block.indexState?.count ?? 0) > first;
