/*
 * What an edge weighs that says what kind of connection it is, and how it is known, in place of a weight: the product
 * of the two. The project's later tables (edge types and sources); the seed document gives edges a weight only.
 */

const TYPE_WEIGHTS: Readonly<Record<string, number>> = { dependency: 1, contains: 0.8, provides: 0.7, sequence: 0.5 };
const SOURCE_WEIGHTS: Readonly<Record<string, number>> = { observed: 1, inferred: 0.7, template: 0.5 };
const UNKNOWN_WEIGHTS = { type: 0.5, source: 0.7 };

const lookUp = (table: Readonly<Record<string, number>>, key: unknown): number | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;

/** The weight by type and source; 1 for an edge that says neither. */
export function defaultEdgeWeight(type: unknown, source: unknown): number {
  if (type === undefined && source === undefined) return 1;
  return (
    (lookUp(TYPE_WEIGHTS, type) ?? UNKNOWN_WEIGHTS.type) * (lookUp(SOURCE_WEIGHTS, source) ?? UNKNOWN_WEIGHTS.source)
  );
}
