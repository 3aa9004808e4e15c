import {
  collect,
  formatOption,
  integerOption,
  type Io,
  jsonText,
  numberOption,
  usageError,
  type Verb,
  writeProblems,
} from 'assize/verbs';
import { type DatasetVerbOptions, withJudgements } from './dataset-options.js';

interface EvaluateVerbOptions extends DatasetVerbOptions {
  readonly open?: true;
  readonly measure?: readonly string[];
  readonly relevantFrom?: number;
  readonly samples?: number;
  readonly seed?: number;
  readonly ablate?: true;
  readonly format: 'table' | 'json';
  readonly html?: string;
  readonly runOut?: string;
  readonly judge?: true;
  readonly repeats?: number;
  readonly calls?: number;
  readonly rater?: readonly string[];
}

const HELP = `
Measures, each with or without a cut-off (nDCG@10): nDCG, nDCGexp, AP (MAP),
RR (MRR), P, R, Success, Rprec, Bpref, infAP. For data without queries: AUC and
AP of two classes, tau and rho of grades. assize help measures explains each.
A measure of tied candidates is the mean over their orders.
Each profile is compared with the first. A difference has a 95 % interval. It is
significant if the interval excludes 0 and p, adjusted for all comparisons, is
below 0.05. The intervals hold simultaneously for all comparisons.
A profile that reads the label is rejected.

With --judge, the language models that judge by a rubric (RubricScorer and
PairwiseRubricScorer) are measured instead: how often they repeat an answer,
their bias by order and length, their agreement with the grades (kappa, alpha),
and the cost. This calls the model: see --calls.

Output:
  table   the measures, the differences, and the queries that gained and lost
          most, with what moved in them
  json    the same as a tree, with the value of each query

Examples:
  assize evaluate ./mine.yaml --judgments qrels.txt candidates.jsonl
  assize evaluate ./old.yaml ./new.yaml -g query -l clicks -m nDCG@5 films.csv
  assize evaluate ./mine.yaml --label metadata.success --ablate -g task runs.jsonl
  assize evaluate ./mine.yaml --html report.html --run-out runs queries.jsonl
  assize evaluate ./films.yaml -g query -l clicks films.csv --open
  assize evaluate --judge ./judged.yaml -l grade --repeats 3 graded.jsonl`;

/** `assize evaluate`: measures profiles against judgements. */
export const evaluate: Verb = {
  name: 'evaluate',
  summary: 'measure profiles against judgements',
  declare(command, io) {
    const described = command
      .description(
        'Ranks judged candidates by one or more profiles, and measures how good they are and whether they differ.',
      )
      .argument('<profiles-and-file...>', 'the profiles: presets, or paths; and, last, the queries or candidates');
    withJudgements(described)
      .option('-m, --measure <name>', 'a measure; may be repeated', collect)
      .addOption(numberOption('--relevant-from <grade>', 'the least grade that is relevant; 1 by default'))
      .option('--ablate', 'remove each scorer, veto and rule in turn, and measure what it contributes')
      .addOption(
        integerOption('--samples <number>', 'the number of random samples; 10000 by default, 2000 without queries', 1),
      )
      .addOption(integerOption('--seed <number>', 'the seed of random draws; 1 by default', 0))
      .addOption(formatOption('table', 'json'))
      .option('--html <file>', 'also write a report with charts')
      .option('--run-out <folder>', 'also write each ranking as a TREC run, PROFILE.run; --seed orders equal scores')
      .option('--judge', 'measure the language models of the profile that judge by a rubric')
      .addOption(integerOption('--repeats <number>', 'with --judge: how often each question is asked; 2 by default', 1))
      .addOption(integerOption('--calls <number>', 'with --judge: the most calls for each judge; 1000 by default', 1))
      .option('--rater <path>', "with --judge: the path to another person's grade; may be repeated", collect)
      .option('--open', 'then open the studio in a browser, if one is available')
      .addHelpText('after', HELP)
      .action((files: readonly string[], options: EvaluateVerbOptions) => run(files, options, io));
  },
};

async function run(files: readonly string[], options: EvaluateVerbOptions, io: Io): Promise<void> {
  const profiles = files.slice(0, -1);
  const file = files.at(-1)!;
  if (profiles.length === 0) {
    throw usageError('expected one or more profiles, and last the candidates', `assize evaluate PROFILE ${file}`);
  }
  if (options.judge) return runJudge(profiles, file, options, io);
  const forJudges = JUDGE_OPTIONS.find((name) => options[name] !== undefined);
  if (forJudges !== undefined) throw usageError(`--${forJudges} needs --judge`);
  if (options.open && options.format === 'json') throw usageError('--format json cannot be combined with --open');
  const openStudio = options.open ? await io.loadStudio() : undefined;
  const { openJudged, textsOf, writeRuns, writeText } = await import('./judged.js');
  const page = options.html === undefined ? undefined : await import('../report/report-html.js');
  await page?.loadPlot(); // a missing package is reported before the slow work
  const { pipelines, dataset } = await openJudged(profiles, file, options, io);
  const { makeReport } = await import('../report/make-report.js');
  const { tunedOnWarning } = await import('../dataset/leaks.js');
  const runs = options.runOut === undefined ? undefined : await writeRuns(options.runOut, dataset, options.seed ?? 1);
  const { measure, relevantFrom, samples, seed, ablate } = options;
  const made = await makeReport(pipelines, dataset, {
    file,
    measures: measure,
    relevantFrom,
    samples,
    seed,
    ablate,
    ties: runs && { seed: seed ?? 1 },
    onRanking: runs && ((...ranked) => runs.add(...ranked)),
    progress: io.progress,
  });
  const texts = await textsOf(profiles);
  const names = Object.keys(pipelines);
  const tunedOn = texts.flatMap((text, k) => tunedOnWarning(names[k]!, text, dataset));
  const report = { ...made, warnings: [...tunedOn, ...made.warnings] };
  writeProblems(report.warnings, io);
  await runs?.finish();
  if (page && options.html !== undefined) await writeText(options.html, await page.reportHtml(report));
  if (options.format === 'json') io.out.write(jsonText(report));
  else {
    const { evaluationText } = await import('./evaluation-text.js');
    io.out.write(evaluationText(report, io.out));
  }
  const [profile = '', ...others] = profiles;
  const { grades: gradesFile, id } = options;
  await openStudio?.({ profile, others, queries: dataset.queries, gradesFile, id, label: dataset.label });
}

const JUDGE_OPTIONS = ['repeats', 'calls', 'rater'] as const;

async function runJudge(
  profiles: readonly string[],
  file: string,
  options: EvaluateVerbOptions,
  io: Io,
): Promise<void> {
  const others = {
    measure: '--measure',
    ablate: '--ablate',
    html: '--html',
    runOut: '--run-out',
    open: '--open',
  } as const;
  const flag = (['measure', 'ablate', 'html', 'runOut', 'open'] as const).find((name) => options[name] !== undefined);
  if (flag !== undefined) throw usageError(`--judge cannot be combined with ${others[flag]}`);
  const { judgeFile, judgesText } = await import('./judges.js');
  const report = await judgeFile(profiles, file, options, io);
  io.out.write(options.format === 'json' ? jsonText(report) : judgesText(report, io.out));
}
