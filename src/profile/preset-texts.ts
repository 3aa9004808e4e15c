/** The files of config/presets, by name. Generated from them: `npm run generate`. */
export const PRESET_TEXTS: Readonly<Record<string, string>> = {
  chat: `# yaml-language-server: $schema=../profile.schema.json
#
# A conversation. What was said last is what the next answer is about; the kind of item only tips the scales, so that a
# note of the system outlasts small talk of the same hour.
name: chat
description: What a conversation should remember, the latest most.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: recency, class: RecencyScorer, weight: 3 }
  - { id: kind, class: KindScorer, weight: 1 }
`,
  'code-review': `# yaml-language-server: $schema=../profile.schema.json
#
# A review of code. What kind of item it is (instructions, tool output, files) and what its author marked as important
# count the same, and recency half of either.
name: code-review
description: What a reviewer of code should see.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: kind, class: KindScorer, weight: 2 }
  - { id: priority, class: PriorityScorer, weight: 2 }
  - { id: recency, class: RecencyScorer, weight: 1 }
`,
  context: `# yaml-language-server: $schema=../profile.schema.json
#
# What all presets for the context of a language model have in common; extend it with scorers of your own. An item has
# \`content\` and \`tokens\`; what else it has (\`kind\`, \`timestamp\`, \`priority\`, \`tags\`, \`future_relevance_hint\`, \`metadata\`,
# \`pinned\`) the scorers read where they find it.
name: context
description: Context items of a language model, unscored. Extend it with scorers.
plugins: [cupel]

# In whatever else is; it is not scored, and it has no influence on the scores of the others.
candidate: { pinned: candidate.?pinned.orValue(false) }

tier1_scorers:
  # A count below 0 is a mistake of whoever counted, and would make room where there is none.
  - { id: negative_tokens, expr: candidate.?tokens.orValue(0) < 0 }

measures:
  # What an item costs: its own count where it has one, else counted in its content (npm install gpt-tokenizer).
  - { id: tokens, class: TokenCountScorer }

select:
  duplicates: candidate.content # the better scored one stays
  pack: { cost: measures.tokens, budget: 8000, class: GreedyPack } # a call's own budget: --budget 16000
  place: { class: Chronological }
`,
  'dag-suggest': `# yaml-language-server: $schema=../profile.schema.json
name: dag-suggest
description: Which tools to build a workflow of for a query, and how confident one may be of them.
# "seed": as AgentCards' scoring reference (ADR-033) has it.
plugins: [agentcards]

context:
  query: { type: string, description: What is asked for. }
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Tools that follow one another: nodes and edges, or a graph of graphology.' }

signals:
  - { id: graph, class: GraphSignal, on_error: fail }
  # seed 1.1
  - { id: alpha, class: ExpressionSignal, params: { value: 'max(0.5, 1.0 - 2.0 * signals.graph.density)' } }
  # seed 2.2: what the confidence weighs, by the density of the graph; a stage ends before its bound. pool, from later code:
  # how many times as many candidates to bring as are wanted
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
  # Not in the seed: stands in for the meaning where there is no model.
  - id: words
    class: ScaledScorer
    params: { scorer: { class: BM25Scorer, params: { fields: [server?, name, title?, description], query: query, plurals: english } } }
  - { id: semantic, expr: measures.?meaning.orValue(measures.words) }
  # seed 1.2
  - { id: related, class: AdamicAdarScorer, params: { direct_edge: 1, divide_by: 2, cap: 1 } }

# seed 2.1: 0.8 × hybrid + 0.2 × PageRank
combine: weighted_mean
tier2_scorers:
  # seed 1.3: alpha × semantic + (1 − alpha) × graph; where one of them does not apply, the other one in its place
  - id: hybrid
    weight: 0.8
    expr: >-
      signals.alpha * measures.?semantic.orValue(measures.related)
      + (1.0 - signals.alpha) * measures.?related.orValue(measures.semantic)
  # seed: raw, which sums to 1 over the graph
  - { id: page_rank, class: PageRankScorer, weight: 0.2, params: { scale: raw, damping: 0.85 } }

# seed 5.1: nothing is sure
adjustments: [{ id: cap, max: 0.95 }]
# The five best, as in the code that the seed describes.
select: { top: 5 }

report:
  - id: confidence
    class: DagConfidence
    params:
      hybrid: hybrid
      page_rank: page_rank
      weights: signals.weights
      # The code that the seed describes: the mean PageRank of three, the ways between five, 0.5 where there is none.
      mean_of: 3
      steps: 5
      no_path: 0.5
      # seed 2.3: by hops, which are edges
      confidences: [0.95, 0.8, 0.65]
      beyond: 0.5
      max: 0.95 # seed 5.1
      warn_below: 0.5 # seed 5.3
`,
  debugging: `# yaml-language-server: $schema=../profile.schema.json
#
# A hunt for a bug: what was marked as important comes first, an error message an hour old before the chatter since.
name: debugging
description: What to look at while hunting a bug.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: priority, class: PriorityScorer, weight: 3 }
  - { id: kind, class: KindScorer, weight: 2 }
  - { id: recency, class: RecencyScorer, weight: 1 }
`,
  'document-qa': `# yaml-language-server: $schema=../profile.schema.json
#
# Questions about documents: as \`rag\`, but what a part is counts as much as the relevance that it brings, and a priority that
# somebody gave it counts, too.
name: document-qa
description: Which parts of documents should be read to answer a question.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: kind, class: KindScorer, weight: 2 }
  - { id: relevance, class: ReflexiveScorer, weight: 2 }
  - { id: priority, class: PriorityScorer, weight: 1 }
select:
  pack: { class: KnapsackPack } # long parts: the best combination, and not the densest first
  place: { class: UShaped }
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
  # How far thoughts were followed, where the context lists the graph's nodes and edges.
  - { id: chain_depth, class: ChainDepth }

strategies:
  - id: clarify
    name: Clarify
    type_category: clarification
    prompt_hint: Put the last question in other words.
    focus: { class: OpenFocus, params: { focus_type: clarification, text: Rephrasing } }

# Moves that keep the conversation going must remain: no veto refuses them.
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
# Quoted beside each part: what the document on that interview's scoring says of it. Where the document contradicts
# itself, the plugin's README says which side is taken.

plugins: [interview]

context:
  turn_count: { type: int, description: 'Turns before this one: 0 in the first.' }
  history: { type: list, description: 'Maps with speaker (user or system) and text; oldest first, up to the last answer.' }
  recent_nodes: { type: list, description: 'Maps with id, label, node_type, confidence, stance, connected_to; oldest first.' }
  graph: { type: map, description: 'node_count, edge_count, nodes_by_type; or nodes and edges themselves.' }
  coverage: { type: map, description: 'elements_seen and elements_total; or elements, elements_covered and elements_total.' }
  strategy_history: { type: list, description: 'Ids of the strategies used; oldest first.' }
  terminal_streak: { type: int, description: 'Answers in a row, before the last one, that had nothing more to say.' }
  low_info_streak: { type: int, description: 'Turns in a row that brought little new.' }
  repetition_count: { type: int, description: 'Questions in a row that asked what else there is.' }
  chain_depth: { type: map, description: 'avg_chain_length, where the caller knows it.' }

# "Phases are determined by turn count": turns 0-3, 4-9, 10 and on. Somebody who is upset is let go sooner.
phases:
  exploratory: { n_turns: 4 }
  focused: { n_turns: 6, when: 'signals.?emotional.?intensity.orValue("neutral") != "high_negative"' }
  closing: { n_turns: 1 }

signals:
  # Streaks, computed once a turn from the history unless the context brings them.
  - { id: terminal_streak, class: TerminalStreak }
  - { id: low_info_streak, class: LowInfoStreak }
  # "Layer 3: LLM semantic extraction." Off: the rules decide. On, what it reads decides alone where it reads something.
  - { id: reading, class: ConversationReading, enabled: false, timeout: 15s, params: { model: gpt-4o-mini } }
  - { id: uncertainty, class: UncertaintySignal }
  - { id: reasoning, class: ReasoningSignal }
  - { id: emotional, class: EmotionalSignal }
  - { id: contradiction, class: ContradictionSignal }
  - { id: knowledge_ceiling, class: KnowledgeCeilingSignal }
  - { id: concept_depth, class: ConceptDepthSignal }

# "Strategies are defined in YAML." Their order decides between equal scores. Three scorers look for the words of a
# focus in what was said: its text names the topic, and nothing else.
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

# "Tier 1 = Safety: when in doubt, veto." One that fails refuses, and says that it failed.
tier1_scorers:
  - id: knowledge_ceiling
    class: KnowledgeCeilingScorer
    params: { negative_patterns: ["don't know", not sure, never heard, no idea, unfamiliar] }
  - { id: element_exhausted, class: ElementExhaustedScorer, params: { max_mentions: 5, lookback_window: 10 } }
  - { id: recent_redundancy, class: RecentRedundancyScorer, params: { similarity_threshold: 0.85, lookback_window: 6 } }

# "scorer_sum = Σ(weight_i × raw_score_i)", 1.0 being neutral. One that fails fails the run: a question that was chosen
# without one of them would look like any other.
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

# "final_score = scorer_sum × phase_multiplier". A factor of 0 scores 0, and is no veto.
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

# Everything refused: close. Nothing to choose from: reflect, else broaden. Each if it is enabled.
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
# Quoted beside each part: the lines of that SDK's scoring documentation that it says in YAML.

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
  # 0.5 on an empty cache (the scorer abstains) and without an embedder (it cannot be prepared).
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

# "Domain-Specific Weight Profiles"; a domain without a profile has the weights above.
weights:
  by: candidate.metadata.task_domain
  cases:
    finance: { complexity: 0.20, novelty: 0.25, diversity: 0.10, outcome: 0.45 }
    code: { complexity: 0.20, novelty: 0.30, diversity: 0.30, outcome: 0.20 }
    medical: { complexity: 0.15, novelty: 0.20, diversity: 0.10, outcome: 0.55 }
    customer_service: { complexity: 0.20, novelty: 0.30, diversity: 0.20, outcome: 0.30 }

# "Rule-Based Overrides": in this order, each on what the one before it left.
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
  'long-running': `# yaml-language-server: $schema=../profile.schema.json
#
# An agent at work for hours: the latest most, but what shares its tags with much of the rest is what the work is about, and
# stays longer.
name: long-running
description: What an agent should remember after hours of work.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: recency, class: RecencyScorer, weight: 3 }
  - { id: frequency, class: FrequencyScorer, weight: 1 }
  - { id: kind, class: KindScorer, weight: 1 }
`,
  'mixed-dag': `# yaml-language-server: $schema=../profile.schema.json
name: mixed-dag
description: Which capabilities belong into a workflow, found by a query, by the tools in use, or by looking around.
# "seed": as AgentCards' scoring reference (ADR-033) has it.
plugins: [agentcards]

context:
  query: { type: string, description: What is asked for. }
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Capabilities, and edges to the tools that they use.' }

signals:
  - { id: graph, class: GraphSignal, on_error: fail }
  # seed 4.4: with a query active search, with tools in use passive suggestion, else exploration
  - id: mode
    class: ExpressionSignal
    params:
      value: >-
        has(context.query) && context.query != "" ? "active"
        : (has(context.tools) && context.tools.size() > 0 ? "passive" : "exploration")

tier1_scorers:
  # seed 5.3 keeps them out of suggestions; a search finds them, with the factor below
  - { id: unreliable, when: 'signals.mode == "passive"', expr: candidate.success_rate < 0.5 }
  # seed 4.4: "the stars of each major cluster", of which it says no more: the first of each with two capabilities
  - { id: not_a_hub, when: 'signals.mode == "exploration"', class: ClusterHubVeto, params: { top: 1, min_capabilities: 2 } }

measures:
  - id: semantic
    when: 'signals.mode == "active"'
    class: SemanticSimilarityScorer
    params:
      text: [name, description]
      query: query
      embedder: { name: transformers, model: Xenova/all-MiniLM-L6-v2, timeout: 5s }
  # seed 4.2: "Jaccard index"; the project's own least overlap, which counts itself
  - id: overlap
    when: 'signals.mode == "passive"'
    class: OverlapScorer
    params: { measure: jaccard, own: tools_used, min: 0.3 }
  - id: centrality
    when: 'signals.mode == "exploration"'
    class: PageRankScorer
    params: { over: hypergraph, scale: raw, damping: 0.85 }
  # seed 4.2: +0.5 to +1.0 in the same cluster; 0.5 as in its code. Exploration already goes by clusters.
  - { id: boost, when: 'signals.mode != "exploration"', class: ClusterScorer, params: { same: 0.5, partial: 0 } }

# seed 4.1: relevance × (1 + structural boost) × reliability: relevance 0 stays 0
combine: { formula: relevance * (1.0 + structural_boost) * reliability }
tier2_scorers:
  # seed 4.2 and 4.4. A meaning that points away is no relevance: below 0, what speaks for a capability would count against it.
  - id: relevance
    expr: >-
      signals.mode == "active" ? max(0.0, measures.semantic)
      : (signals.mode == "passive" ? measures.overlap : measures.centrality)
  - { id: structural_boost, expr: measures.boost, on_absent: 0 }
  # seed 4.2: below 0.5 a factor of "< 0.1", which its code reads as 0.1; above 0.9 of 1.2; where nothing is known, 1
  - id: reliability
    class: ReliabilityScorer
    on_absent: 1
    params: { rate: success_rate, low: 0.5, low_factor: 0.1, high: 0.9, high_factor: 1.2 }

# seed 5.1: last, and once
adjustments: [{ id: cap, max: 0.95 }]
`,
  'next-capability': `# yaml-language-server: $schema=../profile.schema.json
name: next-capability
description: Which capability comes next, by the tools in use.
# "seed": as AgentCards' scoring reference (ADR-033) has it, which calls this formula a placeholder.
plugins: [agentcards]

context:
  query: { type: string, description: What is asked for. }
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Capabilities, and edges to the tools that they use.' }

tier1_scorers:
  # seed 5.3: a success rate below 0.5
  - { id: unreliable, expr: candidate.success_rate < 0.5 }

# seed 3.0: overlap × 0.4 + success rate × 0.35 + hypergraph PageRank × 0.15 + meaning × 0.1; what is absent leaves the
# rest its share
combine: weighted_sum
tier2_scorers:
  # seed: "cap.tools_used[] ∩ context", of the capability's own tools; the project's own least overlap, which counts itself
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
description: What comes next, tools and capabilities in one list, each judged by its own signals.
# A candidate's kind is tool (when not said) or capability.
extends: [next-tool, next-capability]

context:
  graph: { description: 'Tools that follow one another, capabilities, and edges to the tools that they use.' }

# seed 3.0: the signals of either kind. A mean: each kind's weights sum to 1, and what is absent leaves the rest its share.
combine: weighted_mean
weights:
  by: candidate.?kind.orValue("tool")
  cases:
    tool: { overlap: 0, success: 0, centrality: 0, semantic: 0 }
    capability: { cooccurrence: 0, community: 0, adamic_adar: 0, page_rank: 0 }
`,
  'next-tool': `# yaml-language-server: $schema=../profile.schema.json
name: next-tool
description: Which tool comes next, after the tools in use.
# "seed": as AgentCards' scoring reference (ADR-033) has it.
plugins: [agentcards]

context:
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Tools that follow one another: nodes and edges, or a graph of graphology.' }
  executed: { type: list, description: 'The ids of what was executed, to leave out.' }
  dangerous: { type: list, description: 'The ids of what is dangerous, to leave out.' }
  history: { description: 'Earlier outcomes: successes and failures by id, or a list of tool and success.' }

tier1_scorers:
  - { id: executed, expr: candidate.id in context.executed }
  # Exact ids: a list of parts of names would refuse "dropdown" for "drop".
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
  # Absent without a graph, or where the graph knows none of the tools in use: that says nothing of any candidate.
  - id: cooccurrence
    class: BoostedScorer
    weight: 0.5
    params:
      base: { class: EdgeScorer, params: { give: weight, no_edge: 0.3 } }
      boosts: [{ scorer: { expr: measures.edge_count }, curve: log2, factor: 0.05, cap: 0.2 }]
      min: 0
      max: 0.95
  # The seed does not say what its communityBoost is: the confidence above in the same community, else 0.
  - { id: community, weight: 0.25, expr: measures.same_community * measures.community_confidence }
  # Raw it reaches 10 and more: halved and at most 1, as in seed 1.2.
  - { id: adamic_adar, weight: 0.15, expr: 'min(measures.kinship / 2, 1)' }
  - { id: page_rank, weight: 0.1, expr: measures.importance }

adjustments:
  # seed 3.3: what is known of earlier uses; where nothing is, nothing changes
  - { id: success, add: 'min(0.15, 0.20 * measures.success_rate)' }
  - { id: failure, add: '-min(0.15, 0.25 * measures.failure_rate)', min: 0, max: 1 }
  # seed 5.1: last, and once
  - { id: cap, max: 0.95 }
`,
  rag: `# yaml-language-server: $schema=../profile.schema.json
#
# Retrieval: each passage brings the relevance that its search gave it, as \`future_relevance_hint\`, and that decides; kind
# keeps instructions and memories above passages of the same relevance.
name: rag
description: Which retrieved passages should be read, by the relevance that the retriever gave them.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: relevance, class: ReflexiveScorer, weight: 3 }
  - { id: kind, class: KindScorer, weight: 1 }
select:
  place: { class: UShaped } # a model reads the beginning and the end most closely
`,
  'tool-search': `# yaml-language-server: $schema=../profile.schema.json
name: tool-search
description: Which tools fit a query, by words, by meaning, and by what goes with the tools in use.
# "seed": as AgentCards' scoring reference (ADR-033) has it.
plugins: [agentcards]

# Any may be missing: what does not apply is left out, and the rest decides.
context:
  query: { type: string, description: What is asked for. }
  tools: { type: list, description: The ids of the tools in use. }
  graph: { description: 'Tools that follow one another: nodes and edges, or a graph of graphology.' }

signals:
  - { id: graph, class: GraphSignal, on_error: fail }
  # seed 1.1: density = edges / (nodes × (nodes − 1)), alpha = max(0.5, 1 − 2 × density); 1 without a graph
  - { id: alpha, class: ExpressionSignal, params: { value: 'max(0.5, 1.0 - 2.0 * signals.graph.density)' } }

measures:
  # The text of a tool is what MCP's tools/list says of it, after the name of its server where the catalogue has it: a name
  # such as "search" or "create_issue" says little without, and several servers may have one of that name.
  # Not in the seed, whose text score is meaning alone: words find names and rare terms, and need no model.
  - id: words
    class: ScaledScorer
    params:
      scorer:
        class: BM25Scorer
        params: { fields: [server?, name, title?, description], query: query, plurals: english, k1: 1.2, b: 0.75 }
  # Stretched over the batch as the words are, so that neither outweighs the other. Absent where there is no model; to do
  # without one: { id: meaning, when: 'false' }.
  - id: meaning
    class: ScaledScorer
    params:
      scorer:
        class: SemanticSimilarityScorer
        params:
          text: [server?, name, title?, description]
          query: query
          embedder: { name: transformers, model: Xenova/all-MiniLM-L6-v2, timeout: 5s }

# seed 1.3: alpha × semantic + (1 − alpha) × graph. A mean, so that without tools in use the text decides alone, unshrunk.
combine: weighted_mean
tier2_scorers:
  # Words and meaning, half and half; where one of them does not apply, the other in its place: the graph's share stays.
  - id: text
    weight: signals.alpha
    expr: (measures.?words.orValue(measures.meaning) + measures.?meaning.orValue(measures.words)) / 2
  # seed 1.2: 1 for a direct edge, else min(Adamic-Adar / 2, 1); the most over the tools in use
  - id: related
    class: AdamicAdarScorer
    weight: 1.0 - signals.alpha
    params: { direct_edge: 1, divide_by: 2, cap: 1 }

# No cap of 0.95 (seed 5.1): these scores say what comes first, and are no confidences.
select: { top: 10 }
`,
  'tool-suggest': `# yaml-language-server: $schema=../profile.schema.json
name: tool-suggest
description: dag-suggest, mended where its numbers work against each other.
# What was changed, and why, is in the README of the plugin agentcards.
extends: [dag-suggest]
plugins: [agentcards]

context:
  executed: { type: list, description: 'The ids of what was executed, to leave out.' }
  dangerous: { type: list, description: 'The ids of what is dangerous, to leave out.' }
  history: { description: 'Earlier outcomes: successes and failures by id, or a list of tool and success.' }

tier1_scorers:
  - { id: executed, expr: candidate.id in context.executed }
  - { id: dangerous, expr: candidate.id in context.dangerous }
  # Five known outcomes, and two imagined ones: one failure says little of a tool.
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
  # Its place in the graph, from 0 to 1: raw it is about 1/N, and neither its weight here nor that in the confidence acts.
  - { id: page_rank, params: { scale: rank } }

adjustments:
  - { id: success, before: cap, add: 'min(0.15, 0.20 * measures.success_rate)' }
  # 0.30, so that the most of 0.15 is reached at the failure rate of 0.5 that still passes.
  - { id: failure, before: cap, add: '-min(0.15, 0.30 * measures.failure_rate)', min: 0 }
`,
  'tool-use': `# yaml-language-server: $schema=../profile.schema.json
#
# An agent that calls tools: the latest results, and tool output above talk; priorities tip the scales.
name: tool-use
description: What an agent that calls tools should keep in view.
extends: [context]
plugins: [cupel]
tier2_scorers:
  - { id: kind, class: KindScorer, weight: 2 }
  - { id: recency, class: RecencyScorer, weight: 2 }
  - { id: priority, class: PriorityScorer, weight: 1 }
`,
};
