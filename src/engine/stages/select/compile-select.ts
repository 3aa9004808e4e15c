import type {
  Child,
  CostedRow,
  GroupLimit,
  PackUnit,
  SelectorFunction,
  SelectorNotSelected,
  SelectorLimits,
  SelectorResult,
  SelectorRun,
} from '../../../sdk/index.js';
import { toAssizeError, AssizeError, type Place } from '../../../base/index.js';
import type { ClassUse, Limit, PackEntry, Profile, SelectorEntry } from '../../../profile/index.js';
import { RunFailed } from '../../failures.js';
import { awaitPromise, describeWrongValue, isPromise, type Task } from '../../tasks.js';
import { type Binder, type Instantiate, reportUnitProblem } from '../../units/unit-compiler.js';
import {
  type CompiledLimit,
  type CompiledPack,
  type CompiledSelector,
  type SelectorStage,
  type SelectPlan,
  withReasonTemplates,
} from './select-plan.js';
import { isWithin, totalCost } from './pack.js';

export function compileSelect({ select, fallback }: Profile, binder: Binder, instantiate: Instantiate): SelectPlan {
  const { duplicates, minScore, per, ties, top, seed, diversify, pack, place } = select;
  return {
    select: {
      duplicates: duplicates && binder.bind(duplicates),
      minScore: numberOf(minScore),
      per: per && { by: binder.bind(per.by), top: per.top },
      ties: ties?.map((tie) => tie && binder.bind(tie)),
      top: numberOf(top),
      seed: numberOf(seed),
      offset: 0,
    },
    computedLimits: [
      ...compileLimit('top', top, binder),
      ...compileLimit('min_score', minScore, binder),
      ...compileLimit('seed', seed, binder),
    ],
    diversify: diversify && compileEntry(diversify, 'diversify', instantiate),
    pack: pack && compilePack(pack, binder, instantiate),
    place: place && compileEntry(place, 'place', instantiate),
    fallback: fallback.map(({ when, use }) => ({ when: binder.condition(when, use, 'fallback'), use })),
  };
}

const numberOf = (limit: Limit | undefined): number | undefined => (typeof limit === 'number' ? limit : undefined);

const compileLimit = (
  key: CompiledLimit['key'],
  limit: Limit | undefined,
  binder: Binder,
): readonly CompiledLimit[] => {
  if (typeof limit !== 'object') return [];
  const evaluate = binder.bind(limit.expression);
  return [{ key, spec: limit, evaluate: () => evaluate(undefined, 0) }];
};

const compilePack = (entry: PackEntry, binder: Binder, instantiate: Instantiate): CompiledPack => ({
  entry,
  cost: binder.bind(entry.cost),
  readsMeasures: entry.cost.reads.some((read) => /^(?:measures|stats)\b/.test(read)),
  selector: compileEntry(entry, 'pack', instantiate),
  contracts: {
    keepTogether: entry.keepTogether && binder.bind(entry.keepTogether),
    requires: entry.requires && binder.bind(entry.requires),
  },
  variants: entry.variants && binder.bind(entry.variants),
  order:
    typeof entry.order === 'object'
      ? { evaluate: binder.bind(entry.order.expression), isTime: entry.order.isTime }
      : entry.order,
  packsUnits: entry.use.unit.meta.contracts ?? false,
});

const compileEntry = (
  { use, path, place }: SelectorEntry,
  stage: SelectorStage,
  instantiate: Instantiate,
): CompiledSelector =>
  reportUnitProblem({ id: stage, path, place }, () => compileSelector(use, { place, stage }, instantiate));

/** A selector's methods as the engine calls them. Params come from its own schema. */
interface Callable {
  check?(params: unknown): void;
  prepare?(params: unknown, run: SelectorRun): unknown;
}

/** The location of a selector in the profile. */
type SelectorLocation = Pick<SelectorEntry, 'place'> & { readonly stage: SelectorStage };

/** Whether the selector, or one inside it, may exceed its limits. */
function mayExceed({ unit, params, children }: ClassUse): boolean {
  const { overflows = false } = unit.meta;
  const own = typeof overflows === 'function' ? overflows(params as never) : overflows;
  return own || [...children.values()].some(({ use }) => use.kind === 'class' && mayExceed(use));
}

function compileSelector(use: ClassUse, at: SelectorLocation, instantiate: Instantiate): CompiledSelector {
  const instance = instantiate(use.unit) as Callable;
  if (instance.prepare === undefined) throw new TypeError(`the selector ${use.name} has no method prepare`);
  instance.check?.(use.params);
  const inside = [...use.children].flatMap(([child, inner]) =>
    inner.use.kind === 'class' ? [[child, compileSelector(inner.use, at, instantiate)] as const] : [],
  );
  const role = at.stage === 'place' ? 'places' : mayExceed(use) ? 'may exceed' : 'packs';
  const bounds = { name: use.name, role, place: at.place } as const;
  return {
    keepsGroups: use.unit.meta.groups ?? false,
    *prepare(facts) {
      const selects = new Map<Child, SelectorFunction>();
      for (const [child, one] of inside) selects.set(child, yield* one.prepare(facts));
      const selector = (child: Child): SelectorFunction => {
        const select = selects.get(child);
        if (!select) throw new TypeError('a child must be one of the entries in the params');
        return select;
      };
      const run: SelectorRun = Object.assign({}, facts, { selector });
      const select = yield* prepareSelector(instance, use, at, run);
      if (typeof select !== 'function') {
        const given = describeWrongValue(select);
        throw new RunFailed(
          use.name,
          at.stage,
          new TypeError(`expected a function of rows from prepare, found ${given}`),
        );
      }
      return withReasons(checkSelector(withFailure(select as SelectorFunction, use, at), bounds), use);
    },
  };
}

/** Prepares a selector. A failure fails the run, because it does not concern a single candidate. */
function* prepareSelector(
  instance: Callable,
  { name, params }: ClassUse,
  { stage }: SelectorLocation,
  run: SelectorRun,
): Task<unknown> {
  try {
    const given = instance.prepare?.(params, run);
    return isPromise(given) ? yield* awaitPromise({ entry: name, stage }, given) : given;
  } catch (error) {
    throw asRunFailure(error, name, stage);
  }
}

const withFailure =
  (select: SelectorFunction, { name }: ClassUse, { stage }: SelectorLocation): SelectorFunction =>
  (rows, limits) => {
    try {
      return select(rows, limits);
    } catch (error) {
      throw asRunFailure(error, name, stage);
    }
  };

const asRunFailure = (error: unknown, name: string, stage: string): Error =>
  error instanceof AssizeError || error instanceof RunFailed ? error : new RunFailed(name, stage, error);

/** Records the reason templates of the selector's class. They persist if an outer selector returns the same rows. */
const withReasons =
  (select: SelectorFunction, { unit }: ClassUse): SelectorFunction =>
  (rows, limits) => {
    const picked = select(rows, limits);
    for (const note of [...picked.left, ...(picked.notes ?? [])]) withReasonTemplates(note, unit.meta.reasons ?? {});
    return picked;
  };

/** The rules that a selector must keep. */
interface SelectorRules {
  /** The name of the class, for messages. */
  readonly name: string;
  /** A packer must keep its limits unless its class declares otherwise. A placer must keep every row. */
  readonly role: 'packs' | 'may exceed' | 'places';
  readonly place: Place | undefined;
}

const idList = (rows: readonly CostedRow[]): string => {
  const names = rows.slice(0, 3).map(({ id }) => id);
  return rows.length > 3 ? `${names.join(', ')} and ${rows.length - 3} more` : names.join(', ');
};

/** The list at a key, or undefined: a unit in plain JavaScript may return anything. */
function listAt<T>(picked: SelectorResult, key: 'kept' | 'left'): readonly T[] | undefined {
  const value: unknown = typeof picked === 'object' && picked !== null ? Reflect.get(picked, key) : undefined;
  return Array.isArray(value) ? (value as readonly T[]) : undefined;
}

/**
 * Makes a selector check its contract: given rows = kept + left, pinned rows are kept, and the limits are not exceeded.
 *
 * @throws AssizeError that names the class and the violation
 */
function checkSelector(select: SelectorFunction, { name, role, place }: SelectorRules): SelectorFunction {
  const broken = (what: string): never => {
    const hint = 'given rows = kept + left: this is a fault of the class, not of the profile';
    throw toAssizeError([{ code: 'ASZ512', message: `the selector ${name} ${what}`, place, hint }]);
  };
  return (rows, limits) => {
    const picked = select(rows, limits);
    const [kept, left] = [listAt<CostedRow>(picked, 'kept'), listAt<SelectorNotSelected>(picked, 'left')];
    if (!kept || !left) return broken(`must return { kept, left }, two lists; found ${describeWrongValue(picked)}`);
    const waiting = new Map(rows.map((row) => [row.index, row]));
    const take = (one: { readonly index: number }, list: string): CostedRow => {
      const row = waiting.get(one?.index);
      if (!row) {
        const known = rows.find(({ index }) => index === one?.index);
        return broken(known ? `returned ${known.id} twice` : `has a row in ${list} that it was not given`);
      }
      waiting.delete(row.index);
      return row;
    };
    const own = kept.map((row) => versionOf(take(row, 'kept'), picked.variants, broken));
    const dropped = left.map((row) => take(row, 'left'));
    if (waiting.size > 0) broken(`lost ${idList([...waiting.values()])}: in neither kept nor left`);
    const pinned = dropped.filter((row) => row.pinned);
    if (pinned.length > 0) broken(`dropped the pinned ${idList(pinned)}`);
    if (role === 'places' && dropped.length > 0)
      broken(`dropped ${idList(dropped)}: a class under place must keep every row`);
    if (role === 'packs') checkMax(own, limits, broken);
    if (limits.units) checkUnits(own, limits.units, broken);
    if (limits.groups) checkGroups(own, limits.groups, broken);
    const { notes = [], warnings = [], variants, optimality } = picked;
    return { kept: own, left, notes, warnings, variants, optimality };
  };
}

/** Checks that no unit is split, and that the units that a unit needs are kept. */
function checkUnits(kept: readonly CostedRow[], units: readonly PackUnit[], broken: (what: string) => never): void {
  const indexes = new Set(kept.map(({ index }) => index));
  const isKept = ({ rows: [first] }: PackUnit): boolean => first !== undefined && indexes.has(first.index);
  for (const unit of units) {
    const lost = unit.rows.filter(({ index }) => indexes.has(index) !== isKept(unit));
    if (lost.length > 0) broken(`split the unit of ${idList(unit.rows)}`);
    const needed = isKept(unit) ? unit.needs.find((other) => !isKept(units[other]!)) : undefined;
    if (needed !== undefined) broken(`kept ${idList(unit.rows)} without ${idList(units[needed]!.rows)}`);
  }
}

/** The cost of each row, or of the version that is kept instead of it. */
function versionOf(
  row: CostedRow,
  variants: ReadonlyMap<number, number> | undefined,
  broken: (what: string) => never,
): CostedRow {
  const version = variants?.get(row.index);
  if (version === undefined) return row;
  const variant = row.variants?.[version];
  return variant
    ? { ...row, cost: variant.cost }
    : broken(`kept version ${version} of ${row.id}, which does not exist`);
}

function checkMax(kept: readonly CostedRow[], { max }: SelectorLimits, broken: (what: string) => never): void {
  const cost = totalCost(kept.filter(({ pinned }) => !pinned));
  if (!isWithin(cost, max)) broken(`kept rows that cost ${cost}; the maximum is ${max}`);
}

function checkGroups(kept: readonly CostedRow[], { most, of }: GroupLimit, broken: (what: string) => never): void {
  const counts = new Map<unknown, number>();
  for (const row of kept) {
    const group = row.pinned ? undefined : of(row);
    if (group === undefined) continue;
    const count = (counts.get(group) ?? 0) + 1;
    if (count > most) broken(`kept ${row.id}, although ${most} of its group were already kept`);
    counts.set(group, count);
  }
}
