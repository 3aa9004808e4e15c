import type { UnitClass } from '../contract/index.js';
import { openTestSession, type UnitExample } from './test-session.js';
import { resultText, type UnitResult } from './unit-results.js';

/**
 * What a unit should give one candidate: a number, or a veto's boolean; `null` or undefined where it abstains; an
 * object with a part of the message where it fails.
 */
export type Expected = number | boolean | null | undefined | { readonly error: string };

/** Candidates that a unit is given together, and what it should give each. It may as well come from a JSON file. */
export interface UnitVector extends Omit<UnitExample, 'scope' | 'mayFail'> {
  /** What findings call it; its position when not said. */
  readonly name?: string;
  /** By candidate. */
  readonly expected: readonly Expected[];
}

/** How `checkVectors` compares. */
export interface VectorOptions {
  /** How far a number may be off, as an absolute difference; 0, bit for bit, when not said. */
  readonly tolerance?: number;
}

/** A candidate whose number is another one than expected. */
export interface VectorFinding {
  /** The vector's name, or its position as `#3`. */
  readonly vector: string;
  /** The candidate's position; undefined where it is about the vector. */
  readonly candidate?: number;
  readonly seen: string;
}

const expectedText = (expected: Expected, tolerance: number): string => {
  if (expected === undefined || expected === null) return 'nothing';
  if (typeof expected === 'object') return `an error with "${expected.error}"`;
  return typeof expected === 'number' && tolerance > 0 ? `${expected} within ${tolerance}` : String(expected);
};

function agrees(answer: UnitResult, expected: Expected, tolerance: number): boolean {
  if ('error' in answer) {
    return typeof expected === 'object' && expected !== null && answer.error.includes(expected.error);
  }
  const { value } = answer;
  if (typeof value === 'number' && typeof expected === 'number') {
    return value === expected || Math.abs(value - expected) <= tolerance;
  }
  return value === (expected ?? undefined);
}

/**
 * Tries a scorer or veto on vectors: inputs whose outcomes are known, from a specification or from the system that it
 * stands in for. Each is a run of its own, with an empty memory. In vitest:
 *
 * ```ts
 * expect(await checkVectors(StarsScorer, [{ candidates: [{ stars: 3 }, {}], expected: [0.3, null] }])).toEqual([]);
 * ```
 *
 * @returns everything that is not as expected, in order; an empty list is a pass
 */
export async function checkVectors(
  unit: UnitClass,
  vectors: readonly UnitVector[],
  { tolerance = 0 }: VectorOptions = {},
): Promise<readonly VectorFinding[]> {
  const findings: VectorFinding[] = [];
  for (const [index, vector] of vectors.entries()) {
    const name = vector.name ?? `#${index}`;
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that findings come in order
    for (const finding of await checkVector(unit, vector, tolerance)) findings.push({ vector: name, ...finding });
  }
  return findings;
}

async function checkVector(
  unit: UnitClass,
  { expected, ...example }: UnitVector,
  tolerance: number,
): Promise<readonly Omit<VectorFinding, 'vector'>[]> {
  const { length } = example.candidates;
  if (expected.length !== length) return [{ seen: `it has ${length} candidates, and expects ${expected.length}` }];
  try {
    const { results } = await (await openTestSession(unit, example)).run(example.candidates);
    return results.flatMap((answer, candidate) =>
      agrees(answer, expected[candidate], tolerance)
        ? []
        : [{ candidate, seen: `${resultText(answer)}, expected ${expectedText(expected[candidate], tolerance)}` }],
    );
  } catch (error) {
    return [{ seen: `it failed: ${error instanceof Error ? error.message : String(error)}` }];
  }
}
