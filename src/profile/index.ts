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
} from './candidate-reads.js';
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
export { entriesThatDiffer } from './entry-texts.js';
export { type Labels, labelOf } from './labels.js';
export { type LoadedProfile, loadProfile } from './load-profile.js';
export { type Change, changedEntryIds } from './merge/apply-change.js';
export type {
  ChildUse,
  ClassUse,
  Entry,
  EntryMemoryFile,
  ProfileLocation,
  ReportEntry,
  ScorerEntry,
  SignalEntry,
  StrategyEntry,
  Use,
  VetoEntry,
} from './entries.js';
export type {
  Adjustment,
  CaseWeights,
  CombineMethod,
  ContextField,
  NumberOrExpression,
  Phase,
  Profile,
  ServeSpec,
  TableFactor,
} from './profile.js';
export type { BudgetSpec, ComputedLimit, Limit, PackEntry, SelectorEntry } from './selection.js';
export {
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
} from './profile-queries.js';
export { PRESET_FOLDER } from './presets.js';
export { resolvePruning } from './resolve/resolve-second-phase.js';
export type { ProfileInput } from './schema/profile-schema.js';
export type { ProfileFiles } from './source/profile-files.js';
export type { ProfileSource, ProfileText } from './source/profile-source.js';
export type { PluginLoader } from './source/load-host.js';
export { isFileSpec } from './source/references.js';
export { type ExtremeOf, FormulaError, type UnitFormula, unitFormula } from './unit-formula.js';
export type { Trust } from './trust.js';
