/**
 * What the packages around the engine share with it: `@assize/evaluate`, `@assize/serve`, `@assize/studio` and
 * `@assize/jobs`. Their versions equal that of `assize`. Nothing here is a promise to anyone else: a name can change or
 * go in any release.
 *
 * @module
 */

// Options, problems and their texts.
export {
  checkOptions,
  counted,
  didYouMean,
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
export {
  type CandidateSource,
  codecOf,
  detectFileFormat,
  formatByExtension,
  readCandidates,
  readSourceFile,
  RowProblems,
} from './data/node.js';
export { parseDocument } from './profile/node.js';

// Profiles and pipelines.
export { untilAborted } from './engine/index.js';
export { createTrackedPipeline, effectiveProfile, openProfile, pluginFiles } from './pipeline/node.js';

// Runs whose parts are ranked on other machines.
export { packageVersion } from './base/node.js';
export {
  isRankPart,
  ProfileParts,
  type RankPart,
  ShardLines,
  type SharedRun,
  startSharedRun,
} from './scale/parts/index.js';
