/**
 * Rankings and scores of any number of candidates in bounded memory.
 * What other rooms use of this one.
 *
 * @module
 */

export { rankStream, type RankStreamOptions } from './rank-stream.js';
export { ScoreStream, type ScoreStreamOptions } from './score-stream.js';
export { TopRanking } from './top-ranking.js';
