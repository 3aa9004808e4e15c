import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { AssizeError, comparisonText, explanationText, type Problem, type Ranking, toAssizeError } from 'assize';
import { documentsToRank, problemJson, rankingJson, rowJson, snakeCaseKeys } from 'assize/internal';
import { type Envelope, ENVELOPES, parseEnvelope, type RunKind } from '../operations.js';
import { malformed, tooLarge } from '../http/request-error.js';
import {
  type Answer,
  type Call,
  checkCount,
  failuresIn,
  rankBy,
  rankFor,
  rankRequest,
  rankWithShadow,
  type TakenPipeline,
} from './call.js';

const rank = defineRoute({
  kind: 'rank',
  paths: ['/v1/rank'],
  summary: 'Rank candidates: returns the selected, and why others are not.',
  envelope: ENVELOPES.rank,
  answer: answerRank,
});

const score = defineRoute({
  kind: 'score',
  paths: ['/v1/score'],
  summary: 'Score each candidate, in the given order.',
  envelope: ENVELOPES.score,
  answer: answerScore,
  answerLines: answerScoreStream,
});

const pack = defineRoute({
  kind: 'pack',
  paths: ['/v1/pack'],
  summary: 'Rank candidates, and pack the best into a budget.',
  envelope: ENVELOPES.pack,
  answer: answerPack,
});

const explain = defineRoute({
  kind: 'explain',
  paths: ['/v1/explain'],
  summary: 'Explain the result of a candidate.',
  envelope: ENVELOPES.explain,
  answer: answerExplain,
});

const compare = defineRoute({
  kind: 'compare',
  paths: ['/v1/compare'],
  summary: 'Explain the order of two candidates.',
  envelope: ENVELOPES.compare,
  answer: answerCompare,
});

const rerank = defineRoute({
  kind: 'rerank',
  paths: ['/v1/rerank', '/v2/rerank', '/rerank'],
  summary: 'Rank documents for a query, compatible with Cohere, Jina, LiteLLM, vLLM and Voyage.',
  envelope: ENVELOPES.rerank,
  answer: answerRerank,
});

/** Every route that runs a profile. */
export const RUN_ROUTES: Readonly<Record<RunKind, RunRoute>> = { rank, score, pack, explain, compare, rerank };

type Include = Envelope<'rank'>['include'];

/** `POST /v1/rank`: the ranking, as `assize rank --format json` prints it, with only the requested parts. */
async function answerRank({ include, ...request }: Envelope<'rank'>, call: Call): Promise<Answer> {
  checkDetails(include, request.candidates?.length ?? 0, call);
  const ranking = await rankWithShadow(call, rankRequest(request));
  return rankingAnswer(ranking, include, call);
}

/** `POST /v1/pack`: the same, packed into a budget. */
async function answerPack({ include, ...request }: Envelope<'pack'>, call: Call): Promise<Answer> {
  checkDetails(include, request.candidates?.length ?? 0, call);
  const ranking = await rankWithShadow(call, rankRequest(request));
  return rankingAnswer(ranking, include, call);
}

/** Warnings run the scorers on every candidate again, which is too slow for 100,000 candidates. */
function checkDetails(include: Include, candidates: number, { limits }: Call): void {
  if (!include.includes('warnings') || candidates <= limits.detailed) return;
  throw tooLarge(`warnings are limited to ${limits.detailed} candidates, and the request has ${candidates}`);
}

function rankingAnswer(ranking: Ranking<object>, include: Include, { limits, wantsLines }: Call): Answer {
  const has = (part: Include[number]): boolean => include.includes(part);
  const rows = has('ranked') || has('not_selected') ? ranking.counts.ranked : ranking.selected.length;
  if ((has('terms') || has('explanations')) && rows > limits.detailed) {
    const hint = 'set top: explanations and terms run the scorers again';
    throw tooLarge(`terms and explanations are limited to ${limits.detailed} rows, and the result has ${rows}`, hint);
  }
  const explanations = has('explanations') && ranking.selected.filter(({ index }) => index >= 0);
  const json = {
    ...rankingJson(ranking, {
      candidates: has('candidates'),
      terms: has('terms'),
      ranked: has('ranked'),
      notSelected: has('not_selected'),
      warnings: has('warnings'),
    }),
    ...(explanations && { explanations: explanations.map(({ index }) => snakeCaseKeys(ranking.explain({ index }))) }),
  };
  return wantsLines ? { lines: rankingLines(json) } : { json };
}

/** The selected rows, a line each, then a last line with the rest: `{ summary }`. */
async function* rankingLines(json: object): AsyncGenerator<string> {
  const { selected, ...summary } = json as { readonly selected: readonly object[] };
  for (const row of selected) yield `${JSON.stringify(row)}\n`;
  yield `${JSON.stringify({ summary })}\n`;
}

type ScoreRequest = Envelope<'score'>;

/** A scored, refused or pinned candidate. */
type ScoreRow = Parameters<typeof rowJson>[0];

/** Rows in the order of the candidates, with failures and warnings. */
interface ScoredRows extends AsyncIterable<ScoreRow> {
  readonly profile: string;
  readonly degraded: readonly { readonly count: number }[];
  readonly warnings: readonly Problem[];
}

/** `POST /v1/score`: a row for each candidate, in their order. */
async function answerScore(request: ScoreRequest, call: Call): Promise<Answer> {
  const { candidates, include } = request;
  if (candidates === undefined) {
    const hint = 'send candidates; only /v1/rank can generate them, if the profile has strategies';
    throw toAssizeError([{ code: 'ASZ502', message: 'no candidates were given', path: 'candidates', hint }]);
  }
  checkCount(candidates.length, call.limits.candidates);
  const rows = await openRows(request, candidates, call);
  const withCandidates = include.includes('candidates');
  if (call.wantsLines) return { lines: rowLines(rows, withCandidates) };
  const list: string[] = [];
  for await (const row of rows) list.push(rowJson(row, withCandidates));
  const rest = JSON.stringify(restOf(rows)).slice(1);
  return { text: `{"profile":${JSON.stringify(rows.profile)},"rows":[${list.join(',')}],${rest}` };
}

/**
 * The same for candidates in JSON Lines. Rows are sent while the next candidates are read, in constant memory.
 *
 * @throws RequestError if an entry without a memory needs all candidates at once
 */
async function answerScoreStream(
  request: ScoreRequest,
  candidates: AsyncIterable<object>,
  call: Call,
): Promise<Answer> {
  const taken = await call.takePipeline(request.profile);
  const rows = withHint(() => streamedRows(taken, request, candidates, call));
  return { lines: rowLines(rows, request.include.includes('candidates')) };
}

/** Opens a stream. If the profile cannot score one, the hint names the other kind of body. */
function withHint(open: () => ScoredRows): ScoredRows {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof AssizeError) || error.code !== 'ASZ502') throw error;
    const [problem] = error.problems;
    throw malformed(problem?.message ?? error.message, 'send them as application/json: { candidates: […] }');
  }
}

/** A complete response takes one turn; in a response of lines, each part takes one. */
const streamOptions = (
  { weights, include, update_memory: updateMemory }: ScoreRequest,
  { signal, wantsLines, takeTurn }: Call,
) => ({
  signal,
  ...(wantsLines && takeTurn && { takeTurn }),
  terms: include.includes('terms'),
  updateMemory,
  ...(weights && { weights }),
});

/** Rows of a stream, unless an entry needs all candidates: then those of a ranking. */
async function openRows(request: ScoreRequest, candidates: readonly object[], call: Call): Promise<ScoredRows> {
  const taken = await call.takePipeline(request.profile);
  return taken.pipeline.needsAll.length > 0
    ? rankedRows(taken, request, candidates, call)
    : streamedRows(taken, request, candidates, call);
}

/** The rows of a stream. They are counted when it ends, successfully or not. */
function streamedRows(
  { pipeline, name }: TakenPipeline,
  request: ScoreRequest,
  candidates: Iterable<object> | AsyncIterable<object>,
  call: Call,
): ScoredRows {
  const rows = pipeline.scoreStream(candidates, request.context, streamOptions(request, call));
  return {
    profile: pipeline.name,
    get degraded() {
      return rows.degraded;
    },
    get warnings() {
      return rows.warnings;
    },
    async *[Symbol.asyncIterator]() {
      const counts = { name, candidates: 0, refused: 0 };
      try {
        for await (const row of rows) {
          counts.candidates++;
          if ('kind' in row) counts.refused++;
          yield row;
        }
      } finally {
        call.ran({ ...counts, degraded: failuresIn(rows.degraded) });
      }
    },
  };
}

/** The rows of a ranking, in the order of the candidates. */
async function rankedRows(
  taken: TakenPipeline,
  { context, weights, update_memory: updateMemory, include }: ScoreRequest,
  candidates: readonly object[],
  call: Call,
): Promise<ScoredRows> {
  const ranking = await rankBy(taken, { candidates, context, weights, updateMemory, prune: false }, call);
  const { ranked, refused, selected, degraded } = ranking;
  const others = selected.filter(({ because, index }) => because !== undefined && index >= 0);
  const rows: ScoreRow[] = [...ranked, ...others, ...refused];
  rows.sort((a, b) => a.index - b.index);
  const terms = include.includes('terms');
  return {
    profile: ranking.profile,
    degraded,
    warnings: [],
    async *[Symbol.asyncIterator]() {
      for (const row of rows) yield terms && 'rank' in row ? { ...row, ...ranking.terms(row) } : row;
    },
  };
}

/** Each row as a line, then a last line `{ summary }`. */
async function* rowLines(rows: ScoredRows, candidates: boolean): AsyncGenerator<string> {
  for await (const row of rows) yield `${rowJson(row, candidates)}\n`;
  yield `${JSON.stringify({ summary: restOf(rows) })}\n`;
}

/** The part of a response after its rows. */
const restOf = ({ degraded, warnings }: ScoredRows): object => ({ degraded, warnings: warnings.map(problemJson) });

/** `POST /v1/explain`: explains the result of a candidate. Does not update memory. */
async function answerExplain({ candidate, format, ...request }: Envelope<'explain'>, call: Call): Promise<Answer> {
  const ranking = await rankFor(call, rankRequest({ ...request, update_memory: false }));
  const explanation = ranking.explain(candidate);
  return format === 'text' ? { json: { text: explanationText(explanation) } } : { json: snakeCaseKeys(explanation) };
}

/** `POST /v1/compare`: explains the order of two candidates, and what would reverse it. Does not update memory. */
async function answerCompare({ a, b, format, ...request }: Envelope<'compare'>, call: Call): Promise<Answer> {
  const ranking = await rankFor(call, rankRequest({ ...request, update_memory: false }));
  const comparison = await ranking.compare(a, b);
  return format === 'text' ? { json: { text: comparisonText(comparison) } } : { json: snakeCaseKeys(comparison) };
}

type RerankRequest = Envelope<'rerank'>;
type RerankResult = ReturnType<ReturnType<typeof documentsToRank>['resultOf']>;

const KNOWN = new Set(['model', 'query', 'documents', 'top_n', 'top_k', 'return_documents', 'context', 'weights']);

/**
 * `POST /v1/rerank`, compatible with Cohere, Jina, LiteLLM, vLLM and Voyage. The model is a profile. Documents that are
 * refused or not selected are not returned. `relevance_score` is between 0 and 1, unless the profile says otherwise.
 */
async function answerRerank(request: RerankRequest, call: Call): Promise<Answer> {
  const { model, query, documents, top_n, top_k, context, weights } = request;
  checkCount(documents.length, call.limits.candidates);
  const taken = await call.takePipeline(model);
  const { serve } = taken.pipeline;
  const top = top_n ?? top_k ?? undefined;
  const { candidates, resultOf } = documentsToRank(documents, serve);
  const ranked = {
    candidates,
    context: { ...context, [serve.query]: query },
    ...(weights && { weights }),
    ...(top !== undefined && { top }),
  };
  const ranking = await rankBy(taken, ranked, call);
  call.ranked?.(model, ranked, ranking);
  return { json: rerankJson(request, resultOf(ranking)) };
}

/** Whether a request has one limit and not the other. */
const isOnly = (one: number | null | undefined, other: number | null | undefined): boolean =>
  (one ?? undefined) !== undefined && (other ?? undefined) === undefined;

/** A response for both kinds of clients. `data` or `results` is omitted if only the other kind sends the request's limit. */
function rerankJson(request: RerankRequest, result: RerankResult): object {
  const { model, documents, top_n, top_k, return_documents } = request;
  const withDocuments = return_documents === true;
  const { documents: rows } = result;
  const resultOf = (document: (typeof rows)[number]) => ({
    index: document.index,
    relevance_score: document.relevance,
    score: document.score,
  });
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
    ...(!isOnly(top_k, top_n) && { results }),
    ...(!isOnly(top_n, top_k) && { object: 'list', data }),
    usage: { total_tokens: 0 },
    meta: {
      api_version: { version: '2' },
      billed_units: { search_units: 0 },
      ...warningsOf(request, result),
    },
  };
}

/** Ignored keys of the request, failures that did not fail the run, and clamped scores. */
function warningsOf(
  request: RerankRequest,
  { clamped: cut, failures }: RerankResult,
): { readonly warnings?: readonly string[] } {
  const ignored = Object.keys(request).filter((key) => !KNOWN.has(key));
  const cutText = `${cut} ${cut === 1 ? 'score is' : 'scores are'} outside of 0 to 1, and clamped; set serve.relevance to map scores to that range`;
  const warnings = [...ignored.map((key) => `${key} has no effect`), ...failures, ...(cut > 0 ? [cutText] : [])];
  return warnings.length > 0 ? { warnings } : {};
}

/** The description of a route. */
interface RouteFacts<E> {
  readonly kind: RunKind;
  /** The first path is documented. */
  readonly paths: readonly [string, ...string[]];
  readonly summary: string;
  readonly envelope: z.ZodType<E>;
}

/** A route that runs a profile, with any envelope. */
export interface RunRoute extends RouteFacts<unknown> {
  /** @throws AssizeError (ASZ590) if the request does not match the envelope */
  readonly answer: (request: unknown, call: Call) => Promise<Answer>;
  /** Answers candidates in JSON Lines as they arrive. Without this function, they are collected first. */
  readonly answerLines?: (request: unknown, candidates: AsyncIterable<object>, call: Call) => Promise<Answer>;
}

/** Creates a route from functions with a typed envelope. */
function defineRoute<E>({
  answer,
  answerLines,
  ...facts
}: RouteFacts<E> & {
  readonly answer: (request: E, call: Call) => Promise<Answer>;
  readonly answerLines?: (request: E, candidates: AsyncIterable<object>, call: Call) => Promise<Answer>;
}): RunRoute {
  const parse = (request: unknown): E => parseEnvelope(facts.envelope, request);
  return {
    ...facts,
    answer: async (request, call) => answer(parse(request), call),
    ...(answerLines && {
      answerLines: async (request, candidates, call) => answerLines(parse(request), candidates, call),
    }),
  };
}
