/**
 * The plugin `rerank`: units that call reranking and language models for each candidate.
 *
 * @module
 */
import { RERANKERS } from '../../src/unit-sdk.js';
import { HttpRerankers } from './http-reranker.js';

export { CrossEncoderScorer } from './cross-encoder-scorer.js';
export { PairwiseRubricScorer } from './pairwise-rubric-scorer.js';
export { RerankerScorer } from './reranker-scorer.js';
export { RubricScorer } from './rubric-scorer.js';
export { RubricVeto } from './rubric-veto.js';

export const services = [{ token: RERANKERS, class: HttpRerankers }];

/** The codes of problems with models that score candidates. */
export const codes = {
  ASZ610: 'A reranker cannot be called, or its call limit is reached.',
  ASZ611: 'A reranker does not answer.',
  ASZ612: 'The answer of a reranker cannot be used.',
} as const;
