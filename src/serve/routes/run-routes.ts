import { type Envelope, ENVELOPES } from '../http/envelopes.js';
import { answerCompare, answerExplain } from './explain.js';
import { answerPack, answerRank } from './rank.js';
import { answerRerank } from './rerank.js';
import type { RunRoute } from './run-request.js';
import { answerScore, answerScoreStream } from './score.js';

/** A route with its paths and what is said of it. */
export interface NamedRoute<E> extends RunRoute<E> {
  /** The first is the one that is documented. */
  readonly paths: readonly [string, ...string[]];
  readonly summary: string;
}

const rank: NamedRoute<Envelope<'rank'>> = {
  paths: ['/v1/rank'],
  summary: 'Rank candidates: the selected, and why others are not.',
  envelope: ENVELOPES.rank,
  answer: answerRank,
};

const score: NamedRoute<Envelope<'score'>> = {
  paths: ['/v1/score'],
  summary: 'Score each candidate, in their order.',
  envelope: ENVELOPES.score,
  answer: answerScore,
  answerLines: answerScoreStream,
};

const pack: NamedRoute<Envelope<'pack'>> = {
  paths: ['/v1/pack'],
  summary: 'Rank candidates, and pack what fits a budget.',
  envelope: ENVELOPES.pack,
  answer: answerPack,
};

const explain: NamedRoute<Envelope<'explain'>> = {
  paths: ['/v1/explain'],
  summary: 'Say why a candidate came out as it did.',
  envelope: ENVELOPES.explain,
  answer: answerExplain,
};

const compare: NamedRoute<Envelope<'compare'>> = {
  paths: ['/v1/compare'],
  summary: 'Say what decides between two candidates.',
  envelope: ENVELOPES.compare,
  answer: answerCompare,
};

const rerank: NamedRoute<Envelope<'rerank'>> = {
  paths: ['/v1/rerank', '/v2/rerank', '/rerank'],
  summary: 'Rank documents for a query, as Cohere, Jina, LiteLLM, vLLM and Voyage have it.',
  envelope: ENVELOPES.rerank,
  answer: answerRerank,
};

/** Every route that runs a profile. */
export const RUN_ROUTES = { rank, score, pack, explain, compare, rerank };
