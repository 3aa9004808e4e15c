import { AssizeError } from '../../diagnostics/index.js';
import type { Pipeline, Ranking } from '../../index.js';
import type { JudgedQuery } from '../judged-query.js';
import { rankQuery } from '../evaluate-profiles.js';

/** A part of a profile that may be left out. */
export interface ProfilePart {
  readonly kind: 'scorer' | 'veto' | 'rule' | 'cases';
  /** Its id; of the cases of `weights` all of them together. */
  readonly id: string;
}

/** What a profile is without one of its parts. */
export interface Variant extends ProfilePart {
  /** The ranking of a query without the part. */
  readonly without: (full: Ranking<unknown>) => Ranking<unknown> | Promise<Ranking<unknown>>;
}

/** A part that cannot be left out, and why. */
export interface FixedPart extends ProfilePart {
  readonly reason: string;
}

/**
 * The parts of a profile that can be left out. A scorer gets the weight 0 where the combine reads weights, which is
 * arithmetic on the numbers that were computed (what it refuses stays refused); anything else is left out by `whatIf`,
 * which computes nothing again that does not depend on it.
 */
export async function variantsOf<T>(
  pipeline: Pipeline<T>,
  query: JudgedQuery<T>,
): Promise<{ readonly variants: readonly Variant[]; readonly fixed: readonly FixedPart[] }> {
  const full: Ranking<unknown> = await rankQuery(pipeline, query, { prune: false });
  const { scorers, vetoes, rules } = pipeline.describe();
  const weighed = full.weights !== undefined && scorers.length > 1;
  const candidates: readonly Variant[] = [
    ...scorers.map((id) => (weighed ? weightless(id) : removed('scorer', id))),
    ...(full.caseWeights.size > 0 ? [withoutCases()] : []),
    ...vetoes.map((id) => removed('veto', id)),
    ...rules.map((id) => removed('rule', id)),
  ];
  const variants: Variant[] = [];
  const fixed: FixedPart[] = [];
  for (const variant of candidates) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each is tried once
      await variant.without(full);
      variants.push(variant);
    } catch (error) {
      if (!(error instanceof AssizeError)) throw error;
      fixed.push({ kind: variant.kind, id: variant.id, reason: error.problems[0]?.message ?? error.message });
    }
  }
  return { variants, fixed };
}

const weightless = (id: string): Variant => ({
  kind: 'scorer',
  id,
  without: (full) => full.reweigh({ weights: { [id]: 0 } }),
});

const removed = (kind: ProfilePart['kind'], id: string): Variant => ({
  kind,
  id,
  without: (full) => full.whatIf({ without: id }),
});

/** Every row has the weights of a row that is in no case. */
const withoutCases = (): Variant => ({
  kind: 'cases',
  id: 'weights',
  without: (full) => {
    const weights = Object.entries(full.weights ?? {}).flatMap(([id, weight]) =>
      weight === null ? [] : [[id, weight]],
    );
    return full.reweigh({ weights: Object.fromEntries(weights) });
  },
});
