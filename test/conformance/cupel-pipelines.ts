import { createPipeline, type NotSelected, type ProfileInput, type Ranking, type Selected } from 'assize';
import { DEFAULT_KIND, differ, packOf, placeOf, type SelectionConfig } from './cupel-selection.js';
import { candidate, type Item, oneCase, useOf, vectorsIn } from './cupel-vectors.js';
import { compare, type Difference, sum, type Tally } from './tally.js';

interface PipelineItem extends Item {
  readonly tokens: number;
  readonly kind?: string;
}

/** An item of a diagnosis: its outcome and reason, with the numbers of that reason. */
interface Told {
  readonly content: string;
  readonly score_approx: number;
  readonly [fact: string]: unknown;
}

interface PipelineVector {
  readonly test: { readonly name: string };
  readonly budget: {
    readonly max_tokens: number;
    readonly target_tokens: number;
    readonly output_reserve?: number;
  };
  readonly config: SelectionConfig & {
    readonly slicer: string;
    readonly placer: string;
    readonly deduplication?: boolean;
    readonly overflow_strategy?: 'throw' | 'truncate' | 'proceed';
  };
  readonly items?: readonly PipelineItem[];
  readonly expected_output?: readonly { readonly content: string }[];
  readonly expected?: {
    readonly diagnostics?: {
      readonly summary: { readonly total_candidates: number; readonly total_tokens_considered: number };
      readonly included?: readonly Told[];
      readonly excluded?: readonly Told[];
    };
  };
}

type Context = Readonly<PipelineItem>;

const EPSILON = 1e-9;

/** The reference's vectors of whole pipelines: the selected items in order, and why the others are missing. */
export const pipelines = async (folder: string): Promise<Tally> =>
  sum(...(await Promise.all((await vectorsIn<PipelineVector>(folder)).map(packed))));

function profileOf({ budget, config }: PipelineVector): ProfileInput {
  const { scorers = [], slicer, placer, deduplication = true, overflow_strategy = 'throw' } = config;
  const [only, second] = scorers;
  const use = only && !second ? useOf(only.type, {}) : useOf('composite', { scorers });
  return {
    plugins: ['cupel'],
    candidate: { id: 'content', pinned: 'candidate.?pinned.orValue(false)' },
    tier1_scorers: [{ id: 'negative_tokens', expr: 'candidate.tokens < 0' }],
    tier2_scorers: [{ id: 'scorer', ...use }],
    select: {
      ...(deduplication && { duplicates: 'candidate.content' }),
      pack: {
        cost: 'candidate.tokens',
        budget: { max: budget.max_tokens, target: budget.target_tokens, output_reserve: budget.output_reserve ?? 0 },
        overflow: overflow_strategy,
        ...(packOf(slicer, config) as { class: string; params?: Record<string, unknown> }),
      },
      place: placeOf(placer) as { class: string },
    },
  };
}

async function packed(vector: PipelineVector): Promise<Tally> {
  const { test, items = [], expected_output = [], expected } = vector;
  const pipeline = await createPipeline<Context>(profileOf(vector), { codegen: true });
  const ranking = await pipeline.rank(items.map((item) => ({ kind: DEFAULT_KIND, ...candidate(item) }) as Context));
  const output = expected_output.map(({ content }) => content);
  const found = ranking.selected.map(({ id }) => id);
  return oneCase([
    ...differ(test.name, output, found),
    ...(expected?.diagnostics ? diagnosed(test.name, expected.diagnostics, ranking) : []),
  ]);
}

type Diagnostics = NonNullable<NonNullable<PipelineVector['expected']>['diagnostics']>;

function diagnosed(name: string, told: Diagnostics, ranking: Ranking<Context>): readonly Difference[] {
  const { selected, notSelected, refused } = ranking;
  const all = [...selected, ...notSelected, ...refused];
  const summary = {
    total_candidates: all.length,
    total_tokens_considered: all.reduce((total, row) => total + row.candidate.tokens, 0),
  };
  const left = notSelected.map((row) => excluded(row, ranking));
  const negative = refused.map(({ id, candidate: { tokens } }) => {
    return { content: id, score_approx: 0, exclusion_reason: 'NegativeTokens', tokens };
  });
  return [
    ...differ(`${name}: summary`, told.summary, summary),
    ...alike(`${name}: included`, told.included ?? [], selected.map(included)),
    ...alike(`${name}: excluded`, told.excluded ?? [], [...left, ...negative].sort(bestFirst)),
  ];
}

const bestFirst = (a: Told, b: Told): number => b.score_approx - a.score_approx;

function included({ id, score = 1, because, cost }: Selected<Context>): Told {
  const inclusion_reason = because === 'pinned' ? 'Pinned' : cost === 0 ? 'ZeroToken' : 'Scored';
  return { content: id, score_approx: score, inclusion_reason };
}

/** The reference reports the budget that is left after the whole slice, and at that moment if it truncates. */
function excluded(row: NotSelected<Context>, { budget }: Ranking<Context>): Told {
  const { id, score = 1, reason, replacedBy = [], data, candidate: item } = row;
  const told = { content: id, score_approx: score };
  switch (reason) {
    case 'duplicate':
      return { ...told, exclusion_reason: 'Deduplicated', deduplicated_against: idOf(replacedBy[0]) };
    case 'negative_cost':
      return { ...told, exclusion_reason: 'NegativeTokens', tokens: item.tokens };
    case 'pinned_first':
      return { ...told, exclusion_reason: 'PinnedOverride', displaced_by: idOf(replacedBy[0]) };
    case 'count_cap':
      return { ...told, exclusion_reason: 'CountCapExceeded', kind: data?.['kind'], cap: data?.['cap'] };
    default: {
      const available_tokens = reason === 'truncated' ? data?.['room'] : budget?.unused;
      return { ...told, exclusion_reason: 'BudgetExceeded', item_tokens: item.tokens, available_tokens };
    }
  }
}

/**
 * The same facts in the same order, and scores within the tolerance of the reference; facts that it does not report are
 * not compared.
 */
function alike(name: string, expected: readonly Told[], found: readonly Told[]): readonly Difference[] {
  if (expected.length !== found.length) return differ(name, expected, found);
  const facts = expected.flatMap((told, i) => {
    const keys = Object.keys(told).filter((key) => key !== 'score_approx');
    const [wanted, got] = [told, found[i]!].map((one) => keys.map((key) => [key, one[key]]));
    return differ(`${name} ${i}`, wanted, got);
  });
  const scores = expected.map(({ content, score_approx }) => ({ name: `${name}: ${content}`, score: score_approx }));
  return [
    ...facts,
    ...compare(
      scores,
      found.map(({ score_approx }) => score_approx),
      EPSILON,
    ).failed,
  ];
}

/** The id in a name, which includes a position if several items have the id. */
const idOf = (name: string | undefined): string | undefined => name?.replace(/ \(@\d+\)$/, '');
