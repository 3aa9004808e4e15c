import { comparisonText, explanationText } from '../../explain/index.js';
import type { Envelope } from '../http/envelopes.js';
import { type Answer, type Call, rankFor } from './call.js';

type Which = Envelope<'explain'>['candidate'];

const named = (which: Which): string | { readonly index: number } =>
  typeof which === 'number' ? { index: which } : which;

/** `POST /v1/explain`: why a candidate came out as it did. Teaches no memory. */
export async function answerExplain(
  { candidate, format, ...request }: Envelope<'explain'>,
  call: Call,
): Promise<Answer> {
  const { profile, candidates, context, ...options } = request;
  const ranking = await rankFor(call, { profile, candidates, context, ...options, learn: false });
  const explanation = ranking.explain(named(candidate));
  return format === 'text' ? { json: { text: explanationText(explanation) } } : { json: explanation };
}

/** `POST /v1/compare`: what decides between two candidates, and what would turn them. Teaches no memory. */
export async function answerCompare({ a, b, format, ...request }: Envelope<'compare'>, call: Call): Promise<Answer> {
  const { profile, candidates, context, ...options } = request;
  const ranking = await rankFor(call, { profile, candidates, context, ...options, learn: false });
  const comparison = await ranking.compare(named(a), named(b));
  return format === 'text' ? { json: { text: comparisonText(comparison) } } : { json: comparison };
}
