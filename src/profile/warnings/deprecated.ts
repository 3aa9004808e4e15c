import { isMap } from '../merge.js';
import type { Use } from '../profile.js';
import { deprecatedKeys } from '../schema-walk.js';
import type { Look } from './look.js';

/** Params that a class takes for the sake of older configurations, and does nothing with. */
export function lookAtDeprecated(look: Look): void {
  const { signals, vetoes, measures, scorers, reports } = look.profile;
  const lists: readonly (readonly [key: string, entries: readonly { readonly id: string; readonly use: Use }[]])[] = [
    ['signals', signals],
    ['tier1_scorers', vetoes],
    ['measures', measures],
    ['tier2_scorers', scorers],
    ['report', reports],
  ];
  for (const [key, entries] of lists) {
    for (const { entry, raw, path } of look.entries(key, entries)) {
      const { use } = entry;
      if (use.kind !== 'class' || !isMap(raw['params'])) continue;
      for (const param of deprecatedKeys(use.unit.meta.params, raw['params'])) {
        const message = `${use.name} takes the param ${param}, and does nothing with it`;
        look.warn('ASZ702', message, [...path, 'params', param], 'remove it', 'key');
      }
    }
  }
}
