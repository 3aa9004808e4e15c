import { type AskedMeasure, parseMeasure } from '@assize/evaluate';

/** The measures of trec_eval that we have, by its names. */
const NAMES: readonly (readonly [pattern: RegExp, ours: string])[] = [
  [/^map$/, 'AP'],
  [/^map_cut_(\d+)$/, 'AP@'],
  [/^ndcg$/, 'nDCG'],
  [/^ndcg_cut_(\d+)$/, 'nDCG@'],
  [/^P_(\d+)$/, 'P@'],
  [/^set_P$/, 'P'],
  [/^recall_(\d+)$/, 'R@'],
  [/^set_recall$/, 'R'],
  [/^success_(\d+)$/, 'Success@'],
  [/^recip_rank$/, 'RR'],
  [/^Rprec$/, 'Rprec'],
  [/^bpref$/, 'Bpref'],
  [/^infAP$/, 'infAP'],
];

/** Our measure for one of trec_eval's; undefined if we have none. */
export function measureLike(name: string, relevantFrom = 1): AskedMeasure | undefined {
  for (const [pattern, ours] of NAMES) {
    const match = pattern.exec(name);
    if (match) return parseMeasure(`${ours}${match[1] ?? ''}`, relevantFrom);
  }
  return undefined;
}

/** One line of trec_eval's output: a value for a query, or for `all`. */
export interface PrintedValue {
  readonly name: string;
  readonly query: string;
  readonly value: string;
}

export const readPrinted = (text: string): readonly PrintedValue[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/) as [string, string, string])
    .map(([name, query, value]) => ({ name, query, value }));
