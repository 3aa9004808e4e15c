import { createPipeline, type Pipeline } from '../../src/index.js';
import type { ReasoningTrace } from './types.js';

let shared: Promise<Pipeline<ReasoningTrace>> | undefined;

/**
 * How valuable a reasoning trace is, from 0 to 1: the preset `knowledgepulse`. The novelty memory is this process's:
 * each call compares with the calls before it, in the order in which they were made, also when they overlap.
 *
 * Without @huggingface/transformers, or when its model cannot be had, novelty counts as 0.5.
 *
 * @throws Error when the trace is not one: a step list or an outcome that is missing or malformed
 */
export async function evaluateValue(trace: ReasoningTrace): Promise<number> {
  shared ??= createPipeline<ReasoningTrace>('knowledgepulse');
  const row = await (await shared).score(trace);
  if ('score' in row) return row.score;
  throw new Error(`${row.id} is no reasoning trace that can be scored: ${row.by}: ${row.reason}`);
}
