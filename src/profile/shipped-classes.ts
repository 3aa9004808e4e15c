const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The classes of the plugins that ship besides `core`, to say which has one. A test keeps them as they are. */
export const SHIPPED_CLASSES: Readonly<Record<string, readonly string[]>> = {
  agentcards: words(`
    AdamicAdarScorer ClusterHubVeto ClusterScorer ClusterSignal CommunityScorer DagConfidence EdgeScorer
    FailureRateVeto GraphSignal HypergraphNeighbourScorer OutcomeRateScorer OverlapScorer PageRankScorer
    PathScorer ReliabilityScorer StageSignal
  `),
  cupel: words(`
    Chronological CountQuotaPack FrequencyScorer GreedyPack KindScorer KnapsackPack MetadataKeyScorer
    MetadataTrustScorer PriorityScorer QuotaPack RecencyScorer ReflexiveScorer TagScorer TokenCountScorer UShaped
  `),
  interview: words(`
    AmbiguityScorer ChainDepth ClarificationVetoScorer ClusterSaturationScorer ConceptDepthSignal
    ConsecutiveExhaustionScorer ContradictionSignal ContrastOpportunityScorer ConversationReading
    CoverageGapScorer DepthBreadthBalanceScorer ElementExhaustedScorer EmotionalSignal EngagementScorer
    KnowledgeCeilingScorer KnowledgeCeilingSignal LowInfoStreak MostRecentNode NoveltyScorer OpenFocus
    PeripheralNode PeripheralReadinessScorer QuestionRepetitionScorer ReasoningSignal RecentNodes
    RecentRedundancyScorer SaturationScorer StrategyDiversityScorer TerminalStreak UncertaintySignal
    UncoveredElements
  `),
  rerank: ['CrossEncoderScorer', 'PairwiseRubricScorer', 'RerankerScorer', 'RubricScorer'],
};

/** The shipped plugin that has a class; undefined if none has. */
export const shippedPluginOf = (name: string): string | undefined =>
  Object.keys(SHIPPED_CLASSES).find((plugin) => SHIPPED_CLASSES[plugin]?.includes(name));

/** Every class of the plugins that ship besides `core`. */
export const shippedClassNames = (): readonly string[] => Object.values(SHIPPED_CLASSES).flat();
