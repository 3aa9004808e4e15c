import { z } from 'zod';
import type { AnswerSchema } from './language-model.js';

/**
 * Keywords that strict endpoints refuse or ignore: whoever reads the answer checks what they said. And descriptions,
 * which many endpoints do not show to the model: what a key means belongs into the instructions.
 */
const OMITTED_KEYWORDS = 'default description minimum maximum minLength maxLength minItems maxItems pattern'.split(' ');

/**
 * The JSON Schema of an answer, in the part of the language that every endpoint with strict answers takes: each key is
 * required (a default is for who reads the answer), and no other key is allowed.
 */
export function answerSchema(answer: z.ZodObject): AnswerSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(answer, {
    override: ({ jsonSchema }) => {
      for (const keyword of OMITTED_KEYWORDS) delete jsonSchema[keyword];
    },
  });
  return schema;
}
