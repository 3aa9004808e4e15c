import { meanOf } from '../significance/distributions.js';
import { inParallel, isAnswer, type JudgeAsker } from './ask-judge.js';
import {
  absentMeasure,
  agreementNames,
  alphaMeasures,
  differing,
  kappaMeasures,
  meanMeasure,
  type Sampling,
  NO_GRADES,
} from './judge-measures.js';
import type { JudgeMeasure } from './judge-report.js';
import { lengthened, type PairUnit } from './judged-units.js';
import type { Judge } from './open-judges.js';

/** The answers about one pair: the share that its candidate `a` won in each answer. */
interface ComparedUnit extends PairUnit {
  /** With `a` first, and with `a` second, by repetition. */
  readonly asFirst: readonly (number | Error)[];
  readonly asSecond: readonly (number | Error)[];
  /** The same, with a neutral sentence after the text of `a`. */
  readonly longer: readonly [asFirst: number | Error, asSecond: number | Error];
}

const reversed = (share: number | Error): number | Error => (isAnswer(share) ? 1 - share : share);

/** Asks about each pair in both orders `repeats` times, and once in both orders with a longer text of one candidate. */
export async function askPairs(
  judge: Judge,
  asker: JudgeAsker,
  pairs: readonly PairUnit[],
  repeats: number,
  onUnit: (done: number) => void,
): Promise<readonly ComparedUnit[]> {
  const [first] = pairs;
  if (first) await judge.readTemplate([first.a.candidate, first.b.candidate], first.a.context);
  return inParallel(pairs, asker.parallel, onUnit, async (pair) => {
    const { a, b } = pair;
    const inBothOrders = async (text: string): Promise<readonly [number | Error, number | Error]> => {
      const asFirst = await asker.ask(judge.question(a.query, text, b.text));
      return [asFirst, reversed(await asker.ask(judge.question(a.query, b.text, text)))];
    };
    const answers: (readonly [number | Error, number | Error])[] = [];
    // oxlint-disable-next-line no-await-in-loop -- the number of concurrent calls is limited
    for (let k = 0; k < repeats; k++) answers.push(await inBothOrders(a.text));
    const longer = await inBothOrders(lengthened(a.text));
    const [asFirst, asSecond] = [answers.map(([one]) => one), answers.map(([, one]) => one)];
    return { ...pair, asFirst, asSecond, longer };
  });
}

/** The measures of a judge that compares two candidates. */
export function pairMeasures(
  units: readonly ComparedUnit[],
  repeats: number,
  sampling: Sampling,
): readonly JudgeMeasure[] {
  return [
    ...repeatability(units, repeats, sampling),
    ...orderBias(units),
    ...lengthBias(units),
    ...agreement(units, sampling),
  ];
}

function repeatability(units: readonly ComparedUnit[], repeats: number, sampling: Sampling): readonly JudgeMeasure[] {
  const repeated = units.flatMap(({ group, asFirst, asSecond }) =>
    [asFirst, asSecond].map((answers) => ({ group, ratings: answers.filter(isAnswer) })),
  );
  const flips = repeated.flatMap(({ group, ratings }) => differing(group, ratings));
  const few = repeats < 2 ? 'each question was asked once' : 'no question has two answers';
  const same = flips.length === 0 ? few : 'all its answers are equal';
  return [
    meanMeasure({ aspect: 'repeatability', name: 'flip rate' }, flips, few),
    ...alphaMeasures('repeatability', repeated, same, sampling, ['nominal']),
  ];
}

/** The answers with `a` first and second, where both exist. */
const inBothOrders = ({ asFirst, asSecond }: ComparedUnit): readonly (readonly [number, number])[] =>
  asFirst.flatMap((one, k) => {
    const other = asSecond[k];
    return isAnswer(one) && isAnswer(other) ? [[one, other] as const] : [];
  });

function orderBias(units: readonly ComparedUnit[]): readonly JudgeMeasure[] {
  const both = units.flatMap((unit) => {
    const answers = inBothOrders(unit);
    return answers.length > 0 ? [{ group: unit.group, answers }] : [];
  });
  const flips = both.map(({ group, answers }) => ({
    group,
    value: meanOf(answers.map(([one, other]) => (one === other ? 0 : 1))),
  }));
  // The first text won `one`, and then 1 − `other`.
  const firsts = both.map(({ group, answers }) => ({
    group,
    value: meanOf(answers.map(([one, other]) => (one + 1 - other) / 2)),
  }));
  const unanswered = 'no pair has answers in both orders';
  return [
    meanMeasure({ aspect: 'order bias', name: 'flip rate, in the other order' }, flips, unanswered),
    meanMeasure({ aspect: 'order bias', name: 'share won by the first' }, firsts, unanswered),
  ];
}

/** The mean share that `a` won over all answers in both orders; undefined without any. */
function shareWon(unit: ComparedUnit): number | undefined {
  const answers = inBothOrders(unit);
  return answers.length === 0 ? undefined : meanOf(answers.flat());
}

function lengthBias(units: readonly ComparedUnit[]): readonly JudgeMeasure[] {
  const both = units.flatMap((unit) => {
    const [before, [first, second]] = [inBothOrders(unit), unit.longer];
    return before.length > 0 && isAnswer(first) && isAnswer(second)
      ? [{ group: unit.group, before, after: [first, second] as const }]
      : [];
  });
  const flips = both.map(({ group, before, after: [first, second] }) => ({
    group,
    value: meanOf(before.flatMap(([one, other]) => [one === first ? 0 : 1, other === second ? 0 : 1])),
  }));
  const shifts = both.map(({ group, before, after }) => ({ group, value: meanOf(after) - meanOf(before.flat()) }));
  const unanswered = 'no pair has answers both with and without the sentence';
  const equal = units.filter(({ a, b }) => a.human !== undefined && a.human === b.human);
  const longer = equal.flatMap((unit) => {
    const won = shareWon(unit);
    const difference = unit.a.text.length - unit.b.text.length;
    return won === undefined || difference === 0 ? [] : [{ group: unit.group, value: difference > 0 ? won : 1 - won }];
  });
  const why = units.every(({ a, b }) => a.human === undefined && b.human === undefined)
    ? NO_GRADES
    : 'no pair with answers has equal human grades and texts of different lengths';
  return [
    meanMeasure({ aspect: 'length bias', name: 'flip rate, with a neutral sentence' }, flips, unanswered),
    meanMeasure({ aspect: 'length bias', name: 'change of the share won, with it' }, shifts, unanswered, [-1, 1]),
    meanMeasure({ aspect: 'length bias', name: 'share won by the longer at equal human grade' }, longer, why),
  ];
}

/** The better of two by grades or by shares: 1 for the first, 0 for the second, 0.5 for neither. */
const betterOf = (one: number, other: number): number => (one === other ? 0.5 : one > other ? 1 : 0);

function agreement(units: readonly ComparedUnit[], sampling: Sampling): readonly JudgeMeasure[] {
  const aspect = 'agreement';
  const rated = units.flatMap((unit) => {
    const { a, b, group } = unit;
    const [first] = inBothOrders(unit);
    if (a.human === undefined || b.human === undefined || !first) return [];
    const won = meanOf(first);
    return [{ group, human: betterOf(a.human, b.human), judge: betterOf(won, 1 - won) }];
  });
  const graded = units.some(({ a, b }) => a.human !== undefined && b.human !== undefined);
  const problem =
    rated.length === 0
      ? graded
        ? 'no pair with grades has answers in both orders'
        : NO_GRADES
      : rated.every(({ human }) => human === 0.5)
        ? 'in every pair both human grades are equal'
        : undefined;
  if (problem !== undefined)
    return ['same winner', ...agreementNames].map((name) => absentMeasure({ aspect, name }, problem, rated.length));
  const same = rated.map(({ group, human, judge }) => ({ group, value: human === judge ? 1 : 0 }));
  // Which candidate is `a` is chance, so each pair counts in both directions, by half.
  const mirrored = rated.flatMap(({ group, human, judge }) => [
    { group, ratings: [human, judge], weight: 0.5 },
    { group, ratings: [1 - human, 1 - judge], weight: 0.5 },
  ]);
  return [
    meanMeasure({ aspect, name: 'same winner' }, same, ''),
    ...kappaMeasures(aspect, mirrored, '', sampling),
    ...alphaMeasures(aspect, mirrored, '', sampling),
  ];
}
