/** What somebody says who has nothing more to say. */
export const EXHAUSTION_PHRASES: readonly string[] = [
  'nothing',
  "don't know",
  'do not know',
  "can't think",
  'cannot think',
  "that's it",
  'that is it',
  "that's all",
  'that is all',
  "no, that's",
];
