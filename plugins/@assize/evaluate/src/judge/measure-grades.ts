import { meanOf } from '../significance/distributions.js';
import { inParallel, isAnswer, type JudgeAsker } from './ask-judge.js';
import {
  absentMeasure,
  agreementNames,
  alphaMeasures,
  correlationMeasure,
  differing,
  kappaMeasures,
  meanMeasure,
  type Sampling,
  gradeProblem,
  NO_GRADES,
} from './judge-measures.js';
import type { JudgeMeasure } from './judge-report.js';
import { lengthened, type TextUnit } from './judged-units.js';
import type { Judge } from './open-judges.js';

/** The answers about one candidate. */
interface GradedUnit extends TextUnit {
  /** The answer to each repetition of the question. */
  readonly answers: readonly (number | Error)[];
  /** The answer with a neutral sentence after the text. */
  readonly longer: number | Error;
}

/** Asks about each candidate `repeats` times, and once with a longer text. */
export async function askGrades(
  judge: Judge,
  asker: JudgeAsker,
  units: readonly TextUnit[],
  repeats: number,
  onUnit: (done: number) => void,
): Promise<readonly GradedUnit[]> {
  return inParallel(units, asker.parallel, onUnit, async (unit) => {
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
  const repeated = units.map(({ group, answers }) => ({ group, ratings: answers.filter(isAnswer) }));
  const flips = repeated.flatMap(({ group, ratings }) => differing(group, ratings));
  const few = repeats < 2 ? 'each question was asked once' : 'no question has two answers';
  const same = flips.length === 0 ? few : 'all its grades are equal';
  return [
    meanMeasure({ aspect: 'repeatability', name: 'flip rate' }, flips, few),
    ...alphaMeasures('repeatability', repeated, same, sampling, ['interval']),
  ];
}

function lengthBias(units: readonly GradedUnit[], most: number, sampling: Sampling): readonly JudgeMeasure[] {
  const both = units.flatMap(({ group, answers, longer }) => {
    const own = answers.filter(isAnswer);
    return isAnswer(longer) && own.length > 0 ? [{ group, own, longer }] : [];
  });
  const flips = both.map(({ group, own, longer }) => ({
    group,
    value: meanOf(own.map((one) => (one === longer ? 0 : 1))),
  }));
  const shifts = both.map(({ group, own, longer }) => ({ group, value: longer - meanOf(own) }));
  const points = units.flatMap(({ group, text, human, answers }) => {
    const own = answers.filter(isAnswer);
    return human === undefined || own.length === 0 ? [] : [{ group, stratum: human, x: text.length, y: meanOf(own) }];
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
    human !== undefined && isAnswer(first) ? [{ group, ratings: [human, first] as const }] : [],
  );
  const aspect = 'agreement';
  const people = rated.map(({ ratings: [human] }) => human);
  const noAnswers = units.every(({ human }) => human === undefined)
    ? NO_GRADES
    : 'no candidate with a grade has an answer';
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
