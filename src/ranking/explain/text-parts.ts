import { labelOf, type Labels } from '../../profile/index.js';
import {
  describeValue,
  isObject,
  toAssizeError,
  formatNumber,
  type RenderOptions,
  type TextStyler,
  escapeInvisible,
  wrap,
  wrapToLines,
} from '../../base/index.js';
import type { WaysToWin } from './ways-to-win.js';
import type { Comparison, Flips } from './comparison.js';
import type { ExplanationNode } from './explanation.js';

/** Layout options of the text of an explanation. */
export interface ExplanationTextOptions {
  /** The line width in terminal columns. Default: 80. */
  readonly columns?: number;
  /** Styles titles and heads. Default: no styles. */
  readonly paint?: TextStyler;
}

export const unstyled: TextStyler = (_, text) => text;

/** The options with their defaults. */
export const renderOptions = ({ columns = 80, paint = unstyled }: ExplanationTextOptions): RenderOptions => ({
  columns,
  paint,
});

/**
 * Checks the argument of a function that makes a text of a result.
 *
 * @param key a key that such a result has
 * @param source the call that returns one
 * @throws AssizeError (ASZ533)
 */
export function checkResult(call: string, given: unknown, key: string, expected: string, source: string): void {
  if (isObject(given) && key in given) return;
  const message = `the argument of ${call} is ${describeValue(given)}; expected ${expected}`;
  const hint = given instanceof Promise ? 'await it' : `${source} returns one`;
  throw toAssizeError([{ code: 'ASZ533', message, hint }]);
}

/** @throws AssizeError (ASZ533) */
export const checkExplanation = (call: string, given: unknown): void =>
  checkResult(call, given, 'details', 'an explanation', 'ranking.explain(id)');

/** A title, wrapped. */
export const titleLines = (title: string, { columns, paint }: RenderOptions): readonly string[] =>
  wrapToLines(escapeInvisible(title), columns).map((line) => paint('strong', line));

/** Indented paragraphs. */
export const indented = (paragraphs: readonly string[], { columns }: RenderOptions): readonly string[] =>
  paragraphs.map((paragraph) => wrap(escapeInvisible(paragraph), columns, '  '));

/** Indented paragraphs under a title. */
export const section = (title: string, paragraphs: readonly string[], options: RenderOptions): readonly string[] => [
  ...titleLines(title, options),
  ...indented(paragraphs, options),
];

/** Joins the sections that have lines, with an empty line between them. */
export const joinSections = (sections: readonly (readonly string[])[]): string =>
  `${sections
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;

/** A number, or a dash if it is undefined. */
export const numberText = (value: number | undefined): string => (value === undefined ? '–' : formatNumber(value));

/** The name of a nested entry, indented by its depth. */
export const childName = (unit: string, depth: number): string => `${'  '.repeat(depth - 1)}└ ${unit}`;

/** The display name of a node. */
export const nameOfNode = ({ id, label = id }: Pick<ExplanationNode, 'id' | 'label'>): string => label;

interface Named {
  readonly id: string;
}

const named = <T extends Named>(terms: readonly T[], labels: Labels): readonly T[] =>
  terms.map((term) => ({ ...term, id: labelOf(labels, term.id) }));

/** Replaces ids by labels. */
export function comparisonWithLabels(comparison: Comparison): Comparison {
  const { labels, terms, rules, flips } = comparison;
  if (labels === undefined) return comparison;
  return {
    ...comparison,
    terms: named(terms, labels),
    rules: named(rules, labels),
    flips: flipsWithLabels(flips, labels),
  };
}

/** Replaces ids by labels. */
export function waysWithLabels(ways: WaysToWin): WaysToWin {
  const { labels, weights, without } = ways;
  if (labels === undefined) return ways;
  return {
    ...ways,
    weights: named(weights, labels),
    without: named(without, labels),
  };
}

const flipsWithLabels = (flips: Flips, labels: Labels): Flips => ({
  ...flips,
  weights: named(flips.weights, labels),
  values: named(flips.values, labels),
  without: named(flips.without, labels),
});
