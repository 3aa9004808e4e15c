import { describeValue, EndpointError, isMap, ownValue, scoresByIndex } from '../../src/sdk.js';

/**
 * Reads the answer of a reranker: `{ results: [{ index, relevance_score }] }` (Cohere, Jina, vLLM), `{ data: […] }` (Voyage),
 * or the list itself with `score` (text-embeddings-inference).
 *
 * @param size of how many documents
 * @returns their scores; undefined for a document without one
 * @throws EndpointError (ASZ612) where it contradicts itself or the request: then nothing in it is to be relied on
 */
export function readAnswer(answer: unknown, size: number, title: string): readonly (number | undefined)[] {
  const list = isMap(answer) ? (ownValue(answer, 'results') ?? ownValue(answer, 'data')) : answer;
  const scores = Array.isArray(list)
    ? scoresByIndex(size, list.map(readResult))
    : `sent ${describeValue(answer)}; expected a list of results`;
  if (typeof scores === 'string') throw new EndpointError('ASZ612', `${title} ${scores}`);
  return scores;
}

const readResult = (result: unknown) => ({
  index: isMap(result) ? ownValue(result, 'index') : undefined,
  score: isMap(result) ? (ownValue(result, 'relevance_score') ?? ownValue(result, 'score')) : undefined,
});
