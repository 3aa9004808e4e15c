import { createPipeline, type Pipeline } from '../../src/index.js';
import { describeValue, path } from '../../src/sdk.js';
import type { ReasoningTrace } from './types.js';

let shared: Pipeline<ReasoningTrace> | Promise<Pipeline<ReasoningTrace>> | undefined;

/**
 * How valuable a reasoning trace is, from 0 to 1: the preset `knowledgepulse`. The novelty memory is this process's:
 * each call compares with the calls before it, in the order in which they were made, also when they overlap.
 *
 * Without @huggingface/transformers, or when its model cannot be had, novelty counts as 0.5.
 *
 * @throws TypeError when the trace is not one: its steps, success or confidence are missing or malformed
 */
export async function evaluateValue(trace: ReasoningTrace): Promise<number> {
  checkTrace(trace);
  shared ??= createPipeline<ReasoningTrace>('knowledgepulse');
  if (shared instanceof Promise) shared = await shared; // what is there need not be waited for again
  const row = await shared.score(trace);
  if ('score' in row) return row.score;
  throw new Error(`${row.id} is no reasoning trace that can be scored: ${row.by}: ${row.reason}`);
}

/** One thing that the formula cannot do without. */
const needed = (source: string, expected: string, is: (found: unknown) => boolean) => ({
  read: path().parse(source),
  expected,
  is,
});

/** The preset abstains where one of these is absent, and a value of the rest would look like one. */
const NEEDED = [
  needed('steps', 'a list', Array.isArray),
  needed('metadata.success', 'a boolean', (found) => typeof found === 'boolean'),
  needed('outcome.confidence', 'a finite number', Number.isFinite),
];

/** Types are no promise: a trace is JSON from elsewhere. */
function checkTrace(trace: unknown): void {
  for (const { read, expected, is } of NEEDED) {
    const found = read(trace);
    if (!is(found)) throw new TypeError(`trace.${read.source}: expected ${expected}, found ${describeValue(found)}`);
  }
}
