import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { toAssizeError } from '../../base/index.js';
import {
  comparisonText,
  explanationText,
  rankingJson,
  type Ranking,
  rowJson,
  type ScoreRow,
} from '../../ranking/index.js';
import type { ServeSpec } from '../../profile/index.js';
import {
  cutCount,
  documentCandidates,
  failureTexts,
  type RelevantDocument,
  relevantDocuments,
} from '../../adapters/index.js';
import { type Envelope, ENVELOPES, parseEnvelope, type RunKind } from '../http/envelopes.js';
import { malformed, tooLarge } from '../http/request-error.js';
import {
  type Answer,
  type Call,
  checkCount,
  failuresIn,
  rankBy,
  rankFor,
  rankWithShadow,
  type TakenPipeline,
} from './call.js';

const rank = defineRoute({
  kind: 'rank',
  paths: ['/v1/rank'],
  summary: 'Rank candidates: the selected, and why others are not.',
  envelope: ENVELOPES.rank,
  answer: answerRank,
});

const score = defineRoute({
  kind: 'score',
  paths: ['/v1/score'],
  summary: 'Score each candidate, in their order.',
  envelope: ENVELOPES.score,
  answer: answerScore,
  answerLines: answerScoreStream,
});

const pack = defineRoute({
  kind: 'pack',
  paths: ['/v1/pack'],
  summary: 'Rank candidates, and pack what fits a budget.',
  envelope: ENVELOPES.pack,
  answer: answerPack,
});

const explain = defineRoute({
  kind: 'explain',
  paths: ['/v1/explain'],
  summary: 'Say why a candidate came out as it did.',
  envelope: ENVELOPES.explain,
  answer: answerExplain,
});

const compare = defineRoute({
  kind: 'compare',
  paths: ['/v1/compare'],
  summary: 'Say what decides between two candidates.',
  envelope: ENVELOPES.compare,
  answer: answerCompare,
});

const rerank = defineRoute({
  kind: 'rerank',
  paths: ['/v1/rerank', '/v2/rerank', '/rerank'],
  summary: 'Rank documents for a query, as Cohere, Jina, LiteLLM, vLLM and Voyage have it.',
  envelope: ENVELOPES.rerank,
  answer: answerRerank,
});

/** Every route that runs a profile. */
export const RUN_ROUTES: Readonly<Record<RunKind, RunRoute>> = { rank, score, pack, explain, compare, rerank };

type Include = Envelope<'rank'>['include'];

/** `POST /v1/rank`: the ranking, as `assize rank --format json` prints it, without what is not asked for. */
async function answerRank({ include, ...request }: Envelope<'rank'>, call: Call): Promise<Answer> {
  const { profile, candidates, context, ...options } = request;
  checkDetails(include, candidates?.length ?? 0, call);
  const ranking = await rankWithShadow(call, { profile, candidates, context, ...options });
  return rankingAnswer(ranking, include, call);
}

/** `POST /v1/pack`: the same, with what fits a budget. */
async function answerPack({ include, ...request }: Envelope<'pack'>, call: Call): Promise<Answer> {
  const { profile, candidates, context, budget, ...options } = request;
  checkDetails(include, candidates?.length ?? 0, call);
  const ranking = await rankWithShadow(call, { profile, candidates, context, ...options, budget });
  return rankingAnswer(ranking, include, call);
}

/** Warnings ask scorers about every candidate again, at once: nothing for 100,000. */
function checkDetails(include: Include, candidates: number, { limits }: Call): void {
  if (!include.includes('warnings') || candidates <= limits.detailed) return;
  throw tooLarge(`warnings are for at most ${limits.detailed} candidates; there are ${candidates}`);
}

function rankingAnswer(ranking: Ranking<object>, include: Include, { limits, wantsLines }: Call): Answer {
  const has = (part: Include[number]): boolean => include.includes(part);
  const rows = has('ranked') || has('leftOut') ? ranking.counts.ranked : ranking.selected.length;
  if ((has('terms') || has('explanations')) && rows > limits.detailed) {
    const hint = 'give top; explanations and terms ask the scorers again';
    throw tooLarge(`terms and explanations are for at most ${limits.detailed} rows; there are ${rows}`, hint);
  }
  const explanations = has('explanations') && ranking.selected.filter(({ index }) => index >= 0);
  const json = {
    ...rankingJson(ranking, {
      candidates: has('candidates'),
      terms: has('terms'),
      ranked: has('ranked'),
      leftOut: has('leftOut'),
      warnings: has('warnings'),
    }),
    ...(explanations && { explanations: explanations.map(({ index }) => ranking.explain({ index })) }),
  };
  return wantsLines ? { lines: rankingLines(json) } : { json };
}

/** The selected rows, a line each, and the rest as the last one: `{ summary }`. */
async function* rankingLines(json: object): AsyncGenerator<string> {
  const { selected, ...summary } = json as { readonly selected: readonly object[] };
  for (const row of selected) yield `${JSON.stringify(row)}\n`;
  yield `${JSON.stringify({ summary })}\n`;
}

type ScoreRequest = Envelope<'score'>;

/** Rows in the order of the candidates, and what was found on the way. */
interface ScoredRows extends AsyncIterable<ScoreRow> {
  readonly profile: string;
  readonly degraded: readonly { readonly count: number }[];
  readonly warnings: readonly object[];
}

/** `POST /v1/score`: a row for each candidate, in their order. */
async function answerScore(request: ScoreRequest, call: Call): Promise<Answer> {
  const { candidates, include } = request;
  if (candidates === undefined) {
    const hint = 'a score is of candidates that are given; /v1/rank generates them if the profile has strategies';
    throw toAssizeError([{ code: 'ASZ502', message: 'no candidates were given', path: 'candidates', hint }]);
  }
  checkCount(candidates.length, call.limits.candidates);
  const rows = await openRows(request, candidates, call);
  const withCandidates = include.includes('candidates');
  if (call.wantsLines) return { lines: rowLines(rows, withCandidates) };
  const list: string[] = [];
  for await (const row of rows) list.push(rowJson(row, withCandidates));
  const { degraded, warnings } = rows;
  const rest = JSON.stringify({ degraded, warnings }).slice(1);
  return { text: `{"profile":${JSON.stringify(rows.profile)},"rows":[${list.join(',')}],${rest}` };
}

/**
 * The same for candidates that come line by line: each is answered while the next ones are read, in memory that does not grow.
 *
 * @throws AssizeError where the profile needs all candidates at once
 */
async function answerScoreStream(
  request: ScoreRequest,
  candidates: AsyncIterable<object>,
  call: Call,
): Promise<Answer> {
  const taken = await call.takePipeline(request.profile);
  const [first] = taken.pipeline.needsAll;
  if (first !== undefined) {
    throw malformed(`${first} needs all candidates at once`, 'send them as application/json: { candidates: […] }');
  }
  const rows = streamedRows(taken, request, candidates, call);
  return { lines: rowLines(rows, request.include.includes('candidates')) };
}

/** An answer that is whole when it is sent has one turn; in lines, each part takes one. */
const streamOptions = ({ weights, include }: ScoreRequest, { signal, wantsLines, takeTurn }: Call) => ({
  signal,
  ...(wantsLines && takeTurn && { takeTurn }),
  terms: include.includes('terms'),
  ...(weights && { weights }),
});

/** Rows of a stream, unless an entry needs all candidates: then those of a ranking. */
async function openRows(request: ScoreRequest, candidates: readonly object[], call: Call): Promise<ScoredRows> {
  const taken = await call.takePipeline(request.profile);
  return taken.pipeline.needsAll.length > 0
    ? rankedRows(taken, request, candidates, call)
    : streamedRows(taken, request, candidates, call);
}

/** The rows of a stream, which are counted when it ends, however it does. */
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
  { context, weights, learn, include }: ScoreRequest,
  candidates: readonly object[],
  call: Call,
): Promise<ScoredRows> {
  const ranking = await rankBy(taken, { candidates, context, weights, learn, prune: false }, call);
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

/** Each row as a line, and at last `{ summary }`. */
async function* rowLines(rows: ScoredRows, candidates: boolean): AsyncGenerator<string> {
  for await (const row of rows) yield `${rowJson(row, candidates)}\n`;
  const { degraded, warnings } = rows;
  yield `${JSON.stringify({ summary: { degraded, warnings } })}\n`;
}

type Which = Envelope<'explain'>['candidate'];

const named = (which: Which): string | { readonly index: number } =>
  typeof which === 'number' ? { index: which } : which;

/** `POST /v1/explain`: why a candidate came out as it did. Teaches no memory. */
async function answerExplain({ candidate, format, ...request }: Envelope<'explain'>, call: Call): Promise<Answer> {
  const { profile, candidates, context, ...options } = request;
  const ranking = await rankFor(call, { profile, candidates, context, ...options, learn: false });
  const explanation = ranking.explain(named(candidate));
  return format === 'text' ? { json: { text: explanationText(explanation) } } : { json: explanation };
}

/** `POST /v1/compare`: what decides between two candidates, and what would turn them. Teaches no memory. */
async function answerCompare({ a, b, format, ...request }: Envelope<'compare'>, call: Call): Promise<Answer> {
  const { profile, candidates, context, ...options } = request;
  const ranking = await rankFor(call, { profile, candidates, context, ...options, learn: false });
  const comparison = await ranking.compare(named(a), named(b));
  return format === 'text' ? { json: { text: comparisonText(comparison) } } : { json: comparison };
}

type RerankRequest = Envelope<'rerank'>;

const KNOWN = new Set(['model', 'query', 'documents', 'top_n', 'top_k', 'return_documents', 'context', 'weights']);

/**
 * `POST /v1/rerank`, as Cohere, Jina, LiteLLM, vLLM and Voyage have it. The model is a profile. Documents that it refuses
 * or does not select are not in the results. `relevance_score` is within 0 to 1, unless the profile says otherwise.
 */
async function answerRerank(request: RerankRequest, call: Call): Promise<Answer> {
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
  const resultOf = (document: RelevantDocument) => ({
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

/** What a route is, besides what it does. */
interface RouteFacts<E> {
  readonly kind: RunKind;
  /** The first is the one that is documented. */
  readonly paths: readonly [string, ...string[]];
  readonly summary: string;
  readonly envelope: z.ZodType<E>;
}

/** A route that runs a profile, whatever its envelope is. */
export interface RunRoute extends RouteFacts<unknown> {
  /** @throws AssizeError (ASZ590) where the request is not what the envelope says */
  readonly answer: (request: unknown, call: Call) => Promise<Answer>;
  /** Answers candidates that come line by line while they come. Where there is none, they are collected. */
  readonly answerLines?: (request: unknown, candidates: AsyncIterable<object>, call: Call) => Promise<Answer>;
}

/** Makes a route of functions that have the type of its envelope. */
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
