/**
 * For tests of units: the contract of every unit, and vectors of known values, each as one function. They return lists of
 * findings, so that any test runner can be used, or none.
 *
 * @module
 */
export { type ContractFinding, type ContractRule, checkUnit } from './check-unit.js';
export {
  checkVectors,
  type Expected,
  type UnitVector,
  type VectorFinding,
  type VectorOptions,
} from './check-vectors.js';
export type { RowExample, UnitExample } from './test-session.js';
