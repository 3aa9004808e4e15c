import { createPipeline, type Pipeline } from 'assize';
import { INLINING } from '../bounds.js';
import { measure, type Subject } from '../measure.js';
import { random } from '../random.js';
import type { Result } from '../result.js';
import type { Effort } from '../section.js';
import { grown, listsOf, passOver } from './grown.js';

export const SCORERS = [1, 2, 4, 8, 16, 32, 64] as const;

type Row = Readonly<Record<string, number>>;

/** All scorers read these fields, so that the number of scorers grows and the memory does not. */
const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

export function rows(size: number): readonly Row[] {
  const next = random();
  const made = Array.from({ length: size }, () => Object.fromEntries(FIELDS.map((field) => [field, next()])));
  return JSON.parse(JSON.stringify(made)) as readonly Row[];
}

/** A veto and a number of scorers, each with a different formula. */
export const profileOf = (scorers: number): Promise<Pipeline<Row>> =>
  createPipeline<Row>({
    tier1_scorers: [{ id: 'low', expr: 'candidate.a < 0.1' }],
    tier2_scorers: Array.from({ length: scorers }, (_, k) => ({
      id: `scorer_${k}`,
      expr: `min(candidate.${FIELDS[k % FIELDS.length]} * ${k + 1} / ${scorers}, 1)`,
      weight: (k % 5) + 1,
    })),
    select: { top: 10 },
  });

/** Increasing numbers of scorers, over the same candidates. */
export async function* byScorers(effort: Effort): AsyncGenerator<Result> {
  const work = 'Time by scorers';
  const lists = listsOf(rows(effort.of(10_000)), effort.of(1000));
  const per = lists.reduce((sum, { length }) => sum + length, 0);
  const named = (scorers: number): string => `${scorers} ${scorers === 1 ? 'scorer' : 'scorers'}`;
  const subjects: Subject[] = [];
  for (const scorers of [0, ...SCORERS]) {
    // oxlint-disable-next-line no-await-in-loop -- not measured
    const pipeline = await profileOf(scorers);
    const run = async (list: readonly Row[]) => (await pipeline.rank(list, { now: 0 })).selected;
    subjects.push({ name: named(scorers), per, pass: () => passOver(lists, run) });
  }
  const times = await measure(subjects, effort);
  for (const { name } of subjects) yield times.result(work, name, 'candidate');
  const rounds = times.byRound([0, ...SCORERS].map(named));
  const beyond = rounds.map(([none = 0, ...others]) => others.map((nanos) => nanos - none));
  const result = grown(work, 'growth, beyond 0 scorers', SCORERS, beyond);
  yield { ...result, goal: { ...result.goal, bound: INLINING } };
}
