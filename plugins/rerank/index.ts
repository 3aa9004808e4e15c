/**
 * The plugin `rerank`: models that are asked about each candidate, over HTTP.
 *
 * @module
 */
import { RERANKERS } from '../../src/sdk.js';
import { HttpRerankers } from './http-reranker.js';

export { codes } from './codes.js';
export { CrossEncoderScorer } from './cross-encoder-scorer.js';
export { PairwiseRubricScorer } from './pairwise-rubric-scorer.js';
export { RerankerScorer } from './reranker-scorer.js';
export { RubricScorer } from './rubric-scorer.js';

export const services = [{ token: RERANKERS, class: HttpRerankers }];
