import { formatPath, type PathStep } from './path-syntax.js';
import { SyncVariable } from './sync-variable.js';

/**
 * Renames the candidate's fields: a profile uses `content` if the candidates have `text`. All renames apply at once, so
 * two fields can swap their names.
 */
export class FieldNames {
  readonly #targets: ReadonlyMap<string, readonly PathStep[]>;
  readonly #longest: number;
  readonly #used = new Set<string>();

  /** @param names paths of field names in the profile, each with the path to read instead */
  constructor(names: readonly (readonly [name: readonly PathStep[], target: readonly PathStep[]])[]) {
    this.#targets = new Map(names.map(([name, target]) => [formatPath(name), target]));
    this.#longest = names.reduce((most, [name]) => Math.max(most, name.length), 0);
  }

  /** The longest name with which a path begins: its number of steps, and the path to read instead. */
  find(steps: readonly PathStep[]): { readonly length: number; readonly target: readonly PathStep[] } | undefined {
    for (let length = Math.min(steps.length, this.#longest); length > 0; length--) {
      const name = formatPath(steps.slice(0, length));
      const target = this.#targets.get(name);
      if (target === undefined) continue;
      this.#used.add(name);
      return { length, target };
    }
    return undefined;
  }

  /** The path in the candidate's own names; the same path if it is not renamed. */
  rename(steps: readonly PathStep[]): readonly PathStep[] {
    const found = this.find(steps);
    return found ? [...found.target, ...steps.slice(found.length)] : steps;
  }

  /** The names that no path has used so far. */
  get unused(): readonly string[] {
    return [...this.#targets.keys()].filter((name) => !this.#used.has(name));
  }
}

/** Set while a profile with renamed fields is resolved. */
const current = new SyncVariable<FieldNames | undefined>(undefined);

/** Runs a synchronous check of a profile with these names for the fields of candidates. */
export const withFieldNames = <R>(names: FieldNames | undefined, check: () => R): R => current.run(names, check);

/** The names of the profile that is being resolved; undefined if it renames no fields. */
export const currentFieldNames = (): FieldNames | undefined => current.value;
