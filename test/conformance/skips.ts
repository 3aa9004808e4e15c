/** Everything that conformance skips, by name, with the reason. Nothing else is skipped. */
export const SKIPS = {
  'live-model-rest': 'runs the language model on the remaining traces, which takes minutes: give --live',
  'live-model-folder': 'the folder has no models/Xenova/all-MiniLM-L6-v2',
  'agentcards-nextToolLaterDoc': 'a later document’s formula that nothing computes, with weights that sum to 1.1',
  'agentcards-applyLocalAlpha': 'a later trust factor for each node, which made search worse',
  'agentcards-bayesianAlpha': 'a later trust factor for each node, which made search worse',
  'agentcards-coherenceAlpha': 'a later trust factor for each node, which made search worse',
  'agentcards-heatAlphaOnSmallDirected': 'a later trust factor for each node, which made search worse',
  'agentcards-thompsonMeanThreshold': 'a threshold for executing tools, which ranks nothing',
  'agentcards-edgePromotion': 'how a graph is kept, which is not a ranking’s business',
  'agentcards-twoHopFallbackSeedCode':
    'code that the reference document leaves out and that was removed the day after it',
  'agentcards-unknown-family': 'a family of formulas that this version does not know',
  'interview-language-model': 'the replies of a language model are compared by the family interview-language-model',
} as const;

export type SkipName = keyof typeof SKIPS;
