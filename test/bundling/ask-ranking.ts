import type { comparisonText, Context, explanationText, Pipeline } from 'assize';

/** The answers of a ranking as plain data, so that a page can send them. */
export interface Said {
  readonly ranked: readonly (readonly [id: string, score: number])[];
  readonly selected: readonly string[];
  readonly refused: readonly string[];
  readonly explained: string;
  readonly compared: string;
  /** The best candidate of each scorer without its weight. */
  readonly reweighed: readonly (readonly string[])[];
  readonly cells: readonly number[];
}

/** The functions that format texts, of the tested entry point. */
interface Texts {
  readonly comparisonText: typeof comparisonText;
  readonly explanationText: typeof explanationText;
}

/** Ranks, and calls every method of the ranking: the same in a page and in Node. */
export async function askRanking(
  pipeline: Pipeline,
  texts: Texts,
  candidates: readonly object[],
  context: Context,
): Promise<Said> {
  const ranking = await pipeline.rank(candidates, context, { prune: false, updateMemory: false });
  const [first = { index: 0 }, second = { index: 1 }] = ranking.ranked;
  const { scorers } = pipeline.describe();
  return {
    ranked: ranking.ranked.map(({ id, score }) => [id, score]),
    selected: ranking.selected.map(({ id }) => id),
    refused: ranking.refused.map(({ id, reason }) => `${id}: ${reason}`),
    explained: texts.explanationText(ranking.explain(first)),
    compared: texts.comparisonText(await ranking.compare(first, second)),
    reweighed: scorers.map((id) => ranking.reweigh({ weights: { [id]: 0 } }).selected.map((row) => row.id)),
    cells: scorers.flatMap((id) => Array.from(ranking.matrix.column(id).values)),
  };
}
