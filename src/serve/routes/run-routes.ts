import { ENVELOPES, type RunKind } from '../http/envelopes.js';
import { answerCompare, answerExplain } from './explain.js';
import { answerPack, answerRank } from './rank.js';
import { answerRerank } from './rerank.js';
import { defineRoute, type RunRoute } from './run-route.js';
import { answerScore, answerScoreStream } from './score.js';

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
