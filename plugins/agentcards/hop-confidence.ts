import { z } from '../../src/sdk.js';

/** The params that give the confidence of a path by its number of edges. */
export const hopParams = {
  confidences: z
    .array(z.number().min(0).max(1))
    .min(1)
    .default([0.95, 0.8, 0.65])
    .describe('The confidence of a way of 1 edge, of 2, and so on.'),
  beyond: z.number().min(0).max(1).default(0.5).describe('The confidence of a way with more edges than that.'),
};

/** The confidence of a path of that many edges. */
export const hopConfidence = (
  { confidences, beyond }: { readonly confidences: readonly number[]; readonly beyond: number },
  hops: number,
): number => confidences[hops - 1] ?? beyond;
