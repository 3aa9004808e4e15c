import type {
  CostedRow,
  GroupLimit,
  SelectorFunction,
  SelectorLeftOut,
  SelectorLimits,
  SelectorResult,
} from '../../../contract/index.js';
import { type Place, toAssizeError } from '../../../diagnostics/index.js';
import { describeWrongValue } from '../../tasks/stray-promise.js';
import { isWithin, totalCost } from './budget.js';

/** What a selector is held to. */
export interface SelectorRules {
  /** The class, for messages. */
  readonly name: string;
  /** A packer keeps to its limits unless its class declares otherwise; a placer keeps every row. */
  readonly role: 'packs' | 'may exceed' | 'places';
  readonly place: Place | undefined;
}

const idList = (rows: readonly CostedRow[]): string => {
  const names = rows.slice(0, 3).map(({ id }) => id);
  return rows.length > 3 ? `${names.join(', ')} and ${rows.length - 3} more` : names.join(', ');
};

/** A list with the key, or nothing: in plain JavaScript a unit may give anything. */
function listAt<T>(picked: SelectorResult, key: 'kept' | 'left'): readonly T[] | undefined {
  const value: unknown = typeof picked === 'object' && picked !== null ? Reflect.get(picked, key) : undefined;
  return Array.isArray(value) ? (value as readonly T[]) : undefined;
}

/**
 * Checks that a selector keeps its contract: given rows = kept + left, it keeps the pinned, and does not exceed its limits.
 *
 * @throws AssizeError naming the class, and what it did
 */
export function checkSelector(select: SelectorFunction, { name, role, place }: SelectorRules): SelectorFunction {
  const broken = (what: string): never => {
    const hint = 'given rows = kept + left: this is a fault of the class, not of the profile';
    throw toAssizeError([{ code: 'ASZ512', message: `the selector ${name} ${what}`, place, hint }]);
  };
  return (rows, limits) => {
    const picked = select(rows, limits);
    const [kept, left] = [listAt<CostedRow>(picked, 'kept'), listAt<SelectorLeftOut>(picked, 'left')];
    if (!kept || !left) return broken(`gives { kept, left }, two lists, and it gave ${describeWrongValue(picked)}`);
    const waiting = new Map(rows.map((row) => [row.index, row]));
    const take = (one: { readonly index: number }, list: string): CostedRow => {
      const row = waiting.get(one?.index);
      if (!row) {
        const known = rows.find(({ index }) => index === one?.index);
        return broken(known ? `gave ${known.id} twice` : `has a row in ${list} that it was not given`);
      }
      waiting.delete(row.index);
      return row;
    };
    const own = kept.map((row) => take(row, 'kept'));
    const dropped = left.map((row) => take(row, 'left'));
    if (waiting.size > 0) broken(`lost ${idList([...waiting.values()])}: neither kept nor left`);
    const pinned = dropped.filter((row) => row.pinned);
    if (pinned.length > 0) broken(`dropped ${idList(pinned)}, which is pinned`);
    if (role === 'places' && dropped.length > 0)
      broken(`dropped ${idList(dropped)}: a class under place keeps every row`);
    if (role === 'packs') checkMax(own, limits, broken);
    if (limits.groups) checkGroups(own, limits.groups, broken);
    return { kept: own, left, notes: picked.notes ?? [], warnings: picked.warnings ?? [] };
  };
}

function checkMax(kept: readonly CostedRow[], { max }: SelectorLimits, broken: (what: string) => never): void {
  const cost = totalCost(kept.filter(({ pinned }) => !pinned));
  if (!isWithin(cost, max)) broken(`kept rows that cost ${cost}, and the most is ${max}`);
}

function checkGroups(kept: readonly CostedRow[], { most, of }: GroupLimit, broken: (what: string) => never): void {
  const counts = new Map<unknown, number>();
  for (const row of kept) {
    const group = row.pinned ? undefined : of(row);
    if (group === undefined) continue;
    const count = (counts.get(group) ?? 0) + 1;
    if (count > most) broken(`kept ${row.id}, and ${most} of its group were kept already`);
    counts.set(group, count);
  }
}
