/**
 * The plugin `agentcards`: ranks tools and capabilities by meaning and by a graph of how they are used together.
 *
 * @module
 */
export { AdamicAdarScorer, EdgeScorer, HypergraphNeighbourScorer, OverlapScorer } from './neighbour-scorers.js';
export { ClusterHubVeto, ClusterScorer, ClusterSignal, CommunityScorer } from './cluster-units.js';
export { DagConfidence, GraphSignal, StageSignal } from './workflow-units.js';
export { FailureRateVeto, OutcomeRateScorer, ReliabilityScorer } from './outcomes.js';
export { PageRankScorer } from './page-rank.js';
export { PathScorer } from './path-scorer.js';

/** The codes of problems in the context that units of this plugin report. */
export const codes = {
  ASZ520: 'A graph in the context is malformed.',
  ASZ521: 'A list of ids is malformed.',
  ASZ522: 'A history of outcomes is malformed.',
} as const;
