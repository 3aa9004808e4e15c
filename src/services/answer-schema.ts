import { z } from 'zod';
import type { JsonSchema } from './language-model.js';

/** Keywords that strict endpoints refuse or ignore; whoever reads the answer checks what they said. */
const REFUSED = ['default', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'];

/**
 * The JSON Schema of an answer, in the part of the language that every endpoint with strict answers takes: each key is
 * required (a default is for who reads the answer), and no other key is allowed.
 */
export function answerSchema(answer: z.ZodObject): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(answer, {
    override: ({ jsonSchema }) => {
      for (const keyword of REFUSED) delete jsonSchema[keyword];
    },
  });
  return schema;
}
