import * as interview from '../../plugins/interview/index.js';
import type { ProfileInput } from 'assize';
import { LANGUAGE_MODELS, type LanguageModels, type ServiceBinding } from 'assize/sdk';
import type { UnitExample } from 'assize/testing';
import { GOOD, HISTORY } from '../plugins/interview/language-model-answers.js';

/** In place of a language model: gives the same answer every time. */
const model: ServiceBinding = {
  token: LANGUAGE_MODELS,
  value: {
    open: ({ name }) => ({ ask: async () => ({ value: GOOD, model: name, tokens: 900 }) }),
  } satisfies LanguageModels,
};

const profile: ProfileInput = {
  signals: [{ id: 'reading', class: 'ConversationReading', params: { model: 'same' } }],
};
const common = { candidates: [{ id: 'only' }], services: [model] };
const read: UnitExample = { ...common, profile, units: interview, context: { history: HISTORY } };
const unread: UnitExample = { ...common, context: { history: HISTORY } };

/** Examples of the signals that a language model reads, by class name. */
export const languageModelExamples: Readonly<Record<string, readonly UnitExample[]>> = {
  ConversationReading: [
    { ...common, params: { model: 'same' }, context: { history: HISTORY } },
    { ...common, params: { model: 'same', ask: ['emotional'], turns: 2 }, context: { history: HISTORY } },
    { ...common, params: { model: 'same' } },
  ],
  UncertaintySignal: [read, unread],
  ReasoningSignal: [read, unread],
  EmotionalSignal: [read, unread],
  ContradictionSignal: [read, unread],
  KnowledgeCeilingSignal: [read, unread],
  ConceptDepthSignal: [read, unread],
};
