import type { Matrix } from 'ml-matrix';
import { seededRandom } from './seeded-random.js';

/** The largest eigenvalues of a matrix, largest first, with their vectors of length 1. */
export interface Eigenpairs {
  readonly values: readonly number[];
  readonly vectors: readonly Float64Array[];
}

/** A symmetric matrix without negative eigenvalues, by what it makes of a vector: all that is asked of it, so that it may be sparse. */
export type LinearOperator = (vector: Float64Array) => Float64Array;

/** Up to this order the whole space is looked at, and all eigenvalues are found at once. */
const DENSE_ORDER = 128;

/** How many vectors are sought beyond those that are wanted: the wanted ones settle the sooner. */
const OVERSAMPLING = 4;

/** How often a block is multiplied before the best of what that spans is taken. */
const KRYLOV_DEPTH = 8;

/** The largest space that is looked at: the time grows with the third power. */
const MAX_SUBSPACE = 600;

/** A vector has settled when the matrix turns it away by less, of eigenvalues up to 1. */
const TOLERANCE = 1e-9;

/** It ends after so many rounds, settled or not. */
const MAX_RESTARTS = 100;

/**
 * The largest eigenvalues of a symmetric matrix without negative ones: at least the `count` largest, all of a small
 * matrix. A large one is asked for its products with a block of vectors, and their products, and the best of what these
 * span is the next block, until it settles (block Krylov with Rayleigh and Ritz's method, restarted; Golub and Van Loan
 * 2013, chapter 10). A block finds an eigenvalue as often as it is there. The same matrix always gives the same vectors.
 *
 * @throws RangeError where too many are wanted of a matrix that is too large to be looked at whole
 */
export async function largestEigenpairs(times: LinearOperator, order: number, count: number): Promise<Eigenpairs> {
  if (order === 0) return { values: [], vectors: [] };
  const { EigenvalueDecomposition, Matrix } = await import('ml-matrix');
  const decompose = (matrix: Matrix) => new EigenvalueDecomposition(matrix, { assumeSymmetric: true });

  /** The best approximations in a space, and whether the first `count` of them are eigenvectors. */
  function bestOf({ basis, images }: Subspace, width: number): Eigenpairs & { readonly settled: boolean } {
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
    const settled = columns
      .slice(0, count)
      .every((column, c) => residualNorm(linearCombination(images, column), vectors[c]!, values[c]!) <= TOLERANCE);
    return { values, vectors, settled };
  }

  const width = count + OVERSAMPLING;
  if (order <= DENSE_ORDER || (order <= MAX_SUBSPACE && width * KRYLOV_DEPTH > order)) {
    const basis = Array.from({ length: order }, (_, i) => new Float64Array(order).fill(1, i, i + 1));
    return bestOf({ basis, images: basis.map(times) }, order);
  }
  if (width * KRYLOV_DEPTH > MAX_SUBSPACE) {
    const most = MAX_SUBSPACE / KRYLOV_DEPTH - OVERSAMPLING;
    throw new RangeError(`expected at most ${most} clusters among ${order} tools or capabilities, found ${count}`);
  }
  let best = bestOf(krylovSubspace(times, startBlock(order, width)), width);
  for (let round = 1; round < MAX_RESTARTS && !best.settled; round++)
    best = bestOf(krylovSubspace(times, best.vectors), width);
  return best;
}

/** Vectors of length 1 at right angles to one another, and what the matrix makes of each. */
interface Subspace {
  readonly basis: readonly Float64Array[];
  readonly images: readonly Float64Array[];
}

/** What a block, its products with a matrix, and theirs span. */
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

/** What of a vector is at right angles to a basis, with length 1; undefined where that is nothing but rounding. */
function orthonormalized(basis: readonly Float64Array[], vector: Float64Array): Float64Array | undefined {
  const rest = vector.slice();
  const length = Math.sqrt(dot(rest, rest));
  // Twice is enough (Kahan).
  for (let pass = 0; pass < 2; pass++) for (const one of basis) addScaled(rest, one, -dot(rest, one));
  const left = Math.sqrt(dot(rest, rest));
  return left <= 1e-10 * length || left === 0 ? undefined : rest.map((value) => value / left);
}

/** Vectors to start with, the same each time. */
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

/** How far an image is from the vector times the value. */
function residualNorm(image: Float64Array, vector: Float64Array, value: number): number {
  const rest = image.slice();
  addScaled(rest, vector, -value);
  return Math.sqrt(dot(rest, rest));
}
