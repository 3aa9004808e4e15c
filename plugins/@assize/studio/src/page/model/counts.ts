import type { Snapshot } from './snapshot.js';
import type { StudioModel } from './studio-model.js';

/** How many candidates there are of each kind: given = ranked + refused + pinned. */
export interface Counts {
  readonly given: number;
  readonly ranked: number;
  readonly pinned: number;
  /** How many are ranked and not selected. */
  readonly notSelected: number;
  readonly refused: number;
}

/** Counts without making a row of each; the rows that are pinned are made where the profile pins any. */
export function countsOf({ data, ranking }: StudioModel, { order, selected, ranks }: Snapshot): Counts {
  const given = data.candidates.length;
  const pins = (data.profile.candidate as { readonly pinned?: unknown } | undefined)?.pinned !== undefined;
  const rankedAndSelected = selected ? [...selected].filter((position) => ranks[position]! > 0).length : order.length;
  const pinned = pins ? ranking.selected.filter(({ because }) => because === 'pinned').length : 0;
  return {
    given,
    ranked: order.length,
    pinned,
    notSelected: order.length - rankedAndSelected,
    refused: given - order.length - pinned,
  };
}
