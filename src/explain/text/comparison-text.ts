import { type CombineFacts, combineFacts } from '../../profile/index.js';
import {
  type ColumnAlign,
  displayWidth,
  escapeInvisible,
  formatNumber,
  formatSigned,
  layoutTable,
  type RenderOptions,
  type TableRow,
  truncateMiddle,
} from '../../text/index.js';
import type { ComparedCandidate, Comparison, RuleSide, Side, TermComparison } from '../comparison/comparison.js';
import { candidateName, sharedIdLines } from '../candidate-name.js';
import { flipsText } from './flips-text.js';
import { outcomeText } from './outcome-text.js';
import { type ExplanationTextOptions, joinSections, renderOptions, section, unstyled } from './sections.js';
import { numberText } from './term-text.js';
import { comparisonWithLabels } from './with-labels.js';

/**
 * A comparison in lines that fit a terminal: which candidate comes first and by how much, the difference scorer by
 * scorer, the rules, and what would have to change for the other one to come first.
 */
export function comparisonText(comparison: Comparison, options: ExplanationTextOptions = {}): string {
  const render = renderOptions(options);
  const shown = comparisonWithLabels(comparison);
  return joinSections([comparisonHeadline(shown, render), termsText(shown, render), flipsText(shown, render)]);
}

/** The title: which one comes first, and what decided. */
function comparisonHeadline(comparison: Comparison, render: RenderOptions): readonly string[] {
  const { profile, a, b, decidedBy } = comparison;
  const scored = decidedBy === 'score' || decidedBy === 'ties';
  const shared = (a.id === b.id ? [a] : [a, b]).flatMap(sharedIdLines);
  const more = scored ? shared : [...[a, b].flatMap(outcomeLines), ...shared];
  return section(`${decisionText(comparison)} (${profile})`, more, render);
}

/** The result of one of the two, and its refusals. */
function outcomeLines(candidate: ComparedCandidate): readonly string[] {
  const { outcome } = candidate;
  const name = candidateName(candidate);
  if (outcome.kind !== 'refused') return [`${name}: ${outcomeText(outcome)}`];
  const fallback = outcome.selected === 'fallback' ? ', and selected as a fallback' : '';
  return outcome.all.map(({ by, kind, reason }) => `${name}: refused by ${by} (${kind})${fallback}: ${reason}`);
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
      return `${winner} comes before ${loser}: both have ${score(first)}, and ties are broken so`;
    case 'refusal':
      return `${winner} comes before ${loser}, which was refused: no score decides`;
    case 'pinned':
      return `${winner} comes before ${loser}: it is pinned, and no score decides`;
    case 'not_asked':
      return `${winner} comes before ${loser}, which was left out before all were asked about it`;
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

/** The column between the two, and the head of the last one. */
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

/** The widest name of a candidate at the head of a column. */
const MAX_HEAD_WIDTH = 14;

/** The scorers, the most decisive first, the combined scores and the rules; nothing unless both were combined. */
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
    .filter((term) => term.a.state !== 'not_asked')
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
/** The columns to drop while the table is too wide: none, then the favoured candidate, then the weights as well. */
const DROPPABLE_COLUMNS: readonly (readonly number[])[] = [[], [FAVOURS], [FAVOURS, WEIGHT]];

/** A table of the columns that are not empty, as many of them as fit. */
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

/** The weight, or both where they differ. */
function weightText({ a, b }: TermComparison): string {
  const weights = [a.weight, b.weight].filter((weight) => weight !== undefined).map(formatNumber);
  return [...new Set(weights)].join(' and ');
}

const changeText = ({ state, change }: RuleSide): string =>
  state === 'fired' ? formatSigned(change) : state === 'not_fired' || state === 'not_asked' ? '–' : state;
