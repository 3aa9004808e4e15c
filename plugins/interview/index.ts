/**
 * The plugin `interview`: generators, signals, vetoes and scorers by which an adaptive interview chooses its next move.
 *
 * @module
 */
export { codes } from './codes.js';
export { MostRecentNode } from './generators/most-recent-node.js';
export { OpenFocus } from './generators/open-focus.js';
export { PeripheralNode } from './generators/peripheral-node.js';
export { RecentNodes } from './generators/recent-nodes.js';
export { UncoveredElements } from './generators/uncovered-elements.js';
export { ConversationReading } from './language-model/conversation-reading.js';
export {
  ConceptDepthSignal,
  ContradictionSignal,
  EmotionalSignal,
  KnowledgeCeilingSignal,
  ReasoningSignal,
  UncertaintySignal,
} from './language-model/qualitative-signal-units.js';
export { AmbiguityScorer } from './scorers/ambiguity-scorer.js';
export { ClusterSaturationScorer } from './scorers/cluster-saturation-scorer.js';
export { ContrastOpportunityScorer } from './scorers/contrast-opportunity-scorer.js';
export { CoverageGapScorer } from './scorers/coverage-gap-scorer.js';
export { DepthBreadthBalanceScorer } from './scorers/depth-breadth-balance-scorer.js';
export { EngagementScorer } from './scorers/engagement-scorer.js';
export { NoveltyScorer } from './scorers/novelty-scorer.js';
export { PeripheralReadinessScorer } from './scorers/peripheral-readiness-scorer.js';
export { SaturationScorer } from './scorers/saturation-scorer.js';
export { StrategyDiversityScorer } from './scorers/strategy-diversity-scorer.js';
export { ChainDepth } from './signals/chain-depth.js';
export { LowInfoStreak } from './signals/low-info-streak.js';
export { TerminalStreak } from './signals/terminal-streak.js';
export { ClarificationVetoScorer } from './vetoes/clarification-veto-scorer.js';
export { ConsecutiveExhaustionScorer } from './vetoes/consecutive-exhaustion-scorer.js';
export { ElementExhaustedScorer } from './vetoes/element-exhausted-scorer.js';
export { KnowledgeCeilingScorer } from './vetoes/knowledge-ceiling-scorer.js';
export { QuestionRepetitionScorer } from './vetoes/question-repetition-scorer.js';
export { RecentRedundancyScorer } from './vetoes/recent-redundancy-scorer.js';
