import { labelOf, type Labels } from '../../profile/index.js';
import type { WaysToWin } from '../changes/ways-to-win.js';
import type { Comparison, Flips } from '../comparison/comparison.js';
import type { CandidateOutcome, Explanation } from '../explanation.js';

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
