import { rankingJson, type Ranking } from '../../ranking/index.js';
import type { Envelope } from '../http/envelopes.js';
import { tooLarge } from '../http/request-error.js';
import { type Answer, type Call, rankWithShadow } from './call.js';

type Include = Envelope<'rank'>['include'];

/** `POST /v1/rank`: the ranking, as `assize rank --format json` prints it, without what is not asked for. */
export async function answerRank({ include, ...request }: Envelope<'rank'>, call: Call): Promise<Answer> {
  const { profile, candidates, context, ...options } = request;
  checkDetails(include, candidates?.length ?? 0, call);
  const ranking = await rankWithShadow(call, { profile, candidates, context, ...options });
  return rankingAnswer(ranking, include, call);
}

/** `POST /v1/pack`: the same, with what fits a budget. */
export async function answerPack({ include, ...request }: Envelope<'pack'>, call: Call): Promise<Answer> {
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
