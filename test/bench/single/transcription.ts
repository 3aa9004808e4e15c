import type { ReasoningTrace } from 'assize/knowledgepulse';

/** Complexity, novelty, diversity, outcome. */
type Weights = readonly [c: number, n: number, d: number, o: number];

const GENERAL: Weights = [0.25, 0.35, 0.15, 0.25];
const DOMAINS: Readonly<Record<string, Weights>> = {
  finance: [0.2, 0.25, 0.1, 0.45],
  code: [0.2, 0.3, 0.3, 0.2],
  medical: [0.15, 0.2, 0.1, 0.55],
  customer_service: [0.2, 0.3, 0.2, 0.3],
};

/** The published formula, implemented again without a framework: an async function, as in the SDK. */
export async function transcription({ steps, outcome, metadata }: ReasoningTrace): Promise<number> {
  const recoveries = steps.filter((step) => step.type === 'error_recovery').length;
  const kinds = new Set(steps.map((step) => step.type)).size;
  const tools = new Set(steps.filter((step) => step.tool).map((step) => step.tool?.name)).size;
  const complexity = Math.min(1, (kinds / 4) * 0.5 + (recoveries > 0 ? 0.3 : 0) + (steps.length / 20) * 0.2);
  const diversity = Math.min(1, (tools / Math.max(1, steps.length)) * 3);
  const novelty = 0.5; // without an embedder
  const [c, n, d, o] = DOMAINS[metadata.task_domain] ?? GENERAL;
  let score = complexity * c + novelty * n + diversity * d + outcome.confidence * (metadata.success ? 1 : 0.3) * o;
  if (steps.length === 1 && steps[0]?.type === 'thought') score = 0.1;
  if (recoveries > 2 && metadata.success) score = Math.min(1, score + 0.1);
  if (tools <= 1 && steps.some((step) => step.tool)) score = Math.max(0, score - 0.1);
  return score;
}
