import { isSelected } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatCount, listed, ordinal, plainName } from '../parts/in-words.js';
import { isOn } from '../settings/settings.js';

/** The place of an item among the others by one criterion. */
export interface Standing {
  readonly id: string;
  /** The share of ranked items that it beats, from 0 to 1; undefined without data. */
  readonly beats: number | undefined;
  /** The absolute value of the criterion's weight. */
  readonly weight: number;
}

/** An item that beats as many is strong on a criterion; one that beats fewer than this is weak. */
const [STRONG, WEAK] = [0.75, 0.4];
/** How many criteria are named. */
const NAMED = 2;

/** How a ranked item stands by each criterion that counts. Linear. */
function standingsOf(model: StudioModel, position: number): readonly Standing[] {
  const { ranking, shown, settings } = model;
  const { matrix } = ranking;
  const row = ranking.order[shown.ranks[position]! - 1];
  if (row === undefined) return [];
  return model.scorers
    .filter((scorer) => isOn(settings, scorer) && matrix.entries.includes(scorer.id))
    .map(({ id }) => {
      const { resolved } = matrix.column(id);
      const own = resolved[row]!;
      const weight = model.weightOf(id);
      const sign = typeof weight === 'number' && weight < 0 ? -1 : 1;
      let [below, count] = [0, 0];
      for (const value of resolved) {
        if (Number.isNaN(value)) continue;
        count += 1;
        if (sign * value < sign * own) below += 1;
      }
      const beats = Number.isNaN(own) ? undefined : below / Math.max(1, count - 1);
      return { id, beats, weight: typeof weight === 'number' ? Math.abs(weight) : 1 };
    })
    .filter(({ weight }) => weight > 0);
}

/** `strong on rating, weak on newness`; empty if nothing stands out. */
export function strengthsText(standings: readonly Standing[], nameOf: (id: string) => string): string {
  const known = standings.flatMap(({ id, beats, weight }) => (beats === undefined ? [] : [{ id, beats, weight }]));
  const names = (some: typeof known): readonly string[] =>
    some
      .toSorted((a, b) => b.weight * Math.abs(b.beats - 0.5) - a.weight * Math.abs(a.beats - 0.5))
      .slice(0, NAMED)
      .map(({ id }) => nameOf(id));
  const strong = names(known.filter(({ beats }) => beats >= STRONG));
  const weak = names(known.filter(({ beats }) => beats <= WEAK));
  const absent = standings.filter(({ beats }) => beats === undefined).map(({ id }) => nameOf(id));
  return [
    strong.length > 0 ? `strong on ${listed(strong)}` : '',
    weak.length > 0 ? `weak on ${listed(weak)}` : '',
    absent.length > 0 ? `no data for ${listed(absent.slice(0, NAMED))}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** What became of an item, and why, in one sentence. */
export function verdictOf(model: StudioModel, position: number): string {
  const { shown } = model;
  const rank = shown.ranks[position]!;
  if (rank > 0) {
    const place = `${ordinal(rank)} of ${formatCount(shown.order.length)}${isSelected(shown, position) ? '' : ', below the cut'}`;
    const strengths = strengthsText(standingsOf(model, position), (id) => lowered(plainName(model, id)));
    return strengths === '' ? `${place}.` : `${place}: ${strengths}.`;
  }
  const { outcome } = model.ranking.explain({ index: position });
  if (outcome.kind === 'refused') {
    const rules = outcome.all.map(({ by }) => plainName(model, by));
    return `Removed by ${listed([...new Set(rules)])}: ${outcome.reason}.`;
  }
  return outcome.kind === 'pinned' ? 'Pinned: shown whatever its score.' : 'Not ranked.';
}

/** A longer name does not fit into a sentence. */
const LONG = 40;

/** `Rating` inside a sentence; abbreviations stay. */
function lowered(name: string): string {
  const short = name.length > LONG ? `${name.slice(0, LONG).trimEnd()}…` : name;
  return /^\p{Lu}\p{Ll}/u.test(short) ? short.charAt(0).toLowerCase() + short.slice(1) : short;
}
