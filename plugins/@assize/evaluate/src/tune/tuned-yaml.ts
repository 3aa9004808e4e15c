import { Document, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import { directionOf, histogramOf } from '../curves.js';
import { plotCurve } from '../report/plot-curve.js';
import { counted, formatSigned } from '../values.js';
import { distrustText, tooFewText } from '../report/words.js';
import { sketchText } from '../dataset/leaks.js';
import { escapeInvisibleInLine } from 'assize/internal';
import type { HeldOut } from './held-out.js';
import type { TunedChange, TunedScorer, Tuning } from './tuning.js';

/**
 * The result as YAML of a profile that extends the tuned one, with the evidence as comments.
 *
 * ```ts
 * const tuning = await tuneWeights('./films.yaml', queries);
 * if (tuning.shown) await writeFile('films-tuned.yaml', tunedYaml(tuning, { extends: './films.yaml' }));
 * ```
 */
export function tunedYaml(tuning: Tuning, options: TunedYamlOptions): string {
  return extendingYaml(options.extends, tuning.change, tuning.scorers, evidenceLines(tuning, options));
}

function evidenceLines(tuning: Tuning, options: TunedYamlOptions): readonly string[] {
  const { seed, left, case: caseName, heldOut, warnings } = tuning;
  return [
    `${originText('Tuned', options)}${learntFromText(tuning)}, seed ${seed}.`,
    ...heldOut.flatMap((one) => {
      const [how, what] = heldOutText(one);
      return [how, `  ${what}`];
    }),
    ...warnings.map(({ message }) => `Warning: ${message}.`),
    ...tuning.params.map(
      ({ entry, param, before, value, unit }) => `${entry}.${param}: ${value}${unit}, ${before}${unit} before.`,
    ),
    ...(caseName === undefined ? [] : [`The weights of the case ${caseName}.`]),
    ...left.map(({ id, because }) => `${id} is unchanged: ${because}.`),
    sketchText(tuning.data),
  ];
}

/** Origin data for the comments of a generated profile. */
export interface TunedYamlOptions {
  /** The profile to extend: a preset, or a path relative to the generated file. */
  readonly extends: string;
  /** The version of Assize. Omitted by default. */
  readonly version?: string | undefined;
  /** The name of the data. Omitted by default. */
  readonly data?: string | undefined;
  /** The date as text. Omitted by default. */
  readonly date?: string | undefined;
}

/** A scorer with the data for its comment. */
type CommentedScorer = Omit<TunedScorer, 'scores'> & Partial<Pick<TunedScorer, 'scores'>>;

/** YAML of a profile that extends another one, with lines of evidence as a comment at the top. */
export function extendingYaml(
  from: string,
  change: TunedChange,
  scorers: readonly CommentedScorer[],
  evidence: readonly string[],
): string {
  const document = new Document({ extends: [from], ...change });
  document.commentBefore = evidence.map((line) => ` ${escapeInvisibleInLine(line)}`).join('\n');
  style(document);
  comment(document, scorers);
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
}

/** The origin of a profile: `Tuned by assize 0.1.0 2026-06-01 on films.csv: `. */
export function originText(verb: string, { version, data, date }: TunedYamlOptions): string {
  const by = [verb, version === undefined ? '' : `by assize ${version}`, date ?? ''].filter((part) => part !== '');
  return `${by.join(' ')} on ${data === undefined ? '' : `${data}: `}`;
}

/** Formats short entries and points of curves in flow style. */
function style(document: Document): void {
  visit(document, {
    Map: (_key, map) => {
      const isShort = map.items.every(({ value }) => isScalar(value)) && map.items.length <= 2;
      if (isShort) map.flow = true;
    },
    Seq: (_key, seq) => {
      if (seq.items.every((item) => isScalar(item) || (isSeq(item) && item.items.every((one) => isScalar(one)))))
        seq.flow = true;
    },
  });
  if (isMap(document.contents)) document.contents.flow = false;
}

/** Adds the previous weight after each entry, and a plot above each entry with a curve. */
function comment(document: Document, scorers: readonly CommentedScorer[]): void {
  const entries = document.getIn(['tier2_scorers']);
  if (!isSeq(entries)) return;
  for (const [k, entry] of entries.items.entries()) {
    const scorer = scorers[k];
    const node = entry as Node;
    if (!scorer) continue; // the entry changes only params
    const { before, points, scores } = scorer;
    if (!points || !scores || !isMap(entry) || entry.flow === true) {
      node.comment = ` ${before} before`;
      continue;
    }
    const { curve, histogram } = plotCurve(points, histogramOf(points, scores));
    node.commentBefore = ` ${directionOf(points)}: ${curve}\n       of: ${histogram}`;
    const weight: unknown = entry.get('weight', true);
    if (isScalar(weight)) weight.comment = ` ${before} before`;
  }
}

const value = (x: number): string => x.toFixed(3).replace('-', '−');

/** A p-value with two digits, or `p < 0.0002`. */
const pText = (p: number): string => (p < 0.0002 ? 'p < 0.0002' : `p ${Number(p.toPrecision(2))}`);

/** The size of the tuning data, in one line. */
export function learntFromText({ measure, learntFrom, heldOut: [first] }: Tuning): string {
  const { queries, notSelected, candidates } = learntFrom;
  if (!first.counts) return `${counted(candidates, 'candidate')}, for ${measure}`;
  const others =
    notSelected > 0 ? ` (of ${(queries + notSelected).toLocaleString('en-US')}: the others have only one grade)` : '';
  return `${counted(queries, 'query', 'queries')}${others} with ${counted(candidates, 'candidate')}, for ${measure}`;
}

/** The gain on held-out data in two lines: the method and the result. */
export function heldOutText(heldOut: HeldOut): readonly [string, string] {
  const { by, folds, repeats, before, after, difference, interval, p, counts, verdict } = heldOut;
  const times = repeats > 1 ? `, divided ${repeats} times` : '';
  const [low, high] = interval.map((bound) => formatSigned(Math.round(bound * 1000) / 1000));
  const moved = counts ? `; ${counts.better} better, ${counts.worse} worse, ${counts.same} the same` : '';
  return [
    `held out, ${counted(folds, 'fold')} by ${by}${times}: ${verdict}`,
    `${value(before)} → ${value(after)}: ${formatSigned(Math.round(difference * 1000) / 1000)} (95 %: ${low} to ${high}), ${pText(p)}${moved}`,
  ];
}

/** Summarizes the result for readers who do not know the measure. */
export function tuningLead({ measure, heldOut: [first], warnings }: Tuning): string {
  const { verdict, counts, difference } = first;
  const sure =
    verdict === 'no difference shown'
      ? (tooFewText(sizeOf(first)) ?? 'This could be chance.')
      : `Chance alone rarely does this.${distrustText(warnings)}`;
  const head =
    verdict === 'better'
      ? 'The tuned profile is better on data that it was not tuned on'
      : verdict === 'worse'
        ? 'The tuned profile is worse on data that it was not tuned on'
        : 'No gain is shown on data that the profile was not tuned on';
  if (counts && measure !== 'Agreement') {
    const { better, worse, same } = counts;
    return `${head}: of ${counted(better + worse + same, 'query', 'queries')} it ranks ${better} better, ${worse} worse and ${same} the same. ${sure}`;
  }
  const pairs = Math.round(Math.abs(difference) * 100);
  const more = difference >= 0 ? 'more' : 'fewer';
  const gain = formatSigned(Math.round(difference * 1000) / 1000);
  const put = (which: string): string => `it puts the ${which} one of two first in ${pairs} ${more} of 100 pairs`;
  const what =
    measure === 'AUC' ? put('positive') : measure === 'Agreement' ? put('better') : `${measure} differs by ${gain}`;
  return `${head}: ${what}. ${sure}`;
}

const sizeOf = ({ counts, units, groups }: HeldOut) => ({
  ...((counts !== undefined || groups !== undefined) && { queries: units }),
  ...(groups !== undefined && { groups }),
});

/** The 97.5 % and 80 % quantiles of a standard normal variable: for a two-sided test with a power of 80 %. */
const [TWO_SIDED, POWER] = [1.96, 0.842];

/** The smallest gain that data of this size can detect; empty without an interval. */
export function smallestGainText({ measure, heldOut: [first] }: Tuning): string {
  const half = (first.interval[1] - first.interval[0]) / 2;
  if (!(half > 0) || tooFewText(sizeOf(first)) !== undefined) return '';
  const gain = ((half * (TWO_SIDED + POWER)) / TWO_SIDED).toFixed(2);
  const units = !first.counts ? counted(first.units, 'candidate') : counted(first.units, 'query', 'queries');
  const size = first.groups === undefined ? units : counted(first.groups, 'group');
  return `With ${size}, a gain below about ${gain} in ${measure} often goes unnoticed.`;
}
