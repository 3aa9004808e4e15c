import { randomUUID } from 'node:crypto';
import type { Ranking } from '../../ranking/index.js';
import type { ServeSpec } from '../../profile/index.js';
import {
  cutCount,
  documentCandidates,
  failureTexts,
  type RelevantDocument,
  relevantDocuments,
} from '../../reranking/index.js';
import type { Envelope } from '../http/envelopes.js';
import { type Answer, type Call, checkCount, rankBy } from './call.js';

type RerankRequest = Envelope<'rerank'>;

const KNOWN = new Set(['model', 'query', 'documents', 'top_n', 'top_k', 'return_documents', 'context', 'weights']);

/**
 * `POST /v1/rerank`, as Cohere, Jina, LiteLLM, vLLM and Voyage have it. The model is a profile. Documents that it refuses
 * or does not select are not in the results. `relevance_score` is within 0 to 1, unless the profile says otherwise.
 */
export async function answerRerank(request: RerankRequest, call: Call): Promise<Answer> {
  const { model, query, documents, top_n, top_k, context, weights } = request;
  checkCount(documents.length, call.limits.candidates);
  const taken = await call.takePipeline(model);
  const { serve } = taken.pipeline;
  const top = top_n ?? top_k ?? undefined;
  const ranked = {
    candidates: documentCandidates(documents, serve.text),
    context: { ...context, [serve.query]: query },
    ...(weights && { weights }),
    ...(top !== undefined && { top }),
  };
  const ranking = await rankBy(taken, ranked, call);
  call.ranked?.(model, ranked, ranking);
  return { json: rerankJson(request, ranking, serve) };
}

/** What clients of both kinds read; `data` or `results` is left out where the request can only be of the other kind. */
function rerankJson(request: RerankRequest, ranking: Ranking<object>, serve: ServeSpec): object {
  const { model, documents, top_n, top_k, return_documents } = request;
  const withDocuments = return_documents === true;
  const rows = relevantDocuments(ranking, serve);
  const resultOf = ({ index, relevance, score }: RelevantDocument) => ({ index, relevance_score: relevance, score });
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
    meta: {
      api_version: { version: '2' },
      billed_units: { search_units: 0 },
      ...warningsOf(request, ranking, cutCount(rows, serve)),
    },
  };
}

/** Ignored keys of the request, failures that did not fail the run, and scores that were cut. */
function warningsOf(
  request: RerankRequest,
  ranking: Ranking<object>,
  cut: number,
): { readonly warnings?: readonly string[] } {
  const ignored = Object.keys(request).filter((key) => !KNOWN.has(key));
  const cutText = `${cut} ${cut === 1 ? 'score is' : 'scores are'} outside of 0 to 1, and cut; serve.relevance says how`;
  const warnings = [
    ...ignored.map((key) => `${key} has no effect`),
    ...failureTexts(ranking),
    ...(cut > 0 ? [cutText] : []),
  ];
  return warnings.length > 0 ? { warnings } : {};
}
