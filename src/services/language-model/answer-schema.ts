import * as z from 'zod';
import type { AnswerSchema } from './language-model.js';

/**
 * Keywords that strict endpoints refuse or ignore: the reader of an answer checks them. And descriptions, which many
 * endpoints do not show to the model: the meaning of a key belongs in the instructions.
 */
const OMITTED_KEYWORDS = 'default description minimum maximum minLength maxLength minItems maxItems pattern'.split(' ');

/**
 * The JSON Schema of an answer, in the part of the language that every endpoint with strict answers takes: each key is
 * required (the reader of an answer applies defaults), and no other key is allowed.
 */
export function answerSchema(answer: z.ZodObject): AnswerSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(answer, {
    override: ({ jsonSchema }) => {
      for (const keyword of OMITTED_KEYWORDS) delete jsonSchema[keyword];
    },
  });
  return schema;
}
