import { labelOf, type Labels } from '../../profile/index.js';
import {
  formatNumber,
  type RenderOptions,
  type TextStyler,
  escapeInvisible,
  truncateEnd,
  wrap,
  wrapToLines,
} from '../../base/index.js';
import type { WaysToWin } from './ways-to-win.js';
import type { Comparison, Flips } from './comparison.js';
import type { CandidateOutcome, ChildTerm, EntryTerm, Explanation } from './explanation.js';
import type { FieldRead, JsonValue } from './json-value.js';

/** How the text of an explanation looks. */
export interface ExplanationTextOptions {
  /** The width of a line in terminal columns; 80 when not given. */
  readonly columns?: number;
  /** Styles titles and heads; nothing is styled when not given. */
  readonly paint?: TextStyler;
}

/** Leaves a text as it is. */
export const unstyled: TextStyler = (_, text) => text;

/** The options with their defaults. */
export const renderOptions = ({ columns = 80, paint = unstyled }: ExplanationTextOptions): RenderOptions => ({
  columns,
  paint,
});

/** A title, in as many lines as it takes. */
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

/** Sections with an empty line between them; those without lines are left out. */
export const joinSections = (sections: readonly (readonly string[])[]): string =>
  `${sections
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;

/** A number, or a dash if there is none. */
export const numberText = (value: number | undefined): string => (value === undefined ? '–' : formatNumber(value));

/** The name of an entry inside another one, by its depth. */
export const childName = (unit: string, depth: number): string => `${'  '.repeat(depth - 1)}└ ${unit}`;

const MAX_VALUE_WIDTH = 40;

const valueText = (value: JsonValue): string =>
  typeof value === 'number' ? formatNumber(value) : truncateEnd(JSON.stringify(value), MAX_VALUE_WIDTH);

/** `stars = 850`: a field and its value; `candidate.` and `signals.` are left out. */
export function fieldReadText({ path, value, summary }: FieldRead): string {
  const name = path.replace(/^(?:candidate|signals)\./, '');
  if (summary !== undefined) return `${name} is ${summary}`;
  return value === undefined ? `${name} is absent` : `${name} = ${valueText(value)}`;
}

/** The fields that were read, in one paragraph; none if there are none. */
export const fieldReadsText = (reads: readonly FieldRead[]): readonly string[] =>
  reads.length === 0 ? [] : [reads.map(fieldReadText).join(', ')];

/** Why a term is as it is, a paragraph each: its reason with the key that decided its number, and what it read. */
export function reasonLines(term: EntryTerm & { readonly state: string; readonly rule?: string }): readonly string[] {
  const { state, because, reason, error, rule, unit } = term;
  if (state === 'not_asked') return [`not evaluated: ${because ?? ''}`];
  const reasonText =
    state === 'failed'
      ? `failed: ${error ?? 'an entry inside it refuses'}`
      : state === 'absent'
        ? `absent${reason === undefined ? '' : `: ${reason}`}`
        : (reason ?? unit);
  const first = rule === undefined ? reasonText : `${reasonText} (${rule})`;
  // A field that the reason names already is not repeated.
  return [first, ...fieldReadsText(term.reads.filter((read) => !first.includes(fieldReadText(read))))];
}

/** The entries inside one at every depth, with the depth of each. */
export function* childrenOf(term: EntryTerm, depth = 1): Generator<readonly [child: ChildTerm, depth: number]> {
  for (const child of term.inside) {
    yield [child, depth];
    yield* childrenOf(child, depth + 1);
  }
}

/** The mistakes of units in their notes. */
export function noteProblemsIn({ vetoes, measures, scorers }: Explanation): readonly string[] {
  const problems = [...vetoes, ...measures, ...scorers].flatMap((term) =>
    [term, ...Array.from(childrenOf(term), ([child]) => child)].flatMap(({ notes, unit }) =>
      notes.flatMap(({ problem }) => (problem === undefined ? [] : [`${term.id} (${unit}): ${problem}`])),
    ),
  );
  return [...new Set(problems)];
}

interface Named {
  readonly id: string;
}

const named = <T extends Named>(terms: readonly T[], labels: Labels): readonly T[] =>
  terms.map((term) => ({ ...term, id: labelOf(labels, term.id) }));

function namedOutcome(outcome: CandidateOutcome, labels: Labels): CandidateOutcome {
  if (outcome.kind !== 'refused') return outcome;
  const all = outcome.all.map((one) => ({ ...one, by: labelOf(labels, one.by) }));
  return { ...outcome, by: labelOf(labels, outcome.by), all };
}

/** The explanation with labels in place of ids, as texts show it. */
export function explanationWithLabels(explanation: Explanation): Explanation {
  const { labels, outcome, vetoes, measures, scorers, rules } = explanation;
  if (labels === undefined) return explanation;
  return {
    ...explanation,
    outcome: namedOutcome(outcome, labels),
    vetoes: named(vetoes, labels),
    measures: named(measures, labels),
    scorers: named(scorers, labels),
    rules: named(rules, labels),
  };
}

/** The comparison with labels in place of ids, as texts show it. */
export function comparisonWithLabels(comparison: Comparison): Comparison {
  const { labels, a, b, terms, rules, flips } = comparison;
  if (labels === undefined) return comparison;
  return {
    ...comparison,
    a: { ...a, outcome: namedOutcome(a.outcome, labels) },
    b: { ...b, outcome: namedOutcome(b.outcome, labels) },
    terms: named(terms, labels),
    rules: named(rules, labels),
    flips: flipsWithLabels(flips, labels),
  };
}

/** The ways to win with labels in place of ids, as texts show them. */
export function waysWithLabels(ways: WaysToWin): WaysToWin {
  const { labels, outcome, weights, without } = ways;
  if (labels === undefined) return ways;
  return {
    ...ways,
    outcome: namedOutcome(outcome, labels),
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
