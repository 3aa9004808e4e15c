import * as fc from 'fast-check';
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { largestEigenpairs } from '../../../plugins/agentcards/largest-eigenpairs.js';

/** `FᵀF` of a sparse F with few entries: symmetric, without negative eigenvalues, and with a norm of at most 1. */
function gramOf(order: number, entries: readonly (readonly [row: number, column: number, value: number])[]): Matrix {
  const factor = Matrix.zeros(order, order);
  for (const [row, column, value] of entries) factor.set(row % order, column % order, value);
  const gram = factor.transpose().mmul(factor);
  return gram.div(Math.max(1, gram.trace()));
}

const timesOf = (matrix: Matrix) => (vector: Float64Array) =>
  Float64Array.from(matrix.mmul(Matrix.columnVector(vector)).to1DArray());

const entries = fc.array(fc.tuple(fc.nat(1000), fc.nat(1000), fc.double({ min: -1, max: 1, noNaN: true })), {
  minLength: 200,
  maxLength: 600,
});

describe('the largest eigenvalues', () => {
  it.each([20, 200])('of a matrix of order %i are among all its eigenvalues, with their vectors', async (order) => {
    await fc.assert(
      fc.asyncProperty(entries, fc.integer({ min: 1, max: 6 }), async (given, count) => {
        const matrix = gramOf(order, given);
        const all = new EigenvalueDecomposition(matrix, { assumeSymmetric: true }).realEigenvalues;
        const expected = all.toSorted((a, b) => b - a);
        const { values, vectors } = await largestEigenpairs(timesOf(matrix), order, count);
        for (let c = 0; c < count; c++) {
          // The distance to an eigenvalue is at most the residual (Parlett 1998, theorem 4.5.1), and the residual ends
          // the search.
          expect(Math.abs((values[c] ?? Number.NaN) - (expected[c] ?? 0))).toBeLessThan(2e-9);
          const vector = Matrix.columnVector(vectors[c] ?? []);
          expect(vector.norm()).toBeCloseTo(1, 12);
          const turned = Matrix.sub(matrix.mmul(vector), Matrix.mul(vector, values[c] ?? Number.NaN)).norm();
          expect(turned).toBeLessThan(2e-9);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are repeated by their multiplicity', async () => {
    const order = 300;
    const scales = Float64Array.from({ length: order }, (_, i) => [1, 0.5, 0.25][i % 3] ?? 0);
    const { values, vectors } = await largestEigenpairs(
      (vector) => vector.map((x, i) => x * (scales[i] ?? 0)),
      order,
      5,
    );
    expect(values.slice(0, 5)).toEqual([1, 1, 1, 1, 1].map((value) => expect.closeTo(value, 12)));
    const products = vectors
      .slice(1, 5)
      .map((vector) => vector.reduce((sum, x, i) => sum + x * (vectors[0]?.[i] ?? 0), 0));
    expect(products).toEqual([0, 0, 0, 0].map((value) => expect.closeTo(value, 12)));
  });

  it('of a zero matrix are zeros', async () => {
    const { values } = await largestEigenpairs((vector) => vector.map(() => 0), 200, 2);
    expect(values.slice(0, 2)).toEqual([0, 0]);
  });
});
