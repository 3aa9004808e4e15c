/*
 * The weight of an edge that states a type and a source in place of a weight is the product of both tables' weights.
 * The tables are the reference project's later ones; its original document gives edges a weight only.
 */

const TYPE_WEIGHTS: Readonly<Record<string, number>> = { dependency: 1, contains: 0.8, provides: 0.7, sequence: 0.5 };
const SOURCE_WEIGHTS: Readonly<Record<string, number>> = { observed: 1, inferred: 0.7, template: 0.5 };
const UNKNOWN_WEIGHTS = { type: 0.5, source: 0.7 };

const lookUp = (table: Readonly<Record<string, number>>, key: unknown): number | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;

/** The weight by type and source; 1 for an edge that states neither. */
export function defaultEdgeWeight(type: unknown, source: unknown): number {
  if (type === undefined && source === undefined) return 1;
  return (
    (lookUp(TYPE_WEIGHTS, type) ?? UNKNOWN_WEIGHTS.type) * (lookUp(SOURCE_WEIGHTS, source) ?? UNKNOWN_WEIGHTS.source)
  );
}
