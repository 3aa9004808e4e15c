/**
 * What the packages around the engine share with it: `@assize/evaluate`, `@assize/serve`, `@assize/studio` and
 * `@assize/jobs`. Their versions equal that of `assize`. Nothing here is a promise to anyone else: a name can change or
 * go in any release.
 *
 * @module
 */

// The version of Assize.
export { packageVersion } from './base/node.js';

// Options, problems and their texts.
export {
  bars,
  checkOptions,
  counted,
  describeValue,
  didYouMean,
  escapeInvisibleInLine,
  formatNumber,
  formatSigned,
  nameList,
  type OptionTypes,
  SourceFile,
  toAssizeError,
  toError,
} from './base/index.js';

// Values and paths.
export { compilePath, isMap, ownValue, type PathReader, setOwn } from './expression/index.js';

// Files of candidates and documents.
export { type CandidateSource, codecOf, readCandidates, readSourceFile, RowFile, RowProblems } from './data/node.js';
export { parseDocument } from './profile/node.js';

// Profiles and pipelines.
export { combineFacts, type Profile } from './profile/index.js';
export { createTrackedPipeline, effectiveProfile, openPipeline, openProfile } from './pipeline/node.js';

// Rankings.
export { rankByModel } from './ranking/index.js';
