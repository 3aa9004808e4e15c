/**
 * The plugin `agentcards`: ranks tools and capabilities by meaning and by a graph of how they are used together.
 *
 * @module
 */
export { AdamicAdarScorer } from './adamic-adar-scorer.js';
export { ClusterHubVeto } from './cluster-hub-veto.js';
export { ClusterScorer } from './cluster-scorer.js';
export { ClusterSignal } from './cluster-signal.js';
export { codes } from './codes.js';
export { CommunityScorer } from './community-scorer.js';
export { DagConfidence } from './dag-confidence.js';
export { EdgeScorer } from './edge-scorer.js';
export { FailureRateVeto } from './failure-rate-veto.js';
export { GraphSignal } from './graph-signal.js';
export { HypergraphNeighbourScorer } from './hypergraph-neighbour-scorer.js';
export { OutcomeRateScorer } from './outcome-rate-scorer.js';
export { OverlapScorer } from './overlap-scorer.js';
export { PageRankScorer } from './page-rank-scorer.js';
export { PathScorer } from './path-scorer.js';
export { ReliabilityScorer } from './reliability-scorer.js';
export { StageSignal } from './stage-signal.js';
