import { type Command, Option } from 'commander';
import { type DatasetVerbOptions, withJudgements } from './dataset-options.js';
import { collect, formatOption, openOption, type OpenOptions, parseInteger, parseNumberOption } from './options.js';
import { jsonText } from './output/json.js';
import type { Io } from './terminal/io.js';
import { usageError, writeProblems } from './terminal/problems.js';

interface EvaluateVerbOptions extends DatasetVerbOptions, OpenOptions {
  readonly measure?: readonly string[];
  readonly relevantFrom?: number;
  readonly samples?: number;
  readonly seed?: number;
  readonly ablate?: true;
  readonly format: 'table' | 'json';
  readonly html?: string;
  readonly runOut?: string;
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

Output:
  table   the measures, the differences, and the queries that gained and lost
          most, with what moved in them
  json    the same as a tree, with the value of each query

Examples:
  assize evaluate ./mine.yaml --judgments qrels.txt candidates.jsonl
  assize evaluate ./old.yaml ./new.yaml -g query -l clicks -m nDCG@5 films.csv
  assize evaluate ./mine.yaml --label metadata.success --ablate -g task runs.jsonl
  assize evaluate ./mine.yaml --html report.html --run-out runs queries.jsonl
  assize evaluate ./films.yaml -g query -l clicks films.csv --open`;

/** `assize evaluate`: measures profiles against judgements. */
export function evaluate(command: Command, io: Io): void {
  const described = command
    .summary('measure profiles against judgements')
    .description(
      'Ranks judged candidates by one or more profiles, and measures how good they are and whether they differ.',
    )
    .usage('[options] <profile...> <candidates>')
    .argument('<files...>', 'the profiles: presets, or paths; and, last, the queries or candidates');
  withJudgements(described)
    .option('-m, --measure <name>', 'a measure; may be repeated', collect)
    .addOption(
      new Option('--relevant-from <grade>', 'the least grade that is relevant; 1 by default').argParser(
        parseNumberOption('--relevant-from'),
      ),
    )
    .option('--ablate', 'remove each scorer, veto and rule in turn, and measure what it contributes')
    .addOption(
      new Option(
        '--samples <number>',
        'the number of random samples; 10000 by default, 2000 without queries',
      ).argParser(parseInteger('--samples', 1)),
    )
    .addOption(
      new Option('--seed <number>', 'the seed of random draws; 1 by default').argParser(parseInteger('--seed', 0)),
    )
    .addOption(formatOption('table', 'json'))
    .option('--html <file>', 'also write a report with charts')
    .option('--run-out <folder>', 'also write each ranking as a TREC run, PROFILE.run; --seed orders equal scores')
    .addOption(openOption('then open the studio in a browser, if one is available'))
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: EvaluateVerbOptions) => run(files, options, io));
}

async function run(files: readonly string[], options: EvaluateVerbOptions, io: Io): Promise<void> {
  const profiles = files.slice(0, -1);
  const file = files.at(-1)!;
  if (profiles.length === 0) {
    throw usageError('expected one or more profiles, and last the candidates', `assize evaluate PROFILE ${file}`);
  }
  if (options.open && options.format === 'json') throw usageError('--format json cannot be combined with --open');
  const { openJudged, textsOf, writeRuns, writeText } = await import('./session/judged.js');
  const page = options.html === undefined ? undefined : await import('../evaluate/report/report-html.js');
  await page?.loadPlot(); // a missing package is reported before the slow work
  const { pipelines, dataset } = await openJudged(profiles, file, options, io);
  const { makeReport, tunedOnWarning } = await import('../evaluate/node.js');
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
    const { evaluationText } = await import('./output/evaluation-text.js');
    io.out.write(evaluationText(report, io.out));
  }
  if (!options.open) return;
  const { serveInStudio } = await import('./session/studio.js');
  const [profile = '', ...others] = profiles;
  await serveInStudio({ profile, others, queries: dataset.queries }, { open: true }, io);
}
