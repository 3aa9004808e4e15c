import { toAssizeError } from '../../diagnostics/index.js';
import { rowJson, type ScoreRow } from '../../ranking/row-json.js';
import type { Envelope } from '../http/envelopes.js';
import { malformed } from '../http/request-error.js';
import { type Answer, type Call, checkCount, failuresIn, rankBy, type TakenPipeline } from './call.js';

type ScoreRequest = Envelope<'score'>;

/** Rows in the order of the candidates, and what was found on the way. */
interface ScoredRows extends AsyncIterable<ScoreRow> {
  readonly profile: string;
  readonly degraded: readonly { readonly count: number }[];
  readonly warnings: readonly object[];
}

/** `POST /v1/score`: a row for each candidate, in their order. */
export async function answerScore(request: ScoreRequest, call: Call): Promise<Answer> {
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
export async function answerScoreStream(
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
  abort: signal,
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
