import { generatedOrPlain } from '../../expression/index.js';

/** `text(from) … text(to - 1)`, joined. */
export function joinTexts(from: number, to: number, text: (k: number) => string, separator = ''): string {
  return Array.from({ length: Math.max(0, to - from) }, (_, k) => text(from + k)).join(separator);
}

/** Keeps V8 from inlining a loop into its caller before it is hot, which would use up the caller's budget. */
const padding = `if (n < 0) {${joinTexts(0, 40, (k) => `C[${k}]=C[n+${k}]+${k};`)}}`;

let loopCount = 0;

/**
 * Makes a loop with a text of its own, because copies of one text share V8's type feedback. Only constant text and
 * numbers that we counted ourselves ever get here: nothing of a user's is text.
 *
 * @param params the names of what it is called with; `k.candidates` is among it
 * @throws EvalError where code generation is forbidden
 */
export function generateLoop(params: readonly string[], body: string): (...args: readonly unknown[]) => unknown {
  loopCount += 1;
  const text = `"use strict";const n=0,C=k.candidates;${padding}${body}\n//# sourceURL=assize-loop-${loopCount}`;
  // oxlint-disable-next-line no-implied-eval -- see above
  return new Function(...params, text) as (...args: readonly unknown[]) => unknown;
}

/** The generated loop, or the plain one where code generation is forbidden (or not wanted: `allowed` false). */
export const loopOrPlain = <F>(allowed: boolean, make: () => F, plain: () => F): F =>
  allowed ? generatedOrPlain(make, plain) : plain();
