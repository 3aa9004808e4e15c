/**
 * The names that other modules import from `testing`.
 *
 * @module
 */

export { checkUnit, type ContractFinding, type ContractRule } from './check-unit.js';
export {
  checkVectors,
  type Expected,
  type UnitVector,
  type VectorFinding,
  type VectorOptions,
} from './check-vectors.js';
export {
  type CheckedExpectations,
  checkExpectations,
  type CheckExpectationsOptions,
} from './check-expectations.js';
export { type Expectations, readExpectations } from './expectations.js';
export { type AssizeMatchers, assizeMatchers } from './matchers.js';
export type { RowExample, UnitExample } from './test-session.js';
