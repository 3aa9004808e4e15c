import type { Context } from '../../../src/sdk.js';
import { flagAt, idsAt, mapAt, numberAt } from './field-readers.js';

/** How far one element of the concept was spoken of. */
export interface ConceptElement {
  readonly id: string;
  readonly covered: boolean;
  /** 0 to 1. Where only what was seen is known, as deep as it can be. */
  readonly depth: number;
}

/** How far the elements of the concept were spoken of. */
export interface Coverage {
  /** In the order of the context, unless `elements` says them: then by id. */
  readonly elements: readonly ConceptElement[];
  readonly covered: number;
  readonly total: number;
  /** Whether each element's depth is known, and not only whether it was seen. */
  readonly hasDepth: boolean;
}

const COVERAGE_PATH = 'context.coverage';

/** Numbers before names, 2 before 10. */
const byId = (a: ConceptElement, b: ConceptElement): number => {
  const [x, y] = [Number(a.id), Number(b.id)];
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return x - y || (a.id < b.id ? -1 : Number(a.id > b.id));
};

/**
 * The context's `coverage`, in either form: `elements_seen` and `elements_total` as lists of ids, or `elements` as a map
 * of `{ covered, depth_score }`, with the two counts as numbers.
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
