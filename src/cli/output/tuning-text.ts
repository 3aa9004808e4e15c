import { escapeInvisible, wrap } from '../../text/wrap.js';
import { formatNumber } from '../../text/numbers.js';
import { type TableColumn, tableText } from '../../text/table.js';
import { directionOf, histogramOf, plotCurve } from '../../evaluate/curves.js';
import { heldOutText, learntFromText, smallestGainText, tuningLead } from '../../tune/tuned-yaml.js';
import type { Tuning } from '../../tune/index.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler, type Styler } from '../terminal/styler.js';

/** What tuning found: weights, curves over the histograms of what they are read at, and what they gain. */
export function tuningText(tuning: Tuning, { colour, columns }: OutputStyle): string {
  const paint = createStyler(colour);
  const { profile, left, heldOut, stopped } = tuning;
  return [
    `${paint('bold', escapeInvisible(profile))}: ${learntFromText(tuning)}\n\n${wrap(tuningLead(tuning), columns, '')}\n\n`,
    scorerTable(tuning, paint),
    ...tuning.params.map(
      ({ entry, param, before, value }) => `${escapeInvisible(`${entry}.${param}`)}: ${value}, was ${before}\n`,
    ),
    ...left.map(({ id, because }) => `${escapeInvisible(id)} is as it was: ${because}\n`),
    ...heldOut.map((one) => {
      const [how, what] = heldOutText(one);
      return `\n${paint(one.verdict === 'better' ? 'bold' : 'dim', how)}\n  ${what}\n`;
    }),
    [smallestGainText(tuning), 'What the measures mean: assize help measures']
      .filter((line) => line !== '')
      .map((line) => `${paint('dim', line)}\n`)
      .join(''),
    stopped ? '\nThe search was ended before it was done.\n' : '',
  ].join('');
}

function scorerTable({ scorers }: Tuning, paint: Styler): string {
  const lines = scorers.flatMap(({ id, before, weight, points, scores }) => {
    const first = { id: escapeInvisible(id), weight: formatNumber(weight), before: formatNumber(before) };
    if (!points || weight === 0) return [{ ...first, plot: '' }];
    const { curve, histogram } = plotCurve(points, histogramOf(points, scores));
    const places = points.map(([x, y]) => `${formatNumber(x)} → ${formatNumber(y)}`).join(', ');
    return [
      { ...first, plot: `${curve}  ${directionOf(points)}` },
      { id: '', weight: '', before: '', plot: paint('dim', histogram) },
      { id: '', weight: '', before: '', plot: paint('dim', places) },
    ];
  });
  const column = (head: string, align: TableColumn['align'], cells: readonly string[]): TableColumn => ({
    head,
    align,
    cells,
  });
  const columns = [
    column(
      'scorer',
      'left',
      lines.map(({ id }) => id),
    ),
    column(
      'weight',
      'right',
      lines.map(({ weight }) => weight),
    ),
    column(
      'was',
      'right',
      lines.map(({ before }) => before),
    ),
  ];
  const plots = lines.map(({ plot }) => plot);
  return tableText(plots.some((plot) => plot !== '') ? [...columns, column('curve', 'left', plots)] : columns, paint);
}
