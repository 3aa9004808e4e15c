/**
 * For tests of units and of profiles: the contract of every unit, vectors of known values, and expectations about a
 * ranking, each as one function. They return lists of findings, so that any test runner can be used, or none.
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
  type CheckedExpectations,
  checkExpectations,
  type CheckExpectationsOptions,
  type Expectations,
  readExpectations,
} from './testing/index.js';
