import { createPipeline, type Pipeline } from '../../src/index.js';
import { describeValue, path } from '../../src/sdk.js';
import type { ReasoningTrace } from './types.js';

let sharedPipeline: Pipeline<ReasoningTrace> | Promise<Pipeline<ReasoningTrace>> | undefined;

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
  sharedPipeline ??= createPipeline<ReasoningTrace>('knowledgepulse');
  if (sharedPipeline instanceof Promise) sharedPipeline = await sharedPipeline; // what is there need not be waited for again
  const row = await sharedPipeline.score(trace);
  if ('score' in row) return row.score;
  throw new Error(`${row.id} is no reasoning trace that can be scored: ${row.by}: ${row.reason}`);
}

/** One thing that the formula cannot do without. */
const requirement = (source: string, expected: string, is: (found: unknown) => boolean) => ({
  read: path().parse(source),
  expected,
  is,
});

/** The preset abstains where one of these is absent, and a value of the rest would look like one. */
const REQUIREMENTS = [
  requirement('steps', 'a list', Array.isArray),
  requirement('metadata.success', 'a boolean', (found) => typeof found === 'boolean'),
  requirement('outcome.confidence', 'a finite number', Number.isFinite),
];

/** Types are no promise: a trace is JSON from elsewhere. */
function checkTrace(trace: unknown): void {
  for (const { read, expected, is } of REQUIREMENTS) {
    const found = read(trace);
    if (!is(found)) throw new TypeError(`trace.${read.source}: expected ${expected}, found ${describeValue(found)}`);
  }
}
