import type { ProblemCode } from '../../diagnostics/codes.js';
import { type DataPath, locate } from '../../diagnostics/places.js';
import type { Problem } from '../../diagnostics/problem.js';
import type { Expression } from '../../expression/expression.js';
import { isMap } from '../../expression/is-map.js';
import type { RawMap } from '../merge/merge-profiles.js';
import type { Profile } from '../profile.js';
import { formatDataPath } from '../schema/schema-problems.js';

/** A valid profile, looked at for what is surely a mistake all the same: as it was written, and as it is meant. */
export class WarningContext {
  readonly warnings: Problem[] = [];

  constructor(
    readonly root: RawMap,
    readonly profile: Profile,
  ) {}

  warn(code: ProblemCode, message: string, path: DataPath, hint: string, at: 'key' | 'value' = 'value'): void {
    this.warnings.push({ code, message, path: formatDataPath(path), place: locate(this.root, path, at), hint });
  }

  /** The entries of a list that are in force, each with what was written of it and where. */
  *entries<E extends { readonly id: string }>(
    key: string,
    entries: readonly E[],
  ): Generator<{ readonly entry: E; readonly raw: RawMap; readonly path: DataPath }, void> {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const list = this.root[key];
    for (const [index, raw] of Array.isArray(list) ? list.entries() : []) {
      const entry = isMap(raw) && raw['enabled'] !== false ? byId.get(String(raw['id'])) : undefined;
      if (entry && isMap(raw)) yield { entry, raw, path: [key, index] };
    }
  }
}

/** What a condition that reads nothing always comes out as; undefined where it depends on something. */
export function constantResult(condition: Expression | undefined): unknown {
  if (!condition?.constant) return undefined;
  try {
    return condition.bind({})(undefined, 0);
  } catch {
    return undefined; // it fails in every run, which every run will say
  }
}
