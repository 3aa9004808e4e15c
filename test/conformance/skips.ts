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
  'mcp-not-applicable': 'the reasons are in test/fixtures/mcp-conformance/SOURCE.md',
  'cel-names': 'unknown names and functions are errors when a profile is loaded, also where they would not matter',
  'cel-dotted-names': 'a variable has no dots in its name',
  'cel-absent': 'a field of what has no fields is absent, not an error',
  'cel-null': 'null is absent, so it is no optional value',
  'cel-optional-parts': 'an absent value cannot be part of a list or a map',
  'cel-matches': 'regular expressions can take exponential time, so there is no matches',
  'cel-milliseconds': 'times have milliseconds; a constant with more digits is an error',
  'cel-time-range': 'the difference of two times is not limited to 292 years',
  'cel-doubles': 'numbers have one type, so functions for doubles accept integers and % accepts fractions',
  'cel-overflow': 'integers are doubles, which do not overflow; assize check warns about literals',
  'cel-division': 'division by zero is infinite or NaN, as for doubles; assize check warns about literals',
} as const;

export type SkipName = keyof typeof SKIPS;
