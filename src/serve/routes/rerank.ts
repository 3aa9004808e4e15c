import { randomUUID } from 'node:crypto';
import type { Ranking } from '../../ranking/index.js';
import { documentCandidates, failureTexts, type RelevantDocument, relevantDocuments } from '../../reranking/index.js';
import type { Envelope } from '../http/envelopes.js';
import { type Answer, type Call, checkCount, rankBy } from './call.js';

type RerankRequest = Envelope<'rerank'>;

const KNOWN = new Set(['model', 'query', 'documents', 'top_n', 'top_k', 'return_documents']);

/**
 * `POST /v1/rerank`, as Cohere, Jina, LiteLLM and vLLM have it, and Voyage. The model is a profile; what it refuses or leaves out is in no result.
 */
export async function answerRerank(request: RerankRequest, call: Call): Promise<Answer> {
  const { model, query, documents, top_n, top_k } = request;
  checkCount(documents.length, call.limits.candidates);
  const taken = await call.takePipeline(model);
  const { serve } = taken.pipeline;
  const top = top_n ?? top_k ?? undefined;
  const ranked = {
    candidates: documentCandidates(documents, serve.text),
    context: { [serve.query]: query },
    ...(top !== undefined && { top }),
  };
  const ranking = await rankBy(taken, ranked, call);
  call.ranked?.(model, ranked, ranking);
  return { json: rerankJson(request, ranking) };
}

/** What clients of both kinds read; `data` or `results` is left out where the request can only be of the other kind. */
function rerankJson(request: RerankRequest, ranking: Ranking<object>): object {
  const { model, documents, top_n, top_k, return_documents } = request;
  const withDocuments = return_documents === true;
  const rows = relevantDocuments(ranking);
  const resultOf = ({ index, relevance }: RelevantDocument) => ({ index, relevance_score: relevance });
  const textOf = (index: number): unknown => {
    const document = documents[index];
    return typeof document === 'string' ? { text: document } : document;
  };
  const results = rows.map((row) => ({
    ...resultOf(row),
    ...(withDocuments && { document: textOf(row.index) }),
  }));
  const data = rows.map((row) => ({ ...resultOf(row), ...(withDocuments && { document: documents[row.index] }) }));
  return {
    id: randomUUID(),
    model,
    ...((top_k ?? undefined) === undefined && { results }),
    ...((top_n ?? undefined) === undefined && { object: 'list', data }),
    usage: { total_tokens: 0 },
    meta: { api_version: { version: '2' }, billed_units: { search_units: 0 }, ...warningsOf(request, ranking) },
  };
}

/** What was let through and has no effect, and what failed without failing the run. */
function warningsOf(request: RerankRequest, ranking: Ranking<object>): { readonly warnings?: readonly string[] } {
  const ignored = Object.keys(request).filter((key) => !KNOWN.has(key));
  const warnings = [...ignored.map((key) => `${key} has no effect`), ...failureTexts(ranking)];
  return warnings.length > 0 ? { warnings } : {};
}
