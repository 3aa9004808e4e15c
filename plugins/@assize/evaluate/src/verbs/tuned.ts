import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { toAssizeError } from 'assize';
import { formatNumber, packageVersion } from 'assize/internal';
import {
  createStyler,
  escapeInvisible,
  type Io,
  type OutputStyle,
  type Styler,
  type TableColumn,
  tableText,
  wrap,
  writeProblems,
} from 'assize/verbs';
import { directionOf, histogramOf } from '../curves.js';
import { plotCurve } from '../report/plot-curve.js';
import type { TuneOptions } from '../tune/tune-options.js';
import { tuneWeights } from '../tune/tune-weights.js';
import { heldOutText, learntFromText, smallestGainText, tunedYaml, tuningLead } from '../tune/tuned-yaml.js';
import type { TunedChange, Tuning } from '../tune/tuning.js';
import type { TuneVerbOptions } from './dataset-options.js';
import { openJudged, writeText } from './judged.js';

/** The result of tuning, and the profile with the new weights. */
export interface Tuned {
  readonly tuning: Tuning;
  readonly yaml: string;
}

/** Tunes a profile with the data of a file. Ctrl-C ends the search; a second one ends the process. */
export async function tuneFile(profile: string, file: string, options: TuneVerbOptions, io: Io): Promise<Tuned> {
  if (options.out !== undefined) checkNew(options.out, io.folder);
  const { dataset } = await openJudged([profile], file, options, io);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new Error('stopped before the first ranking was complete'));
  process.once('SIGINT', interrupt);
  try {
    const tuning = await tuneWeights(profile, dataset.queries, {
      ...optionsOf(options, io),
      ...(dataset.arePairs === true && { measure: options.measure ?? 'Agreement', loss: options.startFrom ?? 'pairs' }),
      signal: stop.signal,
    });
    writeProblems(tuning.warnings, io);
    const { date, out } = options;
    const from = extendedFrom(profile, out, io.folder);
    const written = { ...tuning, change: changeFrom(tuning.change, out, io.folder) };
    return { tuning, yaml: tunedYaml(written, { extends: from, version: packageVersion(), data: file, date }) };
  } finally {
    process.off('SIGINT', interrupt);
  }
}

function optionsOf(options: TuneVerbOptions, { progress }: Pick<Io, 'progress'>): TuneOptions {
  const {
    measure,
    relevantFrom,
    curves,
    curve,
    anyShape,
    only,
    case: name,
    signed,
    sparse,
    param,
    startFrom,
  } = options;
  const { folds, repeats, seed, seconds, groupBy, foldsBy } = options;
  return {
    measure,
    relevantFrom,
    curves,
    curved: curve,
    anyShape,
    only,
    case: name,
    signed,
    sparse,
    params: param,
    loss: startFrom,
    folds,
    repeats,
    seed,
    seconds,
    names: { group: groupBy, fold: foldsBy },
    progress,
  };
}

/** The `extends` of the written profile: the name of a preset, or a path relative to the new file. */
export function extendedFrom(profile: string, out: string | undefined, folder: string): string {
  if (!/[\\/]|\.(?:ya?ml|json)$/.test(profile) || isAbsolute(profile)) return profile;
  const path = relative(out === undefined ? folder : dirname(resolve(folder, out)), resolve(folder, profile));
  return path.startsWith('.') ? path : `./${path}`;
}

/** A change with the paths of its plugins relative to the written file. */
export function changeFrom({ plugins, ...change }: TunedChange, out: string | undefined, folder: string): TunedChange {
  const from = (spec: unknown): unknown =>
    typeof spec === 'string' && spec.startsWith('.') ? extendedFrom(spec, out, folder) : spec;
  return plugins ? { plugins: plugins.map(from), ...change } : change;
}

/** @throws AssizeError (ASZ604) if the file already exists. Called before the slow work */
export function checkNew(out: string, folder: string): void {
  if (!existsSync(resolve(folder, out))) return;
  const hint = 'nothing was written: choose another name, or remove the file';
  throw toAssizeError([{ code: 'ASZ604', message: `${out} already exists`, hint }]);
}

/** Writes the profile with the new weights. */
export async function writeTuned(
  out: string,
  yaml: string,
  { err, folder }: Pick<Io, 'err' | 'folder'>,
): Promise<void> {
  await writeText(resolve(folder, out), yaml);
  err.write(`wrote ${out}\n`);
}

/** The result of tuning as text: weights, curves over histograms of their inputs, and the gain. */
export function tuningText(tuning: Tuning, { colour, columns }: OutputStyle): string {
  const paint = createStyler(colour);
  const { profile, left, heldOut, stopped } = tuning;
  return [
    `${paint('bold', escapeInvisible(profile))}: ${learntFromText(tuning)}\n\n${wrap(tuningLead(tuning), columns, '')}\n\n`,
    scorerTable(tuning, paint),
    ...tuning.params.map(
      ({ entry, param, before, value, unit }) =>
        `${escapeInvisible(`${entry}.${param}`)}: ${value}${unit}, was ${before}${unit}\n`,
    ),
    ...left.map(({ id, because }) => `${escapeInvisible(id)} is unchanged: ${because}\n`),
    ...heldOut.map((one) => {
      const [how, what] = heldOutText(one);
      return `\n${paint(one.verdict === 'better' ? 'bold' : 'dim', how)}\n  ${what}\n`;
    }),
    [smallestGainText(tuning), 'What the measures mean: assize help measures']
      .filter((line) => line !== '')
      .map((line) => `${paint('dim', line)}\n`)
      .join(''),
    stopped ? '\nThe search was stopped before it was complete.\n' : '',
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
