import type { BudgetSpec } from './profile.js';

/** What is wrong where a budget keeps more free than it has: even nothing that is pinned would not fit. */
export function budgetReserveExcess({ outputReserve, reservedSlots }: BudgetSpec, max: number): string | undefined {
  if (outputReserve > max) return `the output_reserve of ${outputReserve} is more than the max of ${max}`;
  if (outputReserve + reservedSlots <= max) return undefined;
  const reserve = outputReserve > 0 ? ` and the output_reserve of ${outputReserve}` : '';
  return `the reserved_slots of ${reservedSlots} together${reserve} are more than the max of ${max}`;
}
