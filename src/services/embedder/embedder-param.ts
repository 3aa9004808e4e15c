import * as z from 'zod';
import { duration, filePath, outside, serviceOptions } from '../../expression/index.js';
import { type EmbedderSettings, embedderToken } from './embedder.js';

/** Four times as many as any model gives. */
const MAX_DIMENSIONS = 16_384;

const settings = z.strictObject({
  name: z.string().min(1).describe('Which embedder: transformers, lexical, or one that a plugin brings.'),
  model: z.string().min(1).optional().describe('The model, as its embedder names it.'),
  dtype: z.string().min(1).optional().describe('The type of the model’s numbers: fp32, fp16, q8, q4 and others.'),
  folder: filePath()
    .optional()
    .describe('A folder of models, from this profile’s folder; nothing is then asked from the network.'),
  timeout: duration().optional().describe('How long a load may be silent before it fails.'),
  dimensions: z.int().positive().max(MAX_DIMENSIONS).optional().describe('How many numbers a vector has.'),
  options: serviceOptions().optional().describe('What only this embedder knows.'),
});

/** Compares wording, in this process and without a model. */
const IN_PROCESS = 'lexical';

/** A param that chooses an embedder: its name, or a map of its settings. */
export function embedderParam(defaultName = 'transformers') {
  // The default may be of no use: whether it reaches outside is found where a unit opens it.
  const providerOf = (chosen: string | z.output<typeof settings>): symbol | undefined => {
    const name = typeof chosen === 'string' ? chosen : chosen.name;
    return name === IN_PROCESS || chosen === defaultName ? undefined : embedderToken(name);
  };
  return outside('model', z.union([z.string().min(1), settings]), providerOf)
    .transform((value): EmbedderSettings => (typeof value === 'string' ? { name: value } : value))
    .prefault(defaultName)
    .describe(
      'The embedder: its name (transformers, lexical, one that a plugin brings), or a map: name, model, dtype, folder, timeout, dimensions, options.',
    );
}
