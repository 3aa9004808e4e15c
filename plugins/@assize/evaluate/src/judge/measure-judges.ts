import type { Progress, ProfileOrPipeline } from 'assize';
import { checkOptions, openPipeline } from 'assize/internal';
import { checkLabel, checkQueries, type JudgedQuery } from '../judged-query.js';
import { JudgeAsker } from './ask-judge.js';
import { peopleMeasures, type Sampling } from './judge-measures.js';
import type { JudgeReport, MeasuredJudge } from './judge-report.js';
import { pairUnits, readTexts } from './judged-units.js';
import { askGrades, gradeMeasures } from './measure-grades.js';
import { askPairs, pairMeasures } from './measure-pairs.js';
import { type Judge, openJudges } from './open-judges.js';

/** The options of `measureJudges`. */
export interface MeasureJudgesOptions {
  /** How often each question is asked. Default: 2. */
  readonly repeats?: number | undefined;
  /** The maximum number of calls for each judge, including retries. Default: 1000. */
  readonly calls?: number | undefined;
  /** Paths in a candidate to the grades of further people, besides the grade by which the judge is measured. */
  readonly raters?: readonly string[] | undefined;
  /** The number of bootstrap samples. Default: 2000. */
  readonly samples?: number | undefined;
  /** The seed of random draws. Default: 1. */
  readonly seed?: number | undefined;
  /** Called when all questions about a candidate or a pair have been asked. */
  readonly progress?: Progress | undefined;
}

const OPTIONS = {
  repeats: { integerFrom: 1 },
  calls: { integerFrom: 1 },
  raters: 'list',
  samples: { integerFrom: 1 },
  seed: { integerFrom: 0 },
  progress: 'function',
} as const;

/** Measures the judges of a profile, as `measureJudges` of the package does. */
export async function measureJudges<T extends object>(
  profile: ProfileOrPipeline<T>,
  queries: Iterable<JudgedQuery<T>>,
  options: MeasureJudgesOptions = {},
): Promise<JudgeReport> {
  checkOptions('measureJudges', options, OPTIONS);
  const all = checkQueries(queries);
  const { judges, profile: name } = await openJudges(profile);
  const { repeats = 2, raters = [] } = options;
  const pipeline = await openPipeline(profile);
  for (const rater of raters) checkLabel({ [name]: pipeline }, rater);
  const measured: MeasuredJudge[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one judge after the other, so that few calls run at the same time
  for (const judge of judges) measured.push(await measureJudge(judge, all, options));
  return { profile: name, repeats, judges: measured };
}

async function measureJudge(
  judge: Judge,
  queries: readonly JudgedQuery<object>[],
  { repeats = 2, calls = 1000, raters = [], samples = 2000, seed = 1, progress }: MeasureJudgesOptions,
): Promise<MeasuredJudge> {
  const sampling: Sampling = { samples, seed };
  const asker = new JudgeAsker(judge, calls);
  const { byQuery, withoutText } = await readTexts(judge, queries, raters);
  const texts = byQuery.flat();
  const answered = async () => {
    const onUnit = (total: number) => (done: number) =>
      progress?.({ task: `asking ${judge.id}`, unit: 'rows', done, total });
    if (judge.kind === 'grades') {
      const units = await askGrades(judge, asker, texts, repeats, onUnit(texts.length));
      return {
        answers: units.map((one) => one.answers),
        measures: gradeMeasures(units, judge.most, repeats, sampling),
      };
    }
    const pairs = pairUnits(byQuery, judge.rounds, seed);
    const units = await askPairs(judge, asker, pairs, repeats, onUnit(pairs.length));
    const answers = units.map(({ asFirst, asSecond }) => [...asFirst, ...asSecond]);
    return { answers, measures: pairMeasures(units, repeats, sampling) };
  };
  const { answers, measures } = await answered();
  const failures = answers.flatMap((own) => own.find((one) => one instanceof Error) ?? []);
  const [failure] = failures;
  return {
    id: judge.id,
    class: judge.class,
    ...(judge.modelName !== undefined && { model: judge.modelName }),
    kind: judge.kind,
    asked: answers.length,
    failed: failures.length,
    ...(failure && { failure: failure.message }),
    withoutText,
    measures: [...measures, ...peopleMeasures(texts, sampling)],
    cost: asker.cost,
  };
}
