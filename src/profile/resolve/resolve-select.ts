import type * as z from 'zod';
import type { ScoreRange } from '../../sdk/index.js';
import { closestName, count, type DataPath, nameList } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import { budgetReserveExcess, hasMemory, readsScores } from '../profile-reads.js';
import type {
  Adjustment,
  BudgetSpec,
  CombineMethod,
  ClassUse,
  Limit,
  PackEntry,
  PackOrder,
  Profile,
  PruningPlan,
  RerankSpec,
  ScorerEntry,
  SelectorEntry,
  SelectSpec,
} from '../profile.js';
import { rerankSchema } from '../schema/entry-schemas.js';
import { budgetSchema, packSchema, perSchema, placeSchema, selectSchema } from '../schema/profile-schema.js';
import { enabledEntryIds, entryIds, type RawMap } from '../source/raw-profile.js';
import { resolveClassUse } from './resolve-entries.js';
import { partialParse, type Resolver } from './resolver.js';

type BudgetData = z.output<typeof budgetSchema>;

/** Resolves the well-formed parts of `select`. */
export function resolveSelect(resolver: Resolver): SelectSpec {
  const scope = resolver.scopes.scored();
  const written = resolver.root['select'];
  const { per, diversify, pack, place, ...rest } = isMap(written) ? written : {};
  const select = partialParse(selectSchema, rest) ?? {};
  return {
    duplicates: resolver.resolveExpression(select.duplicates, scope, 'any', ['select', 'duplicates']),
    minScore: resolveLimit(resolver, select.min_score, ['select', 'min_score']),
    per: isMap(per) ? resolvePer(resolver, per) : undefined,
    ties: select.ties?.map((tie, index) =>
      tie === 'input' ? undefined : resolver.resolveExpression(tie, scope, 'any', ['select', 'ties', index]),
    ),
    top: resolveLimit(resolver, select.top, ['select', 'top']),
    seed: resolveLimit(resolver, select.seed, ['select', 'seed']),
    diversify: isMap(diversify) ? resolveSelector(resolver, diversify, ['select', 'diversify']) : undefined,
    prune: select.prune ?? true,
    pack: isMap(pack) ? resolvePack(resolver, pack) : undefined,
    place: isMap(place) ? resolveSelector(resolver, place, ['select', 'place']) : undefined,
  };
}

/** A limit: a number, or an expression on the context. */
function resolveLimit(resolver: Resolver, value: number | string | undefined, path: DataPath): Limit | undefined {
  if (typeof value !== 'string') return value;
  const expression = resolver.resolveExpression(value, resolver.scopes.limit(), 'number', path);
  return expression && { expression, ...resolver.location(path) };
}

function resolvePer(resolver: Resolver, raw: RawMap): SelectSpec['per'] {
  const source = partialParse(perSchema.shape.by, raw['by']);
  const by = resolver.resolveExpression(source, resolver.scopes.scored(), 'any', ['select', 'per', 'by']);
  const top = partialParse(perSchema.shape.top, raw['top']);
  return by && top !== undefined ? { by, top } : undefined;
}

function resolvePack(resolver: Resolver, raw: RawMap): PackEntry | undefined {
  const path: DataPath = ['select', 'pack'];
  const { shape } = packSchema;
  const source = partialParse(shape.cost, raw['cost']);
  const cost = resolver.resolveExpression(source, resolver.scopes.scored(), 'number', [...path, 'cost']);
  const budget = toBudgetSpec(partialParse(shape.budget, raw['budget']));
  checkBudget(resolver, budget, [...path, 'budget']);
  const entry = resolveSelector(resolver, raw, path, DEFAULT_PACKER);
  const overflow = partialParse(shape.overflow, raw['overflow']) ?? 'throw';
  const contract = (key: ContractKey) =>
    resolver.resolveExpression(partialParse(shape[key], raw[key]), resolver.scopes.veto(), 'any', [...path, key]);
  const [keepTogether, requires, variants] = CONTRACT_KEYS.map(contract);
  if (entry) checkContracts(resolver, raw, entry.use, path);
  const order = resolveOrder(resolver, raw, path);
  return cost && entry && { ...entry, cost, budget, overflow, keepTogether, requires, variants, order };
}

/** The keys that a packing class must support. */
const CONTRACT_KEYS = ['keep_together', 'requires', 'variants'] as const;
type ContractKey = (typeof CONTRACT_KEYS)[number];

function checkContracts(resolver: Resolver, raw: RawMap, { name, unit }: ClassUse, path: DataPath): void {
  const key = CONTRACT_KEYS.find((one) => raw[one] !== undefined);
  if (key === undefined || unit.meta.contracts) return;
  const message = `${name} packs each candidate on its own, so it cannot keep ${key}`;
  resolver.report('ASZ303', message, [...path, 'class'], 'use class: GroupPack');
}

function resolveOrder(resolver: Resolver, raw: RawMap, path: DataPath): PackOrder | undefined {
  const source = partialParse(packSchema.shape.order, raw['order']);
  if (source === undefined) return undefined;
  if (source === 'score' || source === 'input') return source;
  const written = Object.hasOwn(ORDER_WORDS, source) ? ORDER_WORDS[source] : source;
  const expression = resolver.resolveExpression(written, resolver.scopes.veto(), 'any', [...path, 'order']);
  return expression && { expression, isTime: source === 'time' };
}

/** The words for an order that are short for an expression. */
const ORDER_WORDS: Readonly<Record<string, string>> = {
  // Model providers accept system messages only at the start.
  conversation: 'has(candidate.role) && candidate.role in ["system", "developer"] ? 0 : 1',
  time: 'candidate.timestamp',
};

/** The packing class of a profile that names none. */
const DEFAULT_PACKER = 'GroupPack';

function resolveSelector(
  resolver: Resolver,
  raw: RawMap,
  path: DataPath,
  byDefault?: string,
): SelectorEntry | undefined {
  const name = raw['class'] === undefined ? byDefault : partialParse(placeSchema.shape.class, raw['class']);
  if (name === undefined) return undefined;
  const params = partialParse(placeSchema.shape.params, raw['params']);
  const use = resolveClassUse(resolver, name, params, raw, 'selector', resolver.scopes.scored(), path);
  return use && { use, ...resolver.location(path) };
}

function toBudgetSpec(data: BudgetData | undefined): BudgetSpec {
  if (typeof data !== 'object') return { target: data, max: data, outputReserve: 0, reservedSlots: 0, safetyMargin: 0 };
  const { target, max, output_reserve: outputReserve, reserved_slots: slots, safety_margin: safetyMargin } = data;
  const reservedSlots = Object.values(slots).reduce((sum, slot) => sum + slot, 0);
  return { target: target ?? max, max: max ?? target, outputReserve, reservedSlots, safetyMargin };
}

/** Checks the numbers of a budget against each other. */
function checkBudget(resolver: Resolver, budget: BudgetSpec, path: DataPath): void {
  const { target, max, outputReserve } = budget;
  if (target === undefined || max === undefined) return;
  if (target > max) {
    const message = `the target of ${target} is more than the max of ${max}`;
    resolver.report('ASZ210', message, [...path, 'target'], 'the target is the size to fill, the max is the limit');
  }
  const excess = budgetReserveExcess(budget, max);
  if (excess !== undefined) {
    const key = outputReserve > max ? 'output_reserve' : 'reserved_slots';
    resolver.report('ASZ210', excess, [...path, key], 'reserves are part of the max');
  }
}

/** Resolves `rerank`: the scorers that run only on the candidates that the other scorers rank best. */
export function resolveRerank(
  resolver: Resolver,
  combine: CombineMethod,
  scorers: readonly ScorerEntry[],
): RerankSpec | undefined {
  const written = resolver.root['rerank'];
  for (const [index, id] of writtenIds(written).entries()) {
    if (typeof id === 'string') checkRerankedId(resolver, id, ['rerank', 'ask', index]);
  }
  const data = partialParse(rerankSchema, written);
  if (!data) return undefined;
  const reranked = new Set(data.ask);
  const allResolved = scorers.length === enabledEntryIds(resolver.root, 'tier2_scorers').length;
  if (allResolved && scorers.length > 0 && scorers.every(({ id }) => reranked.has(id))) {
    const hint = 'remove a cheap scorer from ask: it orders the candidates before the others run';
    const message = 'rerank.ask lists every scorer, so no scorer orders the candidates first';
    resolver.report('ASZ505', message, ['rerank', 'ask'], hint);
  }
  const read = typeof combine === 'string' ? [] : data.ask.filter((id) => combine.formula.reads.includes(id));
  for (const id of read) {
    const message = `the formula reads ${id}, which has not run when the candidates are ordered`;
    const hint = 'combine by weights, or read it in an adjustment: scores.NAME is absent until it has run';
    resolver.report('ASZ505', message, ['rerank', 'ask', data.ask.indexOf(id)], hint);
  }
  return { top: data.top, ask: [...reranked] };
}

/** The ids in `ask`, even if `rerank` is malformed. */
function writtenIds(written: unknown): readonly unknown[] {
  const ask: unknown = isMap(written) ? written['ask'] : undefined;
  return Array.isArray(ask) ? ask : [];
}

/** Checks that an id in `ask` names a scorer. The scorer may be disabled, so that a profile can inherit the rerank. */
function checkRerankedId(resolver: Resolver, id: string, path: DataPath): void {
  const { root } = resolver;
  const scorers = entryIds(root, 'tier2_scorers');
  if (scorers.includes(id)) return;
  const kind = entryIds(root, 'measures').includes(id)
    ? 'a measure'
    : entryIds(root, 'tier1_scorers').includes(id)
      ? 'a veto'
      : undefined;
  if (kind !== undefined) {
    const hint = `${kind === 'a veto' ? 'vetoes run first' : 'measures run on every candidate'}; tier2_scorers: ${nameList(scorers)}`;
    resolver.report('ASZ205', `rerank.ask: ${id} is ${kind}; expected a scorer`, path, hint);
    return;
  }
  const near = closestName(id, enabledEntryIds(root, 'tier2_scorers'));
  const hint = near ? `did you mean ${near}?` : `tier2_scorers: ${nameList(scorers)}`;
  resolver.report('ASZ205', `rerank.ask: unknown scorer ${id}`, path, hint);
}

/**
 * The least cost of a scorer for which pruning pays off: computing bounds takes 0.5 µs per candidate, and 3 µs for a
 * candidate that is scored in the end.
 */
const EXPENSIVE_COST = 10_000;

/** The most scorers to prune: the bounds of each are combined with those of every other. */
const MAX_PRUNED_SCORERS = 4;

/** A scorer with a finite range. */
type BoundedScorer = ScorerEntry & { readonly range: ScoreRange };

/** Finds the scorers that can be pruned without changing the selection. */
export function resolvePruning(profile: Omit<Profile, 'pruning'>): PruningPlan {
  const expensive = profile.scorers.filter(({ cost }) => cost >= EXPENSIVE_COST);
  const disabledReason =
    pruningDisabledReason(profile) ??
    (expensive.length === 0 ? `no scorer declares a cost of ${count(EXPENSIVE_COST)} or more` : undefined);
  if (disabledReason !== undefined) return { scorers: [], disabledReason };
  const scorers = expensive
    .filter(isPrunable)
    .toSorted((a, b) => b.cost - a.cost)
    .slice(0, MAX_PRUNED_SCORERS)
    .reverse();
  return { scorers, disabledReason: scorers.length > 0 ? undefined : expensive.map(unprunableReason).join('; ') };
}

const isPrunable = (entry: ScorerEntry): entry is BoundedScorer =>
  entry.scopes.size === 1 && entry.scopes.has('candidate') && !hasMemory(entry.use) && isFiniteRange(entry.range);

const isFiniteRange = (range: ScoreRange | undefined): range is ScoreRange => range?.every(Number.isFinite) ?? false;

/** Why an expensive scorer runs on every candidate. */
function unprunableReason({ id, scopes, use, range }: ScorerEntry): string {
  if (hasMemory(use)) return `${id} keeps a memory of the candidates that it scored`;
  if (!scopes.has('candidate') || scopes.size > 1) return `${id} needs all candidates`;
  return isFiniteRange(range)
    ? `${id} is beyond the ${MAX_PRUNED_SCORERS} that can be pruned`
    : `${id} declares no finite range`;
}

/** The part of a profile that reads scores of candidates below the top, or that invalidates the order of bounds. */
function pruningDisabledReason({
  select,
  rerank,
  combine,
  onUnscored,
  adjustments,
  reports,
  fallback,
}: Omit<Profile, 'pruning'>): string | undefined {
  const { top, prune, duplicates, per, diversify, minScore } = select;
  if (!prune) return 'select.prune is false';
  if (top === undefined || top === 0) return 'select.top is not set';
  if (rerank) return 'rerank chooses the candidates that the scorers run on';
  if (typeof combine === 'object') return 'the effect of a formula on the score is unknown';
  if (onUnscored !== undefined) return 'on_unscored is a score without a bound';
  if (duplicates) return 'select.duplicates compares every score';
  if (per) return 'select.per compares every score';
  if (diversify) return 'select.diversify reads every score';
  const [report] = reports;
  if (report) return `the report ${report.id} reads every score`;
  const rule = adjustments.find((one) => readsScores(one) || reversesOrder(one));
  if (rule) return `the rule ${rule.id} ${readsScores(rule) ? 'reads scores' : 'reverses the order'}`;
  if (fallback.length > 0 && minScore !== undefined) return 'a fallback may read the number of refused candidates';
  return undefined;
}

/** Whether a rule reverses the order of two scores. The run checks computed factors. */
const reversesOrder = ({ multiply }: Adjustment): boolean => typeof multiply === 'number' && multiply < 0;
