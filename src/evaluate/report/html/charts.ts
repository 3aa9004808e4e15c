import type { EvaluationReport, ReportedAblation } from '../report.js';
import type { Drawing } from './load-plot.js';
import { escapeHtml } from './page.js';

const WIDTH = 860;
const ROW = 26;
const GAIN = '#2f7d4f';
const LOSS = '#b3452c';
const DOT = '#4479c4';

const colour = (difference: number): string => (difference < 0 ? LOSS : GAIN);

/** What Plot draws, as text: an image with a name, for those who do not see it. */
export function svgText(
  { Plot, document }: Drawing,
  label: string,
  options: Parameters<Drawing['Plot']['plot']>[0],
): string {
  const style = { fontSize: '13px', background: 'none', color: 'currentColor' };
  const svg = Plot.plot({ width: WIDTH, marginLeft: 200, marginBottom: 44, style, ...options, document });
  // One image with one name: the names that Plot gives to its parts are of no use inside.
  for (const part of svg.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  svg.setAttribute('role', 'img');
  return svg.outerHTML.replace('<svg', `<svg aria-label="${escapeHtml(label)}"`);
}

/** Something with a value and where it lies: a dot on its interval. */
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

/** What each part of a profile earns by the first measure. */
export function ablationChart(drawing: Drawing, { profile, parts }: ReportedAblation): string {
  const rows = parts.flatMap(({ kind, id, earns }) => {
    const [first] = earns;
    if (!first) return [];
    return [{ name: `${kind} ${id}`, mean: first.mean, low: first.interval[0], high: first.interval[1] }];
  });
  const measure = parts[0]?.earns[0]?.measure ?? '';
  return estimatesChart(
    drawing,
    `What each part of ${profile} earns, with 95 % intervals`,
    `${measure} earned`,
    rows,
    true,
  );
}

/** Above so many queries a bar each is a smear. */
const MOST_BARS = 300;

/** By how much each query gained or lost with a profile: a bar each, or how many by how much. */
export function queriesChart(drawing: Drawing, report: EvaluationReport, p: number): string {
  const { Plot } = drawing;
  const measure = report.measures[0]!;
  const [before, after] = [report.profiles[0]!.values[0]!.byQuery ?? [], report.profiles[p]!.values[0]!.byQuery ?? []];
  const rows = after
    .map((value, q) => ({ query: report.queries[q]!, difference: value - before[q]! }))
    .filter(({ difference }) => difference !== 0)
    .toSorted((a, b) => b.difference - a.difference)
    .map((row, place) => ({ ...row, place }));
  const label = `By how much each query gained or lost in ${measure} with ${report.profiles[p]!.profile}`;
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
