/**
 * The exports of `profile` for other modules.
 *
 * @module
 */

export {
  combineFacts,
  type CombineFacts,
  type CombineMethodName,
  combineName,
  type CombineName,
  hasRelativeWeights,
  isAdditive,
  readsWeights,
} from './combine-methods.js';
export { inspectProfile, type ProfileInspection } from './inspect-profile.js';
export { entriesThatDiffer, type LoadedProfile, loadProfile } from './load-profile.js';
export { PRESET_FOLDER, presetNames, presetSource } from './presets.js';
export { CEL_KEYWORDS, RESERVED_IDS } from './resolve/resolver.js';
export {
  budgetReserveExcess,
  type CandidateRead,
  candidateReads,
  type ContextRead,
  contextReads,
  describeProfile,
  entriesNeedingAll,
  entriesNeedingWhole,
  expressionsOfCandidates,
  expressionsOfUse,
  hasMemory,
  idsNeedingAll,
  pathsOverlap,
  problemsWithDates,
  type ProfileDescription,
  type PruningFacts,
  pruningFacts,
  readersOf,
  readsScores,
  unitsOf,
} from './profile-reads.js';
export {
  type Adjustment,
  type BudgetSpec,
  type CaseWeights,
  type ChildUse,
  type ClassUse,
  type CombineMethod,
  type ComputedLimit,
  type ContextField,
  type Entry,
  type EntryMemoryFile,
  labelOf,
  type Labels,
  type Limit,
  type MeasureEntry,
  type NamedExpression,
  type NumberOrExpression,
  type PackEntry,
  type Phase,
  type Profile,
  type ProfileLocation,
  type ReportEntry,
  type ScorerEntry,
  type StatisticEntry,
  STATISTICS,
  type SelectorEntry,
  type ServeSpec,
  type SignalEntry,
  type StrategyEntry,
  type TableFactor,
  type Use,
  type VetoEntry,
} from './profile.js';
export { loadShipped, readPlugin, serviceProblems, type ShippedPlugins } from './registry/read-plugin.js';
export { resolvePruning } from './resolve/resolve-select.js';
export {
  childJsonSchema,
  type JsonSchemaNode,
  paramsJsonSchema,
  profileBaseJsonSchema,
  profileJsonSchema,
} from './schema/json-schema.js';
export type { ProfileInput } from './schema/profile-schema.js';
export { schemaProblems } from './schema/schema-problems.js';
export { type Change, changedEntryIds } from './source/apply-change.js';
export {
  isFileSpec,
  isProfilePath,
  type ProfileFiles,
  type ProfileSource,
  type ProfileText,
  type PluginLoader,
} from './source/source-loader.js';
export type { Trust } from './trust.js';
export {
  expressionFormula,
  type StatisticOf,
  FormulaError,
  rowFormula,
  type UnitFormula,
  unitFormula,
} from './unit-formula.js';
