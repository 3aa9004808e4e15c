/**
 * The plugin `interview`: generators, signals, vetoes and scorers by which an adaptive interview chooses its next move.
 *
 * @module
 */
export { MostRecentNode, OpenFocus, PeripheralNode, RecentNodes, UncoveredElements } from './generators.js';
export { ConversationReading } from './conversation-reading.js';
export {
  ConceptDepthSignal,
  ContradictionSignal,
  EmotionalSignal,
  KnowledgeCeilingSignal,
  ReasoningSignal,
  UncertaintySignal,
} from './qualitative-signals.js';
export { AmbiguityScorer, EngagementScorer } from './respondent-scorers.js';
export {
  ClusterSaturationScorer,
  NoveltyScorer,
  SaturationScorer,
  StrategyDiversityScorer,
} from './novelty-scorers.js';
export { ContrastOpportunityScorer, PeripheralReadinessScorer } from './neighbourhood-scorers.js';
export { CoverageGapScorer, DepthBreadthBalanceScorer } from './coverage-scorers.js';
export { ChainDepth, LowInfoStreak, TerminalStreak } from './signals.js';
export { ClarificationVetoScorer, KnowledgeCeilingScorer } from './respondent-vetoes.js';
export { ConsecutiveExhaustionScorer, ElementExhaustedScorer } from './exhaustion-vetoes.js';
export { QuestionRepetitionScorer, RecentRedundancyScorer } from './repetition-vetoes.js';

/** The codes of problems in the answer of a language model. */
export const codes = {
  ASZ528: 'A signal does not have the expected form.',
} as const;
