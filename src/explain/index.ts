/**
 * Explains a ranking by evaluating its entries again: trees, their text, and comparisons.
 * What other rooms use of this one.
 *
 * @module
 */

export type { FieldChange, TrialRanking } from './changes/field-changes.js';
export {
  type EntryRemoval,
  type WaysToWin,
  waysToWin,
  type WeightChange,
  type WinGoal,
} from './changes/ways-to-win.js';
export { compareCandidates } from './comparison/compare-candidates.js';
export type {
  CombineComparison,
  ComparedCandidate,
  Comparison,
  Decision,
  Flips,
  NumberFlip,
  RemovalFlip,
  RuleComparison,
  RuleSide,
  Side,
  TermComparison,
  TermSide,
} from './comparison/comparison.js';
export { candidateName } from './candidate-name.js';
export { contributionOf, weightCaseOf } from './contributions.js';
export { evaluate } from './evaluate.js';
export { Explainer } from './explainer.js';
export type {
  CandidateOutcome,
  ChildTerm,
  CombineTerm,
  EntryTerm,
  Explanation,
  FieldRead,
  MeasureTerm,
  NoteTerm,
  RefusalTerm,
  RuleTerm,
  ScorerTerm,
  StepTerm,
  VetoTerm,
} from './explanation.js';
export { deepFreeze, type JsonValue, omitUndefined } from './json-value.js';
export { selectorNoteText, noteProblem, prunedReason } from './reason-text.js';
export { refusalReason } from './refusals.js';
export { comparisonText } from './text/comparison-text.js';
export { waysToWinText } from './text/ways-text.js';
export { explanationText } from './text/explanation-text.js';
export { type ExplanationTextOptions, renderOptions, titleLines } from './text/sections.js';
export { numberText } from './text/term-text.js';
