import type { UnitClass } from '../sdk/index.js';
import { checkOptions, describeValue, toAssizeError } from '../base/index.js';
import { checkUnitClass, openTestSession, resultText, type UnitExample, type UnitResult } from './test-session.js';

/**
 * The expected result for one candidate: a number, or a veto's boolean; `null` or undefined if the unit abstains; an object
 * with a part of the message if it fails.
 */
export type Expected = number | boolean | null | undefined | { readonly error: string };

/** Candidates of one run, and the expected result of each. Plain data, for example from a JSON file. */
export interface UnitVector extends Omit<UnitExample, 'scope' | 'mayFail'> {
  /** Its name in findings; its position by default. */
  readonly name?: string;
  /** The expected result of each candidate. */
  readonly expected: readonly Expected[];
}

/** The options of `checkVectors`. */
export interface VectorOptions {
  /** The largest absolute difference of a number; 0 by default: bit for bit. */
  readonly tolerance?: number;
}

/** A result that differs from the expected one. */
export interface VectorFinding {
  /** The vector's name, or its position as `#3`. */
  readonly vector: string;
  /** The candidate's position; undefined for a finding about the vector. */
  readonly candidate?: number;
  readonly seen: string;
}

const expectedText = (expected: Expected, tolerance: number): string => {
  if (expected === undefined || expected === null) return 'nothing';
  if (typeof expected === 'object') return `an error with "${expected.error}"`;
  return typeof expected === 'number' && tolerance > 0 ? `${expected} within ${tolerance}` : String(expected);
};

function agrees(result: UnitResult, expected: Expected, tolerance: number): boolean {
  if ('error' in result) {
    return typeof expected === 'object' && expected !== null && result.error.includes(expected.error);
  }
  const { value } = result;
  if (typeof value === 'number' && typeof expected === 'number') {
    return value === expected || Math.abs(value - expected) <= tolerance;
  }
  return value === (expected ?? undefined);
}

/**
 * Checks a scorer or veto on vectors: inputs with known values, from a specification or from the system that it replaces.
 * Each vector is a separate run with an empty memory. In vitest:
 *
 * ```ts
 * expect(await checkVectors(StarsScorer, [{ candidates: [{ stars: 3 }, {}], expected: [0.3, null] }])).toEqual([]);
 * ```
 *
 * @returns all differences, in order; empty if the unit passes
 * @throws AssizeError if an argument is not a unit, vectors or options
 */
export async function checkVectors(
  unit: UnitClass,
  vectors: readonly UnitVector[],
  options: VectorOptions = {},
): Promise<readonly VectorFinding[]> {
  checkUnitClass('checkVectors', unit);
  checkOptions('checkVectors', options, { tolerance: { expected: 'a number', accepts: Number.isFinite } });
  if (!Array.isArray(vectors)) {
    const message = `the vectors are ${describeValue(vectors)}; expected a list`;
    throw toAssizeError([{ code: 'ASZ533', message, hint: 'pass [{ candidates, expected }]' }]);
  }
  const { tolerance = 0 } = options;
  const findings: VectorFinding[] = [];
  for (const [index, vector] of vectors.entries()) {
    checkLists(vector, index);
    const name = vector.name ?? `#${index}`;
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that findings come in order
    for (const finding of await checkVector(unit, vector, tolerance)) findings.push({ vector: name, ...finding });
  }
  return findings;
}

/** @throws AssizeError (ASZ533) if the vector lacks candidates or expected results; other keys may be notes of its file */
function checkLists(vector: UnitVector, index: number): void {
  for (const key of ['candidates', 'expected'] as const) {
    const given: unknown = vector[key];
    if (Array.isArray(given)) continue;
    const message = `${key} of vector #${index} is ${describeValue(given)}; expected a list`;
    throw toAssizeError([{ code: 'ASZ533', message }]);
  }
}

async function checkVector(
  unit: UnitClass,
  { expected, ...example }: UnitVector,
  tolerance: number,
): Promise<readonly Omit<VectorFinding, 'vector'>[]> {
  const { length } = example.candidates;
  if (expected.length !== length)
    return [{ seen: `it has ${length} candidates, but ${expected.length} expected results` }];
  try {
    const { results } = await (await openTestSession(unit, example)).run(example.candidates);
    return results.flatMap((result, candidate) =>
      agrees(result, expected[candidate], tolerance)
        ? []
        : [{ candidate, seen: `${resultText(result)}, expected ${expectedText(expected[candidate], tolerance)}` }],
    );
  } catch (error) {
    return [{ seen: `it failed: ${error instanceof Error ? error.message : String(error)}` }];
  }
}
