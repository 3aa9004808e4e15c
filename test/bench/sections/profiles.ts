import type { Pipeline } from 'assize';
import { measure, type Subject, type Times } from '../measure.js';
import type { Best } from '../profiles/best.js';
import { type BenchProfile, NOW, pipelineOf, type Work } from '../profiles/bench-profile.js';
import { costOfStart } from '../profiles/cost-of-start.js';
import { growthByScorers } from '../profiles/growth-by-scorers.js';
import { PROFILES } from '../profiles/index.js';
import type { Result } from '../result.js';
import type { Effort, Section } from '../section.js';
import { spread } from '../statistics.js';

const OBJECTS = 'Assize, objects';
const COLUMNS = 'Assize, columns';
const HAND_OBJECTS = 'objects by hand';
const HAND_COLUMNS = 'columns by hand';

/** The number of sets of rows on which every row is compared, and the rows of each: all of them are selected. */
const CHECKED = { sets: 30, rows: 100 };

async function checkBest(what: string, pipeline: Pipeline, rows: readonly object[], best: Best): Promise<void> {
  const { selected } = await pipeline.rank(rows, { now: NOW });
  if (selected.length !== best.count) throw new Error(`${what}: ${selected.length} rows, by hand ${best.count}`);
  for (const [k, { index, score = Number.NaN }] of selected.entries()) {
    if (index === best.rows[k] && Object.is(score, best.scores[k])) continue;
    throw new Error(
      `${what}, place ${k + 1}: row ${index} with ${score}, by hand ${best.rows[k]} with ${best.scores[k]}`,
    );
  }
}

async function checkWork(name: string, pipeline: Pipeline, work: Work): Promise<void> {
  await checkBest(`${name}, objects`, pipeline, work.objects, work.overObjects());
  await checkBest(`${name}, columns`, pipeline, work.columns, work.overColumns());
}

/** Compares every number on small sets, and the best on the rows that are measured. */
async function check(profile: BenchProfile, work: Work): Promise<void> {
  const pipeline = await pipelineOf(profile);
  for (let seed = 1; seed <= CHECKED.sets; seed++) {
    // oxlint-disable-next-line no-await-in-loop -- not measured
    await checkWork(profile.name, pipeline, profile.open(CHECKED.rows, seed));
  }
  await checkWork(profile.name, pipeline, work);
}

const RATIOS = [
  [OBJECTS, HAND_OBJECTS],
  [COLUMNS, HAND_COLUMNS],
  [COLUMNS, OBJECTS],
] as const;

/** The number of rows in each list of another shape. */
const OTHER_ROWS = 50_000;

/** A pass takes tens of milliseconds. */
const effortOf = (effort: Effort): Effort => ({
  ...effort,
  rounds: Math.min(effort.rounds, 11),
  millis: Math.min(effort.millis, 1),
});

async function measureProfile(profile: BenchProfile, effort: Effort): Promise<Times> {
  const per = effort.of(profile.rows);
  const work = profile.open(per);
  await check(profile, work);
  const one = await pipelineOf(profile);
  const two = profile.before ? one : await pipelineOf(profile);
  const context = { now: NOW };
  // oxlint-disable-next-line no-await-in-loop -- one after another
  for (const rows of profile.before?.(effort.of(OTHER_ROWS)) ?? []) await one.rank(rows, context);
  const subjects: readonly Subject[] = [
    { name: OBJECTS, per, pass: () => one.rank(work.objects, context) },
    { name: HAND_OBJECTS, per, pass: work.overObjects },
    { name: COLUMNS, per, pass: () => two.rank(work.columns, context) },
    { name: HAND_COLUMNS, per, pass: work.overColumns },
  ];
  return measure(subjects, effortOf(effort));
}

function* resultsOf({ name }: BenchProfile, times: Times, rows: number): Generator<Result> {
  const work = `${name}, ${rows.toLocaleString('en-US')} rows`;
  for (const subject of [HAND_OBJECTS, HAND_COLUMNS]) yield times.result(work, subject, 'row');
  for (const [subject, to] of RATIOS) yield times.result(work, subject, 'row', to);
}

/** The goals of each ratio: of the median of the profiles, and of the worst. */
const GOALS = [
  { median: 1.3, worst: 1.6 },
  { median: 1.3, worst: 1.6 },
  { median: 1, worst: 1 },
];

function* summary(all: readonly Times[]): Generator<Result> {
  for (const [k, [subject, to]] of RATIOS.entries()) {
    const ratios = all.map((times) => times.ratio(subject, to).median);
    const line = (which: 'median' | 'worst', value: number): Result => ({
      work: 'All profiles',
      subject: `${subject} ÷ ${to}, ${which}`,
      amount: { median: value, low: value, high: value },
      unit: 'times',
      goal: { atMost: GOALS[k]![which] },
    });
    yield line('median', spread(ratios).median);
    yield line('worst', Math.max(...ratios));
  }
}

export const profiles: Section = {
  name: 'profiles',
  title: 'Ten profiles that differ',
  about: `The best 100 of the rows of each profile, over objects and over columns, compared with loops by hand. A loop by hand reads each
field once, calls only \`Math\`, handles the same absent values, and keeps the best by insertion. Scores are equal to the last bit.`,
  async *run(effort) {
    const all: Times[] = [];
    for (const profile of PROFILES) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const times = await measureProfile(profile, effort);
      all.push(times);
      yield* resultsOf(profile, times, effort.of(profile.rows));
    }
    yield* summary(all);
    yield* growthByScorers(effort);
    yield* costOfStart(effort);
  },
};
