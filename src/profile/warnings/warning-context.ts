import { type DataPath, locate, type Problem, type ProblemCode } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import type { Profile } from '../profile.js';
import { formatDataPath, type RawMap } from '../source/raw-profile.js';

/** A valid profile that is checked for probable mistakes: as it was written and as it was resolved, and the warnings. */
export class WarningContext {
  readonly warnings: Problem[] = [];

  constructor(
    readonly root: RawMap,
    readonly profile: Profile,
    /** The data with the profile's `defaults` in its entries. */
    readonly filled: RawMap,
  ) {}

  warn(code: ProblemCode, message: string, path: DataPath, hint: string, at: 'key' | 'value' = 'value'): void {
    this.warnings.push({ code, message, path: formatDataPath(path), place: locate(this.root, path, at), hint });
  }

  /** The enabled entries of a list, each with its raw data and path. */
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
