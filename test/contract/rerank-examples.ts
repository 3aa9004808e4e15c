import { CROSS_ENCODERS, LANGUAGE_MODELS, type LanguageModels, RERANKERS, type Rerankers } from 'assize/sdk';
import type { UnitExample } from 'assize/testing';

const candidates = [{ text: 'a red lamp' }, { text: 'a lamp' }, { text: 'a red lamp' }, {}];

/** In place of models: they score a text by its length. */
const rerankers: Rerankers = {
  open: () => ({ name: 'same', rerank: async ({ documents }) => documents.map((text) => text.length / 100) }),
};
const models: LanguageModels = {
  open: ({ name }) => ({ ask: async () => ({ value: { grade: 3, reason: 'so' }, model: name, tokens: 9 }) }),
};

/** It prefers the longer of two texts. */
const judges: LanguageModels = {
  open: ({ name }) => ({
    ask: async ({ material }) => {
      const { first, second } = material as Readonly<Record<'first' | 'second', string>>;
      const better = first.length > second.length ? 'first' : first.length < second.length ? 'second' : 'neither';
      return { value: { better, reason: 'so' }, model: name, tokens: 9 };
    },
  }),
};

/** It refuses what is red. */
const guards: LanguageModels = {
  open: ({ name }) => ({
    ask: async ({ material }) => {
      const verdict = JSON.stringify(material).includes('red') ? 'refuse' : 'clear';
      return { value: { reason: 'so', verdict }, model: name, tokens: 9 };
    },
  }),
};

const reranked = { candidates, services: [{ token: RERANKERS, value: rerankers }] };
const encoded = { candidates, services: [{ token: CROSS_ENCODERS, value: rerankers }] };
const judged = { candidates, services: [{ token: LANGUAGE_MODELS, value: guards }] };
const graded = { candidates, services: [{ token: LANGUAGE_MODELS, value: models }] };

/** Examples of every unit of the plugin `rerank`, by class name. */
export const rerankExamples: Readonly<Record<string, readonly UnitExample[]>> = {
  RerankerScorer: [
    { ...reranked, params: { text: 'text' }, context: { query: 'lamp' } },
    { ...reranked, params: { text: ['text', 'title'], batch: 1 } },
  ],
  CrossEncoderScorer: [
    { ...encoded, params: { model: 'same', text: 'text' }, context: { query: 'lamp' } },
    { ...encoded, params: { model: 'same', text: ['text', 'title'], activation: 'none' } },
  ],
  PairwiseRubricScorer: [
    {
      candidates: [...candidates, { text: 'lamp' }, { text: 'a very red lamp' }],
      services: [{ token: LANGUAGE_MODELS, value: judges }],
      params: { model: 'same', rubric: 'The longer is better.', text: 'text' },
    },
  ],
  RubricVeto: [
    { ...judged, params: { model: 'same', rubric: 'Refuse red ones.', text: 'text' } },
    {
      ...judged,
      params: { model: 'same', rubric: 'Refuse red ones.', text: 'text', query: 'query' },
      context: { query: 'lamp' },
    },
  ],
  RubricScorer: [
    { ...graded, params: { model: 'same', rubric: 'Is it red?', text: 'text' } },
    {
      ...graded,
      params: { model: 'same', rubric: 'Is it red?', text: 'text', query: 'query' },
      context: { query: 'lamp' },
    },
  ],
};
