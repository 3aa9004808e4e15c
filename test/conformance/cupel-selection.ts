import { rowsOf, type SelectorUse, selectorOf, selectWith } from '../plugins/cupel/select-with.js';
import type { Config } from './cupel-vectors.js';
import { oneCase, vectorsIn } from './cupel-vectors.js';
import { type Difference, sum, type Tally } from './tally.js';

/** The selection of a vector. */
export interface SelectionConfig extends Omit<Config, 'weights'> {
  readonly slicer?: string;
  readonly placer?: string;
  readonly inner_slicer?: string;
  readonly bucket_size?: number;
  readonly quotas?: readonly { readonly kind: string; readonly require: number; readonly cap: number }[];
  readonly scarcity_behavior?: string;
  readonly entries?: readonly { readonly kind: string; readonly require_count: number; readonly cap_count: number }[];
}

interface ScoredItem {
  readonly content: string;
  readonly tokens: number;
  readonly score: number;
  readonly kind?: string;
}

interface SlicingVector {
  readonly test: { readonly name: string; readonly slicer: string; readonly expect_construction_error?: boolean };
  readonly config?: SelectionConfig;
  readonly budget?: { readonly target_tokens: number; readonly max_tokens?: number };
  readonly scored_items?: readonly ScoredItem[];
  readonly expected?: {
    readonly selected_contents?: readonly string[];
    readonly shortfall_count?: number;
    readonly cap_excluded_count?: number;
  };
}

interface PlacingVector {
  readonly test: { readonly name: string; readonly placer: string };
  readonly items?: readonly (ScoredItem & { readonly timestamp?: Date })[];
  readonly expected: { readonly ordered_contents?: readonly string[] };
}

/** The kind of an item without one. */
export const DEFAULT_KIND = 'Message';

/** The class of a slicer; an unknown one becomes a class that the pack does not have. */
export function packOf(slicer: string, config: SelectionConfig): SelectorUse {
  const { quotas = [], entries = [], bucket_size = 100, inner_slicer = 'greedy', scarcity_behavior } = config;
  const knapsack: SelectorUse = { class: 'KnapsackPack', params: { bucket_size } };
  const counted = (inner: SelectorUse): SelectorUse => {
    const counts = entries.map(({ kind, require_count, cap_count }) => ({
      kind,
      require: require_count,
      cap: cap_count,
    }));
    return { class: 'CountQuotaPack', params: { counts, scarcity: scarcity_behavior ?? 'degrade', inner } };
  };
  switch (slicer) {
    case 'greedy':
      return { class: 'GreedyPack' };
    case 'knapsack':
      return knapsack;
    case 'quota':
      return { class: 'QuotaPack', params: { quotas, inner: packOf(inner_slicer, config) } };
    case 'count_quota':
      return counted(packOf(inner_slicer, config));
    case 'count_constrained_knapsack':
      return counted(knapsack);
    default:
      return { class: slicer };
  }
}

export const placeOf = (placer: string): SelectorUse =>
  placer === 'chronological' ? { class: 'Chronological' } : { class: placer === 'u-shaped' ? 'UShaped' : placer };

/** The reference's vectors of single slicers, whose items are in any order. */
export const slicing = async (folder: string): Promise<Tally> =>
  sum(...(await Promise.all((await vectorsIn<SlicingVector>(folder)).map(sliced))));

/** Those of single placers. */
export const placing = async (folder: string): Promise<Tally> =>
  sum(...(await Promise.all((await vectorsIn<PlacingVector>(folder)).map(placed))));

async function sliced(vector: SlicingVector): Promise<Tally> {
  const { test, config = {}, budget = { target_tokens: 0 }, scored_items = [], expected = {} } = vector;
  const use = packOf(test.slicer, config);
  if (test.expect_construction_error) {
    const refused = await selectorOf(use).then(
      () => false,
      () => true,
    );
    return oneCase(differ(test.name, true, refused));
  }
  const rows = rowsOf(
    scored_items.map(({ content, tokens, score, kind = DEFAULT_KIND }) => {
      return { id: content, cost: tokens, score, candidate: { kind } };
    }),
  );
  const { target_tokens: target, max_tokens: max = target } = budget;
  const { kept, left, warnings = [] } = await selectWith(use, rows, { target, max });
  const capped = left.filter(({ reason }) => reason === 'count_cap').length;
  return oneCase([
    ...differ(test.name, (expected.selected_contents ?? []).toSorted(), kept.map(({ id }) => id).toSorted()),
    ...differ(`${test.name}: shortfalls`, expected.shortfall_count ?? warnings.length, warnings.length),
    ...differ(`${test.name}: over their cap`, expected.cap_excluded_count ?? capped, capped),
  ]);
}

async function placed({ test, items = [], expected }: PlacingVector): Promise<Tally> {
  const rows = rowsOf(
    items.map(({ content, tokens, score, timestamp }) => {
      return { id: content, cost: tokens, score, candidate: { timestamp } };
    }),
  );
  const { kept } = await selectWith(placeOf(test.placer), rows, { target: Infinity, max: Infinity });
  return oneCase(
    differ(
      test.name,
      expected.ordered_contents ?? [],
      kept.map(({ id }) => id),
    ),
  );
}

/** Whether two values are the same, as JSON. */
export function differ(name: string, expected: unknown, found: unknown): readonly Difference[] {
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(found)];
  return wanted === got ? [] : [{ name, expected: wanted, found: got }];
}
