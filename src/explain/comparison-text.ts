import { linesOf, shorten, wrap } from '../document/fit.js';
import { visible } from '../document/visible.js';
import { type Align, columnsOf, type Look, type Row } from './columns.js';
import type { Comparison, RuleSide, Side, TermComparison, TermSide } from './comparison.js';
import { flipsText } from './flips-text.js';
import { METHODS } from './methods.js';
import { shown } from './numbers.js';
import type { ExplanationTextOptions } from './text.js';
import { came } from './headline.js';
import { numberText } from './words.js';

/** The most that a candidate's name takes at the head of a column. */
const LONGEST_HEAD = 14;

/**
 * A comparison as a person reads it, in lines that fit a terminal: who comes first and by how much, scorer by scorer
 * what makes the difference, the rules, and what would have to change for the other to come first.
 */
export function comparisonText(
  comparison: Comparison,
  { columns = 80, paint = (_, text) => text }: ExplanationTextOptions = {},
): string {
  const look: Look = { columns, paint };
  const sections = [headline(comparison, look), termsText(comparison, look), flipsText(comparison, look)];
  const said = sections.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return `${said.join('\n\n')}\n`;
}

/** Who comes first, and what decided. */
function headline(comparison: Comparison, { columns, paint }: Look): readonly string[] {
  const { profile, a, b } = comparison;
  const head = linesOf(visible(`${decision(comparison)} (${profile})`), columns);
  const both = [a, b].map(({ id, outcome }) => `${id}: ${came(outcome)}`);
  const same = [a, b].flatMap(({ id, sameId, index }) =>
    sameId === undefined ? [] : [`${sameId} candidates have the id ${id}; this is the one at index ${index}`],
  );
  const refusals = [a, b].flatMap(({ id, outcome }) =>
    outcome.kind === 'refused' ? outcome.all.map(({ by, kind, reason }) => `${id}, ${by} (${kind}): ${reason}`) : [],
  );
  const more =
    comparison.decidedBy === 'score' || comparison.decidedBy === 'ties' ? same : [...both, ...refusals, ...same];
  return [...head.map((line) => paint('strong', line)), ...more.map((line) => wrap(visible(line), columns, '  '))];
}

function decision({ a, b, ahead, decidedBy, difference = 0 }: Comparison): string {
  const [first, last] = ahead === 'b' ? [b, a] : [a, b];
  const score = ({ outcome }: typeof a): string => (outcome.kind === 'ranked' ? shown(outcome.score) : '');
  switch (decidedBy) {
    case 'score': {
      const by = shown(Math.abs(difference));
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
    default:
      return `neither ${a.id} nor ${b.id} comes first`;
  }
}

/** What stands in a column for one of the two, and for what lies between them. */
interface Shape {
  readonly cell: (side: TermSide) => string;
  readonly weighed: boolean;
  readonly head: string;
  readonly between: (term: TermComparison) => string;
}

function shapeOf({ combine, terms }: Comparison): Shape {
  const cell = ({ value }: TermSide): string => numberText(value);
  const method = combine?.method;
  const weighed = terms.some(({ a, b }) => a.weight !== undefined || b.weight !== undefined);
  const signed = (term: TermComparison): string => signedText(term.difference);
  if (method === 'product' || method === 'geometric_mean')
    return { cell, weighed, head: 'ratio', between: ({ ratio }) => (ratio === undefined ? '–' : `× ${shown(ratio)}`) };
  if (method === 'min' || method === 'max') return { cell, weighed, head: '', between: () => '' };
  return {
    cell,
    weighed,
    head: method === 'formula' ? '' : 'difference',
    between: method === 'formula' ? () => '' : signed,
  };
}

export const signedText = (value: number | undefined): string =>
  value === undefined ? '–' : value > 0 ? `+${shown(value)}` : value < 0 ? `−${shown(-value)}` : '0';

const nameOf = (comparison: Comparison, side: Side): string => visible(comparison[side].id);

/** The scorers, what decides most first, what they come to, and the rules. */
function termsText(comparison: Comparison, look: Look): readonly string[] {
  const { combine, rules, terms } = comparison;
  if (!combine) return [];
  const shape = shapeOf(comparison);
  const asked = terms.filter(({ a, b }) => a.state !== 'not_asked' || b.state !== 'not_asked');
  const wide = shape.weighed ? ['weight'] : [];
  const heads = ['scorer', ...(['a', 'b'] as const).map((side) => shorten(nameOf(comparison, side), LONGEST_HEAD))];
  const favours = (side: Side | undefined): readonly string[] => (side ? [nameOf(comparison, side)] : []);
  const rows = asked.map((term): Row => {
    const weights = shape.weighed ? [weightText(term)] : [];
    const decides = term.decides?.map((side) => `the score of ${nameOf(comparison, side)}`).join(', ') ?? '';
    const why = [...favours(term.favours), ...(decides === '' ? [] : [decides])];
    return { cells: [term.id, shape.cell(term.a), shape.cell(term.b), ...weights, shape.between(term)], why };
  });
  const blank = wide.map(() => '');
  const between = combine.difference === undefined ? '–' : shape.head === 'ratio' ? '' : signedText(combine.difference);
  rows.push({
    cells: [METHODS[combine.method], numberText(combine.a), numberText(combine.b), ...blank, between],
    why: combine.formula === undefined ? [] : [combine.formula],
  });
  for (const { id, a, b, difference, favours: whom } of rules)
    rows.push({
      cells: [`rule ${id}`, changeText(a), changeText(b), ...blank, signedText(difference)],
      why: favours(whom),
    });
  const { outcome: ofA } = comparison.a;
  const { outcome: ofB } = comparison.b;
  if (rules.length > 0 && ofA.kind === 'ranked' && ofB.kind === 'ranked')
    rows.push({
      cells: ['score', shown(ofA.score), shown(ofB.score), ...blank, signedText(comparison.difference)],
      why: [],
    });
  const aligns: readonly Align[] = ['left', ...heads.slice(1), ...wide, ''].map(
    (one): Align => (one === 'left' ? one : 'point'),
  );
  return columnsOf(rows, aligns, [...heads, ...wide, shape.head, 'favours'], look);
}

/** One number where both have it, else both. */
function weightText({ a, b }: TermComparison): string {
  const [one, other] = [a.weight, b.weight].map(numberText);
  return one === other || other === '–' ? (one ?? '') : one === '–' ? (other ?? '') : `${one} and ${other}`;
}

const changeText = ({ state, change }: RuleSide): string =>
  state === 'fired' ? signedText(change) : state === 'not_fired' || state === 'not_asked' ? '–' : state;
