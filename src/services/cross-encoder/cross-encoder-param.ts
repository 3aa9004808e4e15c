import * as z from 'zod';
import { duration, filePath, outside, serviceOptions } from '../../expression/index.js';
import { CROSS_ENCODERS, type CrossEncoderSettings } from './cross-encoder.js';

const settings = z.strictObject({
  name: z.string().min(1).describe('The model, as the hub names it, or the folder.'),
  dtype: z.string().min(1).optional().describe('The type of the model’s numbers: fp32, fp16, q8, q4 and others.'),
  folder: filePath()
    .optional()
    .describe('A folder of models, from this profile’s folder; nothing is then asked from the network.'),
  timeout: duration().optional().describe('How long a load may be silent before it fails.'),
  options: serviceOptions().optional().describe('What only its library knows: remote_host, cache_dir, revision.'),
});

/** A param that chooses a cross-encoder: its name, or a map of its settings. */
export const crossEncoderParam = () =>
  outside('model', z.union([z.string().min(1), settings]), () => CROSS_ENCODERS)
    .transform((value): CrossEncoderSettings => (typeof value === 'string' ? { name: value } : value))
    .describe(
      'The cross-encoder: its name on the hub, such as Xenova/ms-marco-MiniLM-L-6-v2, or a map: name, dtype, folder, timeout, options.',
    );
