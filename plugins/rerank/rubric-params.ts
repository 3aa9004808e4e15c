import { contextPath, languageModelParam, z } from '../../src/sdk.js';
import { askingParams } from './call-limit.js';
import { documentParam } from './documents.js';

/** The params by which a language model judges texts by a rubric. */
export const rubricParams = {
  model: languageModelParam(),
  rubric: z.string().regex(/\S/, 'expected a rubric, which is not blank'),
  text: documentParam(),
  query: contextPath().optional().describe('The path to the query, in the context; none is shown when not said.'),
  answer_tokens: z.int().min(20).default(200).describe('How many tokens an answer may have.'),
  ...askingParams,
};
