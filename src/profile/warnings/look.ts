import type { Problem, ProblemCode } from '../../contract/index.js';
import { isMap } from '../../document/map.js';
import { type DataPath, locate } from '../../document/places.js';
import type { Expression } from '../../expression/expression.js';
import type { Raw } from '../merge.js';
import type { Profile } from '../profile.js';
import { pathText } from '../schema-problems.js';

/** A valid profile, looked at for what is surely a mistake all the same: as it was written, and as it is meant. */
export class Look {
  readonly found: Problem[] = [];

  constructor(
    readonly root: Raw,
    readonly profile: Profile,
  ) {}

  warn(code: ProblemCode, message: string, path: DataPath, hint: string, at: 'key' | 'value' = 'value'): void {
    this.found.push({ code, message, path: pathText(path), place: locate(this.root, path, at), hint });
  }

  /** The entries of a list that are in force, each with what was written of it and where. */
  *entries<E extends { readonly id: string }>(
    key: string,
    entries: readonly E[],
  ): Generator<{ readonly entry: E; readonly raw: Raw; readonly path: DataPath }, void> {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const list = this.root[key];
    for (const [index, raw] of Array.isArray(list) ? list.entries() : []) {
      const entry = isMap(raw) && raw['enabled'] !== false ? byId.get(String(raw['id'])) : undefined;
      if (entry && isMap(raw)) yield { entry, raw, path: [key, index] };
    }
  }
}

/** What a condition that reads nothing always comes out as; undefined where it depends on something. */
export function alwaysIs(condition: Expression | undefined): unknown {
  if (!condition?.constant) return undefined;
  try {
    return condition.bind({})(undefined, 0);
  } catch {
    return undefined; // it fails in every run, which every run will say
  }
}
