import { type IndexSegment, indexStateOf } from './index-segment.js';
import { type QueryVector, type TimeFilter, unitVector } from './vector-block.js';
import type { BlockSlice } from './vector-log.js';

/** The greatest cosine of a query and the vectors that count, all of them compared; undefined where none counts. */
export function maxCosine(slices: readonly BlockSlice[], query: QueryVector, counts: TimeFilter): number | undefined {
  let greatest: number | undefined;
  for (const { block, first, end } of slices) greatest = block.maxCosine(query, first, end, counts, greatest);
  return greatest;
}

/** Divides slices into what is indexed, by segment, and what is not. */
function splitIndexed(
  slices: readonly BlockSlice[],
): readonly [indexed: ReadonlyMap<IndexSegment, BlockSlice[]>, rest: readonly BlockSlice[]] {
  const indexed = new Map<IndexSegment, BlockSlice[]>();
  const rest = slices.map(({ block, first, end }): BlockSlice => {
    const state = indexStateOf(block);
    if (state === undefined || state.count <= first) return { block, first, end };
    const between = Math.min(end, state.count);
    const slice = { block, first, end: between };
    const others = indexed.get(state.segment);
    if (others) others.push(slice);
    else indexed.set(state.segment, [slice]);
    return { block, first: between, end };
  });
  return [indexed, rest];
}

/** The greatest cosine among the vectors that a search finds; among all where it finds only ones that do not count. */
function maxCosineInSegment(
  segment: IndexSegment,
  unit: Float32Array,
  slices: readonly BlockSlice[],
  query: QueryVector,
  counts: TimeFilter,
) {
  const found = segment.search(unit);
  let greatest: number | undefined;
  for (const { block, first, end } of slices) {
    const rows = found.get(block)?.filter((row) => row >= first && row < end) ?? [];
    greatest = block.maxCosineAmong(query, rows, counts, greatest);
  }
  return greatest ?? maxCosine(slices, query, counts);
}

/** `maxCosine` of the indexed vectors that a search finds and of all others: never more than the greatest. */
export function approximateMaxCosine(
  slices: readonly BlockSlice[],
  query: QueryVector,
  counts: TimeFilter,
): number | undefined {
  const [indexed, rest] = splitIndexed(slices);
  const unit = unitVector(query.floats, query.length);
  const found = [...indexed].map(([segment, parts]) => maxCosineInSegment(segment, unit, parts, query, counts));
  const all = [maxCosine(rest, query, counts), ...found].filter((one) => one !== undefined);
  return all.length === 0 ? undefined : Math.max(...all);
}

/** Whether any vector of a slice is indexed. */
export const isIndexed = ({ block, first }: BlockSlice): boolean => (indexStateOf(block)?.count ?? 0) > first;
