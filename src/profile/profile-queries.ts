import type { UnitClass } from '../contract/index.js';
import { type Expression, isExpression } from '../expression/index.js';
import type { Entry, Use } from './entries.js';
import type { Adjustment, Profile } from './profile.js';
import type { BudgetSpec } from './selection.js';

/** Whether a use, or an entry inside it, keeps a memory. */
export const hasMemory = (use: Use): boolean =>
  use.kind === 'class' &&
  (use.unit.meta.memory !== undefined || [...use.children.values()].some((child) => hasMemory(child.use)));

/** Whether a use, or an entry inside it, prepares before candidates are scored: only that can time out. */
export const isPrepared = (use: Use): boolean =>
  use.kind === 'class' &&
  ('prepare' in use.unit.prototype || [...use.children.values()].some((child) => isPrepared(child.use)));

/** Whether the effect of a rule depends on scores. */
export function readsScores({ when, set, add, multiply, min, max }: Adjustment): boolean {
  const factors = typeof multiply === 'object' && 'by' in multiply ? multiply.by : [multiply];
  const expressions = [when, set, add, ...factors, min, max].filter((part): part is Expression => isExpression(part));
  return expressions.some(({ reads }) => reads.some((name) => /^scores?\b/.test(name)));
}

/** The classes that a profile uses, those inside others included. */
export function unitsOf(profile: Profile): readonly UnitClass[] {
  const { signals, strategies, vetoes, measures, scorers, select, reports } = profile;
  const { diversify, pack, place } = select;
  const entries = [...signals, ...vetoes, ...measures, ...scorers, ...reports, diversify, pack, place];
  const uses = [...entries, ...strategies.map(({ focus }) => focus)].flatMap((entry) => entry?.use ?? []);
  return uses.flatMap(unitsOfUse);
}

const unitsOfUse = (use: Use): readonly UnitClass[] =>
  use.kind === 'expr' ? [] : [use.unit, ...[...use.children.values()].flatMap((child) => unitsOfUse(child.use))];

/**
 * The problem of a budget that keeps more free than its maximum, which nothing would fit, not even what is pinned.
 *
 * @returns undefined where there is none
 */
export function budgetReserveExcess({ outputReserve, reservedSlots }: BudgetSpec, max: number): string | undefined {
  if (outputReserve > max) return `the output_reserve of ${outputReserve} is more than the max of ${max}`;
  if (outputReserve + reservedSlots <= max) return undefined;
  const reserve = outputReserve > 0 ? ` and the output_reserve of ${outputReserve}` : '';
  return `the reserved_slots of ${reservedSlots} together${reserve} are more than the max of ${max}`;
}

/** The ids of a profile's entries, by kind, in the order of a run. */
export interface ProfileDescription {
  readonly signals: readonly string[];
  readonly strategies: readonly string[];
  readonly vetoes: readonly string[];
  readonly measures: readonly string[];
  readonly scorers: readonly string[];
  readonly rules: readonly string[];
  readonly reports: readonly string[];
}

const idsOf = (entries: readonly { readonly id: string }[]): readonly string[] => entries.map(({ id }) => id);

/** The ids of a profile's entries. */
export function describeProfile(profile: Profile): ProfileDescription {
  const { signals, strategies, vetoes, measures, scorers, adjustments, reports } = profile;
  return {
    signals: idsOf(signals),
    strategies: idsOf(strategies),
    vetoes: idsOf(vetoes),
    measures: idsOf(measures),
    scorers: idsOf(scorers),
    rules: idsOf(adjustments),
    reports: idsOf(reports),
  };
}

/** The scorers that score only candidates that can still be selected. */
export interface PruningFacts {
  /** Their ids, the cheapest first. */
  readonly scorers: readonly string[];
  /** Why every scorer scores every candidate, where that is so. */
  readonly off: string | undefined;
}

/** The scorers that are pruned, or why none is. */
export const pruningFacts = ({ pruning: { scorers, disabledReason } }: Profile): PruningFacts => ({
  scorers: idsOf(scorers),
  off: disabledReason,
});

/**
 * The entries that need all candidates together, as those of a rerank do, because they need the best. Where there are
 * none, candidates can be evaluated part by part.
 */
export function entriesNeedingAll({ vetoes, measures, scorers, rerank }: Profile): readonly Entry[] {
  const alone = ({ id, scopes, use }: Entry): boolean =>
    scopes.size === 1 && scopes.has('candidate') && !hasMemory(use) && !rerank?.ask.includes(id);
  return [...vetoes, ...measures, ...scorers].filter((entry) => !alone(entry));
}

/** The ids of the entries that need all candidates together. */
export const idsNeedingAll = (profile: Profile): readonly string[] => idsOf(entriesNeedingAll(profile));
