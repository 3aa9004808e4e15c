import type { CostedRow, Left, Limits, Picked, Place, Select } from '../contract/index.js';
import { failure } from '../document/failure.js';
import { describeValue } from '../expression/describe.js';
import { costOf, within } from './budget.js';

/** What a selector is held to. */
export interface Bounds {
  /** The class, for messages. */
  readonly name: string;
  /** A packer keeps to its limits unless it says that it may not; a placer keeps every row. */
  readonly role: 'packs' | 'may exceed' | 'places';
  readonly place: Place | undefined;
}

const ids = (rows: readonly CostedRow[]): string => {
  const names = rows.slice(0, 3).map(({ id }) => id);
  return rows.length > 3 ? `${names.join(', ')} and ${rows.length - 3} more` : names.join(', ');
};

/** A list with the key, or nothing: in plain JavaScript a unit may give anything. */
function listIn<T>(picked: Picked, key: 'kept' | 'left'): readonly T[] | undefined {
  const value: unknown = typeof picked === 'object' && picked !== null ? Reflect.get(picked, key) : undefined;
  return Array.isArray(value) ? (value as readonly T[]) : undefined;
}

/**
 * Holds a selector to its contract: given rows = kept + left, the pinned are kept, and the limits as well.
 *
 * @throws AssizeError naming the class, and what it did
 */
export function checked(select: Select, { name, role, place }: Bounds): Select {
  const broken = (what: string): never => {
    const hint = 'given rows = kept + left: this is a fault of the class, not of the profile';
    throw failure([{ code: 'ASZ512', message: `the selector ${name} ${what}`, place, hint }]);
  };
  return (rows, limits) => {
    const picked = select(rows, limits);
    const [kept, left] = [listIn<CostedRow>(picked, 'kept'), listIn<Left>(picked, 'left')];
    if (!kept || !left) return broken(`gives { kept, left }, two lists, and it gave ${describeValue(picked)}`);
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
    if (waiting.size > 0) broken(`lost ${ids([...waiting.values()])}: neither kept nor left`);
    const pinned = dropped.filter((row) => row.pinned);
    if (pinned.length > 0) broken(`dropped ${ids(pinned)}, which is pinned`);
    if (role === 'places' && dropped.length > 0) broken(`dropped ${ids(dropped)}: a class under place keeps every row`);
    if (role === 'packs') checkMax(own, limits, broken);
    return { kept: own, left, warnings: picked.warnings ?? [] };
  };
}

function checkMax(kept: readonly CostedRow[], { max }: Limits, broken: (what: string) => never): void {
  const cost = costOf(kept.filter(({ pinned }) => !pinned));
  if (!within(cost, max)) broken(`kept rows that cost ${cost}, and the most is ${max}`);
}
