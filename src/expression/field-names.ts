import { formatPath, type PathStep } from './path-syntax.js';

/**
 * Other names of the candidate's fields: a profile says `content` where the candidates have `text`. All at once and not
 * one after another, so that two fields may change places.
 */
export class FieldNames {
  readonly #targets: ReadonlyMap<string, readonly PathStep[]>;
  readonly #longest: number;
  readonly #used = new Set<string>();

  /** @param names each a path of field names, and the path that is read in its place */
  constructor(names: readonly (readonly [name: readonly PathStep[], target: readonly PathStep[]])[]) {
    this.#targets = new Map(names.map(([name, target]) => [formatPath(name), target]));
    this.#longest = names.reduce((most, [name]) => Math.max(most, name.length), 0);
  }

  /** How many steps at the beginning of a path are one of the names, the longest there is, and what is read in their place. */
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

  /** A path into the candidate as its fields are called; the same one if it has no other name. */
  rename(steps: readonly PathStep[]): readonly PathStep[] {
    const found = this.find(steps);
    return found ? [...found.target, ...steps.slice(found.length)] : steps;
  }

  /** The names that no path has begun with so far. */
  get unused(): readonly string[] {
    return [...this.#targets.keys()].filter((name) => !this.#used.has(name));
  }
}

/** Set while a profile is resolved that has other names: a schema does not know which profile it parses. */
let current: FieldNames | undefined;

/** Runs a synchronous check of a profile in which paths into the candidate, and expressions, have these names. */
export function withFieldNames<R>(names: FieldNames | undefined, check: () => R): R {
  const outer = current;
  current = names;
  try {
    return check();
  } finally {
    current = outer;
  }
}

/** The names of the profile that is being resolved; undefined if it has none. */
export const currentFieldNames = (): FieldNames | undefined => current;
