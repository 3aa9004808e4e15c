import type { Engine, Placed } from './engine.js';
import { HALF_LIFE, type Item, MAX_AGE, MAX_TOKENS, NOW, SHARES, TOP } from './work.js';

/** Hand-written code for speed alone: vetoes, arithmetic and the top 10 in one loop. */
function fused(list: readonly Item[]): readonly Placed[] {
  const top: Placed[] = [];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = SHARES;
  // oxlint-disable-next-line typescript/prefer-for-of -- the fastest loop is the baseline
  for (let index = 0; index < list.length; index++) {
    const one = list[index]!;
    if (!one.available || one.tokens > MAX_TOKENS || one.age > MAX_AGE) continue;
    const fresh = 2 ** -(Math.max(0, NOW - one.published) / HALF_LIFE);
    const score = a * one.a + b * one.b + c * one.c + d * one.d + e * one.e + f * one.f + g * fresh;
    if (top.length === TOP && score <= top[TOP - 1]!.score) continue;
    let at = Math.min(top.length, TOP - 1);
    for (; at > 0 && top[at - 1]!.score < score; at--) top[at] = top[at - 1]!;
    top[at] = { score, index };
  }
  return top;
}

export const byHand: Engine = { name: 'fused loop by hand', tolerance: 0, open: () => fused };

/** The same with `f` scaled over the candidates that passed the vetoes: a first loop finds the extremes. */
function inTwoLoops(list: readonly Item[]): readonly Placed[] {
  const kept = new Int32Array(list.length);
  let rows = 0;
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < list.length; index++) {
    const one = list[index]!;
    if (!one.available || one.tokens > MAX_TOKENS || one.age > MAX_AGE) continue;
    kept[rows++] = index;
    if (one.f < least) least = one.f;
    if (one.f > greatest) greatest = one.f;
  }
  const width = greatest - least;
  const top: Placed[] = [];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = SHARES;
  for (let row = 0; row < rows; row++) {
    const index = kept[row]!;
    const one = list[index]!;
    const fresh = 2 ** -(Math.max(0, NOW - one.published) / HALF_LIFE);
    const scaled = width === 0 ? 0.5 : (one.f - least) / width;
    const score = a * one.a + b * one.b + c * one.c + d * one.d + e * one.e + f * scaled + g * fresh;
    if (top.length === TOP && score <= top[TOP - 1]!.score) continue;
    let at = Math.min(top.length, TOP - 1);
    for (; at > 0 && top[at - 1]!.score < score; at--) top[at] = top[at - 1]!;
    top[at] = { score, index };
  }
  return top;
}

export const twoLoops: Engine = { name: 'two loops by hand', tolerance: 0, open: () => inTwoLoops };
