import type { JudgeAsker } from './ask-judge.js';
import { inParallel } from './ask-judge.js';
import {
  absentMeasure,
  agreementNames,
  alphaMeasures,
  correlationMeasure,
  type GroupedValue,
  kappaMeasures,
  meanMeasure,
  type Sampling,
} from './judge-measures.js';
import type { JudgeMeasure } from './judge-report.js';
import type { TextUnit } from './judged-units.js';
import { lengthened } from './lengthened.js';
import type { Judge } from './open-judges.js';
import { gradeProblem, NO_GRADES } from './human-grades.js';

/** The answers about one candidate. */
interface GradedUnit extends TextUnit {
  /** The answer to each repetition of the question. */
  readonly answers: readonly (number | Error)[];
  /** The answer with a neutral sentence after the text. */
  readonly longer: number | Error;
}

const isNumber = (value: number | Error | undefined): value is number => typeof value === 'number';

/** Asks about each candidate `repeats` times, and once with a longer text. */
export async function askGrades(
  judge: Judge,
  asker: JudgeAsker,
  units: readonly TextUnit[],
  repeats: number,
): Promise<readonly GradedUnit[]> {
  return inParallel(units, asker.parallel, async (unit) => {
    const { query, text } = unit;
    const answers: (number | Error)[] = [];
    // oxlint-disable-next-line no-await-in-loop -- the number of concurrent calls is limited
    for (let k = 0; k < repeats; k++) answers.push(await asker.ask(judge.question(query, text)));
    const longer = await asker.ask(judge.question(query, lengthened(text)));
    return { ...unit, answers, longer };
  });
}

/** The measures of a judge that grades one candidate at a time. */
export function gradeMeasures(
  units: readonly GradedUnit[],
  most: number,
  repeats: number,
  sampling: Sampling,
): readonly JudgeMeasure[] {
  return [
    ...repeatability(units, repeats, sampling),
    absentMeasure(
      { aspect: 'order bias', name: 'flip rate' },
      'it grades one candidate at a time, so there is no order',
    ),
    ...lengthBias(units, most, sampling),
    ...agreement(units, most, sampling),
  ];
}

function repeatability(units: readonly GradedUnit[], repeats: number, sampling: Sampling): readonly JudgeMeasure[] {
  const repeated = units.map(({ group, answers }) => ({ group, ratings: answers.filter(isNumber) }));
  const flips = repeated.flatMap(({ group, ratings }) => differing(group, ratings));
  const few = repeats < 2 ? 'each question was asked once' : 'no question has two answers';
  const same = flips.length === 0 ? few : 'all its grades are equal';
  return [
    meanMeasure({ aspect: 'repeatability', name: 'flip rate' }, flips, few),
    ...alphaMeasures('repeatability', repeated, same, sampling, ['interval']),
  ];
}

/** The share of pairs of answers to one question that differ. It does not depend on how often the question was asked. */
export function differing(group: string, answers: readonly number[]): readonly GroupedValue[] {
  const pairs = (answers.length * (answers.length - 1)) / 2;
  if (pairs === 0) return [];
  const unequal = answers.reduce(
    (sum, one, k) => sum + answers.slice(k + 1).filter((other) => other !== one).length,
    0,
  );
  return [{ group, value: unequal / pairs }];
}

function lengthBias(units: readonly GradedUnit[], most: number, sampling: Sampling): readonly JudgeMeasure[] {
  const both = units.flatMap(({ group, answers, longer }) => {
    const own = answers.filter(isNumber);
    return isNumber(longer) && own.length > 0 ? [{ group, own, longer }] : [];
  });
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  const flips = both.map(({ group, own, longer }) => ({
    group,
    value: mean(own.map((one) => (one === longer ? 0 : 1))),
  }));
  const shifts = both.map(({ group, own, longer }) => ({ group, value: longer - mean(own) }));
  const points = units.flatMap(({ group, text, human, answers }) => {
    const own = answers.filter(isNumber);
    return human === undefined || own.length === 0 ? [] : [{ group, stratum: human, x: text.length, y: mean(own) }];
  });
  const unanswered = 'no candidate has an answer both with and without the sentence';
  const why = units.every(({ human }) => human === undefined)
    ? NO_GRADES
    : 'among candidates of one human grade, the texts are equally long, or its grades are equal';
  return [
    meanMeasure({ aspect: 'length bias', name: 'flip rate, with a neutral sentence' }, flips, unanswered),
    meanMeasure({ aspect: 'length bias', name: 'change of grade, with it' }, shifts, unanswered, [-most, most]),
    correlationMeasure({ aspect: 'length bias', name: 'correlation at equal human grade' }, points, why, sampling),
  ];
}

function agreement(units: readonly GradedUnit[], most: number, sampling: Sampling): readonly JudgeMeasure[] {
  const rated = units.flatMap(({ group, human, answers: [first] }) =>
    human !== undefined && isNumber(first) ? [{ group, ratings: [human, first] as const }] : [],
  );
  const aspect = 'agreement';
  const people = rated.map(({ ratings: [human] }) => human);
  const noAnswers = units.every(({ human }) => human === undefined) ? NO_GRADES : 'no candidate with a grade has an answer';
  const points = rated.map(({ group, ratings: [x, y] }) => ({ group, stratum: 0, x, y }));
  const unvaried = rated.length === 0 ? noAnswers : 'all human grades, or all grades of the judge, are equal';
  const rank = correlationMeasure({ aspect, name: 'rank correlation' }, points, unvaried, sampling);
  const problem = rated.length === 0 ? noAnswers : gradeProblem(people, most);
  if (problem !== undefined) {
    const names = ['same grade', ...agreementNames];
    return [...names.map((name) => absentMeasure({ aspect, name }, problem, rated.length)), rank];
  }
  const same = rated.map(({ group, ratings: [human, judge] }) => ({ group, value: human === judge ? 1 : 0 }));
  return [
    meanMeasure({ aspect, name: 'same grade' }, same, noAnswers),
    ...kappaMeasures(aspect, rated, noAnswers, sampling),
    ...alphaMeasures(aspect, rated, noAnswers, sampling),
    rank,
  ];
}
