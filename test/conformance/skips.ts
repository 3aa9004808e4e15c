/** Everything that conformance does not check, by name, with the reason. Nothing else is ever skipped. */
export const SKIPS = {
  'live-model-rest': 'runs the language model on the remaining traces, which takes minutes: give --live',
  'live-model-folder': 'the folder has no models/Xenova/all-MiniLM-L6-v2',
  'interview-language-model': 'the replies of a language model are compared by the family interview-language-model',
} as const;

export type SkipName = keyof typeof SKIPS;
