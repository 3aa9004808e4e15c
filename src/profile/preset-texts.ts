/** The files of config/presets, by name. Generated from them: `npm run generate`. */
export const PRESET_TEXTS: Readonly<Record<string, string>> = {
  chat: `# yaml-language-server: $schema=../profile.schema.json
#
# For a conversation. Recent items count most, because the next answer refers to them. The kind has a small weight, so that
# a system note stays longer than small talk of the same age.
name: chat
description: Context of a conversation; recent items count most.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: recency, class: RecencyScorer, weight: 3 }
  - { id: kind, class: KindScorer, weight: 1 }
`,
  'code-review': `# yaml-language-server: $schema=../profile.schema.json
#
# For a code review. The kind of item (instructions, tool output, files) and the priority that its author set have the same
# weight; recency has half of it.
name: code-review
description: Context for a code review.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: kind, class: KindScorer, weight: 2 }
  - { id: priority, class: PriorityScorer, weight: 2 }
  - { id: recency, class: RecencyScorer, weight: 1 }
`,
  context: `# yaml-language-server: $schema=../profile.schema.json
#
# The common part of all presets for the context of a language model. Extend it with your own scorers. An item has
# \`content\` and \`tokens\`. Scorers also read \`kind\`, \`timestamp\`, \`priority\`, \`tags\`, \`future_relevance_hint\`, \`metadata\`
# and \`pinned\` if an item has them.
name: context
description: Context items of a language model, unscored. Extend it with scorers.
plugins: [cupel]

# Pinned items are always in the context. They are not scored and do not affect the scores of other items.
candidate: { pinned: candidate.?pinned.orValue(false) }

tier1_scorers:
  # A negative count is a mistake of the caller, and would make room for other items.
  - { id: negative_tokens, expr: candidate.?tokens.orValue(0) < 0 }

measures:
  # The cost of an item: its own count, or else the tokens of its content (npm install gpt-tokenizer).
  - { id: tokens, class: TokenCountScorer }

select:
  duplicates: candidate.content # keeps the one with the higher score
  pack: { cost: measures.tokens, budget: 8000, class: GreedyPack } # override it in a call: --budget 16000
  place: { class: Chronological }
`,
  conversation: `# yaml-language-server: $schema=../profile.schema.json
#
# For the messages of a conversation, as message codecs make them: \`id\`, \`role\`, \`content\`, \`tokens\`, and \`group\` for the
# messages of one tool call and its results. Messages that match the query count most, then recent ones.
name: conversation
description: Messages of a conversation with tool calls, in their order; no tool call is split from its results.
plugins: [cupel]

context:
  query: { type: string, description: 'The last message of the user. Without it, only recency counts.' }

# The codecs pin system messages and the last message of the user.
candidate: { pinned: candidate.?pinned.orValue(false) }

tier1_scorers:
  # A negative count is a mistake of the caller, and would make room for other messages.
  - { id: negative_tokens, expr: candidate.?tokens.orValue(0) < 0 }

measures:
  # The words that a message shares with the query, as a part of the best match. Absent without a query.
  - id: words
    class: ScaledScorer
    params:
      scorer: { class: BM25Scorer, params: { fields: content?, query: query, plurals: english } }
      scale: { type: max }

combine: weighted_mean
tier2_scorers:
  - { id: recency, class: RecencyScorer, weight: 2, params: { field: 'timestamp?', otherwise: position } }
  - { id: relevance, expr: measures.words, weight: 3, on_absent: 0 }

select:
  pack:
    cost: candidate.tokens
    budget: 8000 # override it in a call: --budget 16000
    keep_together: candidate.?group
    requires: candidate.?requires
    variants: candidate.?variants
    order: conversation
    class: GroupPack
`,
  'dag-suggest': `# yaml-language-server: $schema=../profile.schema.json
name: dag-suggest
description: Suggests tools for a workflow from a query, with a confidence.
# "seed" refers to AgentCards' scoring reference (ADR-033).
plugins: [agentcards]

context:
  query: { type: string, description: The query. }
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Tools that follow one another: nodes and edges, or a graph of graphology.' }

signals:
  - { id: graph, class: GraphSignal, on_error: fail }
  # seed 1.1
  - { id: alpha, class: ExpressionSignal, params: { value: 'max(0.5, 1.0 - 2.0 * signals.graph.density)' } }
  # seed 2.2: the weights of the confidence, by the density of the graph; \`below\` is exclusive. pool is from later code:
  # how many candidates to fetch, as a multiple of the wanted number
  - id: weights
    class: StageSignal
    params:
      by: signals.graph.density
      stages:
        - { name: cold, below: 0.01, values: { hybrid: 0.85, page_rank: 0.05, path: 0.1, pool: 1.5 } }
        - { name: growing, below: 0.1, values: { hybrid: 0.65, page_rank: 0.2, path: 0.15, pool: 2 } }
        - { name: mature, values: { hybrid: 0.55, page_rank: 0.3, path: 0.15, pool: 3 } }

measures:
  - id: meaning
    class: SemanticSimilarityScorer
    params:
      text: [server?, name, title?, description]
      query: query
      embedder: { name: transformers, model: Xenova/all-MiniLM-L6-v2, timeout: 5s }
  # Not in the seed: replaces the meaning if no model is available.
  - id: words
    class: ScaledScorer
    params: { scorer: { class: BM25Scorer, params: { fields: [server?, name, title?, description], query: query, plurals: english } } }
  - { id: semantic, expr: measures.?meaning.orValue(measures.words) }
  # seed 1.2
  - { id: related, class: AdamicAdarScorer, params: { direct_edge: 1, divide_by: 2, cap: 1 } }

# seed 2.1: 0.8 × hybrid + 0.2 × PageRank
combine: weighted_mean
tier2_scorers:
  # seed 1.3: alpha × semantic + (1 − alpha) × graph; if one of them is absent, the other one replaces it
  - id: hybrid
    weight: 0.8
    expr: >-
      signals.alpha * measures.?semantic.orValue(measures.related)
      + (1.0 - signals.alpha) * measures.?related.orValue(measures.semantic)
  # seed: raw PageRank, which sums to 1 over the graph
  - { id: page_rank, class: PageRankScorer, weight: 0.2, params: { scale: raw, damping: 0.85 } }

# seed 5.1: no score above 0.95
adjustments: [{ id: cap, max: 0.95 }]
# The five best, as in the code of the seed.
select: { top: 5 }

report:
  - id: confidence
    class: DagConfidence
    params:
      hybrid: hybrid
      page_rank: page_rank
      weights: signals.weights
      # As in the code of the seed: the mean PageRank of three tools, the paths between five, 0.5 without a path.
      mean_of: 3
      steps: 5
      no_path: 0.5
      # seed 2.3: by hops (edges)
      confidences: [0.95, 0.8, 0.65]
      beyond: 0.5
      max: 0.95 # seed 5.1
      warn_below: 0.5 # seed 5.3
`,
  debugging: `# yaml-language-server: $schema=../profile.schema.json
#
# For debugging. Items that were marked as important come first: an old error message before recent chatter.
name: debugging
description: Context for finding a bug.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: priority, class: PriorityScorer, weight: 3 }
  - { id: kind, class: KindScorer, weight: 2 }
  - { id: recency, class: RecencyScorer, weight: 1 }
`,
  'document-qa': `# yaml-language-server: $schema=../profile.schema.json
#
# For questions about documents. Like \`rag\`, but the kind of a part has the same weight as its relevance, and its priority
# counts, too.
name: document-qa
description: Parts of documents that help to answer a question.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: kind, class: KindScorer, weight: 2 }
  - { id: relevance, class: ReflexiveScorer, weight: 2 }
  - { id: priority, class: PriorityScorer, weight: 1 }
select:
  pack: { class: KnapsackPack } # for long parts: finds the best combination instead of the densest parts
  place: { class: UShaped }
`,
  'hybrid-search': `# yaml-language-server: $schema=../profile.schema.json
#
# Documents that several searches found, each with the score of each search. The scores of a search are scaled over the
# documents that it found, and the document gets their weighted mean. These are the defaults of OpenSearch's
# normalization-processor: min_max and arithmetic_mean.
name: hybrid-search
description: Documents by their scores in several searches, normalised and combined as OpenSearch does.
tier2_scorers:
  # The lowest score becomes 0.001, not 0, so that a document that was found ranks before one that was not. If all scores
  # are equal, they become 1. To use bounds, add lower: { at: 0.3, mode: clip } to the scale.
  - id: lexical
    class: ScaledScorer
    on_absent: 0 # a document that the search did not find
    params: { scorer: { expr: candidate.lexical }, scale: { type: min_max, equal: 1, floor: 0.001 } }
  - id: semantic
    class: ScaledScorer
    on_absent: 0
    params: { scorer: { expr: candidate.semantic }, scale: { type: min_max, equal: 1, floor: 0.001 } }
  # Reciprocal rank fusion, OpenSearch's score-ranker-processor: enable it, and disable the other two.
  - id: rrf
    enabled: false
    class: RankFusionScorer
    params: { scorers: [{ expr: candidate.lexical }, { expr: candidate.semantic }], k: 60, ties: order }
combine: weighted_mean
on_unscored: 0
select: { top: 10 }
`,
  'inference-routing': `# yaml-language-server: $schema=../profile.schema.json
#
# Endpoints of a model server, with the metrics that llm-d's endpoint picker reads. The score is the weighted sum of its
# scorers, each from 0 to 1.
name: inference-routing
description: The endpoint for an inference request, as llm-d's endpoint picker chooses it.
context:
  target_model: { type: string, description: The LoRA adapter of the request. }
tier1_scorers:
  - { id: not_ready, expr: candidate.ready == false }
tier2_scorers:
  - id: prefix # the share of the prompt that is already in the endpoint's cache
    expr: 'candidate.prefix_blocks == 0 ? 0 : candidate.prefix_match / candidate.prefix_blocks'
    range: [0, 1]
    weight: 3
    on_absent: 0
  - id: queue # 1 for the shortest queue, 0 for the longest; 1 if all are equal
    class: ScaledScorer
    params: { scorer: { expr: candidate.WaitingQueueSize }, scale: { type: min_max, reverse: true, equal: 1 } }
    weight: 2
    on_absent: 0
  - id: kv_cache
    expr: 1 - candidate.KVCacheUsagePercent
    range: [0, 1]
    weight: 2
    on_absent: 0
  - id: lora # the adapter is loaded, there is room for it, or it is about to be loaded
    when: has(context.target_model)
    expr: >-
      context.target_model in candidate.ActiveModels ? 1 :
      size(candidate.ActiveModels) + size(candidate.WaitingModels) < candidate.MaxActiveModels ? 0.8 :
      context.target_model in candidate.WaitingModels ? 0.6 : 0
    range: [0, 1]
    on_absent: 0
combine: weighted_sum
# A seed of the call orders ties at random (max-score-picker). To draw the endpoint in proportion to its score
# (weighted-random-picker), add diversify: { class: WeightedPick }.
select: { top: 1 }
`,
  'interview-extended': `# yaml-language-server: $schema=../profile.schema.json
name: interview-extended
description: The interview preset with four vetoes, ten scorers, and moves that are never refused.

extends: [interview]
plugins: [interview]

phases:
  exploratory: { n_turns: 5 }
  focused: { n_turns: 5 }
  closing: { n_turns: 2 }

signals:
  # The length of chains of thought, if the context lists the nodes and edges of the graph.
  - { id: chain_depth, class: ChainDepth }

strategies:
  - id: clarify
    name: Clarify
    type_category: clarification
    prompt_hint: Put the last question in other words.
    focus: { class: OpenFocus, params: { focus_type: clarification, text: Rephrasing } }

# No veto refuses the moves that keep the conversation going.
tier1_scorers:
  - id: knowledge_ceiling
    params: { exempt_strategies: &exempt [closing, ease, reflection, clarify], consecutive_terminal_threshold: 3 }
  - { id: element_exhausted, params: { exempt_strategies: *exempt } }
  - { id: recent_redundancy, params: { exempt_strategies: *exempt, user_response_threshold: 0.75 } }
  - id: clarification
    class: ClarificationVetoScorer
    params: { severity_threshold: 0.3, vetoed_strategies: [deepen, broaden, bridge], exempt_strategies: *exempt }

tier2_scorers:
  - { id: coverage_gap, weight: 0.14 }
  - { id: ambiguity, weight: 0.10 }
  - { id: depth_breadth_balance, weight: 0.14 }
  - { id: engagement, weight: 0.10 }
  - { id: strategy_diversity, weight: 0.10 }
  - { id: novelty, weight: 0.10 }
  - id: saturation
    class: SaturationScorer
    weight: 0.10
    out_of_range: clamp
    on_error: fail
    params: { chao1_threshold: 0.9, run_length: 2, saturated_penalty: 0.7, breadth_boost: 1.5 }
  - id: cluster_saturation
    class: ClusterSaturationScorer
    weight: 0.07
    out_of_range: clamp
    on_error: fail
    params: { high_saturation_threshold: 0.7, moderate_saturation_threshold: 0.4 }
  - id: contrast_opportunity
    class: ContrastOpportunityScorer
    weight: 0.07
    out_of_range: clamp
    on_error: fail
    params: { high_density_threshold: 0.6 }
  - id: peripheral_readiness
    class: PeripheralReadinessScorer
    weight: 0.08
    out_of_range: clamp
    on_error: fail
    params:
      high_density_threshold: 0.7
      moderate_density_threshold: 0.5
      min_peripheral_count: 3
      any_peripheral_count: 1

phase_profiles:
  exploratory: { clarify: 0.5 }
  focused: { clarify: 0.5 }
  closing: { clarify: 0.3 }
`,
  interview: `# yaml-language-server: $schema=../profile.schema.json
name: interview
description: The next move of an adaptive interview, two tiers over (strategy, focus) pairs.
# The comments quote the scoring document of that interview. If the document contradicts itself, the README of the plugin
# says which version applies.

plugins: [interview]

context:
  turn_count: { type: int, description: 'Turns before this one: 0 in the first.' }
  history: { type: list, description: 'Maps with speaker (user or system) and text; oldest first, up to the last answer.' }
  recent_nodes: { type: list, description: 'Maps with id, label, node_type, confidence, stance, connected_to; oldest first.' }
  graph: { type: map, description: 'node_count, edge_count, nodes_by_type; or nodes and edges themselves.' }
  coverage: { type: map, description: 'elements_seen and elements_total; or elements, elements_covered and elements_total.' }
  strategy_history: { type: list, description: 'Ids of the strategies used; oldest first.' }
  terminal_streak: { type: int, description: 'Consecutive answers, before the last one, that had nothing to add.' }
  low_info_streak: { type: int, description: 'Consecutive turns with little new information.' }
  repetition_count: { type: int, description: 'Consecutive questions that asked for more.' }
  chain_depth: { type: map, description: 'avg_chain_length, if the caller knows it.' }

# "Phases are determined by turn count": turns 0-3, 4-9, and from 10 on. An upset respondent reaches the last phase sooner.
phases:
  exploratory: { n_turns: 4 }
  focused: { n_turns: 6, when: 'signals.?emotional.?intensity.orValue("neutral") != "high_negative"' }
  closing: { n_turns: 1 }

signals:
  # Streaks, computed once per turn from the history unless the context has them.
  - { id: terminal_streak, class: TerminalStreak }
  - { id: low_info_streak, class: LowInfoStreak }
  # "Layer 3: LLM semantic extraction." If it is disabled, the rules decide. If it is enabled, its findings replace their results.
  - { id: reading, class: ConversationReading, enabled: false, timeout: 15s, params: { model: gpt-4o-mini } }
  - { id: uncertainty, class: UncertaintySignal }
  - { id: reasoning, class: ReasoningSignal }
  - { id: emotional, class: EmotionalSignal }
  - { id: contradiction, class: ContradictionSignal }
  - { id: knowledge_ceiling, class: KnowledgeCeilingSignal }
  - { id: concept_depth, class: ConceptDepthSignal }

# "Strategies are defined in YAML." Their order decides between equal scores. Three scorers search the conversation for the
# words of a focus, so its text names only the topic.
strategies:
  - id: deepen
    name: Deepen Understanding
    type_category: depth
    prompt_hint: Explore deeper into why this is important.
    focus:
      class: MostRecentNode
      params: { text: 'Deepen: {label}', otherwise: { text: Deepen understanding, confidence: 0.5 } }
  - id: broaden
    name: Explore Breadth
    type_category: breadth
    prompt_hint: Expand to related areas or perspectives.
    focus: { class: OpenFocus, params: { focus_type: breadth_exploration, text: Explore new aspects } }
  - id: cover_element
    name: Cover an Element
    type_category: coverage
    prompt_hint: Bring up an element of the concept that was not spoken of yet.
    focus: { class: UncoveredElements, params: { text: 'Cover: {id}' } }
  - id: closing
    name: Close the Interview
    type_category: closing
    prompt_hint: Thank the respondent and end the interview.
    focus: { class: OpenFocus, params: { focus_type: closing, text: Closing } }
  - id: reflection
    name: Reflect
    type_category: reflection
    prompt_hint: Ask what was left out so far.
    focus: { class: OpenFocus, params: { focus_type: reflection, text: Reflection } }
  - id: bridge
    name: Lateral Bridge to Peripheral
    type_category: peripheral
    prompt_hint: Link to what was just said, then shift to related area.
    focus:
      class: PeripheralNode
      params: { text: 'Bridge to: {label}', otherwise: { text: Bridge to a related area, confidence: 0.7 } }
  - id: contrast
    name: Introduce a Counter-Example
    type_category: contrast
    prompt_hint: Ask about a case where the opposite holds.
    focus: { class: OpenFocus, params: { focus_type: counter_example, text: Counter-example, confidence: 0.7 } }
  - id: ease
    name: Ease the Conversation
    type_category: interaction
    prompt_hint: Take the pressure off, and ask something light.
    focus: { class: OpenFocus, params: { focus_type: rapport_repair, text: Easing } }
  - id: synthesis
    name: Summarise & Invite Extension
    type_category: transition
    prompt_hint: Summarise what you've heard and invite correction.
    focus:
      class: RecentNodes
      params: { text: 'Summary of: {labels}', otherwise: { text: Summary so far, confidence: 0.8 } }

# "Tier 1 = Safety: when in doubt, veto." A veto that fails refuses the candidate with that reason.
tier1_scorers:
  - id: knowledge_ceiling
    class: KnowledgeCeilingScorer
    params: { negative_patterns: ["don't know", not sure, never heard, no idea, unfamiliar] }
  - { id: element_exhausted, class: ElementExhaustedScorer, params: { max_mentions: 5, lookback_window: 10 } }
  - { id: recent_redundancy, class: RecentRedundancyScorer, params: { similarity_threshold: 0.85, lookback_window: 6 } }

# "scorer_sum = Σ(weight_i × raw_score_i)"; 1.0 is neutral. A scorer that fails also fails the run, because a question that
# was selected without it would not look different.
combine: weighted_sum
tier2_scorers:
  - id: coverage_gap
    class: CoverageGapScorer
    weight: 0.20
    out_of_range: clamp
    on_error: fail
    params: { boost_per_gap: 0.15 }
  - id: ambiguity
    class: AmbiguityScorer
    weight: 0.15
    out_of_range: clamp
    on_error: fail
    params:
      high_clarity_threshold: 0.8
      low_clarity_threshold: 0.5
      hedge_words: [maybe, perhaps, possibly, sort of, kind of, i think, i guess, probably, not sure]
  - id: depth_breadth_balance
    class: DepthBreadthBalanceScorer
    weight: 0.20
    out_of_range: clamp
    on_error: fail
    params: { low_breadth_threshold: 0.4, low_depth_threshold: 2 }
  - id: engagement
    class: EngagementScorer
    weight: 0.15
    out_of_range: clamp
    on_error: fail
    params:
      low_momentum_threshold: 30
      high_momentum_threshold: 100
      enthusiasm_markers: ['!', really, absolutely, love, great, perfect]
  - id: strategy_diversity
    class: StrategyDiversityScorer
    weight: 0.15
    out_of_range: clamp
    on_error: fail
    params: { lookback_window: 5, moderate_penalty: 0.8, overuse_penalty: 0.6 }
  - id: novelty
    class: NoveltyScorer
    weight: 0.15
    out_of_range: clamp
    on_error: fail
    params: { lookback_window: 8, fresh_boost: 1.2, overdiscussed_penalty: 0.7 }

# "final_score = scorer_sum × phase_multiplier". A factor of 0 gives the score 0; it is not a veto.
phase_profiles:
  exploratory:
    deepen: 0.8
    broaden: 1.2
    cover_element: 1.1
    bridge: 0.2
    contrast: 0.0
    synthesis: 0.3
    closing: 0.0
    ease: 1.0
    reflection: 0.3
  focused:
    deepen: 1.3
    broaden: 0.4
    cover_element: 1.1
    bridge: 1.0
    contrast: 1.2
    synthesis: 0.7
    closing: 0.5
    ease: 1.0
    reflection: 0.7
  closing:
    deepen: 0.3
    broaden: 0.2
    cover_element: 0.5
    bridge: 0.3
    contrast: 0.5
    synthesis: 1.2
    closing: 1.5
    ease: 1.0
    reflection: 0.3

# "Select highest-scored non-vetoed candidate."
select: { top: 1 }

# If all were refused: closing. Otherwise: reflection, or else broaden. Each only if it is enabled.
fallback:
  - { when: 'vetoed > 0 && "closing" in strategies', use: closing }
  - { when: 'vetoed == 0 && "reflection" in strategies', use: reflection }
  - { when: 'vetoed == 0 && "broaden" in strategies', use: broaden }

report:
  - { id: alternatives, class: Alternatives, params: { count: 3, min_score: 0.3 } }
`,
  knowledgepulse: `# yaml-language-server: $schema=../profile.schema.json
name: knowledgepulse
description: The value of an agent's reasoning trace, as the KnowledgePulse SDK computes it.
# The comments quote the lines of that SDK's scoring documentation.

measures:
  # uniqueTools
  - { id: tools, class: CountScorer, params: { items: steps, distinct: tool.name } }
  # errorRecovery
  - { id: recoveries, class: CountScorer, params: { items: steps, where: { type: error_recovery } } }

# score = C × wC + N × wN + D × wD + O × wO
combine: weighted_sum
tier2_scorers:
  # C = min(1.0, (uniqueTypes / 4) * 0.5 + (errorRecovery > 0 ? 0.3 : 0) + (steps.length / 20) * 0.2)
  - id: complexity
    class: ComplexityScorer
    weight: 0.25
    params:
      items: steps
      kind: type
      kinds: 4
      kinds_weight: 0.5
      bonus_kind: error_recovery
      bonus: 0.3
      length: 20
      length_weight: 0.2

  # N = 1.0 - maxCosineSimilarity(embedding, cache), over the objective and the contents of all steps.
  # 0.5 with an empty cache (the scorer abstains), and without an embedder (preparing it fails).
  - id: novelty
    class: NoveltyScorer
    weight: 0.35
    on_absent: 0.5
    on_error: 0.5
    params:
      text: [task.objective, 'steps[].content']
      embedder: { name: transformers, model: Xenova/all-MiniLM-L6-v2, timeout: 5s }
      max_elements: 1000

  # D = min(1.0, (uniqueTools / max(1, steps.length)) * 3)
  - id: diversity
    class: DiversityScorer
    weight: 0.15
    params: { items: steps, distinct: tool.name, factor: 3 }

  # O = outcome.confidence * (metadata.success ? 1.0 : 0.3)
  - id: outcome
    class: OutcomeScorer
    weight: 0.25
    params: { value: outcome.confidence, success: metadata.success, failure_factor: 0.3 }

# "Domain-Specific Weight Profiles". Other domains have the weights above.
weights:
  by: candidate.metadata.task_domain
  cases:
    finance: { complexity: 0.20, novelty: 0.25, diversity: 0.10, outcome: 0.45 }
    code: { complexity: 0.20, novelty: 0.30, diversity: 0.30, outcome: 0.20 }
    medical: { complexity: 0.15, novelty: 0.20, diversity: 0.10, outcome: 0.55 }
    customer_service: { complexity: 0.20, novelty: 0.30, diversity: 0.20, outcome: 0.30 }

# "Rule-Based Overrides", in this order. Each changes the result of the one before it.
adjustments:
  # if (steps.length === 1 && steps[0].type === "thought") score = 0.1
  - id: single_thought
    when: candidate.steps.size() == 1 && candidate.steps[0].type == "thought"
    set: 0.1
  # if (errorRecovery > 2 && metadata.success) score = min(1.0, score + 0.1)
  - id: recovered
    when: measures.recoveries > 2 && candidate.metadata.success
    add: 0.1
    max: 1
  # if (uniqueTools <= 1 && steps.some(s => s.tool)) score = max(0.0, score - 0.1)
  - id: one_tool
    when: measures.tools <= 1 && candidate.steps.exists(step, has(step.tool))
    add: -0.1
    min: 0
`,
  'kubernetes-nodes': `# yaml-language-server: $schema=../profile.schema.json
#
# Nodes for a pod, as the scheduler of Kubernetes filters and scores them. A filter is a veto, and all vetoes are
# evaluated, so that a node shows everything that keeps the pod from it. CPU is in thousandths, memory in bytes.
name: kubernetes-nodes
description: Nodes for a pod, filtered and scored as by the scheduler of Kubernetes.
context:
  pod: { type: map, required: true, description: 'requests, and optionally tolerations, node_selector, preferred and images.' }
let: # names that the entries below read
  tolerations: context.pod.?tolerations.orValue([])
  not_tolerated: >- # the taints of the node
    candidate.taints.filter(t, !tolerations.exists(o, o.?effect.orValue("") in ["", t.effect] &&
    o.?key.orValue("") in ["", t.key] && (o.operator == "Exists" || o.?value.orValue("") == t.?value.orValue(""))))
  wrong_labels: >-
    context.pod.node_selector.transformList(key, value,
    !(candidate.?labels[?key].hasValue() && candidate.labels[key] == value), key)
  cpu: candidate.requested.cpu + context.pod.requests.?cpu.orValue(0) # with the pod
  memory: candidate.requested.memory + context.pod.requests.?memory.orValue(0)
veto_on_first: false
tier1_scorers:
  - id: unschedulable
    expr: 'candidate.?unschedulable.orValue(false)'
    reason: It is cordoned.
  - id: taint
    expr: not_tolerated.exists(t, t.effect in ["NoSchedule", "NoExecute"])
    reason: The pod does not tolerate its taints.
  - id: node_selector
    expr: size(wrong_labels) > 0
    reason: Its labels do not match the node selector.
  - id: cpu_full
    expr: cpu > candidate.allocatable.cpu
    reason: Not enough CPU.
  - id: memory_full
    expr: memory > candidate.allocatable.memory
    reason: Not enough memory.
  - id: pods_full
    expr: candidate.pods + 1 > candidate.allocatable.pods
    reason: Too many pods.
measures: # the share of each resource that is used with the pod
  - id: cpu_used
    expr: 'min(1, (candidate.requested.cpu + context.pod.requests.?cpu.orValue(100)) / candidate.allocatable.cpu)'
  - id: memory_used
    expr: >-
      min(1, (candidate.requested.memory + context.pod.requests.?memory.orValue(209715200)) /
      candidate.allocatable.memory)
# Each score is from 0 to 100, with the weights of Kubernetes. The first two are NodeResourcesFit, which has the weight 1.
tier2_scorers:
  - { id: cpu_free, expr: floor(100 * (1 - measures.cpu_used)), range: [0, 100], weight: 0.5, on_absent: 0 }
  - { id: memory_free, expr: floor(100 * (1 - measures.memory_used)), range: [0, 100], weight: 0.5, on_absent: 0 }
  - id: balanced # NodeResourcesBalancedAllocation
    expr: floor(100 * (1 - abs(measures.cpu_used - measures.memory_used) / 2))
    range: [0, 100]
    on_absent: 0
  - id: taints # TaintToleration: the fewer PreferNoSchedule taints that the pod does not tolerate, the better
    class: ScaledScorer
    params:
      scorer:
        expr: 'size(not_tolerated.filter(t, t.effect == "PreferNoSchedule"))'
        on_absent: 0
      scale: { type: max, integer: 100, reverse: true }
    weight: 3
  - id: affinity # NodeAffinity: the weights of the preferred labels, as a share of the highest sum
    when: has(context.pod.preferred)
    class: ScaledScorer
    params:
      scorer:
        expr: 'sum(context.pod.preferred.filter(p, candidate.labels[p.key] in p.values).map(p, p.weight))'
        on_absent: 0
      scale: { type: max, integer: 100 }
    weight: 2
  - id: images # ImageLocality, for images that only this node has
    when: has(context.pod.images)
    class: CurveScorer
    params:
      scorer:
        expr: 'sum(context.pod.images.map(i, candidate.?images.orValue({})[i])) / size(context.pod.images)'
        on_absent: 0
      points: [[24117248, 0], [1048576000, 100]] # 23 MB to 1000 MB
combine: weighted_sum
select: { top: 1 } # a seed of the call orders equal nodes at random
`,
  'long-running': `# yaml-language-server: $schema=../profile.schema.json
#
# For an agent that works for hours. Recent items count most. Items whose tags are frequent are about the main task, so they
# stay longer.
name: long-running
description: Context of an agent that works for hours.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: recency, class: RecencyScorer, weight: 3 }
  - { id: frequency, class: FrequencyScorer, weight: 1 }
  - { id: kind, class: KindScorer, weight: 1 }
`,
  'mixed-dag': `# yaml-language-server: $schema=../profile.schema.json
name: mixed-dag
description: Capabilities for a workflow, found by a query, by the tools in use, or by exploring.
# "seed" refers to AgentCards' scoring reference (ADR-033).
plugins: [agentcards]

context:
  query: { type: string, description: The query. }
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Capabilities, and edges to the tools that they use.' }

signals:
  - { id: graph, class: GraphSignal, on_error: fail }
  # seed 4.4: active search with a query, passive suggestion with tools in use, otherwise exploration
  - id: mode
    class: ExpressionSignal
    params:
      value: >-
        has(context.query) && context.query != "" ? "active"
        : (has(context.tools) && context.tools.size() > 0 ? "passive" : "exploration")

tier1_scorers:
  # seed 5.3: not in suggestions. A search finds them, with the factor below.
  - { id: unreliable, when: 'signals.mode == "passive"', expr: candidate.success_rate < 0.5 }
  # seed 4.4: "the stars of each major cluster", without a definition. Here: the first of each cluster of at least two.
  - { id: not_a_hub, when: 'signals.mode == "exploration"', class: ClusterHubVeto, params: { top: 1, min_capabilities: 2 } }

measures:
  - id: semantic
    when: 'signals.mode == "active"'
    class: SemanticSimilarityScorer
    params:
      text: [name, description]
      query: query
      embedder: { name: transformers, model: Xenova/all-MiniLM-L6-v2, timeout: 5s }
  # seed 4.2: "Jaccard index". The minimum of 0.3 (inclusive) is the project's.
  - id: overlap
    when: 'signals.mode == "passive"'
    class: OverlapScorer
    params: { measure: jaccard, own: tools_used, min: 0.3 }
  - id: centrality
    when: 'signals.mode == "exploration"'
    class: PageRankScorer
    params: { over: hypergraph, scale: raw, damping: 0.85 }
  # seed 4.2: +0.5 to +1.0 in the same cluster; 0.5 as in its code. Exploration already uses clusters.
  - { id: boost, when: 'signals.mode != "exploration"', class: ClusterScorer, params: { same: 0.5, partial: 0 } }

# seed 4.1: relevance × (1 + structural boost) × reliability, so a relevance of 0 stays 0
combine: { formula: relevance * (1.0 + structural_boost) * reliability }
tier2_scorers:
  # seed 4.2 and 4.4. A negative similarity counts as 0: otherwise boost and reliability would lower the score.
  - id: relevance
    expr: >-
      signals.mode == "active" ? max(0.0, measures.semantic)
      : (signals.mode == "passive" ? measures.overlap : measures.centrality)
  - { id: structural_boost, expr: measures.boost, on_absent: 0 }
  # seed 4.2: a factor of "< 0.1" below 0.5 (0.1 in its code), 1.2 above 0.9, and 1 if the rate is unknown
  - id: reliability
    class: ReliabilityScorer
    on_absent: 1
    params: { rate: success_rate, low: 0.5, low_factor: 0.1, high: 0.9, high_factor: 1.2 }

# seed 5.1: the last rule, applied once
adjustments: [{ id: cap, max: 0.95 }]
`,
  'next-capability': `# yaml-language-server: $schema=../profile.schema.json
name: next-capability
description: Which capability to use next, given the tools in use.
# "seed" refers to AgentCards' scoring reference (ADR-033), which calls this formula a placeholder.
plugins: [agentcards]

context:
  query: { type: string, description: The query. }
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Capabilities, and edges to the tools that they use.' }

tier1_scorers:
  # seed 5.3: a success rate below 0.5
  - { id: unreliable, expr: candidate.success_rate < 0.5 }

# seed 3.0: overlap × 0.4 + success rate × 0.35 + hypergraph PageRank × 0.15 + meaning × 0.1; if one is absent, the others
# are scaled up
combine: weighted_sum
tier2_scorers:
  # seed: "cap.tools_used[] ∩ context", relative to the capability's tools. The minimum of 0.3 (inclusive) is the project's.
  - { id: overlap, class: OverlapScorer, weight: 0.4, params: { measure: containment, own: tools_used, min: 0.3 } }
  - { id: success, class: ReliabilityScorer, weight: 0.35, params: { give: rate, rate: success_rate } }
  - { id: centrality, class: PageRankScorer, weight: 0.15, params: { over: hypergraph, scale: raw, damping: 0.85 } }
  - id: semantic
    class: SemanticSimilarityScorer
    weight: 0.1
    on_error: skip
    params:
      text: [name, description]
      query: query
      embedder: { name: transformers, model: Xenova/all-MiniLM-L6-v2, timeout: 5s }

# seed 5.1
adjustments: [{ id: cap, max: 0.95 }]
`,
  'next-step': `# yaml-language-server: $schema=../profile.schema.json
name: next-step
description: Which tool or capability to use next, in one list. Each kind has its own scorers.
# A candidate's kind is tool (the default) or capability.
extends: [next-tool, next-capability]

context:
  graph: { description: 'Tools that follow one another, capabilities, and edges to the tools that they use.' }

# seed 3.0: the scorers of both kinds. A mean, because the weights of each kind sum to 1, and absent scores are ignored.
combine: weighted_mean
weights:
  by: candidate.?kind.orValue("tool")
  cases:
    tool: { overlap: 0, success: 0, centrality: 0, semantic: 0 }
    capability: { cooccurrence: 0, community: 0, adamic_adar: 0, page_rank: 0 }
`,
  'next-tool': `# yaml-language-server: $schema=../profile.schema.json
name: next-tool
description: Which tool to use next, after the tools in use.
# "seed" refers to AgentCards' scoring reference (ADR-033).
plugins: [agentcards]

context:
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Tools that follow one another: nodes and edges, or a graph of graphology.' }
  executed: { type: list, description: 'The ids of executed tools. They are excluded.' }
  dangerous: { type: list, description: 'The ids of dangerous tools. They are excluded.' }
  history: { description: 'Earlier outcomes: successes and failures by id, or a list of tool and success.' }

tier1_scorers:
  - { id: executed, expr: candidate.id in context.executed }
  # Exact ids: matching parts of names would refuse "dropdown" because of "drop".
  - { id: dangerous, expr: candidate.id in context.dangerous }
  # seed 3.3 and 5.3: a failure rate above 0.5; exactly half passes
  - { id: failing, class: FailureRateVeto, on_error: fail, params: { max: 0.5, min_observations: 1 } }

measures:
  - { id: edge_weight, class: EdgeScorer, params: { give: weight } }
  - { id: edge_count, class: EdgeScorer, params: { give: count } }
  - { id: same_community, class: CommunityScorer, params: { resolution: 1 } }
  - { id: importance, class: PageRankScorer, params: { scale: raw, damping: 0.85 } }
  - { id: kinship, class: AdamicAdarScorer, params: { direct_edge: ignore, divide_by: 1, cap: none } }
  # seed 3.1: 0.40 + min(2 × PageRank, 0.20) + min(0.25 × edge weight, 0.25) + min(0.1 × Adamic-Adar, 0.10), at most 0.95
  - id: community_confidence
    class: BoostedScorer
    params:
      base: { expr: '0.40' }
      boosts:
        - { scorer: { expr: measures.importance }, factor: 2, cap: 0.2 }
        - { scorer: { expr: measures.edge_weight }, factor: 0.25, cap: 0.25 }
        - { scorer: { expr: measures.kinship }, factor: 0.1, cap: 0.1 }
      max: 0.95
  - { id: success_rate, class: OutcomeRateScorer, params: { of: successes, min_observations: 1 } }
  - { id: failure_rate, class: OutcomeRateScorer, params: { of: failures, min_observations: 1 } }

# seed 3.0: co-occurrence × 0.5 + community × 0.25 + Adamic-Adar × 0.15 + PageRank × 0.1
combine: weighted_sum
tier2_scorers:
  # seed 3.2: the edge's weight + min(0.05 × log2(count + 1), 0.20), at most 0.95; 0.30 without an edge, as in its code.
  # Absent without a graph, or if the graph has none of the tools in use, because nothing is known about any candidate.
  - id: cooccurrence
    class: BoostedScorer
    weight: 0.5
    params:
      base: { class: EdgeScorer, params: { give: weight, no_edge: 0.3 } }
      boosts: [{ scorer: { expr: measures.edge_count }, curve: log2, factor: 0.05, cap: 0.2 }]
      min: 0
      max: 0.95
  # The seed does not define its communityBoost. Here: the confidence above in the same community, otherwise 0.
  - { id: community, weight: 0.25, expr: measures.same_community * measures.community_confidence }
  # The raw value can exceed 10, so it is halved and limited to 1, as in seed 1.2.
  - { id: adamic_adar, weight: 0.15, expr: 'min(measures.kinship / 2, 1)' }
  - { id: page_rank, weight: 0.1, expr: measures.importance }

adjustments:
  # seed 3.3: outcomes of earlier uses; without any, the score does not change
  - { id: success, add: 'min(0.15, 0.20 * measures.success_rate)' }
  - { id: failure, add: '-min(0.15, 0.25 * measures.failure_rate)', min: 0, max: 1 }
  # seed 5.1: the last rule, applied once
  - { id: cap, max: 0.95 }
`,
  rag: `# yaml-language-server: $schema=../profile.schema.json
#
# For retrieval. Each passage has the relevance from its search as \`future_relevance_hint\`, which decides. The kind puts
# instructions and memories above passages of the same relevance.
name: rag
description: Retrieved passages, by the relevance from the retriever.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: relevance, class: ReflexiveScorer, weight: 3 }
  - { id: kind, class: KindScorer, weight: 1 }
select:
  place: { class: UShaped } # a model reads the beginning and the end most closely
`,
  'tool-choice': `# yaml-language-server: $schema=../profile.schema.json
name: tool-choice
description: Tools that fit a query, with scores that compare across queries; none, if no tool fits.
plugins: [agentcards]

# Unlike tool-search, which scales words and meaning over the batch: there the best tool of every query scores about 1, and
# if no tool matches, all have the same score. Here both are absolute.
context:
  query: { type: string, description: The query. }
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Tools that follow one another: nodes and edges, or a graph of graphology.' }
  floor: { type: number, description: 'No tool fits if the cosine of the best is lower; 0.24 by default, −1 to disable.' }
  words_floor:
    { type: number, description: 'Without a model, no tool fits if no share is above this; 0 by default, −1 to disable.' }

let:
  # For all-MiniLM-L6-v2 and the text below: about 95 % of LiveMCPBench's queries have a tool above it. Another model has
  # other cosines: measure its floor.
  floor: context.?floor.orValue(0.24)
  words_floor: context.?words_floor.orValue(0.0)

signals:
  - { id: graph, class: GraphSignal, on_error: fail }
  # As in tool-search: 1 without a graph, less for a denser one.
  - { id: alpha, class: ExpressionSignal, params: { value: 'max(0.5, 1.0 - 2.0 * signals.graph.density)' } }

measures:
  # The share of the highest score that a text could have for this query, from 0 to 1.
  - id: words
    class: BM25Scorer
    params:
      fields: [server?, name, title?, description]
      query: query
      plurals: english
      k1: 1.2
      b: 0.75
      scale: share
  # The cosine, from -1 to 1. Absent if no model is available. To disable it, write { id: meaning, when: 'false' }.
  - id: meaning
    class: SemanticSimilarityScorer
    params:
      text: [server?, name, title?, description]
      query: query
      embedder: { name: transformers, model: Xenova/all-MiniLM-L6-v2, timeout: 5s }

stats:
  meaning: measures.meaning
  words: measures.words

combine: weighted_mean
tier2_scorers:
  # Half and half: a larger weight of the words orders LiveMCPBench a little better, but within chance, and the scores then
  # separate real queries from others worse. If one of them is absent, the other replaces it.
  - id: text
    weight: signals.alpha
    expr: (measures.?words.orValue(measures.meaning) + measures.?meaning.orValue(measures.words)) / 2
  - id: related
    class: AdamicAdarScorer
    weight: 1.0 - signals.alpha
    params: { direct_edge: 1, divide_by: 2, cap: 1 }

adjustments:
  # The meaning alone decides: a long query shares words with tools that do not fit it, and the best share does not separate
  # real queries from others. Each tool is refused, so nothing is selected.
  - id: no_tool_fits
    when: stats.meaning.count > 0 && stats.meaning.max < floor
    refuse: true
    reason: no tool fits the query
  # Without a model, only a query without any word of a tool certainly has no tool.
  - id: no_word_matches
    when: stats.meaning.count == 0 && stats.words.count > 0 && stats.words.max <= words_floor
    refuse: true
    reason: no tool has a word of the query

select: { top: 10 }
`,
  'tool-search': `# yaml-language-server: $schema=../profile.schema.json
name: tool-search
description: Tools that fit a query, by words, by meaning, and by their relation to the tools in use.
# "seed" refers to AgentCards' scoring reference (ADR-033).
plugins: [agentcards]

# Any of these may be missing. Scorers that do not apply are ignored.
context:
  query: { type: string, description: The query. }
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Tools that follow one another: nodes and edges, or a graph of graphology.' }

signals:
  - { id: graph, class: GraphSignal, on_error: fail }
  # seed 1.1: density = edges / (nodes × (nodes − 1)), alpha = max(0.5, 1 − 2 × density); 1 without a graph
  - { id: alpha, class: ExpressionSignal, params: { value: 'max(0.5, 1.0 - 2.0 * signals.graph.density)' } }

measures:
  # The text of a tool is its entry in MCP's tools/list, after the name of its server if the catalogue has it: a name such
  # as "search" or "create_issue" is ambiguous without the server, and several servers may have a tool with that name.
  # Not in the seed, whose text score is only the meaning: words find names and rare terms, and need no model.
  - id: words
    class: ScaledScorer
    params:
      scorer:
        class: BM25Scorer
        params: { fields: [server?, name, title?, description], query: query, plurals: english, k1: 1.2, b: 0.75 }
  # Scaled over the batch like the words, so that neither outweighs the other. Absent if no model is available. To disable
  # it, write { id: meaning, when: 'false' }.
  - id: meaning
    class: ScaledScorer
    params:
      scorer:
        class: SemanticSimilarityScorer
        params:
          text: [server?, name, title?, description]
          query: query
          embedder: { name: transformers, model: Xenova/all-MiniLM-L6-v2, timeout: 5s }

# seed 1.3: alpha × semantic + (1 − alpha) × graph. A mean, so that without tools in use the text score is not reduced.
combine: weighted_mean
tier2_scorers:
  # The mean of words and meaning. If one of them is absent, the other replaces it, so the share of the graph stays.
  - id: text
    weight: signals.alpha
    expr: (measures.?words.orValue(measures.meaning) + measures.?meaning.orValue(measures.words)) / 2
  # seed 1.2: 1 for a direct edge, otherwise min(Adamic-Adar / 2, 1); the maximum over the tools in use
  - id: related
    class: AdamicAdarScorer
    weight: 1.0 - signals.alpha
    params: { direct_edge: 1, divide_by: 2, cap: 1 }

# No cap of 0.95 (seed 5.1), because these scores only order the tools; they are not confidences.
select: { top: 10 }
`,
  'tool-suggest': `# yaml-language-server: $schema=../profile.schema.json
name: tool-suggest
description: dag-suggest with corrected numbers.
# The README of the plugin agentcards explains the changes.
extends: [dag-suggest]
plugins: [agentcards]

context:
  executed: { type: list, description: 'The ids of executed tools. They are excluded.' }
  dangerous: { type: list, description: 'The ids of dangerous tools. They are excluded.' }
  history: { description: 'Earlier outcomes: successes and failures by id, or a list of tool and success.' }

tier1_scorers:
  - { id: executed, expr: candidate.id in context.executed }
  - { id: dangerous, expr: candidate.id in context.dangerous }
  # Requires five known outcomes and adds two assumed ones, because one failure is not enough evidence.
  - id: failing
    class: FailureRateVeto
    on_error: fail
    params: { max: 0.5, min_observations: 5, prior: { successes: 1, failures: 1 } }

measures:
  - id: success_rate
    class: OutcomeRateScorer
    params: { of: successes, min_observations: 1, prior: { successes: 1, failures: 1 } }
  - id: failure_rate
    class: OutcomeRateScorer
    params: { of: failures, min_observations: 1, prior: { successes: 1, failures: 1 } }

tier2_scorers:
  # The rank in the graph, from 0 to 1. The raw value is about 1/N, so its weights here and in the confidence have no effect.
  - { id: page_rank, params: { scale: rank } }

adjustments:
  - { id: success, before: cap, add: 'min(0.15, 0.20 * measures.success_rate)' }
  # 0.30, so that the maximum of 0.15 is reached at the failure rate of 0.5, which still passes the veto.
  - { id: failure, before: cap, add: '-min(0.15, 0.30 * measures.failure_rate)', min: 0 }
`,
  'tool-use': `# yaml-language-server: $schema=../profile.schema.json
#
# For an agent that calls tools. Recent results count most, and tool output more than talk. Priorities have a small weight.
name: tool-use
description: Context of an agent that calls tools.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: kind, class: KindScorer, weight: 2 }
  - { id: recency, class: RecencyScorer, weight: 2 }
  - { id: priority, class: PriorityScorer, weight: 1 }
`,
  'trace-quality': `# yaml-language-server: $schema=../profile.schema.json
#
# How well an agent's trace went: an order for a review, or a filter before traces are stored. The measures need no model and
# do not read the outcome: \`metadata.success\`, \`metadata.quality_score\` and \`outcome\` may be absent.
#
# Two measures compare traces with the others of the batch: score all traces of a day, not one at a time. Of a trace that
# cannot be compared, the other measures decide.
#
# Weights and curves were fitted by \`assize tune --curves 5\` to the success of 1,832 public traces, for AUC, from weights of
# 1. The page quality.md of the plugin agents has the results by source of traces.
# held out, 16 folds by source: no difference shown
#   0.864 → 0.870: +0.006 (95 %: −0.007 to +0.019), p 0.35
# held out, 5 folds by task: better
#   0.860 → 0.887: +0.027 (95 %: +0.014 to +0.041), p < 0.0002
# assize-data: 1832 0023cb 002de0 0043ae 005049 006079 00b8a9 00ec50 00f1fe 010de0 0141da 014d1b 015449
name: trace-quality
description: How well an agent's trace went, by measures that need no model and do not read the outcome.
plugins: [agents]
tier1_scorers:
  - { id: no_steps, expr: '!has(candidate.steps) || candidate.steps.size() == 0' }
tier2_scorers:
  # Fewer steps than comparable traces of the batch.
  - id: effort
    class: CurveScorer
    weight: 0.82
    on_absent: 0.372
    params:
      scorer: { class: EffortScorer }
      points: [ [ 0.26, 0 ], [ 0.44, 0.33 ], [ 0.57, 0.42 ], [ 0.86, 1 ] ]
  # It ends like other runs of the same task in the batch.
  - id: agreement
    class: CurveScorer
    weight: 1.93
    on_absent: 0.43
    params:
      scorer: { class: AgreementScorer }
      points: [ [ 0, 0 ], [ 0.5, 0.43 ], [ 0.523, 0.54 ], [ 1, 1 ] ]
  # It does not call a tool again with the same arguments.
  - id: repeated_calls
    class: CurveScorer
    weight: 1.7
    params:
      scorer: { class: RepeatedCallScorer }
      points: [ [ 0.14, 0 ], [ 0.6, 0.18 ], [ 0.86, 0.5 ], [ 0.97, 1 ] ]
  # Its last result has new words.
  - id: new_information
    class: CurveScorer
    weight: 0.54
    on_absent: 0.502
    params:
      scorer: { class: NewInformationScorer }
      points: [ [ 0.03, 0 ], [ 0.4, 0.44 ], [ 0.72, 0.64 ], [ 0.97, 1 ] ]
  # Its texts do not speak of another attempt.
  - id: setbacks
    class: CurveScorer
    weight: 0.19
    on_absent: 1
    params:
      scorer: { class: SetbackScorer }
      points: [ [ 0.08, 0 ], [ 0.81, 0 ], [ 0.96, 1 ] ]
  # No errors, or early ones.
  - id: errors
    class: CurveScorer
    weight: 0.97
    params:
      scorer: { class: ToolErrorScorer }
      points: [ [ 0.04, 0 ], [ 0.22, 0.54 ], [ 0.48, 0.89 ], [ 0.9, 1 ] ]
  # Its texts do not repeat their wording.
  - id: repeated_texts
    class: CurveScorer
    weight: 0.85
    on_absent: 1
    params:
      scorer: { class: RepeatedTextScorer }
      points: [ [ 0.38, 0 ], [ 0.81, 0 ], [ 0.917, 0.37 ], [ 0.991, 1 ] ]
`,
};
