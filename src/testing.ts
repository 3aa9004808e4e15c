/**
 * For tests of units: the contract of every unit, and vectors of known values, each as one function. They return lists of
 * findings, so that any test runner can be used, or none.
 *
 * @module
 */
export {
  type AssizeMatchers,
  assizeMatchers,
  type ContractFinding,
  type ContractRule,
  checkUnit,
  checkVectors,
  type Expected,
  type UnitVector,
  type VectorFinding,
  type VectorOptions,
  type RowExample,
  type UnitExample,
} from './testing/index.js';
