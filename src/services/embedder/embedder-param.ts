import * as z from 'zod';
import { duration, filePath } from '../../expression/index.js';
import type { EmbedderSettings } from './embedder.js';

const settings = z.strictObject({
  name: z.string().min(1).describe('Which embedder: transformers, lexical, or one that a plugin brings.'),
  model: z.string().min(1).optional().describe('The model, as its embedder names it.'),
  dtype: z.string().min(1).optional().describe('The type of the model’s numbers: fp32, fp16, q8, q4 and others.'),
  folder: filePath()
    .optional()
    .describe('A folder of models, from this profile’s folder; nothing is then asked from the network.'),
  timeout: duration().optional().describe('How long a load may be silent before it fails.'),
  dimensions: z.int().positive().optional().describe('How many numbers a vector has.'),
  options: z.record(z.string(), z.unknown()).optional().describe('What only this embedder knows.'),
});

/** A param that chooses an embedder: its name, or a map of its settings. */
export const embedderParam = (defaultName = 'transformers') =>
  z
    .union([z.string().min(1), settings])
    .transform((value): EmbedderSettings => (typeof value === 'string' ? { name: value } : value))
    .prefault(defaultName)
    .describe(
      'The embedder: its name (transformers, lexical, one that a plugin brings), or a map: name, model, dtype, folder, timeout, dimensions, options.',
    );
