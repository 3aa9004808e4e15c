import type { Context } from '../../../src/sdk.js';
import { conceptGraphFacts } from './concept-graph.js';
import { recentNodesOf } from './recent-nodes.js';

/**
 * Estimates the share of all types of concepts that were found, by Chao's estimate of unseen species (Chao 1984): S /
 * (S + f1² / 2 f2), f1 and f2 being the types found once and twice; f1 (f1 − 1) / 2 where f2 is 0. Recent nodes count
 * once more, so that current topics are less rare. 0 where nothing was found.
 */
export function saturationOf(context: Context): number {
  const counts = new Map(conceptGraphFacts(context).nodesByType);
  for (const { type } of recentNodesOf(context)) if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + 1);
  const found = [...counts.values()].filter((count) => count > 0);
  if (found.length === 0) return 0;
  const once = found.filter((count) => count === 1).length;
  const twice = found.filter((count) => count === 2).length;
  const unseen = twice > 0 ? once ** 2 / (2 * twice) : (once * (once - 1)) / 2;
  return Math.min(1, found.length / (found.length + unseen));
}
