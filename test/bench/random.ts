/** A repeatable source of numbers from 0 to 1. */
export function random(seed = 12_345): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff; // the product of doubles would lose its end
    return state / 0x7f_ff_ff_ff;
  };
}
