import {
  createStyler,
  escapeInvisible,
  type OutputStyle,
  type Styler,
  type TableColumn,
  tableText,
  truncateEnd,
  wrap,
} from 'assize/verbs';
import { directionOf } from '../curves.js';
import { LABELLED_MEASURES } from '../measures/labelled-measures.js';
import { MEASURES } from '../measures/measures.js';
import { plotCurve } from '../report/plot-curve.js';
import { differenceText, estimateText, pText, queriesText, valueText } from '../report/value-texts.js';
import type { EvaluationReport, MovedQuery, ReportedAblation, ReportedCurve } from '../report/report.js';
import { dataText, EARNS_TEXT, leadTexts, moveText, smallestText, valueColumns } from '../report/words.js';

/** A table of rows of texts. */
function rowsTable(heads: readonly string[], rows: readonly (readonly string[])[], paint: Styler): string {
  const columns = heads.map((head, k): TableColumn => {
    return { head, align: 'left', cells: rows.map((row) => escapeInvisible(row[k] ?? '')) };
  });
  return tableText(columns, paint);
}

/** The meaning of each measure, for `assize help measures`. */
export function measuresText({ colour, columns }: OutputStyle): string {
  const paint = createStyler(colour);
  const block = ([name, { summary, meaning }]: [string, { readonly summary: string; readonly meaning: string }]) =>
    `${paint('bold', name)}: ${summary}\n${wrap(`  ${meaning}`, columns, '  ')}\n`;
  return [
    'For ranked queries, each with or without a cut-off (nDCG@10 looks at the first ten):\n\n',
    ...Object.entries(MEASURES).map(block),
    '\nFor data without queries:\n\n',
    ...Object.entries(LABELLED_MEASURES).map(block),
    `\n${wrap('Judged@10 is the share of judged candidates among the first ten. The measures count unjudged candidates as bad, except Bpref, infAP and Agreement.', columns, '')}\n`,
    `${wrap('The range after a value is its 95 % confidence interval. p is the probability that chance alone makes a difference this large. A profile is called better or worse only if p is below 0.05 and the interval excludes 0.', columns, '')}\n`,
  ].join('');
}

/** An evaluation as text: a sentence first, then tables. */
export function evaluationText(report: EvaluationReport, style: OutputStyle): string {
  const paint = createStyler(style.colour);
  const title = (text: string): string => `\n${paint('bold', escapeInvisible(text))}\n`;
  const { data, differences, ablations, profiles, moved, curves = [] } = report;
  return [
    `${paint('bold', escapeInvisible(data.file))}: ${dataText(report)}\n\n`,
    leadTexts(report)
      .map((line) => `${wrap(escapeInvisible(line), style.columns, '')}\n`)
      .join(''),
    `\n${valuesTable(report, paint)}`,
    differences.length > 0
      ? title(`Differences from ${profiles[0]!.profile}`) + differencesTable(differences, paint)
      : '',
    '\n',
    paint(
      'dim',
      [smallestText(report), 'What the measures mean: assize help measures']
        .filter((line) => line !== '')
        .map((line) => `${wrap(line, style.columns, '')}\n`)
        .join(''),
    ),
    ...profiles.slice(1).flatMap(({ profile }) => {
      const own = moved.filter((one) => one.profile === profile);
      return [
        movedText(
          'Gained most',
          own.filter(({ before, after }) => after > before),
          title,
          style,
        ),
        movedText(
          'Lost most',
          own.filter(({ before, after }) => after < before),
          title,
          style,
        ),
      ];
    }),
    ...ablations.map((one) => title(`What each part of ${one.profile} contributes`) + ablationText(one, paint)),
    ...profiles.map(({ profile }) => {
      const own = curves.filter((curve) => curve.profile === profile);
      return own.length > 0
        ? title(`Curves of ${profile}, over the distribution of the candidates`) + curvesText(own, paint)
        : '';
    }),
  ].join('');
}

function valuesTable(report: EvaluationReport, paint: Styler): string {
  const columns = valueColumns(report);
  return rowsTable(
    ['profile', ...columns.map(({ head }) => head)],
    report.profiles.map((profile) => [profile.profile, ...columns.map(({ cell }) => cell(profile))]),
    paint,
  );
}

const differencesTable = (differences: EvaluationReport['differences'], paint: Styler): string =>
  rowsTable(
    ['profile', 'measure', 'difference', 'p', 'verdict', 'queries'],
    differences.map((one) => [
      one.profile,
      one.measure,
      estimateText(one.mean, one.interval, differenceText),
      pText(one.adjusted),
      one.verdict,
      queriesText(one),
    ]),
    paint,
  );

/** The number of queries that are shown; the JSON has more. */
const MOST_MOVED = 3;

/** Queries that gained or lost, and the candidates that moved in them. */
function movedText(
  head: string,
  moved: readonly MovedQuery[],
  title: (text: string) => string,
  { limit }: OutputStyle,
): string {
  const [first] = moved;
  if (!first) return '';
  const lines = moved
    .slice(0, MOST_MOVED)
    .flatMap(({ query, before, after, moves }) => [
      `  ${query}  ${valueText(before)} → ${valueText(after)}`,
      ...moves.map((move) => `    ${moveText(move)}`),
    ]);
  const text = lines.map((line) => `${truncateEnd(escapeInvisible(line), limit)}\n`).join('');
  return title(`${head} with ${first.profile}, by ${first.measure}`) + text;
}

function ablationText({ parts, fixed }: ReportedAblation, paint: Styler): string {
  const rows = parts.flatMap(({ kind, id, earns }) =>
    earns.map(({ measure, mean, interval, adjusted, verdict }) => {
      const estimate = estimateText(mean, interval, differenceText);
      return [`${kind} ${id}`, measure, estimate, pText(adjusted), EARNS_TEXT[verdict]];
    }),
  );
  const others = fixed.map(({ kind, id, reason }) => `  ${kind} ${id} cannot be removed: ${escapeInvisible(reason)}\n`);
  return rowsTable(['part', 'measure', 'contributes', 'p', 'in words'], rows, paint) + others.join('');
}

const curvesText = (curves: readonly ReportedCurve[], paint: Styler): string =>
  rowsTable(
    ['scorer', 'curve'],
    curves.flatMap(({ scorer, points, histogram }) => {
      const plot = plotCurve(points, histogram);
      return [
        [scorer, `${plot.curve}  ${directionOf(points)}`],
        ['', plot.histogram],
      ];
    }),
    paint,
  );
