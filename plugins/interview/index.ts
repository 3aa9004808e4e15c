/**
 * The pack `interview`: what an adaptive interview chooses its next move by.
 *
 * @module
 */
export { MostRecentNode } from './generators/most-recent-node.js';
export { OpenFocus } from './generators/open-focus.js';
export { PeripheralNode } from './generators/peripheral-node.js';
export { RecentNodes } from './generators/recent-nodes.js';
export { UncoveredElements } from './generators/uncovered-elements.js';
export { ConceptDepthSignal } from './language-model/concept-depth-signal.js';
export { ContradictionSignal } from './language-model/contradiction-signal.js';
export { ConversationReading } from './language-model/conversation-reading.js';
export { EmotionalSignal } from './language-model/emotional-signal.js';
export { KnowledgeCeilingSignal } from './language-model/knowledge-ceiling-signal.js';
export { ReasoningSignal } from './language-model/reasoning-signal.js';
export { UncertaintySignal } from './language-model/uncertainty-signal.js';
export { ChainDepth } from './signals/chain-depth.js';
export { LowInfoStreak } from './signals/low-info-streak.js';
export { TerminalStreak } from './signals/terminal-streak.js';
export { ClarificationVetoScorer } from './tier1/clarification-veto-scorer.js';
export { ConsecutiveExhaustionScorer } from './tier1/consecutive-exhaustion-scorer.js';
export { ElementExhaustedScorer } from './tier1/element-exhausted-scorer.js';
export { KnowledgeCeilingScorer } from './tier1/knowledge-ceiling-scorer.js';
export { QuestionRepetitionScorer } from './tier1/question-repetition-scorer.js';
export { RecentRedundancyScorer } from './tier1/recent-redundancy-scorer.js';
export { AmbiguityScorer } from './tier2/ambiguity-scorer.js';
export { ClusterSaturationScorer } from './tier2/cluster-saturation-scorer.js';
export { ContrastOpportunityScorer } from './tier2/contrast-opportunity-scorer.js';
export { CoverageGapScorer } from './tier2/coverage-gap-scorer.js';
export { DepthBreadthBalanceScorer } from './tier2/depth-breadth-balance-scorer.js';
export { EngagementScorer } from './tier2/engagement-scorer.js';
export { NoveltyScorer } from './tier2/novelty-scorer.js';
export { PeripheralReadinessScorer } from './tier2/peripheral-readiness-scorer.js';
export { SaturationScorer } from './tier2/saturation-scorer.js';
export { StrategyDiversityScorer } from './tier2/strategy-diversity-scorer.js';
