import {
  type CostedRow,
  defineSelector,
  embedderParam,
  EMBEDDERS,
  type Embedders,
  path,
  paths,
  type Selector,
  type SelectorFunction,
  type SelectorNotSelected,
  type SelectorRun,
  z,
} from '../../src/unit-sdk.js';
import { type ChoiceRule, chooseGreedily, NO_ROOM, type RowSimilarity, rowSimilarity } from './diverse-choice.js';
import { mapMaybePromise } from './embeddings.js';

const SOURCES = ['fields', 'text', 'vector'] as const;

const params = z
  .strictObject({
    lambda: z
      .number()
      .min(0)
      .max(1)
      .default(0.7)
      .describe('The weight of relevance: 1 selects by score only, 0 by diversity only.'),
    fields: paths().optional().describe('Compares the values of these fields: the mean of their Jaccard indexes.'),
    text: paths().optional().describe('Compares by meaning: the text to embed, or several texts joined by spaces.'),
    vector: path().optional().describe('Compares the candidate’s own vector at this path.'),
    embedder: embedderParam(),
    relevance: z
      .literal(['scaled', 'score'])
      .default('scaled')
      .describe(
        'scaled: the best score counts as 1 and the least as 0, so that lambda means the same everywhere; score: as it is.',
      ),
  })
  .superRefine(
    (given, ctx) => {
      const found = SOURCES.filter((name) => given?.[name] !== undefined);
      if (found.length === 0) ctx.addIssue('missing fields, text or vector: what candidates are compared by');
      if (found.length > 1) ctx.addIssue(`expected one of fields, text and vector, found ${found.join(' and ')}`);
    },
    { when: ({ value }) => typeof value === 'object' && value !== null }, // reported together with other problems
  );

type Params = z.output<typeof params>;

/**
 * Selects by maximal marginal relevance: one row after another, each time the row with the greatest `λ · relevance − (1
 * − λ) · its greatest similarity to the selected rows`. Of equal rows the better ranked one wins. Pinned rows count as
 * selected. The result is exact and takes N·k comparisons for k selected of N rows.
 *
 * Carbonell and Goldstein, The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing Summaries,
 * SIGIR 1998. The paper does not say how to scale the two measures: see `relevance`. Before the first selection, the
 * similarity is 0.
 */
export class MmrSelector implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Selects rows that are relevant and differ from those already selected (MMR).',
    reads: 'params',
    groups: true,
    params,
    reasons: {
      first: 'the most relevant',
      chosen: '{value}: relevance {relevance}, and {lost} lost by being {similarity} like {like}',
      too_alike:
        '{lost} lost by being {similarity} like {like}: its {value} is less than the {least} of the last chosen',
      less_relevant: 'its {value} (relevance {relevance}, {lost} lost) is less than the {least} of the last chosen',
      equal: 'its {value} (relevance {relevance}, {lost} lost) is that of the last chosen, which ranks before it',
      none_chosen: 'there is no room for any',
      no_room: NO_ROOM,
    },
  });

  static readonly inject = [EMBEDDERS];
  constructor(private readonly embedders: Embedders) {}

  /** Reports an unknown embedder, or one that refuses a setting, before the first run. */
  check({ text, embedder }: Params): void {
    if (text !== undefined) this.embedders.open(embedder);
  }

  prepare(settings: Params, run: SelectorRun): SelectorFunction | Promise<SelectorFunction> {
    return mapMaybePromise(rowSimilarity(settings, run, this.embedders), (similarity): SelectorFunction => {
      return (rows, limits) => {
        const chosen = chooseGreedily(rows, limits, new MarginalRelevance(rows, settings, similarity));
        return { ...chosen, warnings: similarity.warnings };
      };
    });
  }
}

/** The marginal relevance of rows, updated after each selection with one comparison per remaining row. */
class MarginalRelevance implements ChoiceRule {
  readonly #relevance: readonly number[];
  /** By row: the greatest similarity to a selected row; 0 without selected rows. */
  readonly #similarity: Float64Array;
  /** By row: the chosen one that it is most like. */
  readonly #like: (CostedRow | undefined)[];
  readonly #isChosen: boolean[];
  #last: number | undefined;
  #furthest = -1;

  constructor(
    private readonly rows: readonly CostedRow[],
    private readonly settings: Pick<Params, 'lambda' | 'relevance'>,
    private readonly similarity: RowSimilarity,
  ) {
    this.#relevance = relevanceOf(rows, settings.relevance);
    this.#similarity = new Float64Array(rows.length);
    this.#like = rows.map(() => undefined);
    this.#isChosen = rows.map(() => false);
  }

  valueOf(row: number): number {
    const { lambda } = this.settings;
    return lambda * this.#relevance[row]! - (1 - lambda) * this.#similarity[row]!;
  }

  onChosen(chosen: number): void {
    const { rows } = this;
    const one = rows[chosen]!;
    this.#isChosen[chosen] = true;
    this.#furthest = Math.max(this.#furthest, chosen);
    if (!one.pinned) this.#last = this.valueOf(chosen);
    for (let row = 0; row < rows.length; row++) {
      if (this.#isChosen[row] || rows[row]!.pinned) continue;
      const similarity = this.similarity.of(rows[row]!, one);
      if (this.#like[row] !== undefined && similarity <= this.#similarity[row]!) continue;
      this.#similarity[row] = similarity;
      this.#like[row] = one;
    }
  }

  noteOf(row: number) {
    return { reason: this.#like[row] === undefined ? 'first' : 'chosen', data: this.#dataOf(row) };
  }

  notSelectedOf(row: number, chosen: readonly number[]): SelectorNotSelected {
    const { rows } = this;
    const { index } = rows[row]!;
    const least = this.#last;
    if (least === undefined) return { index, reason: 'none_chosen' };
    // Selected rows that rank behind it have overtaken it: by relevance alone they would not have been selected.
    const isOvertaken = row < this.#furthest;
    const data = { ...this.#dataOf(row), least };
    if (data.value === least) return { index, reason: 'equal', data };
    if (!isOvertaken) return { index, reason: 'less_relevant', data };
    return {
      index,
      reason: 'too_alike',
      data,
      get replacedBy() {
        return chosen.filter((other) => other > row).map((other) => rows[other]!.index);
      },
    };
  }

  #dataOf(row: number) {
    const similarity = this.#similarity[row]!;
    const lost = (1 - this.settings.lambda) * similarity;
    const relevance = this.#relevance[row]!;
    return { value: this.valueOf(row), relevance, lost, similarity, like: this.#like[row]?.id };
  }
}

/**
 * The relevance of rows: their scores, or the scores scaled between the least and the greatest of the rows that are not
 * pinned.
 */
function relevanceOf(rows: readonly CostedRow[], kind: Params['relevance']): readonly number[] {
  if (kind === 'score') return rows.map(({ score }) => score);
  let [least, best] = [Infinity, -Infinity];
  for (const { score, pinned } of rows) {
    if (pinned) continue;
    least = Math.min(least, score);
    best = Math.max(best, score);
  }
  // Halved, because the difference of very large scores overflows.
  const width = best / 2 - least / 2;
  return rows.map(({ score }) => (width > 0 ? (score / 2 - least / 2) / width : 1));
}
