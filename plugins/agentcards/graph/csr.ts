import { lowerBound } from '../../../src/sdk.js';

/** Arcs by source node (compressed sparse rows): those of node i are at `starts[i]` to `starts[i + 1]`, by target. */
export interface Csr {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
  readonly weights: Float64Array;
  /** The number of times that each was observed. */
  readonly counts: Float64Array;
}

/** Arcs in their given order, in parallel lists. */
export interface Arcs {
  readonly from: number[];
  readonly to: number[];
  readonly weight: number[];
  readonly count: number[];
}

/** Sorts positions by their keys with a counting sort, which is stable. */
function countingSort(
  keys: readonly number[],
  positions: Int32Array,
  keyCount: number,
): { sorted: Int32Array; starts: Int32Array } {
  const starts = new Int32Array(keyCount + 1);
  for (const key of keys) starts[key + 1]! += 1;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  const next = starts.slice();
  const sorted = new Int32Array(positions.length);
  for (const position of positions) sorted[next[keys[position]!]!++] = position;
  return { sorted, starts };
}

/** Sorts arcs by source and target; parallel ones become one, with the sums of their weights and counts. */
export function toCsr(order: number, arcs: Arcs): Csr {
  const given = Int32Array.from(arcs.to, (_, k) => k);
  const { sorted, starts: rows } = countingSort(arcs.from, countingSort(arcs.to, given, order).sorted, order);
  const starts = new Int32Array(order + 1);
  const targets = new Int32Array(sorted.length);
  const weights = new Float64Array(sorted.length);
  const counts = new Float64Array(sorted.length);
  let end = 0;
  for (let i = 0; i < order; i++) {
    const start = end;
    for (let at = rows[i]!; at < rows[i + 1]!; at++) {
      const k = sorted[at]!;
      if (end === start || targets[end - 1] !== arcs.to[k]) targets[end++] = arcs.to[k]!;
      weights[end - 1]! += arcs.weight[k]!;
      counts[end - 1]! += arcs.count[k]!;
    }
    starts[i + 1] = end;
  }
  return {
    starts,
    targets: targets.subarray(0, end),
    weights: weights.subarray(0, end),
    counts: counts.subarray(0, end),
  };
}

/** The position of the arc between two nodes; −1 where there is none. */
export function findArc({ starts, targets }: Csr, from: number, to: number): number {
  const end = starts[from + 1]!;
  const arc = lowerBound(targets, to, starts[from], end);
  return arc < end && targets[arc] === to ? arc : -1;
}

/** The targets of one node's arcs. */
export const targetsOf = ({ starts, targets }: Csr, node: number): Int32Array =>
  targets.subarray(starts[node], starts[node + 1]);
