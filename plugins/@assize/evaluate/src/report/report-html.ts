import type * as Plot from '@observablehq/plot';
import { formatNumber } from 'assize/internal';
import { directionOf } from '../curves.js';
import type { EvaluationReport, MovedQuery, ReportedAblation, ReportedCurve } from './report.js';
import { dataText, EARNS_TEXT, leadTexts, moveText, smallestText, valueColumns } from './words.js';
import { differenceText, estimateText, pText, queriesText, valueText } from './value-texts.js';
import type { parseHTML } from 'linkedom';

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

const WIDTH = 860;
const ROW = 26;
const GAIN = '#2f7d4f';
const LOSS = '#b3452c';
const DOT = '#4479c4';

const colour = (difference: number): string => (difference < 0 ? LOSS : GAIN);

/** Renders a plot as SVG text with an accessible name. */
function svgText({ Plot, document }: Drawing, label: string, options: Parameters<Drawing['Plot']['plot']>[0]): string {
  const style = { fontSize: '13px', background: 'none', color: 'currentColor' };
  const svg = Plot.plot({ width: WIDTH, marginLeft: 200, marginBottom: 44, style, ...options, document });
  // The image has one accessible name; Plot's labels of its parts would repeat it.
  for (const part of svg.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  svg.setAttribute('role', 'img');
  return svg.outerHTML.replace('<svg', `<svg aria-label="${escapeHtml(label)}"`);
}

/** A value with an interval, drawn as a dot on a line. */
interface Estimate {
  readonly name: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

function estimatesChart(
  drawing: Drawing,
  label: string,
  axis: string,
  rows: readonly Estimate[],
  zero: boolean,
): string {
  const { Plot } = drawing;
  const fill = zero ? ({ mean }: Estimate): string => colour(mean) : DOT;
  return svgText(drawing, label, {
    height: 70 + ROW * rows.length,
    x: { label: axis, grid: true, nice: true },
    y: { label: null, domain: rows.map(({ name }) => name) },
    marks: [
      ...(zero ? [Plot.ruleX([0])] : []),
      Plot.ruleY(rows, { y: 'name', x1: 'low', x2: 'high', stroke: fill, strokeWidth: 3, strokeOpacity: 0.5 }),
      Plot.dot(rows, { y: 'name', x: 'mean', fill, r: 5 }),
    ],
  });
}

/** One measure of every profile. */
export function measureChart(drawing: Drawing, report: EvaluationReport, m: number): string {
  const measure = report.measures[m]!;
  const rows = report.profiles.map(({ profile, values }) => {
    const { mean, interval } = values[m]!;
    return { name: profile, mean, low: interval[0], high: interval[1] };
  });
  return estimatesChart(drawing, `${measure} of each profile, with 95 % intervals`, measure, rows, false);
}

/** The contribution of each part of a profile to the first measure. */
export function ablationChart(drawing: Drawing, { profile, parts }: ReportedAblation): string {
  const rows = parts.flatMap(({ kind, id, earns }) => {
    const [first] = earns;
    if (!first) return [];
    return [{ name: `${kind} ${id}`, mean: first.mean, low: first.interval[0], high: first.interval[1] }];
  });
  const measure = parts[0]?.earns[0]?.measure ?? '';
  return estimatesChart(
    drawing,
    `What each part of ${profile} contributes, with 95 % intervals`,
    `${measure} earned`,
    rows,
    true,
  );
}

/** Above this number of queries, draw a histogram: single bars would be too thin. */
const MOST_BARS = 300;

/** The gain or loss of each query, as bars or as a histogram. */
export function queriesChart(drawing: Drawing, report: EvaluationReport, p: number): string {
  const { Plot } = drawing;
  const measure = report.measures[0]!;
  const [before, after] = [report.profiles[0]!.values[0]!.byQuery ?? [], report.profiles[p]!.values[0]!.byQuery ?? []];
  const rows = after
    .map((value, q) => ({ query: report.queries[q]!, difference: value - before[q]! }))
    .filter(({ difference }) => difference !== 0)
    .toSorted((a, b) => b.difference - a.difference)
    .map((row, place) => ({ ...row, place }));
  const label = `The gain or loss of each query in ${measure} with ${report.profiles[p]!.profile}`;
  const fill = ({ difference }: { readonly difference: number }): string => colour(difference);
  if (rows.length > MOST_BARS) {
    return svgText(drawing, label, {
      height: 260,
      marginLeft: 60,
      x: { label: `difference in ${measure}` },
      y: { label: 'queries', grid: true },
      marks: [
        Plot.rectY(rows, { ...Plot.binX({ y: 'count' }, { x: 'difference', thresholds: 40 }), fill: DOT }),
        Plot.ruleX([0]),
        Plot.ruleY([0]),
      ],
    });
  }
  return svgText(drawing, label, {
    height: 260,
    marginLeft: 60,
    x: { label: `${rows.length} queries that differ`, ticks: [] },
    y: { label: `difference in ${measure}`, grid: true },
    marks: [
      Plot.rectY(rows, {
        x1: (row: { readonly place: number }) => row.place + 0.1,
        x2: (row: { readonly place: number }) => row.place + 0.9,
        y: 'difference',
        fill,
        title: (row: { readonly query: string; readonly difference: number }) =>
          `${row.query}: ${row.difference.toFixed(3)}`,
      }),
      Plot.ruleY([0]),
    ],
  });
}

const LINE = '#4479c4';
const BAR = '#8a939c';

/** A bar of the histogram, scaled to the height of the curve. */
interface Bar {
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly count: number;
}

/** A curve over the histogram of its inputs. */
export function curveChart(drawing: Drawing, { profile, scorer, points, histogram }: ReportedCurve): string {
  const { Plot } = drawing;
  const ys = points.map(([, y]) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const [first, last] = [points[0]![0], points.at(-1)![0]];
  const width = (last - first) / histogram.length;
  const most = Math.max(1, ...histogram);
  const bars = histogram.map((count, k): Bar => {
    const height = low + (high > low ? high - low : 1) * (count / most);
    return { from: first + k * width, to: first + (k + 1) * width, height, count };
  });
  return svgText(drawing, `The curve of ${scorer} in ${profile}, over a histogram of the candidates`, {
    height: 220,
    marginLeft: 60,
    x: { label: `${scorer}: input` },
    y: { label: 'score', grid: true },
    marks: [
      Plot.rectY(bars, {
        x1: 'from',
        x2: 'to',
        y1: low,
        y2: 'height',
        insetRight: 1,
        fill: BAR,
        fillOpacity: 0.45,
        title: ({ count, from, to }: Bar) => `${count} from ${from} to ${to}`,
      }),
      Plot.line(points, {
        x: ([x]: ReportedCurve['points'][number]) => x,
        y: ([, y]: ReportedCurve['points'][number]) => y,
        stroke: LINE,
        strokeWidth: 2.5,
      }),
      Plot.dot(points, {
        x: ([x]: ReportedCurve['points'][number]) => x,
        y: ([, y]: ReportedCurve['points'][number]) => y,
        fill: LINE,
        r: 4,
      }),
    ],
  });
}

/** Observable Plot and a document that works without a browser. */
export interface Drawing {
  readonly Plot: typeof Plot;
  readonly document: ReturnType<typeof parseHTML>['document'];
}

/** Both packages are large, and only a page needs them. */
export async function loadPlot(): Promise<Drawing> {
  const [plot, linkedom] = await Promise.all([import('@observablehq/plot'), import('linkedom')]);
  return { Plot: plot, document: linkedom.parseHTML('<html></html>').document };
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A table with a caption. The first cell of a row is its header. */
export function tableHtml(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): string {
  const kind = (k: number): string => (numbers.includes(k) ? ' class="number"' : '');
  const head = heads.map((text, k) => `<th scope="col"${kind(k)}>${escapeHtml(text)}</th>`).join('');
  const body = rows.map(
    ([first = '', ...cells]) =>
      `<tr><th scope="row">${escapeHtml(first)}</th>${cells.map((cell, k) => `<td${kind(k + 1)}>${escapeHtml(cell)}</td>`).join('')}</tr>`,
  );
  return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

export const figure = (svg: string): string => `<figure>${svg}</figure>`;

export const section = (title: string, ...parts: readonly string[]): string =>
  `<section><h2>${escapeHtml(title)}</h2>\n${parts.join('\n')}\n</section>`;

const STYLE = `:root { color-scheme: light dark; --ink: #1f2328; --paper: #fff; --line: #d5d9de; --muted: #59636e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --paper: #16191d; --line: #3a4047; --muted: #a2abb5; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
.table { overflow-x: auto; } table { border-collapse: collapse; margin: 1rem 0; }
caption { text-align: left; color: var(--muted); padding-bottom: .4rem; }
th, td { text-align: left; padding: .25rem 1.2rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: normal; }
td { white-space: pre-line; } thead th { font-weight: 600; } .number { font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1rem 0; overflow-x: auto; } svg { max-width: 100%; height: auto; }
footer { color: var(--muted); margin-top: 3rem; border-top: 1px solid var(--line); }`;

/** A self-contained page. */
export const page = (title: string, lead: string, sections: readonly string[], foot: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(lead)}</p>
${sections.join('\n')}
</main>
<footer><p>${escapeHtml(foot)}</p></footer>
</body>
</html>
`;
