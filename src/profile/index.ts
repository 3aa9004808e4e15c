/**
 * A profile from its YAML to a valid, typed one.
 * What other rooms use of this one.
 *
 * @module
 */

export {
  candidateReads,
  type CandidateRead,
  contextReads,
  type ContextRead,
  pathsOverlap,
  problemsWithDates,
  readersOf,
  budgetReserveExcess,
  describeProfile,
  entriesNeedingAll,
  hasMemory,
  idsNeedingAll,
  type ProfileDescription,
  pruningFacts,
  type PruningFacts,
  readsScores,
  unitsOf,
} from './profile-reads.js';
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
export { entriesThatDiffer, type LoadedProfile, loadProfile } from './load-profile.js';
export {
  type Labels,
  labelOf,
  type ChildUse,
  type ClassUse,
  type Entry,
  type EntryMemoryFile,
  type ProfileLocation,
  type ReportEntry,
  type ScorerEntry,
  type SignalEntry,
  type StrategyEntry,
  type Use,
  type VetoEntry,
  type Adjustment,
  type CaseWeights,
  type CombineMethod,
  type ContextField,
  type NumberOrExpression,
  type Phase,
  type Profile,
  type ServeSpec,
  type TableFactor,
  type BudgetSpec,
  type ComputedLimit,
  type Limit,
  type PackEntry,
  type SelectorEntry,
} from './profile.js';
export { type Change, changedEntryIds } from './source/apply-change.js';
export { PRESET_FOLDER } from './presets.js';
export { resolvePruning } from './resolve/resolve-select.js';
export type { ProfileInput } from './schema/profile-schema.js';
export { type ProfileFiles, type ProfileSource, type ProfileText, isFileSpec } from './source/profile-source.js';
export type { PluginLoader } from './source/source-loader.js';
export { type ExtremeOf, FormulaError, type UnitFormula, unitFormula } from './unit-formula.js';
export type { Trust } from './trust.js';
