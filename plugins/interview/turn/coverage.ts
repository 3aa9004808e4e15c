import type { Context } from '../../../src/sdk.js';
import { flagAt, idsAt, mapAt, numberAt } from './field-readers.js';

/** The coverage of one element of the concept. */
export interface ConceptElement {
  readonly id: string;
  readonly covered: boolean;
  /** 0 to 1; 1 where depths are not known. */
  readonly depth: number;
}

/** The coverage of the elements of the concept. */
export interface Coverage {
  /** In the order of the context's list; by id where it is a map. */
  readonly elements: readonly ConceptElement[];
  readonly covered: number;
  readonly total: number;
  /** Whether the depth of elements is known, and not only whether they were seen. */
  readonly hasDepth: boolean;
}

const COVERAGE_PATH = 'context.coverage';

/** Orders ids: numbers before names, 2 before 10. */
const byId = (a: ConceptElement, b: ConceptElement): number => {
  const [x, y] = [Number(a.id), Number(b.id)];
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return x - y || (a.id < b.id ? -1 : Number(a.id > b.id));
};

/**
 * Reads the context's `coverage`, in either form: `elements_seen` and `elements_total` as lists of ids, or `elements`
 * as a map of `{ covered, depth_score }`, with the two counts as numbers.
 */
export function coverageOf(context: Context): Coverage {
  const coverage = mapAt(context, 'coverage', 'context');
  const byName = mapAt(coverage, 'elements', COVERAGE_PATH);
  if (byName === undefined) {
    const [seen, total] = [
      idsAt(coverage, 'elements_seen', COVERAGE_PATH),
      idsAt(coverage, 'elements_total', COVERAGE_PATH),
    ];
    const known = new Set(seen);
    const elements = total.map((id) => ({ id, covered: known.has(id), depth: 1 }));
    return { elements, covered: seen.length, total: total.length, hasDepth: false };
  }
  const elements = Object.keys(byName).map((id): ConceptElement => {
    const where = `${COVERAGE_PATH}.elements.${id}`;
    const state = mapAt(byName, id, `${COVERAGE_PATH}.elements`);
    return { id, covered: flagAt(state, 'covered', where), depth: numberAt(state, 'depth_score', where) ?? 0 };
  });
  return {
    elements: elements.toSorted(byId),
    covered: numberAt(coverage, 'elements_covered', COVERAGE_PATH) ?? elements.filter(({ covered }) => covered).length,
    total: numberAt(coverage, 'elements_total', COVERAGE_PATH) ?? elements.length,
    hasDepth: true,
  };
}
