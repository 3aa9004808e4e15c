import { useEffect, useState } from 'preact/hooks';
import { Ranker } from '../model/ranker.js';
import type { StudioModel } from '../model/studio-model.js';
import { entriesOf, isOn, LISTS, type Settings, withToggle } from '../settings/settings.js';

/** The rank of a removed item without the rules that remove it. */
export interface Without {
  /** 0 if other rules remove it as well. */
  readonly rank: number;
  /** Settings without these rules. */
  readonly settings: Settings;
}

/** The settings with some entries switched off. */
function withoutEntries({ data, settings }: StudioModel, ids: readonly string[]): Settings {
  const entries = LISTS.flatMap((list) => entriesOf(data.profile, list));
  return entries
    .filter((entry) => ids.includes(String(entry['id'])) && isOn(settings, entry))
    .reduce((next, entry) => withToggle(next, entry), settings);
}

/**
 * Ranks without some rules, next to the model: undefined while that runs, and if the server is needed and missing.
 *
 * @param ids the rules that remove the item; empty for an item that is ranked
 */
export function useWithout(model: StudioModel, position: number, ids: readonly string[]): Without | undefined {
  const [found, setFound] = useState<Without | undefined>(undefined);
  const key = ids.join('\n');
  useEffect(() => {
    let isWanted = true;
    setFound(undefined);
    if (ids.length === 0) return undefined;
    const settings = withoutEntries(model, ids);
    Ranker.open(model.data, model.ranker.ask)
      .then((ranker) => ranker.rank(settings))
      .then(
        ({ order, matrix }) => {
          const rank = order.findIndex((row) => matrix.index[row] === position) + 1;
          if (isWanted) setFound({ rank, settings });
        },
        () => {}, // without the server the rank is unknown: the reason is shown all the same
      );
    return () => {
      isWanted = false;
    };
  }, [model, model.ranking, position, key]);
  return found;
}
