import { copyPlaces, type DataPath, locate, type Place, SourceFile } from '../base/index.js';
import { type ExpressionScope, isMap } from '../expression/index.js';
import type { LoadedPlugin } from '../sdk/index.js';
import { resolveProfile } from './resolve/resolve-profile.js';
import type { ScopeObserver } from './resolve/resolver.js';
import { fillDefaults } from './source/merge-profiles.js';
import { ENTRY_LISTS, type RawMap, SCORING_KEY } from './source/raw-profile.js';
import {
  type LoadEnvironment,
  looksLikeProfile,
  type MergedProfile,
  type ProfileText,
  SourceLoader,
} from './source/source-loader.js';
import { PROFILE_LIMITS } from './trust.js';

/** What an editor needs to know about a profile, even while its text has errors. */
export interface ProfileInspection {
  /** Whether the text is probably a profile: an editor opens other YAML files, too. */
  readonly isProfile: boolean;
  /** The data of the text. Parts that do not parse are missing. */
  readonly own: RawMap;
  /** The data, merged with all profiles that it extends. */
  readonly root: RawMap;
  /** The plugins whose classes the text can name. */
  readonly plugins: readonly LoadedPlugin[];
  /** The scope of the expression at a path of `own`. Undefined if no expression is expected there. */
  expressionScope(path: DataPath): ExpressionScope | undefined;
  /** The scope of the expressions in the params at a path of `own`. */
  paramScope(path: DataPath): ExpressionScope | undefined;
  /** The place of a part of `root`. */
  placeOf(path: DataPath, at: 'key' | 'value'): Place | undefined;
}

/** Reads a profile for an editor. It never throws because of the text. */
export async function inspectProfile(
  { yaml, name = 'profile' }: ProfileText,
  environment: LoadEnvironment,
): Promise<ProfileInspection> {
  const { parseYaml } = await import('./source/parse-yaml.js');
  const source = new SourceFile(name, yaml);
  const limits = PROFILE_LIMITS[environment.trust];
  const isLong = yaml.length > limits.characters;
  const parsed: unknown = isLong ? {} : parseYaml(source, { values: limits.values }).data;
  const own = isMap(parsed) ? parsed : {};
  const merged = await new SourceLoader(environment).loadParsed(own, source);
  const nested = own[SCORING_KEY];
  const lists = [own['plugins'], isMap(nested) ? nested['plugins'] : undefined];
  const scopes = new Scopes(own, merged, environment);
  return {
    isProfile: looksLikeProfile({ source, data: parsed }),
    own,
    root: merged.root,
    plugins: [
      ...merged.plugins.filter(({ list }) => lists.includes(list)).map(({ plugin }) => plugin),
      environment.core,
    ],
    expressionScope: (path) => scopes.find('expression', path),
    paramScope: (path) => scopes.find('params', path),
    placeOf: (path, at) => locate(merged.root, path, at),
  };
}

/** Keeps the scopes that the resolver reports, with the paths that they apply to. */
class ObservedScopes implements ScopeObserver {
  readonly found: {
    readonly kind: 'expression' | 'params';
    readonly path: DataPath;
    readonly scope: ExpressionScope;
  }[] = [];

  expression(path: DataPath, scope: ExpressionScope): void {
    this.found.push({ kind: 'expression', path, scope });
  }

  params(path: DataPath, scope: ExpressionScope): void {
    this.found.push({ kind: 'params', path, scope });
  }
}

/**
 * The scopes of the expressions of a profile. Each is found by resolving the entry that contains it. Of the other entries,
 * only the ids matter, and resolving hundreds of them would take longer than a completion may.
 */
class Scopes {
  readonly #filled: RawMap;
  readonly #observed = new Map<string, ObservedScopes>();

  constructor(
    private readonly own: RawMap,
    private readonly merged: MergedProfile,
    private readonly environment: LoadEnvironment,
  ) {
    this.#filled = fillDefaults(merged.root, merged.origins);
  }

  find(kind: 'expression' | 'params', path: DataPath): ExpressionScope | undefined {
    // Inherited entries shift the indexes of lists, so a path of the text may differ from that of the merged data.
    const place = locate(this.own, path);
    const { found } = this.#observe(path);
    return found.find((one) => one.kind === kind && isSame(locate(this.#filled, one.path), place))?.scope;
  }

  /** The scopes of one entry, or those outside of all entries. */
  #observe(path: DataPath): ObservedScopes {
    const [list, index] = path[0] === SCORING_KEY ? path.slice(1) : path;
    const isEntry = ENTRY_LISTS.some((key) => key === list) && typeof index === 'number';
    const key = isEntry ? `${list}[${index}]` : '';
    const known = this.#observed.get(key);
    if (known) return known;
    const observed = new ObservedScopes();
    this.#observed.set(key, observed);
    const entry = isEntry ? locate(this.own, path.slice(0, path[0] === SCORING_KEY ? 3 : 2)) : undefined;
    const { merged, environment } = this;
    const { trust, given, files, base } = environment;
    const absolute = (file: string, from: string | undefined): string =>
      files.resolve(from === undefined || merged.texts.has(from) ? base : from, file);
    const kept = this.#withOneEntry(String(list), entry);
    resolveProfile(kept, merged.origins, merged.name, absolute, { trust, given }, observed);
    return observed;
  }

  /** The data with the entry at a place. All others have only their ids. */
  #withOneEntry(list: string, place: Place | undefined): RawMap {
    const reduced: Record<string, unknown> = { ...this.#filled };
    for (const key of ENTRY_LISTS) {
      const entries = this.#filled[key];
      if (!Array.isArray(entries)) continue;
      reduced[key] = entries.map((entry: unknown, index) => {
        if (!isMap(entry)) return entry;
        if (key === list && isSame(locate(this.#filled, [key, index]), place)) return completed(key, entry);
        return completed(key, { id: entry['id'], enabled: entry['enabled'] });
      });
    }
    return reduced;
  }
}

const isSame = (one: Place | undefined, other: Place | undefined): boolean =>
  one !== undefined && one.line === other?.line && one.column === other.column && one.file === other.file;

/** What an entry must have so that its other keys are resolved: one of these keys, or else this value. */
interface Need {
  readonly oneOf: readonly string[];
  readonly otherwise: RawMap;
}

const USE: Need = { oneOf: ['class', 'expr'], otherwise: { expr: '0' } };
const CLASS: Need = { oneOf: ['class'], otherwise: { class: 'unknown' } };
const NEEDS: Readonly<Record<string, Need>> = {
  signals: CLASS,
  tier1_scorers: USE,
  measures: USE,
  tier2_scorers: USE,
  adjustments: { oneOf: ['set', 'add', 'multiply', 'min', 'max', 'refuse'], otherwise: { set: 0 } },
  report: CLASS,
};

/** An entry with what it needs, as it is half written in an editor. */
function completed(list: string, entry: RawMap): RawMap {
  const need = NEEDS[list];
  if (!need || need.oneOf.some((key) => Object.hasOwn(entry, key))) return entry;
  const copy = { ...entry, ...need.otherwise };
  copyPlaces(entry, copy);
  return copy;
}
