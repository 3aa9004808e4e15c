import { createPipeline } from 'assize';
import {
  createStyler,
  escapeInvisible,
  type Io,
  type OutputStyle,
  type TableColumn,
  tableText,
  usageError,
  wrap,
  writeProblems,
} from 'assize/verbs';
import type { JudgeCost } from '../judge/ask-judge.js';
import type { JudgeMeasure, JudgeReport, MeasuredJudge } from '../judge/judge-report.js';
import { measureJudges, type MeasureJudgesOptions } from '../judge/measure-judges.js';
import { checkLabel } from '../judged-query.js';
import { estimateText, valueText } from '../report/value-texts.js';
import { type DatasetVerbOptions, readVerbDataset } from './dataset-options.js';

/** The options of `assize evaluate --judge`, as commander parses them. */
interface JudgeVerbOptions extends DatasetVerbOptions, Omit<MeasureJudgesOptions, 'raters'> {
  readonly rater?: readonly string[];
}

/** A report with the name of the file that has the rows. */
export interface JudgeFileReport extends JudgeReport {
  readonly file: string;
}

/** Measures the judges of a profile on the rows of a file. Rows without a grade are used, too. */
export async function judgeFile(
  profiles: readonly string[],
  file: string,
  options: JudgeVerbOptions,
  io: Io,
): Promise<JudgeFileReport> {
  const [profile = '', other] = profiles;
  if (other !== undefined)
    throw usageError('--judge measures one profile', `assize evaluate --judge ${profile} ${file}`);
  const pipeline = await createPipeline<object>(profile);
  const dataset = await readVerbDataset(file, { ...options, unjudged: true }, io, [pipeline]);
  if (dataset.label !== undefined) checkLabel({ [pipeline.name]: pipeline }, dataset.label);
  writeProblems(pipeline.warnings, io);
  const { repeats, calls, rater: raters, samples, seed } = options;
  const { progress } = io;
  const measured = { repeats, calls, raters, samples, seed, progress };
  return { file, ...(await measureJudges(pipeline, dataset.queries, measured)) };
}

/** The measures of judges as text: a sentence and a table for each judge. */
export function judgesText({ file, repeats, judges }: JudgeFileReport, style: OutputStyle): string {
  const paint = createStyler(style.colour);
  return judges
    .map((judge) => {
      const { measures } = judge;
      const present = measures.filter(({ value }) => value !== undefined);
      const lead = `${paint('bold', escapeInvisible(judge.id))}: ${escapeInvisible(leadText(judge, repeats, file))}`;
      const columns: readonly TableColumn[] = [
        { head: 'about', align: 'left', cells: present.map(({ aspect }) => aspect) },
        { head: 'measure', align: 'left', cells: present.map(({ name }) => name) },
        { head: 'value', align: 'left', cells: present.map(measureText) },
        { head: judge.kind === 'grades' ? 'candidates' : 'pairs', align: 'right', cells: present.map(countText) },
      ];
      return [
        `${wrap(lead, style.columns, '')}\n\n`,
        present.length > 0 ? `${tableText(columns, paint)}\n` : '',
        ...absentTexts(measures).map((line) => `${wrap(escapeInvisible(line), style.columns, '')}\n`),
        `${wrap(costText(judge.cost), style.columns, '')}\n`,
      ].join('');
    })
    .join('\n');
}

function leadText(
  { class: name, model, kind, asked, failed, failure, withoutText, measures }: MeasuredJudge,
  repeats: number,
  file: string,
): string {
  const what = kind === 'grades' ? 'candidates' : 'pairs of candidates, in both orders';
  const by = model === undefined ? '' : ` by ${model}`;
  const parts = [
    `${name}${by}, asked ${repeats === 1 ? 'once' : `${repeats} times`} about ${asked} ${what} of ${file}.`,
    failed > 0 ? `${failed} of them have a question without an answer: ${failure}.` : '',
    withoutText > 0 ? `${withoutText} candidates have no text.` : '',
    ...findingTexts(measures),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const measureText = ({ value = Number.NaN, interval = [Number.NaN, Number.NaN] }: JudgeMeasure): string =>
  estimateText(value, interval, signedText);

const signedText = (value: number): string => valueText(value).replace('-', '−');

const countText = ({ count }: JudgeMeasure): string => String(Math.round(count));

/** Measures whose value shows no bias or no agreement, and what it means if the interval is above it, below it or on both sides. */
const FINDINGS: readonly {
  readonly aspect: JudgeMeasure['aspect'];
  readonly name: RegExp;
  readonly neutral: number;
  readonly above?: string;
  readonly below?: string;
  readonly around?: string;
}[] = [
  {
    aspect: 'order bias',
    name: /^share won by the first/,
    neutral: 0.5,
    above: 'It favours the first of two texts.',
    below: 'It favours the second of two texts.',
  },
  {
    aspect: 'length bias',
    name: /^change/,
    neutral: 0,
    above: 'It favours a text with a sentence that adds nothing.',
    below: 'It disfavours a text with a sentence that adds nothing.',
  },
  {
    aspect: 'agreement',
    name: /^kappa$/,
    neutral: 0,
    below: 'It agrees with people less than by chance.',
    around: 'No agreement with people beyond chance is shown.',
  },
];

/** What the intervals show, for readers who do not know the measures. */
const findingTexts = (measures: readonly JudgeMeasure[]): readonly string[] =>
  FINDINGS.flatMap(({ aspect, name, neutral, above, below, around }) => {
    const found = measures.find((one) => one.aspect === aspect && name.test(one.name));
    if (!found?.interval) return [];
    const [low, high] = found.interval;
    return (low > neutral ? above : high < neutral ? below : around) ?? [];
  });

/** One line for each reason, with the measures that it concerns. */
function absentTexts(measures: readonly JudgeMeasure[]): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { aspect, name, absent } of measures) {
    if (absent === undefined) continue;
    const key = `${aspect}: ${absent}`;
    byReason.set(key, [...(byReason.get(key) ?? []), name]);
  }
  return [...byReason].map(([reason, names]) => `Not measured: ${reason} (${names.join('; ')}).`);
}

function costText({ calls, failedCalls, tokens, spend }: JudgeCost): string {
  const failed = failedCalls > 0 ? `, ${failedCalls} of them without a usable answer` : '';
  const price =
    spend === undefined ? 'the price is unknown: set price in the profile' : `price ${Number(spend.toPrecision(6))}`;
  return `Cost: ${calls.toLocaleString('en-US')} calls${failed}, ${tokens.toLocaleString('en-US')} tokens; ${price}.`;
}
