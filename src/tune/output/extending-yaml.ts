import { Document, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import { escapeInvisibleInLine } from '../../text/index.js';
import type { TunedChange, TunedScorer } from '../tuning.js';
import { directionOf, histogramOf, plotCurve } from '../../evaluate/curves/curve-plot.js';

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
