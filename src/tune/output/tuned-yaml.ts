import { Document, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import type { Tuning } from '../tuning.js';
import { directionOf, plotCurve } from './curve-plot.js';
import { heldOutText, learntFromText } from './evidence.js';

/** What the text of a tuned profile says besides what was found. */
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

/**
 * What was found as the YAML of a profile that extends the tuned one, with the evidence as comments.
 *
 * ```ts
 * const tuning = await tuneWeights('./films.yaml', queries);
 * if (tuning.shown) await writeFile('films-tuned.yaml', tunedYaml(tuning, { extends: './films.yaml' }));
 * ```
 */
export function tunedYaml(tuning: Tuning, options: TunedYamlOptions): string {
  const document = new Document({ extends: [options.extends], ...tuning.change });
  document.commentBefore = headLines(tuning, options)
    .map((line) => ` ${line}`)
    .join('\n');
  style(document);
  comment(document, tuning);
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
}

function headLines(tuning: Tuning, { version, data, date }: TunedYamlOptions): string[] {
  const { seed, left, case: caseName, heldOut, warnings } = tuning;
  const by = [
    'Tuned',
    ...(version === undefined ? [] : [`by assize ${version}`]),
    ...(date === undefined ? [] : [date]),
  ];
  return [
    `${by.join(' ')} on ${data === undefined ? '' : `${data}: `}${learntFromText(tuning)}, seed ${seed}.`,
    ...heldOut.flatMap((one) => {
      const [how, what] = heldOutText(one);
      return [how, `  ${what}`];
    }),
    ...warnings.map(({ message }) => `Beware: ${message}.`),
    ...(caseName === undefined ? [] : [`The weights of the case ${caseName}.`]),
    ...left.map(({ id, because }) => `${id} is as it was: ${because}.`),
  ];
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
  document.contents && isMap(document.contents) && (document.contents.flow = false);
}

/** Says beside each entry what its weight was, and above one with a curve how that runs over what the data have. */
function comment(document: Document, { scorers }: Tuning): void {
  const entries = document.getIn(['tier2_scorers']);
  if (!isSeq(entries)) return;
  for (const [k, entry] of entries.items.entries()) {
    const { before, points, scores } = scorers[k]!;
    const node = entry as Node;
    if (!points || !isMap(entry) || entry.flow === true) {
      node.comment = ` ${before} before`;
      continue;
    }
    const { curve, histogram } = plotCurve(points, scores);
    node.commentBefore = ` ${directionOf(points)}: ${curve}\n       of: ${histogram}`;
    const weight: unknown = entry.get('weight', true);
    if (isScalar(weight)) weight.comment = ` ${before} before`;
  }
}
