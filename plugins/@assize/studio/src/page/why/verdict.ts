import type { StudioModel } from '../model/studio-model.js';
import { listed, plainName } from '../parts/in-words.js';
import { isOn } from '../settings/settings.js';
import { keptOutBy, placeText } from './not-shown.js';
import { removalReason } from './removal-reason.js';
import { partDifferences, type ScorePart, strongestPart } from './score-parts.js';

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

/** What became of an item, and why, in one or two sentences. */
export function verdictOf(model: StudioModel, position: number, titleOf: (position: number) => string): string {
  if (model.shown.ranks[position]! > 0) {
    const why = neighbourText(model, position, titleOf);
    const isKeptOut = keptOutBy(model, position) !== undefined;
    const joint = why === '' ? '' : isKeptOut ? '. By score it is ' : ': ';
    return `${placeText(model, position, true)}${joint}${why}.`;
  }
  const { outcome } = model.ranking.explain({ index: position });
  if (outcome.kind === 'refused') {
    const rules = outcome.all.map(({ by }) => plainName(model, by));
    return `Removed by ${listed([...new Set(rules)])}: ${removalReason(model, outcome)}.`;
  }
  return outcome.kind === 'pinned' ? 'Pinned: shown whatever its score.' : 'Not ranked.';
}

/** A smaller difference of scores is an error of rounding. */
const EQUAL = 1e-12;
/** A part that decides less than this, beside the part that decides most, is not named. */
const MINOR = 0.15;

/** What separates a ranked item from the one above it, or the first from the second, and where it is most above the average. */
function neighbourText(model: StudioModel, position: number, titleOf: (position: number) => string): string {
  const { ranks, order } = model.shown;
  const isFirst = ranks[position] === 1;
  const other = order[isFirst ? 1 : ranks[position]! - 2];
  const nameOf = (id: string): string => shortened(plainName(model, id));
  const partName = ({ id, isBoost }: ScorePart): string => `${isBoost ? 'the boost ' : ''}${nameOf(id)}`;
  const [better, worse] = isFirst ? [position, other] : [other, position];
  const differences = better === undefined || worse === undefined ? undefined : partDifferences(model, better, worse);
  if (!differences || other === undefined) return strengthsText(standingsOf(model, position), nameOf);
  const whole = differences.reduce((sum, { amount }) => sum + amount, 0);
  const most = differences[0]?.amount ?? 0;
  const decisive = differences.slice(0, NAMED).filter(({ amount }) => amount > 0 && amount >= MINOR * most);
  const names = listed(decisive.map(partName));
  const strongest = isFirst ? undefined : strongestPart(model, position);
  const absent = standingsOf(model, position).filter(({ beats }) => beats === undefined);
  const separates =
    Math.abs(whole) < EQUAL
      ? `equal to ${titleOf(other)}`
      : isFirst
        ? `ahead of ${titleOf(other)} by ${names}`
        : `behind ${titleOf(other)}, which gains more by ${names}`;
  return [
    separates,
    ...(strongest ? [`it is most above the average in ${partName(strongest)}`] : []),
    ...(absent.length > 0 ? [`no data for ${listed(absent.slice(0, NAMED).map(({ id }) => nameOf(id)))}`] : []),
  ].join('; ');
}

/** A longer name does not fit into a sentence. */
const LONG = 40;

function shortened(name: string): string {
  return name.length > LONG ? `${name.slice(0, LONG).trimEnd()}…` : name;
}
