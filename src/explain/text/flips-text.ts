import { escapeInvisible, formatNumber, type RenderOptions, wrapToLines } from '../../text/index.js';
import type { Comparison, NumberFlip, RemovalFlip, Side, TermComparison, TermSide } from '../comparison/comparison.js';
import type { FieldChange } from '../changes/field-changes.js';
import { candidateName } from '../candidate-name.js';
import type { JsonValue } from '../json-value.js';
import { outcomeText } from './outcome-text.js';
import { section } from './sections.js';

type FoundFlip = Extract<NumberFlip, { readonly state: 'flips' }>;

const foundFlips = (flips: readonly NumberFlip[]): readonly FoundFlip[] =>
  flips.filter((flip): flip is FoundFlip => flip.state === 'flips');

/** What would have to change for the one behind to come first. */
export function flipsText(comparison: Comparison, render: RenderOptions): readonly string[] {
  const { flips } = comparison;
  const { behind } = flips;
  if (behind === undefined) return [];
  const name = candidateName(comparison[behind]);
  const removals = flips.without.flatMap((flip) => removalText(flip, comparison, render));
  const lines = flipLines(comparison, behind);
  if (flips.because !== undefined)
    return lines.length === 0 ? removals : [...removals, ...section(`${name} would win if`, lines, render)];
  if (lines.length === 0) return wrapToLines(escapeInvisible(noFlipText(comparison, name)), render.columns);
  const searched = [...flips.weights, ...flips.values].some((flip) => flip.state === 'flips' && flip.how === 'search');
  return section(`${name} would win if${searched ? ' (found by search)' : ''}`, lines, render);
}

function flipLines(comparison: Comparison, behind: Side): readonly string[] {
  const { weights, fields, values } = comparison.flips;
  const termOf = (id: string): TermComparison | undefined => comparison.terms.find((term) => term.id === id);
  return [
    ...foundFlips(weights).map(
      (flip) => `${flip.id} weighed ${targetText(flip)}${weightText(termOf(flip.id), flip, behind)}`,
    ),
    ...fieldLines(fields),
    ...foundFlips(values).map(
      (flip) => `${flip.id} were ${targetText(flip)} (${currentValueText(termOf(flip.id), flip, behind)})`,
    ),
  ];
}

/** The changes of fields that were found: `price 12.40 or less (is 19.99)`. */
export const fieldLines = (fields: readonly FieldChange[]): readonly string[] =>
  fields.flatMap((change) =>
    change.state === 'flips'
      ? [`${change.text} (is ${change.from === undefined ? 'absent' : valueText(change.from)})`]
      : [],
  );

const valueText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Rounded if the rounded number flips them as well. */
const targetText = ({ to, rounded }: FoundFlip): string => (rounded === undefined ? String(to) : formatNumber(rounded));

/** The weight now; for each of the two, where their cases differ. */
function weightText(term: TermComparison | undefined, { from = 0 }: FoundFlip, behind: Side): string {
  const [own, other] = behind === 'a' ? [term?.a, term?.b] : [term?.b, term?.a];
  if (own?.written !== other?.written)
    return ` for both (now ${writtenText(own, from)}, and ${writtenText(other, from)} for the other)`;
  const source = typeof own?.written === 'string' ? `${own.written}, ` : '';
  return ` (now ${source}${formatNumber(from)})`;
}

const writtenText = (side: TermSide | undefined, from: number): string =>
  typeof side?.written === 'string' ? side.written : formatNumber(side?.written ?? from);

function currentValueText(term: TermComparison | undefined, { from }: FoundFlip, behind: Side): string {
  const state = term?.[behind].state;
  const is = state === 'failed' ? 'it failed' : state === 'absent' ? 'is absent' : 'is';
  if (from === undefined) return is;
  return state === 'scored' ? `is ${formatNumber(from)}` : `${is}, and counts ${formatNumber(from)}`;
}

/** That nothing flips, and whether that is certain. */
function noFlipText({ flips: { weights, fields, values } }: Comparison, name: string): string {
  const isCertain = (flip: NumberFlip): boolean => {
    if (flip.state === 'none') return flip.how === 'exact';
    return flip.state === 'flips' || flip.because === 'its fields were tried';
  };
  const certain =
    [...weights, ...values].every(isCertain) &&
    fields.every((change) => change.state === 'none' && change.certain && change.within === undefined);
  const subject = weights.length > 0 ? 'no weight alone and no value alone' : 'no value alone';
  return `${subject} would let ${name} win${certain ? '' : ', as far as was tried'}`;
}

function removalText(
  flip: RemovalFlip,
  { flips: { behind }, a, b }: Comparison,
  render: RenderOptions,
): readonly string[] {
  const [own, other] = (behind === 'a' ? [a, b] : [b, a]).map(candidateName);
  if (flip.state === 'not_asked') return section(`${own} without ${flip.id}: not asked, ${flip.because}`, [], render);
  const title = `${own} would ${flip.state === 'flips' ? '' : 'not '}win without ${flip.id}`;
  return section(title, [`${own}: ${outcomeText(flip.outcome)}`, `${other}: ${outcomeText(flip.other)}`], render);
}
