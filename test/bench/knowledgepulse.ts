import { readFileSync } from 'node:fs';
import type { ReasoningTrace } from '../../plugins/knowledgepulse/index.js';
import { createPipeline } from '../../src/index.js';
import { embedderToken } from '../../src/services/embedder/embedder.js';
import { compare, line } from './pair.js';

/** The published formula, written down once more without anything around it; novelty is 0.5. */
function byHand({ steps, outcome, metadata }: ReasoningTrace): number {
  const recoveries = steps.filter((step) => step.type === 'error_recovery').length;
  const kinds = new Set(steps.map((step) => step.type)).size;
  const tools = new Set(steps.filter((step) => step.tool).map((step) => step.tool?.name)).size;
  const complexity = Math.min(1, (kinds / 4) * 0.5 + (recoveries > 0 ? 0.3 : 0) + (steps.length / 20) * 0.2);
  const diversity = Math.min(1, (tools / Math.max(1, steps.length)) * 3);
  const [c, n, d, o] = metadata.task_domain === 'finance' ? [0.2, 0.25, 0.1, 0.45] : [0.25, 0.35, 0.15, 0.25];
  let score = complexity * c + 0.5 * n + diversity * d + outcome.confidence * (metadata.success ? 1 : 0.3) * o;
  if (steps.length === 1 && steps[0]?.type === 'thought') score = 0.1;
  if (recoveries > 2 && metadata.success) score = Math.min(1, score + 0.1);
  if (tools <= 1 && steps.some((step) => step.tool)) score = Math.max(0, score - 0.1);
  return score;
}

/** KnowledgePulse traces without an embedder: one a call, at once and awaited, and ten ranked. */
export async function* benchKnowledgePulse(): AsyncGenerator<string> {
  const file = new URL('../../../test/fixtures/knowledgepulse/vectors.jsonl', import.meta.url);
  const traces = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((text) => (JSON.parse(text) as { trace: ReasoningTrace }).trace);
  const unusable = new Error('none');
  const none = {
    open: () => ({ name: 'none', dimensions: undefined, unusable, embed: () => Promise.reject(unusable) }),
  };
  const pipeline = await createPipeline<ReasoningTrace>('knowledgepulse', {
    services: [{ token: embedderToken('transformers'), value: none }],
  });
  const awaited = await compare(
    async (trace: ReasoningTrace) => pipeline.score(trace),
    async (trace) => byHand(trace),
    traces,
  );
  yield line('one KnowledgePulse trace without an embedder', awaited);
  const atOnce = await compare((trace: ReasoningTrace) => pipeline.scoreSync(trace), byHand, traces);
  yield line('the same at once', atOnce);
  const tens = Array.from({ length: Math.floor(traces.length / 10) }, (_, k) => traces.slice(k * 10, k * 10 + 10));
  const sorted = (ten: readonly ReasoningTrace[]) =>
    ten.map((trace) => ({ trace, score: byHand(trace) })).toSorted((a, b) => b.score - a.score);
  const ranked = await compare((ten: readonly ReasoningTrace[]) => pipeline.rankSync(ten).selected, sorted, tens);
  yield line('ten ranked at once', ranked, 10);
}
