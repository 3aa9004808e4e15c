import { isDeepStrictEqual } from 'node:util';
import type { CostedRow, Left, Limits, Picked, Select } from '../contract/index.js';
import { reasonProblem } from '../explain/reason.js';
import { costOf, within } from '../stages/budget.js';
import { templatesOf } from '../stages/left-reasons.js';
import { ofParams, type Seen, type Subject } from './rules.js';
import { openSession } from './session.js';
import { copyOf, freeze } from './values.js';

/** No limits: for a class that places. */
const NONE: Limits = { target: Infinity, max: Infinity };

const selectOf = (result: unknown): Select => {
  if (typeof result !== 'function') throw new TypeError('prepare gives a function of rows and limits');
  return result as Select;
};

/** The rows of an example: a candidate each. */
function rowsOf({ example }: Subject): CostedRow[] {
  const { candidates, rows } = example;
  if (rows?.length !== candidates.length) throw new TypeError('a selector is tried with rows, one a candidate');
  return rows.map(({ score, cost, pinned = false }, index) => {
    return { id: `#${index}`, index, candidate: candidates[index], score, cost, pinned };
  });
}

/** What the selector of a run makes of the example's rows. */
const picked = (subject: Subject, rows = rowsOf(subject), result = subject.first.call.result): Picked =>
  selectOf(result)(rows, subject.example.limits ?? NONE);

const indexes = (rows: readonly { readonly index: number }[]): number[] =>
  rows.map(({ index }) => index).toSorted((a, b) => a - b);

/** Given = kept + left, and the pinned are kept. */
export function* partition(subject: Subject): Seen {
  const rows = rowsOf(subject);
  const { kept, left } = picked(subject, rows);
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

export function* limits(subject: Subject): Seen {
  const { unit, example, first } = subject;
  if (example.overflows ?? ofParams<boolean>(unit.meta.overflows, first.call)) return;
  const { max } = example.limits ?? NONE;
  const cost = costOf(picked(subject).kept.filter(({ pinned }) => !pinned));
  if (!within(cost, max)) yield `it keeps what costs ${cost}, and the most is ${max}`;
}

/** A row that was left, with what its getters give. */
const plain = ({ index, reason, data, keptInstead }: Left) => ({ index, reason, data, keptInstead });

const answer = ({ kept, left }: Picked): unknown => ({ kept: kept.map(({ index }) => index), left: left.map(plain) });

export async function sameRows(subject: Subject): Promise<string[]> {
  const { unit, example } = subject;
  const first = answer(picked(subject));
  const other = await openSession(unit, example).then((session) => session.run(example.candidates));
  const cases: [string, unknown][] = [
    ['asked once more', answer(picked(subject))],
    ['asked in another run', answer(picked(subject, rowsOf(subject), other.call.result))],
  ];
  return cases.flatMap(([how, again]) =>
    isDeepStrictEqual(first, again) ? [] : [`${how}, it gave ${JSON.stringify(again)} after ${JSON.stringify(first)}`],
  );
}

export function* unchangedRows(subject: Subject): Seen {
  const rows = rowsOf(subject);
  const before = copyOf(rows);
  const first = answer(picked(subject, rows));
  if (!isDeepStrictEqual(before, rows)) yield 'its rows were written to';
  const frozen = answer(picked(subject, freeze(copyOf(rows))));
  if (!isDeepStrictEqual(first, frozen)) yield 'with frozen rows it gives something else';
}

/** What is left is left for a reason that its meta, or that of the selector inside it, declares. */
export function* leftReasons(subject: Subject): Seen {
  const own = subject.unit.meta.reasons ?? {};
  const seen = new Set<string>();
  for (const left of picked(subject).left) {
    const problem = reasonProblem({ reason: left.reason, data: left.data ?? {} }, { ...templatesOf(left), ...own });
    if (problem !== undefined) seen.add(`a row is left: ${problem}`);
  }
  yield* seen;
}
