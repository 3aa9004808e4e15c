/**
 * What editors need to complete and explain profiles: keys, classes and their params, ids, and the scopes of expressions.
 * It needs no Node. `@assize/lsp` and the playground use it. To check a profile, use `createPipeline`.
 *
 * @module
 */

export {
  type DescribedClass,
  type DescribedPreset,
  type DescribedProfile,
  describePresets,
  describeProfile,
  type LanguageHost,
  shippedPluginNames,
} from './pipeline/index.js';
export {
  type ExpressionFunction,
  expressionFunctions,
  type ExpressionPart,
  expressionPartAt,
  type ExpressionScope,
} from './expression/index.js';

// The errors of a check.
export { AssizeError } from './base/index.js';
