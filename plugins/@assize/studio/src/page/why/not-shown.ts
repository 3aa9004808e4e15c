import { isSelected } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { isMap } from '../../data/studio-data.js';
import { formatCount, ordinal } from '../parts/in-words.js';

/** The keys of `select`, and the reasons of the engine, by which an item is only below the cut. */
const CUTS: ReadonlySet<string> = new Set(['top', 'min_score', 'offset']);

/** Whether the profile may keep out an item that is above the cut. */
const hasLimits = ({ data: { profile } }: StudioModel): boolean =>
  isMap(profile.select) && Object.keys(profile.select).some((key) => !CUTS.has(key));

/**
 * Why a limit, the variety or the budget keeps out a ranked item: `2 of Action are already shown`. Undefined if the item
 * is shown, or is only below the cut.
 */
export function keptOutBy(model: StudioModel, position: number): string | undefined {
  if (!hasLimits(model) || isSelected(model.shown, position)) return undefined;
  const { outcome } = model.ranking.explain({ index: position });
  const why = outcome.kind === 'ranked' ? outcome.notSelected : undefined;
  if (!why || CUTS.has(why.reason)) return undefined;
  return why.text.replaceAll('selected', 'shown');
}

/**
 * The place of a ranked item: `1st`; `5th of those shown (7th by score)` if a limit or the variety changed the order;
 * `70th, below the cut`; `6th by score, not shown: 2 of Action are already shown`.
 *
 * @param of adds the number of ranked items
 */
export function placeText(model: StudioModel, position: number, of = false): string {
  const { shown } = model;
  const rank = ordinal(shown.ranks[position]!);
  const all = of ? ` of ${formatCount(shown.order.length)}` : '';
  if (!isSelected(shown, position)) {
    const reason = keptOutBy(model, position);
    return reason === undefined ? `${rank}${all}, below the cut` : `${rank} by score, not shown: ${reason}`;
  }
  const place = hasLimits(model) && shown.selected ? [...shown.selected].indexOf(position) + 1 : shown.ranks[position]!;
  return place === shown.ranks[position] ? `${rank}${all}` : `${ordinal(place)} of those shown (${rank} by score)`;
}
