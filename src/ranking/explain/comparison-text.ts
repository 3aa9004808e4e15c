import { type CombineFacts, combineFacts } from '../../profile/index.js';
import {
  formatNumber,
  formatSigned,
  type ColumnAlign,
  layoutTable,
  type RenderOptions,
  type TableRow,
  displayWidth,
  escapeInvisible,
  truncateMiddle,
  wrapToLines,
} from '../../base/index.js';
import {
  candidateName,
  type ComparedCandidate,
  type Comparison,
  type NumberFlip,
  type RemovalFlip,
  type RuleSide,
  sharedIdLines,
  type Side,
  type TermComparison,
  type TermSide,
} from './comparison.js';
import type { JsonValue } from './json-value.js';
import { outcomeText } from './outcome.js';
import {
  checkResult,
  comparisonWithLabels,
  type ExplanationTextOptions,
  joinSections,
  numberText,
  renderOptions,
  section,
  unstyled,
  waysWithLabels,
} from './text-parts.js';
import type { FieldChange, WaysToWin } from './ways-to-win.js';

/**
 * Formats a comparison for a terminal: which candidate comes first and by how much, the difference per scorer, the
 * rules, and the changes that would let the other candidate come first.
 */
export function comparisonText(comparison: Comparison, options: ExplanationTextOptions = {}): string {
  checkResult('comparisonText', comparison, 'decidedBy', 'a comparison', 'await ranking.compare(a, b)');
  const render = renderOptions(options);
  const shown = comparisonWithLabels(comparison);
  return joinSections([comparisonHeadline(shown, render), termsText(shown, render), flipsText(shown, render)]);
}

/** The title: which candidate comes first, and what decided. */
function comparisonHeadline(comparison: Comparison, render: RenderOptions): readonly string[] {
  const { profile, a, b, decidedBy } = comparison;
  const scored = decidedBy === 'score' || decidedBy === 'ties';
  const shared = (a.id === b.id ? [a] : [a, b]).flatMap(sharedIdLines);
  const more = scored ? shared : [...[a, b].flatMap(outcomeLines), ...shared];
  return section(`${decisionText(comparison)} (${profile})`, more, render);
}

/** The result of one candidate, and its refusals. */
function outcomeLines(candidate: ComparedCandidate): readonly string[] {
  const { outcome } = candidate;
  const name = candidateName(candidate);
  if (outcome.kind !== 'refused') return [`${name}: ${outcomeText(outcome)}`];
  const fallback = outcome.selected === 'fallback' ? ', and selected as a fallback' : '';
  return outcome.all.map(
    ({ by, label = by, kind, reason }) => `${name}: refused by ${label} (${kind})${fallback}: ${reason}`,
  );
}

function decisionText({ a, b, ahead, decidedBy, difference = 0 }: Comparison): string {
  const [first, last] = ahead === 'b' ? [b, a] : [a, b];
  const [winner, loser] = [candidateName(first), candidateName(last)];
  const score = ({ outcome }: typeof a): string => (outcome.kind === 'ranked' ? formatNumber(outcome.score) : '');
  switch (decidedBy) {
    case 'score': {
      const by = formatNumber(Math.abs(difference));
      return score(first) === score(last)
        ? `${winner} beats ${loser} by ${by}: both have about ${score(first)}`
        : `${winner} beats ${loser} by ${by}: ${score(first)} against ${score(last)}`;
    }
    case 'ties':
      return `${winner} comes before ${loser}: both have ${score(first)}, and the tie-breakers decide`;
    case 'refusal':
      return `${winner} comes before ${loser}, which was refused: no score decides`;
    case 'pinned':
      return `${winner} comes before ${loser}: it is pinned, and no score decides`;
    case 'not_evaluated':
      return `${winner} comes before ${loser}, which was excluded before all scorers ran`;
    case 'diversify':
      return `${winner} comes before ${loser}: diversification decides, not the score`;
    case 'place':
      return `${winner} comes before ${loser}: placement decides, not the score`;
    case 'per':
      return `${winner} is selected and ${loser} is not: the group limit decides, not the score`;
    case 'pack':
      return `${winner} is selected and ${loser} is not: the budget decides, not the score`;
    case 'duplicates':
      return `${winner} is selected and ${loser} is not: ${loser} is a duplicate`;
    case 'fallback':
      return `${winner} comes before ${loser}: it is the fallback, and no score decides`;
    default:
      return `neither ${winner} nor ${loser} comes first`;
  }
}

/** The difference column, and the head of the last column. */
interface DifferenceColumn {
  readonly head: string;
  readonly cell: (term: TermComparison) => string;
  readonly lastHead: string;
}

const DIFFERENCE_COLUMNS: Readonly<Record<CombineFacts['effect'], DifferenceColumn>> = {
  summand: { head: 'difference', cell: ({ difference }) => formatSigned(difference), lastHead: 'favours' },
  factor: {
    head: 'ratio',
    cell: ({ ratio }) => (ratio === undefined ? '–' : `× ${formatNumber(ratio)}`),
    lastHead: 'favours',
  },
  extreme: { head: 'difference', cell: () => '', lastHead: 'decides' },
  none: { head: 'difference', cell: () => '', lastHead: '' },
};

/** The maximum width of a candidate's name in a column head. */
const MAX_HEAD_WIDTH = 14;

/** The scorers (most decisive first), the combined scores and the rules; no lines unless both have a combined score. */
function termsText(comparison: Comparison, render: RenderOptions): readonly string[] {
  const { a, b, combine, rules, terms } = comparison;
  if (combine?.a === undefined || combine.b === undefined) return [];
  const { method, formula } = combine;
  const { effect, label } = combineFacts(method);
  const { head, cell, lastHead } = DIFFERENCE_COLUMNS[effect];
  const names = {
    a: truncateMiddle(escapeInvisible(candidateName(a)), MAX_HEAD_WIDTH),
    b: truncateMiddle(escapeInvisible(candidateName(b)), MAX_HEAD_WIDTH),
  };
  const nameOf = (side: Side | undefined): string => (side ? names[side] : '');
  const row = (name: string, one: string, other: string, difference: string, weight = '', favours = ''): TableRow => ({
    cells: [name, one, other, weight, difference, favours],
    why: [],
  });
  const rows = terms
    .filter((term) => term.a.state !== 'not_evaluated')
    .map((term) => {
      const favours = term.decides?.length === 2 ? 'both' : nameOf(term.decides?.[0] ?? term.favours);
      return row(term.id, numberText(term.a.value), numberText(term.b.value), cell(term), weightText(term), favours);
    });
  rows.push({
    ...row(label, formatNumber(combine.a), formatNumber(combine.b), formatSigned(combine.difference)),
    why: formula === undefined ? [] : [formula],
  });
  for (const { id, difference, favours, ...of } of rules)
    rows.push(row(`rule ${id}`, changeText(of.a), changeText(of.b), formatSigned(difference), '', nameOf(favours)));
  if (rules.length > 0 && a.outcome.kind === 'ranked' && b.outcome.kind === 'ranked')
    rows.push(
      row('score', formatNumber(a.outcome.score), formatNumber(b.outcome.score), formatSigned(comparison.difference)),
    );
  return fitTable(rows, ['scorer', names.a, names.b, 'weight', head, lastHead], render);
}

const [WEIGHT, FAVOURS] = [3, 5];
/** The columns to drop if the table is too wide: first the favoured candidate, then also the weights. */
const DROPPABLE_COLUMNS: readonly (readonly number[])[] = [[], [FAVOURS], [FAVOURS, WEIGHT]];

/** A table of the columns that are not empty and fit. */
function fitTable(
  rows: readonly TableRow[],
  heads: readonly string[],
  { columns, paint }: RenderOptions,
): readonly string[] {
  const filled = heads.map((_, k) => k).filter((k) => rows.some(({ cells }) => (cells[k] ?? '') !== ''));
  const tables = DROPPABLE_COLUMNS.map((dropped) => {
    const shown = filled.filter((k) => !dropped.includes(k));
    const aligns = shown.map((k): ColumnAlign => (k === 0 || k === FAVOURS ? 'left' : 'point'));
    const visible = rows.map(({ cells, why }): TableRow => ({ cells: shown.map((k) => cells[k] ?? ''), why }));
    const names = shown.map((k) => heads[k] ?? '');
    return layoutTable(visible, aligns, names, { columns, paint: unstyled });
  });
  const lines = tables.find((table) => table.every((line) => displayWidth(line) <= columns)) ?? tables.at(-1) ?? [];
  return lines.map((line, k) => (k === 0 ? paint('faint', line) : line));
}

/** The weight, or both weights if they differ. */
function weightText({ a, b }: TermComparison): string {
  const weights = [a.weight, b.weight].filter((weight) => weight !== undefined).map(formatNumber);
  return [...new Set(weights)].join(' and ');
}

const changeText = ({ state, change }: RuleSide): string =>
  state === 'fired' ? formatSigned(change) : state === 'not_fired' || state === 'not_evaluated' ? '–' : state;

const WON = { first: 'is first', selected: 'is selected' } as const;
const WINS = { first: 'would be first', selected: 'would be selected' } as const;

/** Formats the ways to win for a terminal: the candidate's current result, and the single changes that were found. */
export function waysToWinText(ways: WaysToWin, options: ExplanationTextOptions = {}): string {
  checkResult('waysToWinText', ways, 'goal', 'ways to win', 'await ranking.waysToWin(id)');
  const render = renderOptions(options);
  const shown = waysWithLabels(ways);
  const { profile, goal, first, reached, because, outcome } = shown;
  const name = candidateName(shown);
  const now = goal === 'first' && first !== undefined && !reached ? [`first now: ${first}`] : [];
  const head = section(`${name}: ${outcomeText(outcome)} (${profile})`, [...sharedIdLines(shown), ...now], render);
  const plain = (text: string): readonly string[] => wrapToLines(escapeInvisible(text), render.columns);
  if (reached) return joinSections([head, plain(`It ${WON[goal]} already.`)]);
  if (because !== undefined) return joinSections([head, plain(`Nothing was tried: ${because}.`)]);
  const lines = foundLines(shown);
  const found =
    lines.length === 0
      ? plain(
          `No single change works: with each of those tried, ${name} would not ${goal === 'first' ? 'be first' : 'be selected'}.`,
        )
      : section(`${name} ${WINS[goal]} with any one of these changes`, lines, render);
  return joinSections([head, found, plain(triedText(shown))]);
}

function foundLines({ fields, weights, without }: WaysToWin): readonly string[] {
  return [
    ...without.filter(({ state }) => state === 'flips').map(({ id }) => `without ${id}`),
    ...fieldLines(fields),
    ...weights.flatMap((change) => {
      if (change.state !== 'flips') return [];
      const from = change.from === undefined ? 'is computed' : `now ${formatNumber(change.from)}`;
      return [`${change.id} with weight ${change.to} (${from})`];
    }),
  ];
}

/** The number of runs, the changes that failed, and those that were not tried. */
function triedText({ fields, weights, without, runs }: WaysToWin): string {
  const all = [
    ...without.map((one) => ({ ...one, name: `without ${one.id}` })),
    ...fields.map((one) => ({ ...one, name: one.field })),
    ...weights.map((one) => ({ ...one, name: `the weight of ${one.id}` })),
  ];
  const failed = all.filter(({ state }) => state === 'none').map(({ name }) => name);
  const skipped = all.flatMap((one) =>
    one.state === 'not_evaluated' ? [`${one.name} (${'because' in one ? one.because : ''})`] : [],
  );
  return [
    `Each change was applied, and the candidates were ranked again: ${runs.used.toLocaleString('en-US')} ${runs.used === 1 ? 'run' : 'runs'}.`,
    ...(failed.length > 0 ? [`Not enough on their own: ${failed.join(', ')}.`] : []),
    ...(skipped.length > 0 ? [`Not tried: ${skipped.join('; ')}.`] : []),
  ].join(' ');
}

type FoundFlip = Extract<NumberFlip, { readonly state: 'flips' }>;

const foundFlips = (flips: readonly NumberFlip[]): readonly FoundFlip[] =>
  flips.filter((flip): flip is FoundFlip => flip.state === 'flips');

/** The changes that would let the candidate behind come first. */
function flipsText(comparison: Comparison, render: RenderOptions): readonly string[] {
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
      (flip) => `${flip.id} weighed ${targetText(flip)}${flipWeightText(termOf(flip.id), flip, behind)}`,
    ),
    ...fieldLines(fields),
    ...foundFlips(values).map(
      (flip) => `${flip.id} were ${targetText(flip)} (${currentValueText(termOf(flip.id), flip, behind)})`,
    ),
  ];
}

/** The changes of fields that flip: `price 12.40 or less (is 19.99)`. */
const fieldLines = (fields: readonly FieldChange[]): readonly string[] =>
  fields.flatMap((change) =>
    change.state === 'flips'
      ? [`${change.text} (is ${change.from === undefined ? 'absent' : valueText(change.from)})`]
      : [],
  );

const valueText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

const targetText = ({ to, rounded }: FoundFlip): string => (rounded === undefined ? String(to) : formatNumber(rounded));

/** The current weight, or both weights if the candidates have different cases. */
function flipWeightText(term: TermComparison | undefined, { from = 0 }: FoundFlip, behind: Side): string {
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
  return state === 'scored' ? `is ${formatNumber(from)}` : `${is}, and counts as ${formatNumber(from)}`;
}

/** Says that no change flips, and whether that is certain. */
function noFlipText({ flips: { weights, fields, values } }: Comparison, name: string): string {
  const isCertain = (flip: NumberFlip): boolean => {
    if (flip.state === 'none') return flip.how === 'exact';
    return flip.state === 'flips' || flip.because === 'its fields were tried';
  };
  const certain =
    [...weights, ...values].every(isCertain) &&
    fields.every((change) => change.state === 'none' && change.certain && change.within === undefined);
  const subject = weights.length > 0 ? 'no single weight or value' : 'no single value';
  return `${subject} would let ${name} win${certain ? '' : ' (of those tried)'}`;
}

function removalText(
  flip: RemovalFlip,
  { flips: { behind }, a, b }: Comparison,
  render: RenderOptions,
): readonly string[] {
  const [own, other] = (behind === 'a' ? [a, b] : [b, a]).map(candidateName);
  if (flip.state === 'not_evaluated')
    return section(`${own} without ${flip.id}: not evaluated: ${flip.because}`, [], render);
  const title = `${own} would ${flip.state === 'flips' ? '' : 'not '}win without ${flip.id}`;
  return section(title, [`${own}: ${outcomeText(flip.outcome)}`, `${other}: ${outcomeText(flip.other)}`], render);
}
