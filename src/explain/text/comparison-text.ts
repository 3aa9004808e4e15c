import { displayWidth } from '../../text/display-width.js';
import { escapeInvisible } from '../../text/escape-invisible.js';
import { formatNumber, formatSigned } from '../../text/format-number.js';
import { type ColumnAlign, layoutTable, type RenderOptions, type TableRow } from '../../text/table.js';
import { truncateMiddle, wrap, wrapToLines } from '../../text/wrap.js';
import type { ComparedCandidate, Comparison, RuleSide, Side, TermComparison } from '../comparison/comparison.js';
import type { CombineTerm } from '../explanation.js';
import { COMBINE_METHOD_NAMES } from './combine-method-names.js';
import type { ExplanationTextOptions } from './explanation-text.js';
import { flipsText } from './flips-text.js';
import { outcomeText } from './outcome-text.js';
import { numberText } from './term-text.js';

/** The most that a candidate's name takes at the head of a column. */
const MAX_HEAD_WIDTH = 14;

/**
 * A comparison as a person reads it, in lines that fit a terminal: who comes first and by how much, scorer by scorer
 * what makes the difference, the rules, and what would have to change for the other to come first.
 */
export function comparisonText(
  comparison: Comparison,
  { columns = 80, paint = (_, text) => text }: ExplanationTextOptions = {},
): string {
  const look: RenderOptions = { columns, paint };
  const sections = [comparisonHeadline(comparison, look), termsText(comparison, look), flipsText(comparison, look)];
  const said = sections.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return `${said.join('\n\n')}\n`;
}

/** Who comes first, and what decided. */
function comparisonHeadline(comparison: Comparison, { columns, paint }: RenderOptions): readonly string[] {
  const { profile, a, b } = comparison;
  const head = wrapToLines(escapeInvisible(`${decisionText(comparison)} (${profile})`), columns);
  const same = [a, b].flatMap(({ id, sameId, index }) =>
    sameId === undefined ? [] : [`${sameId} candidates have the id ${id}; this is the one at index ${index}`],
  );
  const scored = comparison.decidedBy === 'score' || comparison.decidedBy === 'ties';
  const more = scored ? same : [...[a, b].flatMap(outcomeLines), ...same];
  return [
    ...head.map((line) => paint('strong', line)),
    ...more.map((line) => wrap(escapeInvisible(line), columns, '  ')),
  ];
}

/** What became of one of the two, and all that refused it. */
function outcomeLines({ id, outcome }: ComparedCandidate): readonly string[] {
  if (outcome.kind !== 'refused') return [`${id}: ${outcomeText(outcome)}`];
  const fallen = outcome.selected === 'fallback' ? ', and selected as a fallback' : '';
  return outcome.all.map(({ by, kind, reason }) => `${id}: refused by ${by} (${kind})${fallen}: ${reason}`);
}

function decisionText({ a, b, ahead, decidedBy, difference = 0 }: Comparison): string {
  const [first, last] = ahead === 'b' ? [b, a] : [a, b];
  const score = ({ outcome }: typeof a): string => (outcome.kind === 'ranked' ? formatNumber(outcome.score) : '');
  switch (decidedBy) {
    case 'score': {
      const by = formatNumber(Math.abs(difference));
      return score(first) === score(last)
        ? `${first.id} beats ${last.id} by ${by}: both have about ${score(first)}`
        : `${first.id} beats ${last.id} by ${by}: ${score(first)} against ${score(last)}`;
    }
    case 'ties':
      return `${first.id} comes before ${last.id}: both have ${score(first)}, and ties are broken so`;
    case 'refusal':
      return `${first.id} comes before ${last.id}, which was refused: no score decides`;
    case 'pinned':
      return `${first.id} comes before ${last.id}: it is pinned, and no score decides`;
    case 'not_asked':
      return `${first.id} comes before ${last.id}, which was left out before all were asked about it`;
    default:
      return `neither ${a.id} nor ${b.id} comes first`;
  }
}

/** What lies between the two in one scorer, and what its column and the last one are called. */
interface DifferenceColumn {
  readonly head: string;
  readonly between: (term: TermComparison) => string;
  readonly last: string;
}

function differenceColumn(method: CombineTerm['method']): DifferenceColumn {
  switch (method) {
    case 'product':
    case 'geometric_mean': {
      const between = ({ ratio }: TermComparison): string => (ratio === undefined ? '–' : `× ${formatNumber(ratio)}`);
      return { head: 'ratio', between, last: 'favours' };
    }
    case 'min':
    case 'max':
      return { head: 'difference', between: () => '', last: 'decides' };
    case 'formula':
      return { head: 'difference', between: () => '', last: '' };
    default:
      return { head: 'difference', between: ({ difference }) => formatSigned(difference), last: 'favours' };
  }
}

/** The scorers, what decides most first, what they come to, and the rules: where both have a score to be compared. */
function termsText(comparison: Comparison, look: RenderOptions): readonly string[] {
  const { a, b, combine, rules, terms } = comparison;
  if (combine?.a === undefined || combine.b === undefined) return [];
  const { head, between, last } = differenceColumn(combine.method);
  const names = {
    a: truncateMiddle(escapeInvisible(a.id), MAX_HEAD_WIDTH),
    b: truncateMiddle(escapeInvisible(b.id), MAX_HEAD_WIDTH),
  };
  const nameOf = (side: Side | undefined): string => (side ? names[side] : '');
  const row = (name: string, one: string, other: string, difference: string, weight = '', favours = ''): TableRow => ({
    cells: [name, one, other, weight, difference, favours],
    why: [],
  });
  const rows = terms
    .filter((term) => term.a.state !== 'not_asked')
    .map((term) => {
      const favours = term.decides?.length === 2 ? 'both' : nameOf(term.decides?.[0] ?? term.favours);
      return row(term.id, numberText(term.a.value), numberText(term.b.value), between(term), weightText(term), favours);
    });
  const { method, formula } = combine;
  rows.push({
    ...row(
      COMBINE_METHOD_NAMES[method],
      formatNumber(combine.a),
      formatNumber(combine.b),
      formatSigned(combine.difference),
    ),
    why: formula === undefined ? [] : [formula],
  });
  for (const { id, difference, favours, ...of } of rules)
    rows.push(row(`rule ${id}`, changeText(of.a), changeText(of.b), formatSigned(difference), '', nameOf(favours)));
  if (rules.length > 0 && a.outcome.kind === 'ranked' && b.outcome.kind === 'ranked')
    rows.push(
      row('score', formatNumber(a.outcome.score), formatNumber(b.outcome.score), formatSigned(comparison.difference)),
    );
  return fitTable(rows, ['scorer', names.a, names.b, 'weight', head, last], look);
}

const [WEIGHT, FAVOURS] = [3, 5];
/** Columns that give way where there is too little room: none, whom a scorer favours, the weights as well. */
const DROPPABLE_COLUMNS: readonly (readonly number[])[] = [[], [FAVOURS], [FAVOURS, WEIGHT]];

/** The columns that have anything to say, as far as there is room for them. */
function fitTable(
  rows: readonly TableRow[],
  heads: readonly string[],
  { columns, paint }: RenderOptions,
): readonly string[] {
  const said = heads.map((_, k) => k).filter((k) => rows.some(({ cells }) => (cells[k] ?? '') !== ''));
  const plain: RenderOptions = { columns, paint: (_, text) => text };
  const tries = DROPPABLE_COLUMNS.map((without) => {
    const shownOf = said.filter((k) => !without.includes(k));
    const aligns = shownOf.map((k): ColumnAlign => (k === 0 || k === FAVOURS ? 'left' : 'point'));
    const some = rows.map(({ cells, why }): TableRow => ({ cells: shownOf.map((k) => cells[k] ?? ''), why }));
    const names = shownOf.map((k) => heads[k] ?? '');
    return layoutTable(some, aligns, names, plain);
  });
  const lines = tries.find((one) => one.every((line) => displayWidth(line) <= columns)) ?? tries.at(-1) ?? [];
  return lines.map((line, k) => (k === 0 ? paint('faint', line) : line));
}

/** One number where both have it, else both. */
function weightText({ a, b }: TermComparison): string {
  const weights = [a.weight, b.weight].filter((weight) => weight !== undefined).map(formatNumber);
  return [...new Set(weights)].join(' and ');
}

const changeText = ({ state, change }: RuleSide): string =>
  state === 'fired' ? formatSigned(change) : state === 'not_fired' || state === 'not_asked' ? '–' : state;
