import { formatNumber } from 'assize/internal';
import { directionOf } from '../curves.js';
import {
  ablationChart,
  curveChart,
  type Drawing,
  figure,
  loadPlot,
  measureChart,
  page,
  queriesChart,
  section,
  tableHtml,
} from './charts.js';
import type { EvaluationReport, MovedQuery, ReportedAblation, ReportedCurve } from './report.js';
import { dataText, EARNS_TEXT, leadTexts, moveText, smallestText, valueColumns } from './words.js';
import { differenceText, estimateText, pText, queriesText, valueText } from './value-texts.js';

export { loadPlot };

/** Renders a report as one self-contained HTML page with charts. */
export async function reportHtml(report: EvaluationReport): Promise<string> {
  const drawing = await loadPlot();
  const names = report.profiles.map(({ profile }) => profile);
  return page(
    `${names.join(', ')}: ${report.measures.join(', ')}`,
    [...leadTexts(report), `${report.data.file}: ${dataText(report)}.`, smallestText(report)].join(' ').trim(),
    [
      measuresSection(report, drawing),
      ...(report.differences.length > 0 ? [differencesSection(report, drawing)] : []),
      ...(report.moved.length > 0 ? [movedSection(report.moved)] : []),
      ...report.ablations.map((ablation) => ablationSection(ablation, drawing)),
      ...names.flatMap((profile) => curvesSection(profile, report.curves ?? [], drawing)),
    ],
    'Intervals are 95 % confidence intervals from the bootstrap. p-values are adjusted by Holm for all comparisons of a table.',
  );
}

function measuresSection(report: EvaluationReport, drawing: Drawing): string {
  const columns = valueColumns(report);
  return section(
    'The quality of each profile',
    tableHtml(
      'Means with intervals',
      ['profile', ...columns.map(({ head }) => head)],
      report.profiles.map((profile) => [profile.profile, ...columns.map(({ cell }) => cell(profile))]),
      columns.map((_, k) => k + 1),
    ),
    ...report.measures.map((_, m) => figure(measureChart(drawing, report, m))),
  );
}

function differencesSection(report: EvaluationReport, drawing: Drawing): string {
  const rows = report.differences.map((difference) => {
    const { profile, measure, mean, interval, adjusted, verdict } = difference;
    return [
      profile,
      measure,
      estimateText(mean, interval, differenceText),
      pText(adjusted),
      verdict,
      queriesText(difference),
    ];
  });
  const heads = ['profile', 'measure', 'difference', 'p', 'verdict', 'queries'];
  const charts =
    report.queries.length > 0
      ? report.profiles.slice(1).map((_, p) => figure(queriesChart(drawing, report, p + 1)))
      : [];
  const title = `Differences from ${report.profiles[0]!.profile}`;
  return section(title, tableHtml('Mean differences with intervals', heads, rows, [2, 3]), ...charts);
}

const movedSection = (moved: readonly MovedQuery[]): string =>
  section(
    'The queries that gained and lost most',
    tableHtml(
      'What moved in them',
      ['query', 'profile', 'measure', 'before', 'after', 'what moved'],
      moved.map(({ query, profile, measure, before, after, moves }) => {
        return [query, profile, measure, valueText(before), valueText(after), moves.map(moveText).join('\n')];
      }),
      [3, 4],
    ),
  );

const ablationSection = (ablation: ReportedAblation, drawing: Drawing): string =>
  section(
    `What each part of ${ablation.profile} contributes`,
    tableHtml(
      `The mean of ${ablation.profile} with the part, minus the mean without it`,
      ['part', 'measure', 'contributes', 'p', 'in words'],
      ablation.parts.flatMap(({ kind, id, earns }) =>
        earns.map(({ measure, mean, interval, adjusted, verdict }) => {
          const estimate = estimateText(mean, interval, differenceText);
          return [`${kind} ${id}`, measure, estimate, pText(adjusted), EARNS_TEXT[verdict]];
        }),
      ),
      [2, 3],
    ),
    ...(ablation.parts.length > 0 ? [figure(ablationChart(drawing, ablation))] : []),
  );

function curvesSection(profile: string, curves: readonly ReportedCurve[], drawing: Drawing): readonly string[] {
  const own = curves.filter((curve) => curve.profile === profile);
  if (own.length === 0) return [];
  const places = ({ points }: ReportedCurve): string =>
    points.map(([x, y]) => `${formatNumber(x)} → ${formatNumber(y)}`).join(', ');
  return [
    section(
      `The curves of ${profile}`,
      tableHtml(
        'The points of each curve; below, each curve over a histogram of the candidates',
        ['scorer', 'direction', 'points'],
        own.map((curve) => [curve.scorer, directionOf(curve.points), places(curve)]),
      ),
      ...own.map((curve) => figure(curveChart(drawing, curve))),
    ),
  ];
}
