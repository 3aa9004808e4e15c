import { linesOf, wrap } from '../document/fit.js';
import { visible } from '../document/visible.js';
import type { Look } from './columns.js';
import type { Comparison, NumberFlip, RemovalFlip, Side, TermComparison, TermSide } from './comparison.js';
import { came } from './headline.js';
import { beyondText, shown } from './numbers.js';

type Flipping = Extract<NumberFlip, { readonly state: 'flips' }>;

const flipping = (flips: readonly NumberFlip[]): readonly Flipping[] =>
  flips.filter((flip): flip is Flipping => flip.state === 'flips');

/** What would have to change for the one behind to come first. */
export function flipsText(comparison: Comparison, look: Look): readonly string[] {
  const { flips } = comparison;
  const { behind } = flips;
  if (behind === undefined) return [];
  const { id } = comparison[behind];
  const without = flips.without.flatMap((flip) => removalText(flip, comparison, look));
  if (flips.because !== undefined) return without;
  const told = numbersText(comparison, behind);
  if (told.length === 0) return linesOf(visible(nothingText(comparison, id)), look.columns);
  const searched = [...flips.weights, ...flips.values].some((flip) => flip.state === 'flips' && flip.how === 'search');
  const title = `${id} would win if${searched ? ' (found by search)' : ''}`;
  return [...titled(title, look), ...told.map((line) => wrap(visible(line), look.columns, '  '))];
}

const titled = (title: string, { columns, paint }: Look): readonly string[] =>
  linesOf(visible(title), columns).map((line) => paint('strong', line));

function numbersText(comparison: Comparison, behind: Side): readonly string[] {
  const { weights, values } = comparison.flips;
  const termOf = (id: string): TermComparison | undefined => comparison.terms.find((term) => term.id === id);
  return [
    ...flipping(weights).map(
      (flip) => `${flip.id} weighed ${toText(flip)}${weightText(termOf(flip.id), flip, behind)}`,
    ),
    ...flipping(values).map((flip) => `${flip.id} were ${toText(flip)} (${isText(termOf(flip.id), flip, behind)})`),
  ];
}

/** Rounded away from where it is now, so that what is read flips as well. */
const toText = ({ from, threshold, to }: Flipping): string => beyondText(to, to - (from ?? threshold));

/** What a weight is now: for each of the two, where their cases differ. */
function weightText(term: TermComparison | undefined, { from = 0 }: Flipping, behind: Side): string {
  const [own, other] = behind === 'a' ? [term?.a, term?.b] : [term?.b, term?.a];
  if (own?.written !== other?.written)
    return ` for both (now ${writtenText(own, from)}, and ${writtenText(other, from)} for the other)`;
  const source = typeof own?.written === 'string' ? `${own.written}, ` : '';
  return ` (now ${source}${shown(from)})`;
}

const writtenText = (side: TermSide | undefined, from: number): string =>
  typeof side?.written === 'string' ? side.written : shown(side?.written ?? from);

function isText(term: TermComparison | undefined, { from }: Flipping, behind: Side): string {
  const state = term?.[behind].state;
  const is = state === 'failed' ? 'it failed' : state === 'absent' ? 'is absent' : 'is';
  if (from === undefined) return is;
  return state === 'scored' ? `is ${shown(from)}` : `${is}, and counts ${shown(from)}`;
}

/** What was asked in vain, and whether that is certain. */
function nothingText({ flips: { weights, values } }: Comparison, id: string): string {
  const certain = [...weights, ...values].every((flip) => flip.state !== 'none' || flip.how === 'exact');
  const what = weights.length > 0 ? 'no weight alone and no value alone' : 'no value alone';
  return `${what} would let ${id} win${certain ? '' : ', as far as was tried'}`;
}

function removalText(flip: RemovalFlip, { flips: { behind }, a, b }: Comparison, look: Look): readonly string[] {
  const [own, other] = behind === 'a' ? [a.id, b.id] : [b.id, a.id];
  if (flip.state === 'not_asked') return titled(`${own} without ${flip.id}: not asked, ${flip.because}`, look);
  const lines = [`${own}: ${came(flip.outcome)}`, `${other}: ${came(flip.other)}`];
  return [
    ...titled(`${own} would ${flip.state === 'flips' ? '' : 'not '}win without ${flip.id}`, look),
    ...lines.map((line) => wrap(visible(line), look.columns, '  ')),
  ];
}
