import { isDeepStrictEqual } from 'node:util';
import type {
  CostedRow,
  SelectorFunction,
  SelectorLeftOut,
  SelectorLimits,
  SelectorResult,
} from '../../contract/index.js';
import { isWithin, reasonTemplatesOf, totalCost } from '../../engine/index.js';
import { noteProblem } from '../../explain/index.js';
import { openTestSession, type RuleSubject, resolvedForParams } from '../test-session.js';
import { copyPlain, freezePlain } from '../unit-results.js';

/** The default of the example's limits: none, for a class that places. */
const NO_LIMITS: SelectorLimits = { target: Infinity, max: Infinity };

const selectOf = (result: unknown): SelectorFunction => {
  if (typeof result !== 'function') throw new TypeError('prepare gives a function of rows and limits');
  return result as SelectorFunction;
};

/** The rows of an example: a candidate each. */
function rowsOf({ example }: RuleSubject): CostedRow[] {
  const { candidates, rows } = example;
  if (rows?.length !== candidates.length) throw new TypeError('a selector is tried with rows, one a candidate');
  return rows.map(({ score, cost, pinned = false }, index) => {
    return { id: `#${index}`, index, candidate: candidates[index], score, cost, pinned };
  });
}

/** The selection that the selector of a run makes of the example's rows. */
const selection = (subject: RuleSubject, rows = rowsOf(subject), result = subject.first.call.result): SelectorResult =>
  selectOf(result)(rows, subject.example.limits ?? NO_LIMITS);

const indexes = (rows: readonly { readonly index: number }[]): number[] =>
  rows.map(({ index }) => index).toSorted((a, b) => a - b);

/** `value`: given = kept + left, and the pinned are kept. */
export function* partition(subject: RuleSubject): Iterable<string> {
  const rows = rowsOf(subject);
  const { kept, left } = selection(subject, rows);
  const given = indexes(rows);
  const gave = indexes([...kept, ...left]);
  if (!isDeepStrictEqual(given, gave))
    yield `it was given the rows ${given.join(', ')}, and it gave ${gave.join(', ')}`;
  const inside = new Set(indexes(kept));
  for (const { index, pinned } of rows) if (pinned && !inside.has(index)) yield `it dropped the pinned row ${index}`;
  for (const { index, keptInstead = [] } of left) {
    const gone = keptInstead.filter((other) => !inside.has(other));
    if (gone.length > 0) yield `row ${index} was left for ${gone.join(', ')}, which it does not keep`;
  }
}

/** `limits`: no more is kept than fits. */
export function* limits(subject: RuleSubject): Iterable<string> {
  const { unit, example, first } = subject;
  if (example.overflows ?? resolvedForParams<boolean>(unit.meta.overflows, first.call)) return;
  const { max } = example.limits ?? NO_LIMITS;
  const cost = totalCost(selection(subject).kept.filter(({ pinned }) => !pinned));
  if (!isWithin(cost, max)) yield `it keeps what costs ${cost}, and the most is ${max}`;
}

/** A row that was left, with its getters read. */
const plainLeftRow = ({ index, reason, data, keptInstead }: SelectorLeftOut) => ({ index, reason, data, keptInstead });

const selectionSummary = ({ kept, left }: SelectorResult): unknown => ({
  kept: kept.map(({ index }) => index),
  left: left.map(plainLeftRow),
});

/** `deterministic`: the same rows in another call and another run. */
export async function sameRows(subject: RuleSubject): Promise<string[]> {
  const { unit, example } = subject;
  const first = selectionSummary(selection(subject));
  const other = await openTestSession(unit, example).then((session) => session.run(example.candidates));
  const cases: [string, unknown][] = [
    ['called again', selectionSummary(selection(subject))],
    ['in another run', selectionSummary(selection(subject, rowsOf(subject), other.call.result))],
  ];
  return cases.flatMap(([how, again]) =>
    isDeepStrictEqual(first, again) ? [] : [`${how}, it gave ${JSON.stringify(again)} after ${JSON.stringify(first)}`],
  );
}

/** `unchanged`: rows are not written to. */
export function* unchangedRows(subject: RuleSubject): Iterable<string> {
  const rows = rowsOf(subject);
  const before = copyPlain(rows);
  const first = selectionSummary(selection(subject, rows));
  if (!isDeepStrictEqual(before, rows)) yield 'its rows were written to';
  const frozen = selectionSummary(selection(subject, freezePlain(copyPlain(rows))));
  if (!isDeepStrictEqual(first, frozen)) yield 'with frozen rows it gives something else';
}

/** `reasons`: a row is left for a reason that the meta, or that of the selector inside it, declares. */
export function* leftReasons(subject: RuleSubject): Iterable<string> {
  const own = subject.unit.meta.reasons ?? {};
  const seen = new Set<string>();
  for (const left of selection(subject).left) {
    const problem = noteProblem({ reason: left.reason, data: left.data ?? {} }, { ...reasonTemplatesOf(left), ...own });
    if (problem !== undefined) seen.add(`a row is left: ${problem}`);
  }
  yield* seen;
}
