/**
 * Explains a ranking by evaluating its entries again: trees, their text, and comparisons.
 * What other rooms use of this one.
 *
 * @module
 */

export {
  type FieldChange,
  type TrialRanking,
  type EntryRemoval,
  type WaysToWin,
  waysToWin,
  type WeightChange,
  type WinGoal,
} from './ways-to-win.js';
export { compareCandidates } from './compare-candidates.js';
export {
  type CombineComparison,
  type ComparedCandidate,
  type Comparison,
  type Decision,
  type Flips,
  type NumberFlip,
  type RemovalFlip,
  type RuleComparison,
  type RuleSide,
  type Side,
  type TermComparison,
  type TermSide,
  candidateName,
} from './comparison.js';
export { contributionOf, weightCaseOf, refusalReason } from './explain-score.js';
export {
  evaluate,
  type CandidateOutcome,
  type ChildTerm,
  type CombineTerm,
  type EntryTerm,
  type Explanation,
  type MeasureTerm,
  type NoteTerm,
  type RefusalTerm,
  type RuleTerm,
  type ScorerTerm,
  type StepTerm,
  type VetoTerm,
} from './explanation.js';
export { Explainer } from './explainer.js';
export { deepFreeze, type FieldRead, type JsonValue, omitUndefined } from './json-value.js';
export { selectorNoteText, noteProblem, prunedReason } from './reason-text.js';
export { comparisonText, waysToWinText } from './comparison-text.js';
export { explanationText } from './explanation-text.js';
export { type ExplanationTextOptions, renderOptions, titleLines, numberText } from './text-parts.js';
