import { z } from '../../../src/sdk.js';
import { perGraph } from './per-graph.js';
import { inOrder } from './communities.js';
import { type Csr, rowOf } from './csr.js';
import { hypergraphOf } from './hypergraph.js';
import { groupPoints } from './k-means.js';
import type { ToolGraph } from './tool-graph.js';

/** The most clusters that the eigengap may suggest, and the fewest. */
const [FEWEST, MOST] = [2, 5];

/** How many tools or capabilities, whichever are fewer, may be clustered: the time grows with the third power. */
const LARGEST = 600;

/** A param that says how many clusters there are. */
export const clusterParam = () =>
  z
    .union([z.int().min(1), z.literal('eigengap')])
    .default('eigengap')
    .describe('How many clusters there are; eigengap: two to five, as the links suggest.');

/** Which cluster each node is in, by number; −1 for one without a link between tools and capabilities. */
export type Clusters = Int32Array;

/**
 * Clusters tools together with the capabilities that use them: spectral co-clustering (Dhillon 2001) of the links
 * between them. Their number is where the eigenvalues of the normalised Laplacian leave the largest gap.
 *
 * The vectors are the singular vectors of `D₁^−½ H D₂^−½`, whose singular values s are the Laplacian's eigenvalues 1 − s,
 * and come from the smaller of its two Gram matrices. Rows have length 1 (Ng, Jordan and Weiss 2001); nothing is random.
 *
 * @throws RangeError with more than 600 tools and more than 600 capabilities
 */
export const clustersOf = perGraph(async (graph: ToolGraph, count: number | 'eigengap'): Promise<Clusters> => {
  const { linked, eigenvalues, vectors } = await decomposed(graph);
  const clusters = new Int32Array(graph.order).fill(-1);
  if (linked.length === 0) return clusters;
  const k = count === 'eigengap' ? eigengap(eigenvalues) : Math.min(count, linked.length);
  const rows = linked.map((node) => unit(vectors(node, k)));
  const groups = groupPoints(rows, k);
  for (const [at, group] of inOrder(groups).entries()) clusters[linked[at]!] = group;
  return clusters;
});

/** The eigenvalues of the normalised Laplacian of the linked nodes, least first. */
export const eigenvaluesOf = async (graph: ToolGraph): Promise<readonly number[]> =>
  (await decomposed(graph)).eigenvalues;

/** The links of a graph, decomposed once. */
const decomposed = perGraph(async (graph: ToolGraph) => {
  const links = hypergraphOf(graph);
  const linked = graph.ids.flatMap((_, i) => (sumOf(links, i) > 0 ? [i] : []));
  const [few, many] = sides(graph, linked);
  if (few.length === 0) return { linked, eigenvalues: [], vectors: () => new Float64Array() };
  if (few.length > LARGEST) {
    const [tools, capabilities] = graph.kindOf(few[0]!) === 'tool' ? [few, many] : [many, few];
    throw new RangeError(
      `${tools.length} tools and ${capabilities.length} capabilities are too many to cluster; ` +
        `expected at most ${LARGEST} of one or the other: leave out of the graph what is seldom used`,
    );
  }
  const { values, vectors } = await singular(links, few, many);
  return { linked, eigenvalues: spectrum(values, linked.length), vectors };
});

function sumOf({ starts, weights }: Csr, node: number): number {
  let sum = 0;
  for (let k = starts[node]!; k < starts[node + 1]!; k++) sum += weights[k]!;
  return sum;
}

/** The linked nodes of the kind that has fewer of them, and those of the other. */
function sides(
  graph: ToolGraph,
  linked: readonly number[],
): readonly [few: readonly number[], many: readonly number[]] {
  const tools = linked.filter((i) => graph.kindOf(i) === 'tool');
  const capabilities = linked.filter((i) => graph.kindOf(i) === 'capability');
  return tools.length <= capabilities.length ? [tools, capabilities] : [capabilities, tools];
}

interface Singular {
  /** Largest first. */
  readonly values: readonly number[];
  /** The first k coordinates of a node. */
  readonly vectors: (node: number, k: number) => Float64Array;
}

/** The singular values and vectors of the normalised links, by the eigenvectors of the Gram matrix of the smaller side. */
async function singular(links: Csr, few: readonly number[], many: readonly number[]): Promise<Singular> {
  const { EigenvalueDecomposition, Matrix } = await import('ml-matrix');
  const place = new Map(few.map((node, i) => [node, i]));
  const root = new Map([...few, ...many].map((node) => [node, Math.sqrt(sumOf(links, node))]));
  const normalised = (a: number, b: number, weight: number): number => weight / (root.get(a)! * root.get(b)!);
  const gram = Matrix.zeros(few.length, few.length);
  const rowsOfMany = many.map((node) => {
    const targets = rowOf(links, node);
    const first = links.starts[node]!;
    return Array.from(
      targets,
      (target, k) => [place.get(target)!, normalised(node, target, links.weights[first + k]!)] as const,
    );
  });
  for (const row of rowsOfMany) {
    for (const [i, x] of row) for (const [j, y] of row) gram.set(i, j, gram.get(i, j) + x * y);
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(gram, { assumeSymmetric: true });
  const order = realEigenvalues.map((_, i) => i).toSorted((a, b) => realEigenvalues[b]! - realEigenvalues[a]! || a - b);
  const values = order.map((i) => Math.sqrt(Math.max(0, realEigenvalues[i]!)));
  const placeOfMany = new Map(many.map((node, i) => [node, i]));
  /** u of the smaller side, and H u / s of the other. */
  const coordinate = (node: number, c: number): number => {
    const column = order[c];
    if (column === undefined) return 0;
    const own = place.get(node);
    if (own !== undefined) return eigenvectorMatrix.get(own, column);
    const row = rowsOfMany[placeOfMany.get(node)!]!;
    const value = values[c]!;
    return value === 0 ? 0 : row.reduce((sum, [i, x]) => sum + x * eigenvectorMatrix.get(i, column), 0) / value;
  };
  return { values, vectors: (node, k) => Float64Array.from({ length: k }, (_, c) => coordinate(node, c)) };
}

/** The Laplacian's eigenvalues, least first: 1 − s and 1 + s for each singular value, and 1 for each node beyond those pairs. */
const spectrum = (values: readonly number[], nodes: number): readonly number[] => [
  ...values.map((value) => 1 - value),
  ...Array.from({ length: nodes - 2 * values.length }, () => 1),
  ...values.map((value) => 1 + value).reverse(),
];

/** A gap that is larger by no more than this is as large: rounding must not choose. */
const ROUNDING = 1e-9;

/** How many clusters there are: where the next eigenvalue is furthest away; of equal gaps the first. */
function eigengap(eigenvalues: readonly number[]): number {
  const most = Math.min(MOST, eigenvalues.length - 1);
  let best = Math.min(FEWEST, eigenvalues.length);
  let widest = Number.NEGATIVE_INFINITY;
  for (let k = FEWEST; k <= most; k++) {
    const gap = eigenvalues[k]! - eigenvalues[k - 1]!;
    if (gap > widest + ROUNDING) [best, widest] = [k, gap];
  }
  return best;
}

function unit(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
