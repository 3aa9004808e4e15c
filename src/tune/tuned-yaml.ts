import { Document, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import { directionOf, histogramOf, plotCurve } from '../evaluate/curves.js';
import { sketchText } from '../evaluate/dataset/leaks.js';
import { escapeInvisibleInLine, formatSigned } from '../text/index.js';
import type { HeldOut } from './held-out.js';
import type { TunedChange, TunedScorer, Tuning } from './tuning.js';

/**
 * What was found as the YAML of a profile that extends the tuned one, with the evidence as comments.
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
    ...warnings.map(({ message }) => `Beware: ${message}.`),
    ...tuning.params.map(({ entry, param, before, value }) => `${entry}.${param}: ${value}, ${before} before.`),
    ...(caseName === undefined ? [] : [`The weights of the case ${caseName}.`]),
    ...left.map(({ id, because }) => `${id} is as it was: ${because}.`),
    sketchText(tuning.data),
  ];
}

/** What the text of a profile that was found says besides what was found. */
export interface TunedYamlOptions {
  /** What it extends: a preset, or a path that starts where the text will be. */
  readonly extends: string;
  /** The version of Assize; not said when not given. */
  readonly version?: string | undefined;
  /** The name of the data; not said when not given. */
  readonly data?: string | undefined;
  /** The day, as it is to be written; not said when not given. */
  readonly date?: string | undefined;
}

/** A scorer, as comments tell of it. */
type ToldScorer = Omit<TunedScorer, 'scores'> & Partial<Pick<TunedScorer, 'scores'>>;

/** A change as the YAML of a profile that extends another one, with lines of evidence above it. */
export function extendingYaml(
  from: string,
  change: TunedChange,
  scorers: readonly ToldScorer[],
  evidence: readonly string[],
): string {
  const document = new Document({ extends: [from], ...change });
  document.commentBefore = evidence.map((line) => ` ${escapeInvisibleInLine(line)}`).join('\n');
  style(document);
  comment(document, scorers);
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
}

/** How a profile came about: `Tuned by assize 0.1.0 2026-06-01 on films.csv: `. */
export function originText(verb: string, { version, data, date }: TunedYamlOptions): string {
  const by = [verb, version === undefined ? '' : `by assize ${version}`, date ?? ''].filter((part) => part !== '');
  return `${by.join(' ')} on ${data === undefined ? '' : `${data}: `}`;
}

/** A short entry stands on a line of its own, and so does every point of a curve. */
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

/** Says beside each entry what its weight was, and above one with a curve how that runs over what the data have. */
function comment(document: Document, scorers: readonly ToldScorer[]): void {
  const entries = document.getIn(['tier2_scorers']);
  if (!isSeq(entries)) return;
  for (const [k, entry] of entries.items.entries()) {
    const scorer = scorers[k];
    const node = entry as Node;
    if (!scorer) continue; // it has other params only
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
const counted = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

/** A p-value; one below what the samples can tell is said to be below it. */
export const pText = (p: number): string => (p < 0.0002 ? 'p < 0.0002' : `p ${Number(p.toPrecision(2))}`);

/** What was learnt from, in one line. */
export function learntFromText({ measure, learntFrom: { queries, leftOut, candidates } }: Tuning): string {
  if (measure === 'AUC') return `${counted(candidates, 'candidate')}, for AUC`;
  const others =
    leftOut > 0 ? ` (of ${(queries + leftOut).toLocaleString('en-US')}: the others have one grade only)` : '';
  return `${counted(queries, 'query', 'queries')}${others} with ${counted(candidates, 'candidate')}, for ${measure}`;
}

/** A gain on what was kept back, in two lines: how it was measured, and what came out. */
export function heldOutText(heldOut: HeldOut): readonly [string, string] {
  const { by, folds, repeats, before, after, difference, interval, p, counts, verdict } = heldOut;
  const times = repeats > 1 ? `, divided ${repeats} times` : '';
  const [low, high] = interval.map((bound) => formatSigned(Math.round(bound * 1000) / 1000));
  const moved = counts ? `; ${counts.better} better, ${counts.worse} worse, ${counts.same} the same` : '';
  return [
    `kept back, ${counted(folds, 'fold')} by ${by}${times}: ${verdict}`,
    `${value(before)} → ${value(after)}: ${formatSigned(Math.round(difference * 1000) / 1000)} (95 %: ${low} to ${high}), ${pText(p)}${moved}`,
  ];
}

/** What tuning shows, in a sentence for a reader who does not know the measure. */
export function tuningLead({ measure, heldOut: [first] }: Tuning): string {
  const { verdict, counts, difference } = first;
  const sure = verdict === 'no difference shown' ? 'This could be chance.' : 'Chance alone rarely does this.';
  const head =
    verdict === 'better'
      ? 'The tuned profile is better on data that it was not tuned on'
      : verdict === 'worse'
        ? 'The tuned profile is worse on data that it was not tuned on'
        : 'No gain is shown on data that the profile was not tuned on';
  if (counts) {
    const { better, worse, same } = counts;
    return `${head}: of ${counted(better + worse + same, 'query', 'queries')} it ranks ${better} better, ${worse} worse and ${same} the same. ${sure}`;
  }
  const pairs = Math.round(Math.abs(difference) * 100);
  const more = difference >= 0 ? 'more' : 'fewer';
  const what = measure === 'AUC' ? `it puts the positive one of two first in ${pairs} ${more} of 100 pairs` : '';
  return `${head}: ${what}. ${sure}`;
}

/** The 97.5 % and the 80 % quantile of a standard normal variable: of a two-sided test with a power of four in five. */
const [TWO_SIDED, POWER] = [1.96, 0.842];

/** How small a gain data of this size can show, from the width of the interval; empty where it has none. */
export function smallestGainText({ measure, heldOut: [first] }: Tuning): string {
  const half = (first.interval[1] - first.interval[0]) / 2;
  if (!(half > 0)) return '';
  const gain = ((half * (TWO_SIDED + POWER)) / TWO_SIDED).toFixed(2);
  const size = measure === 'AUC' ? counted(first.units, 'candidate') : counted(first.units, 'query', 'queries');
  return `With ${size}, a gain below about ${gain} in ${measure} often goes unnoticed.`;
}
