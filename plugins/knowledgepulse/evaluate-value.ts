import { createPipeline, type Pipeline } from '../../src/index.js';
import { path, typeMismatch } from '../../src/sdk.js';
import type { ReasoningTrace } from './types.js';

let sharedPipeline: Pipeline<ReasoningTrace> | Promise<Pipeline<ReasoningTrace>> | undefined;

/**
 * Scores the value of a reasoning trace, from 0 to 1, by the preset `knowledgepulse`. The novelty memory lives as long
 * as the process: each call compares with those before it, in the order of the calls, even where they overlap.
 *
 * Without @huggingface/transformers, or where its model cannot be loaded, novelty counts as 0.5.
 *
 * @throws TypeError where the trace's steps, success or confidence are missing or malformed
 */
export async function evaluateValue(trace: ReasoningTrace): Promise<number> {
  checkTrace(trace);
  sharedPipeline ??= createPipeline<ReasoningTrace>('knowledgepulse');
  if (sharedPipeline instanceof Promise) sharedPipeline = await sharedPipeline; // awaited once
  const row = await sharedPipeline.score(trace);
  if ('score' in row) return row.score;
  throw new Error(`${row.id} is no reasoning trace that can be scored: ${row.by}: ${row.reason}`);
}

/** A field that the formula needs. */
const requirement = (source: string, expected: string, is: (found: unknown) => boolean) => ({
  read: path().parse(source),
  expected,
  is,
});

/** Required here: the preset abstains where one is absent, and the rest would still add up to a value. */
const REQUIREMENTS = [
  requirement('steps', 'a list', Array.isArray),
  requirement('metadata.success', 'a boolean', (found) => typeof found === 'boolean'),
  requirement('outcome.confidence', 'a finite number', Number.isFinite),
];

/** Checks a trace at run time: it usually is JSON from elsewhere. */
function checkTrace(trace: unknown): void {
  for (const { read, expected, is } of REQUIREMENTS) {
    const found = read(trace);
    if (!is(found)) throw typeMismatch(`trace.${read.source}`, expected, found);
  }
}
