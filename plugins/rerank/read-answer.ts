import { describeValue, isMap, ownValue } from '../../src/sdk.js';
import { EndpointError } from './endpoint-error.js';

/**
 * Reads the answer of a reranker: `{ results: [{ index, relevance_score }] }` (Cohere, Jina, vLLM), `{ data: […] }` (Voyage),
 * or the list itself with `score` (text-embeddings-inference).
 *
 * @param size of how many documents
 * @returns their scores; undefined for a document without one
 * @throws EndpointError (ASZ612) where it contradicts itself or the request: then nothing in it is to be relied on
 */
export function readAnswer(answer: unknown, size: number, title: string): readonly (number | undefined)[] {
  const fail = (what: string): never => {
    throw new EndpointError('ASZ612', `${title} ${what}`);
  };
  const list = isMap(answer) ? (ownValue(answer, 'results') ?? ownValue(answer, 'data')) : answer;
  if (!Array.isArray(list)) return fail(`sent ${describeValue(answer)}; expected a list of results`);
  const scores = Array.from<number | undefined>({ length: size });
  for (const result of list as readonly unknown[]) {
    const index: unknown = isMap(result) ? ownValue(result, 'index') : undefined;
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= size)
      return fail(`names document ${describeValue(index)}; expected 0 to ${size - 1}`);
    if (scores[index] !== undefined) return fail(`names document ${index} twice`);
    const score: unknown = isMap(result)
      ? (ownValue(result, 'relevance_score') ?? ownValue(result, 'score'))
      : undefined;
    if (typeof score !== 'number' || !Number.isFinite(score))
      return fail(`scores document ${index} with ${describeValue(score)}; expected a number`);
    scores[index] = score;
  }
  return scores;
}
