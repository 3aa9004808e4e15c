import { z } from '../../src/unit-sdk.js';
import { largestEigenpairs, seededRandom } from './largest-eigenpairs.js';
import { type Csr, hypergraphOf, memoizePerGraph, type ToolGraph } from './tool-graph.js';

/** Renumbers groups in the order of their first members, so that the original numbers have no effect. */
function numberByFirstMember(groups: readonly number[]): Int32Array {
  const numbers = new Map<number, number>();
  return Int32Array.from(groups, (group) => {
    const known = numbers.get(group) ?? numbers.size;
    numbers.set(group, known);
    return known;
  });
}

/**
 * The power of two that scales the greatest weight to between 1 and 2. Scaling does not change the communities, but the
 * library ignores gains below 1e-10.
 */
function powerOfTwoScale(weights: Float64Array): number {
  const greatest = weights.reduce((max, weight) => Math.max(max, weight), 0);
  return greatest === 0 ? 1 : 2 ** Math.floor(Math.log2(greatest));
}

/**
 * Finds the community of each node by Louvain's method (Blondel and others 2008) from graphology, which is imported on
 * the first call. Communities are numbered from 0.
 */
export const communitiesOf = memoizePerGraph(
  async (graph: ToolGraph, resolution: number, seed: number, weighted: boolean): Promise<Int32Array> => {
    const [{ DirectedGraph }, module] = await Promise.all([
      import('graphology'),
      import('graphology-communities-louvain'),
    ]);
    // Name nodes by number: the result is an object, which would lose an id such as "__proto__".
    const copy = new DirectedGraph({ allowSelfLoops: false });
    for (const [i] of graph.ids.entries()) copy.addNode(i);
    const { starts, targets, weights } = graph.out;
    const scale = powerOfTwoScale(weights);
    for (let i = 0; i < graph.order; i++) {
      for (let k = starts[i]!; k < starts[i + 1]!; k++) {
        const j = targets[k]!;
        if (i !== j) copy.addDirectedEdgeWithKey(k, i, j, { weight: weights[k]! / scale });
      }
    }
    // The package's types are wrong: they nest the function in the default export, but it is the default export.
    const louvain = module.default as unknown as typeof module.default.default;
    if (weighted && weights.every((weight) => weight === 0)) return Int32Array.from(graph.ids, (_, i) => i);
    const found = louvain(copy, { resolution, rng: seededRandom(seed), getEdgeWeight: weighted ? 'weight' : null });
    return numberByFirstMember(graph.ids.map((_, i) => found[i]!));
  },
);

/** The limits of the number of clusters that `eigengap` chooses. */
const [MIN_CLUSTERS, MAX_CLUSTERS] = [2, 5];

/** Values that differ by less count as equal, so that rounding has no effect. */
const ROUNDING = 1e-9;

/** The param that sets the number of clusters. */
export const clusterParam = () =>
  z
    .union([z.int().min(1), z.literal('eigengap')])
    .default('eigengap')
    .describe('The number of clusters. eigengap: two to five, derived from the links.');

/** The cluster number of each node; −1 for a node without a link between tools and capabilities. */
type Clusters = Int32Array;

/**
 * Clusters tools together with the capabilities that use them, by spectral co-clustering of their links (Dhillon 2001).
 * `eigengap` chooses the number of clusters at the largest gap between eigenvalues of the normalised Laplacian.
 *
 * The vectors are the singular vectors of `D₁^−½ H D₂^−½`, computed from the smaller of its two Gram matrices. Its
 * singular values s correspond to the Laplacian's eigenvalues 1 − s. Rows are normalised to length 1 (Ng, Jordan and
 * Weiss 2001). The same links always give the same clusters.
 *
 * @throws RangeError with more than 71 clusters of more than 600 tools and 600 capabilities
 */
export const clustersOf = memoizePerGraph(async (graph: ToolGraph, count: number | 'eigengap'): Promise<Clusters> => {
  const linked = linkedNodes(graph);
  const clusters = new Int32Array(graph.order).fill(-1);
  if (linked.length === 0) return clusters;
  const k = Math.min(count === 'eigengap' ? eigengap(await laplacianEigenvaluesOf(graph)) : count, linked.length);
  const { vectors } = await singularVectorsOf(graph, Math.max(k, MAX_CLUSTERS + 1));
  const rows = linked.map((node) => normalized(Float64Array.from({ length: k }, (_, c) => vectors[c]?.[node] ?? 0)));
  const groups = kMeans(rows, k);
  for (const [at, group] of numberByFirstMember(groups).entries()) clusters[linked[at]!] = group;
  return clusters;
});

/**
 * The eigenvalues of the normalised Laplacian in ascending order: all of a small graph, otherwise the smallest. A node
 * without a link has a row of the identity and the eigenvalue 1.
 */
export const laplacianEigenvaluesOf = memoizePerGraph(async (graph: ToolGraph): Promise<readonly number[]> => {
  const { values, complete } = await singularVectorsOf(graph, MAX_CLUSTERS + 1);
  return complete
    ? laplacianSpectrum(values, graph.order)
    : values.slice(0, MAX_CLUSTERS + 1).map((value) => 1 - value);
});

/** The nodes with a link between a tool and a capability, by number. */
const linkedNodes = (graph: ToolGraph): readonly number[] => {
  const links = hypergraphOf(graph);
  return graph.ids.flatMap((_, i) => (weightedDegree(links, i) > 0 ? [i] : []));
};

function weightedDegree({ starts, weights }: Pick<Csr, 'starts' | 'weights'>, node: number): number {
  let sum = 0;
  for (let k = starts[node]!; k < starts[node + 1]!; k++) sum += weights[k]!;
  return sum;
}

/** The linked nodes by kind, the kind with fewer of them first. */
function bipartiteSides(
  graph: ToolGraph,
  linked: readonly number[],
): readonly [smallerSide: readonly number[], largerSide: readonly number[]] {
  const tools = linked.filter((i) => graph.kindOf(i) === 'tool');
  const capabilities = linked.filter((i) => graph.kindOf(i) === 'capability');
  return tools.length <= capabilities.length ? [tools, capabilities] : [capabilities, tools];
}

interface SingularVectors {
  /** Largest first. */
  readonly values: readonly number[];
  /** The vector of each, by node. */
  readonly vectors: readonly Float64Array[];
  /** Whether these are all singular values. */
  readonly complete: boolean;
}

/** The largest singular values and vectors of the normalised links, by the Gram matrix of the smaller side. */
const singularVectorsOf = memoizePerGraph(async (graph: ToolGraph, count: number): Promise<SingularVectors> => {
  const { starts, targets, weights } = hypergraphOf(graph);
  const linked = linkedNodes(graph);
  const [smallerSide, largerSide] = bipartiteSides(graph, linked);
  const roots = new Float64Array(graph.order);
  for (const node of linked) roots[node] = Math.sqrt(weightedDegree({ starts, weights }, node));
  const normalised = new Float64Array(weights.length);
  for (const node of linked) {
    for (let k = starts[node]!; k < starts[node + 1]!; k++) {
      normalised[k] = weights[k]! / roots[node]! / roots[targets[k]!]!;
    }
  }
  /** The product of the normalised links with a vector of one side, at the nodes of the other. */
  const across = (vector: Float64Array, nodes: readonly number[]): Float64Array => {
    const product = new Float64Array(graph.order);
    for (const node of nodes) {
      let sum = 0;
      for (let k = starts[node]!; k < starts[node + 1]!; k++) sum += normalised[k]! * vector[targets[k]!]!;
      product[node] = sum;
    }
    return product;
  };
  const spread = (vector: Float64Array): Float64Array => {
    const byNode = new Float64Array(graph.order);
    for (const [i, node] of smallerSide.entries()) byNode[node] = vector[i]!;
    return byNode;
  };
  const gram = (vector: Float64Array): Float64Array => {
    const byNode = across(across(spread(vector), largerSide), smallerSide);
    return Float64Array.from(smallerSide, (node) => byNode[node]!);
  };
  const found = await largestEigenpairs(gram, smallerSide.length, count);
  const values: number[] = [];
  const vectors: Float64Array[] = [];
  for (const vector of found.vectors) {
    const own = spread(vector);
    const others = across(own, largerSide);
    // The norm of the product: the square root of the eigenvalue would be 1e-8 instead of 0.
    const value = Math.sqrt(others.reduce((sum, part) => sum + part * part, 0));
    if (values.push(value) > count) continue;
    vectors.push(own.map((part, node) => part + (value < ROUNDING ? 0 : others[node]! / value)));
  }
  return { values, vectors, complete: values.length === smallerSide.length };
});

/**
 * The Laplacian's eigenvalues in ascending order: 1 − s and 1 + s for each singular value s, and 1 for each remaining
 * node.
 */
const laplacianSpectrum = (values: readonly number[], nodes: number): readonly number[] => [
  ...values.map((value) => 1 - value),
  ...Array.from({ length: nodes - 2 * values.length }, () => 1),
  ...values.map((value) => 1 + value).reverse(),
];

/** The number of clusters at which the gap to the next eigenvalue is the largest; of equal gaps the first. */
function eigengap(eigenvalues: readonly number[]): number {
  const most = Math.min(MAX_CLUSTERS, eigenvalues.length - 1);
  let best = Math.min(MIN_CLUSTERS, eigenvalues.length);
  let widest = Number.NEGATIVE_INFINITY;
  for (let k = MIN_CLUSTERS; k <= most; k++) {
    const gap = eigenvalues[k]! - eigenvalues[k - 1]!;
    if (gap > widest + ROUNDING) [best, widest] = [k, gap];
  }
  return best;
}

function normalized(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** The maximum number of rounds of Lloyd's algorithm, converged or not. */
const MAX_ITERATIONS = 100;

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum;
}

/** The index of the nearest centre; of equally near ones the first. */
function nearestCentre(point: Float64Array, centres: readonly Float64Array[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [k, centre] of centres.entries()) {
    const distance = squaredDistance(point, centre);
    if (distance < least - ROUNDING) [best, least] = [k, distance];
  }
  return best;
}

/** Selects the first point, then repeatedly the point farthest from all selected ones. */
function farthestFirst(points: readonly Float64Array[], count: number): Float64Array[] {
  const centres = points.slice(0, 1);
  const gaps = points.map(() => Number.POSITIVE_INFINITY);
  while (centres.length < count) {
    const last = centres.at(-1)!;
    let best = 0;
    for (const [i, point] of points.entries()) {
      const gap = Math.min(gaps[i]!, squaredDistance(point, last));
      gaps[i] = gap;
      if (gap > gaps[best]! + ROUNDING) best = i;
    }
    centres.push(points[best]!);
  }
  return centres;
}

/** The mean of some points; the fallback if there are none. */
function centroid(points: readonly Float64Array[], fallback: Float64Array): Float64Array {
  if (points.length === 0) return fallback;
  return fallback.map((_, i) => points.reduce((sum, point) => sum + point[i]!, 0) / points.length);
}

/**
 * Groups points by k-means (Lloyd 1982) with a deterministic start: the same points always give the same groups.
 *
 * @returns the number of each point's group
 */
function kMeans(points: readonly Float64Array[], count: number): readonly number[] {
  let centres = farthestFirst(points, count);
  let groups = points.map((point) => nearestCentre(point, centres));
  for (let round = 0; round < MAX_ITERATIONS; round++) {
    centres = centres.map((centre, k) =>
      centroid(
        points.filter((_, i) => groups[i] === k),
        centre,
      ),
    );
    const next = points.map((point) => nearestCentre(point, centres));
    if (next.every((group, i) => group === groups[i])) break;
    groups = next;
  }
  return groups;
}
