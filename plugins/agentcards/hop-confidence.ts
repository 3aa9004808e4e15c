import { z } from '../../src/sdk.js';

/** The params that say what a way is worth by its hops. */
export const hopParams = {
  confidences: z
    .array(z.number().min(0).max(1))
    .min(1)
    .default([0.95, 0.8, 0.65])
    .describe('The confidence of a way of 1 edge, of 2, and so on.'),
  beyond: z.number().min(0).max(1).default(0.5).describe('The confidence of a way with more edges than that.'),
};

/** What a way of that many edges is worth. */
export const hopConfidence = (
  { confidences, beyond }: { readonly confidences: readonly number[]; readonly beyond: number },
  hops: number,
): number => confidences[hops - 1] ?? beyond;
