import type { Matrix } from 'ml-matrix';

/** The largest eigenvalues of a matrix, largest first, with their unit eigenvectors. */
interface Eigenpairs {
  readonly values: readonly number[];
  readonly vectors: readonly Float64Array[];
}

/**
 * A symmetric matrix without negative eigenvalues, represented by its product with a vector, so that it may be sparse.
 */
type LinearOperator = (vector: Float64Array) => Float64Array;

/** Up to this order the whole matrix is decomposed, which finds all eigenvalues. */
const DENSE_ORDER = 128;

/** The number of additional vectors in a block. They speed up convergence. */
const OVERSAMPLING = 4;

/** The number of repeated products of a block that span one subspace. */
const KRYLOV_DEPTH = 8;

/** The largest dimension of a subspace; the time of its decomposition grows with the third power. */
const MAX_SUBSPACE = 600;

/** The residual norm below which a vector has converged, for eigenvalues up to 1. */
const TOLERANCE = 1e-9;

/** The maximum number of rounds, converged or not. */
const MAX_RESTARTS = 100;

/**
 * Finds the largest eigenvalues of a symmetric matrix without negative eigenvalues: at least the `count` largest, and
 * all of a small matrix.
 *
 * A large matrix takes a restarted block Krylov iteration with the Rayleigh–Ritz method (Golub and Van Loan 2013,
 * chapter 10): a block of vectors and its repeated products with the matrix span a subspace, whose best approximate
 * eigenvectors are the next block, until they converge. A block finds multiple eigenvalues with their multiplicity. The
 * same matrix always gives the same vectors.
 *
 * @throws RangeError if `count` is too large for a matrix that cannot be decomposed as a whole
 */
export async function largestEigenpairs(times: LinearOperator, order: number, count: number): Promise<Eigenpairs> {
  if (order === 0) return { values: [], vectors: [] };
  const { EigenvalueDecomposition, Matrix } = await import('ml-matrix');
  const decompose = (matrix: Matrix) => new EigenvalueDecomposition(matrix, { assumeSymmetric: true });

  /** The Rayleigh–Ritz approximations in a subspace, and whether the first `count` of them have converged. */
  function rayleighRitz({ basis, images }: Subspace, width: number): Eigenpairs & { readonly converged: boolean } {
    const projected = Matrix.zeros(basis.length, basis.length);
    for (const [i, a] of basis.entries()) {
      for (let j = i; j < basis.length; j++) {
        const entry = dot(a, images[j]!);
        projected.set(i, j, entry).set(j, i, entry);
      }
    }
    const { realEigenvalues: all, eigenvectorMatrix } = decompose(projected);
    const best = all.map((_, i) => i).toSorted((a, b) => all[b]! - all[a]! || a - b);
    const columns = best.slice(0, width).map((c) => eigenvectorMatrix.getColumn(c));
    const values = columns.map((_, c) => all[best[c]!]!);
    const vectors = columns.map((column) => linearCombination(basis, column));
    const converged = columns
      .slice(0, count)
      .every((column, c) => residualNorm(linearCombination(images, column), vectors[c]!, values[c]!) <= TOLERANCE);
    return { values, vectors, converged };
  }

  const width = count + OVERSAMPLING;
  if (order <= DENSE_ORDER || (order <= MAX_SUBSPACE && width * KRYLOV_DEPTH > order)) {
    const basis = Array.from({ length: order }, (_, i) => new Float64Array(order).fill(1, i, i + 1));
    return rayleighRitz({ basis, images: basis.map(times) }, order);
  }
  if (width * KRYLOV_DEPTH > MAX_SUBSPACE) {
    const most = MAX_SUBSPACE / KRYLOV_DEPTH - OVERSAMPLING;
    throw new RangeError(`expected at most ${most} clusters among ${order} tools or capabilities, found ${count}`);
  }
  let best = rayleighRitz(krylovSubspace(times, startBlock(order, width)), width);
  for (let round = 1; round < MAX_RESTARTS && !best.converged; round++)
    best = rayleighRitz(krylovSubspace(times, best.vectors), width);
  return best;
}

/** An orthonormal basis, and the product of the matrix with each of its vectors. */
interface Subspace {
  readonly basis: readonly Float64Array[];
  readonly images: readonly Float64Array[];
}

/** The span of a block and its repeated products with a matrix. */
function krylovSubspace(times: LinearOperator, block: readonly Float64Array[]): Subspace {
  const basis: Float64Array[] = [];
  const images: Float64Array[] = [];
  let last = block;
  for (let depth = 0; depth < KRYLOV_DEPTH; depth++) {
    const from = images.length;
    for (const vector of last) {
      const next = orthonormalized(basis, vector);
      if (next === undefined) continue;
      basis.push(next);
      images.push(times(next));
    }
    last = images.slice(from);
  }
  return { basis, images };
}

/** The part of a vector that is orthogonal to a basis, as a unit vector; undefined if only rounding remains. */
function orthonormalized(basis: readonly Float64Array[], vector: Float64Array): Float64Array | undefined {
  const rest = vector.slice();
  const length = Math.sqrt(dot(rest, rest));
  // Two passes suffice for full precision (Kahan).
  for (let pass = 0; pass < 2; pass++) for (const one of basis) addScaled(rest, one, -dot(rest, one));
  const left = Math.sqrt(dot(rest, rest));
  return left <= 1e-10 * length || left === 0 ? undefined : rest.map((value) => value / left);
}

/** Pseudo-random start vectors, the same in every call. */
function startBlock(order: number, width: number): readonly Float64Array[] {
  const next = seededRandom(1);
  return Array.from({ length: width }, () => Float64Array.from({ length: order }, () => next() - 0.5));
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function addScaled(to: Float64Array, vector: Float64Array, times: number): void {
  for (let i = 0; i < to.length; i++) to[i]! += times * vector[i]!;
}

function linearCombination(vectors: readonly Float64Array[], weights: readonly number[]): Float64Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const [i, vector] of vectors.entries()) addScaled(sum, vector, weights[i]!);
  return sum;
}

/** The norm of the difference between an image and the vector times its eigenvalue. */
function residualNorm(image: Float64Array, vector: Float64Array, value: number): number {
  const rest = image.slice();
  addScaled(rest, vector, -value);
  return Math.sqrt(dot(rest, rest));
}

/**
 * A generator of pseudo-random numbers from 0 to 1 (mulberry32, by Tommy Ettinger). The same seed gives the same
 * numbers. Not the generator of `evaluate`: a plugin imports only the SDK, and the groups of a seed depend on this generator.
 */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
