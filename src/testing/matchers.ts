import { describeValue, isObject } from '../base/index.js';
import type { Ranking, Refused, RefusedCount } from '../ranking/index.js';
import type { UnitClass } from '../sdk/index.js';
import { checkUnit } from './check-unit.js';
import { checkVectors, type UnitVector, type VectorFinding, type VectorOptions } from './check-vectors.js';
import type { UnitExample } from './test-session.js';

/** The matchers as methods of `expect(…)`, for declarations. `R` is what a matcher that does not wait returns. */
export interface AssizeMatchers<R = void> {
  /** The unit keeps every rule of the contract on this example: `await expect(Unit).toKeepContract({ candidates })`. */
  toKeepContract(example: UnitExample): Promise<void>;
  /** The unit gives the expected results: `await expect(Unit).toGiveVectors([{ candidates, expected }])`. */
  toGiveVectors(vectors: readonly UnitVector[], options?: VectorOptions): Promise<void>;
  /** The ranking selects these candidates and no others, in this order: `expect(ranking).toRank(['b', 'a'])`. */
  toRank(ids: readonly (string | number)[]): R;
}

/** What a matcher returns to the test runner, which shows a difference if it receives `actual` and `expected`. */
interface MatcherResult {
  readonly pass: boolean;
  message(): string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** The part of a ranking that `toRank` reads: every kind of ranking has it. */
interface SelectedRows {
  readonly selected: Ranking<unknown>['selected'];
  readonly refused?: readonly Refused<unknown>[];
  /** In place of the refused rows of a run that does not keep them, with the first of each. */
  readonly refusedCounts?: readonly RefusedCount[];
}

/**
 * Matchers for Vitest and Jest, whose `expect.extend` takes them:
 *
 * ```ts
 * expect.extend(assizeMatchers);
 * await expect(StarsScorer).toKeepContract({ candidates });
 * ```
 */
export const assizeMatchers = {
  async toKeepContract(received: unknown, example: UnitExample): Promise<MatcherResult> {
    const unit = unitOf(received, 'toKeepContract');
    const findings = await checkUnit(unit, example);
    const lines = findings.map(({ rule, seen }) => `${rule}: ${seen}${candidateText(example.candidates, seen)}`);
    return {
      pass: findings.length === 0,
      message: () =>
        findings.length === 0
          ? `expected ${nameOf(unit)} not to keep the contract, and it keeps every rule`
          : listed(`${nameOf(unit)} does not keep the contract`, lines),
    };
  },

  async toGiveVectors(
    received: unknown,
    vectors: readonly UnitVector[],
    options: VectorOptions = {},
  ): Promise<MatcherResult> {
    const unit = unitOf(received, 'toGiveVectors');
    const findings = await checkVectors(unit, vectors, options);
    return {
      pass: findings.length === 0,
      message: () =>
        findings.length === 0
          ? `expected ${nameOf(unit)} not to give the vectors, and it gives all of them`
          : listed(`${nameOf(unit)} does not give the vectors`, findings.map(vectorLine(vectors))),
    };
  },

  toRank(received: unknown, ids: readonly (string | number)[]): MatcherResult {
    if (!isRanking(received)) {
      const hint = received instanceof Promise ? ': await it' : '';
      throw new TypeError(`toRank needs a ranking, and received ${describeValue(received)}${hint}`);
    }
    const actual = received.selected.map(({ id }) => id);
    const expected = ids.map(String);
    const length = Math.max(actual.length, expected.length);
    const at = Array.from({ length }, (_, k) => k).find((k) => actual[k] !== expected[k]);
    return {
      pass: at === undefined,
      message: () =>
        at === undefined
          ? `expected the ranking not to select ${listOf(expected)} in this order`
          : listed('the ranking does not select these candidates in this order', [
              `expected: ${listOf(expected)}`,
              `received: ${listOf(actual)}`,
              differenceAt(received, expected[at], at),
            ]),
      actual,
      expected,
    };
  },
};

const isUnitClass = (value: unknown): value is UnitClass =>
  typeof value === 'function' && 'meta' in value && isObject(value.meta) && 'kind' in value.meta;

function unitOf(received: unknown, matcher: string): UnitClass {
  if (isUnitClass(received)) return received;
  throw new TypeError(`${matcher} needs a unit class, and received ${describeValue(received)}`);
}

const isRanking = (value: unknown): value is SelectedRows =>
  isObject(value) && 'selected' in value && Array.isArray(value['selected']);

const nameOf = (unit: UnitClass): string => (unit.name === '' ? 'the unit' : unit.name);

const listed = (head: string, lines: readonly string[]): string =>
  `${head}\n${lines.map((line) => `  ${line}`).join('\n')}`;

const listOf = (ids: readonly string[]): string => (ids.length === 0 ? 'nothing' : ids.join(', '));

const MAX_CANDIDATE_LENGTH = 120;

/** A candidate as JSON, cut if it is long. */
function shortJson(candidate: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(candidate);
  } catch {
    // contains itself, or a value that JSON has no form of
  }
  if (text === undefined) return describeValue(candidate);
  return text.length > MAX_CANDIDATE_LENGTH ? `${text.slice(0, MAX_CANDIDATE_LENGTH)}…` : text;
}

/** The candidate that a finding names by its position. */
function candidateText(candidates: readonly object[], seen: string): string {
  const position = /^candidate (\d+)\b/.exec(seen)?.[1];
  return position === undefined ? '' : `, for ${shortJson(candidates[Number(position)])}`;
}

/** A finding with the candidate's data: its position alone does not identify it to a reader. */
const vectorLine =
  (vectors: readonly UnitVector[]) =>
  ({ vector, candidate, seen }: VectorFinding): string => {
    if (candidate === undefined) return `${vector}: ${seen}`;
    const found = vectors.find(({ name }, index) => (name ?? `#${index}`) === vector)?.candidates[candidate];
    return `${vector}, candidate ${candidate}: received ${seen}, for ${shortJson(found)}`;
  };

/** What is at the first rank that differs, and where the expected candidate is instead. */
function differenceAt(ranking: SelectedRows, wanted: string | undefined, at: number): string {
  const row = ranking.selected[at];
  const there = row ? `${row.id}${scoreText(row)}` : 'nothing';
  if (wanted === undefined) return `rank ${at + 1}: expected nothing, received ${there}`;
  return `rank ${at + 1}: expected ${wanted}, received ${there}; ${wanted} ${whereabouts(ranking, wanted)}`;
}

const scoreText = ({ score }: { readonly score: number | undefined }): string =>
  score === undefined ? '' : ` (score ${score})`;

function whereabouts({ selected, refused = [], refusedCounts = [] }: SelectedRows, id: string): string {
  const position = selected.findIndex((row) => row.id === id);
  const row = selected[position];
  if (row) return `is number ${position + 1}${scoreText(row)}`;
  const refusal = refused.find((one) => one.id === id);
  if (refusal) return `is refused by ${refusal.by}: ${refusal.reason}`;
  for (const { by, examples } of refusedCounts) {
    const found = examples.find((one) => one.id === id);
    if (found) return `is refused by ${by}: ${found.reason}`;
  }
  return 'is not selected';
}
