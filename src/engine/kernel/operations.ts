// A file of its own, because a page loads it before the engine.

/** The operations of a rule on a score. */
const OPERATIONS = {
  set: (_score: number, amount: number) => amount,
  add: (score: number, amount: number) => score + amount,
  multiply: (score: number, amount: number) => score * amount,
  min: (score: number, amount: number) => Math.max(score, amount),
  max: (score: number, amount: number) => Math.min(score, amount),
} as const;

/** The score after one operation of a rule. */
export const applyOperation = (operation: keyof typeof OPERATIONS, score: number, amount: number): number =>
  OPERATIONS[operation](score, amount);
