import {
  type CostedRow,
  defineSelector,
  embedderParam,
  EMBEDDERS,
  type Embedders,
  inject,
  injectable,
  path,
  paths,
  type Selector,
  type SelectorFunction,
  type SelectorLeftOut,
  type SelectorRun,
  z,
} from '../../src/sdk.js';
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
      .describe('The share of relevance: 1 chooses by the score alone, 0 by difference alone.'),
    fields: paths()
      .optional()
      .describe('Compares by the values of these fields: the mean of the shares that two have in common.'),
    text: paths().optional().describe('Compares by meaning: the text to embed, or several, joined by a space.'),
    vector: path().optional().describe('Compares by a vector that the candidate brings.'),
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
    { when: ({ value }) => typeof value === 'object' && value !== null }, // reported beside any other problem
  );

type Params = z.output<typeof params>;

/**
 * Chooses by maximal marginal relevance: one after another, each time the row with the greatest
 * `λ · relevance − (1 − λ) · its greatest similarity to those chosen`. Of equal ones the better ranked. The pinned count
 * as chosen. Exact, by N·k comparisons for k chosen of N.
 *
 * Carbonell and Goldstein, The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing Summaries,
 * SIGIR 1998. The paper leaves open how the two measures are scaled: see `relevance`. The similarity to none chosen is 0.
 */
@injectable()
export class MmrSelector implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Chooses what is relevant and unlike what is chosen already (MMR).',
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

  constructor(@inject(EMBEDDERS) private readonly embedders: Embedders) {}

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

/** The marginal relevance of rows, kept up to date as others are chosen: one comparison a row and chosen one. */
class MarginalRelevance implements ChoiceRule {
  readonly #relevance: readonly number[];
  /** By row: the greatest similarity to one that is chosen; 0 where none is. */
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

  leftOutOf(row: number, chosen: readonly number[]): SelectorLeftOut {
    const { rows } = this;
    const { index } = rows[row]!;
    const least = this.#last;
    if (least === undefined) return { index, reason: 'none_chosen' };
    // Those that rank behind it are in its place: by relevance alone they would not be.
    const isOvertaken = row < this.#furthest;
    const data = { ...this.#dataOf(row), least };
    if (data.value === least) return { index, reason: 'equal', data };
    if (!isOvertaken) return { index, reason: 'less_relevant', data };
    return {
      index,
      reason: 'too_alike',
      data,
      get keptInstead() {
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

/** The relevance of rows: their scores, or these between the least and the best of those that are not pinned. */
function relevanceOf(rows: readonly CostedRow[], kind: Params['relevance']): readonly number[] {
  if (kind === 'score') return rows.map(({ score }) => score);
  let [least, best] = [Infinity, -Infinity];
  for (const { score, pinned } of rows) {
    if (pinned) continue;
    least = Math.min(least, score);
    best = Math.max(best, score);
  }
  // Halved, since the width of very large scores is infinite.
  const width = best / 2 - least / 2;
  return rows.map(({ score }) => (width > 0 ? (score / 2 - least / 2) / width : 1));
}
