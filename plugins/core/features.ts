import {
  abstain,
  type Child,
  child,
  type FormulaParts,
  isMap,
  type Live,
  type Note,
  ownValue,
  path,
  type PathReader,
  readFinite,
  type Score,
  typeMismatch,
  z,
} from '../../src/unit-sdk.js';

/** The source of feature values: one path for all, or a path or an entry for each name. */
type Features = PathReader | Readonly<Record<string, PathReader | Child>>;

/** A param that sets the source of feature values. */
export const featuresParam = () => z.union([path(), z.record(z.string(), z.union([path(), child()]))]);

const isReader = (features: Features | PathReader | Child): features is PathReader => typeof features === 'function';

/** The default source: each feature from the path that is its name. */
export function featuresByName(names: readonly string[]): Features | string {
  const readers: Record<string, PathReader> = {};
  for (const name of names) {
    const read = path().safeParse(name);
    if (!read.success) return `missing features: the name ${JSON.stringify(name)} is not a path`;
    readers[name] = read.data;
  }
  return readers;
}

/**
 * The problem of a source of features; undefined if it is valid.
 *
 * @param names the names of the model's features
 * @param wanted the features whose values are read
 */
export function featuresProblem(
  features: Features,
  names: readonly string[],
  wanted: readonly string[],
): string | undefined {
  if (isReader(features)) return undefined;
  const known = new Set(names);
  const unknown = Object.keys(features).find((name) => !known.has(name));
  if (unknown !== undefined) return `there is no feature ${JSON.stringify(unknown)}`;
  const missing = wanted.find((name) => !Object.hasOwn(features, name));
  return missing === undefined ? undefined : `missing the feature ${JSON.stringify(missing)}`;
}

/**
 * Writes the feature values of one candidate by position; NaN for a missing feature.
 *
 * @returns false if all paths and entries are absent
 */
type FillFeatures = (candidate: unknown, index: number, values: Float64Array, note?: Note) => boolean;

/**
 * Compiles a reader of features.
 *
 * @param names the names by position
 * @param wanted the positions whose values are read; the others are not changed
 */
export function compileFeatures(
  features: Features,
  names: readonly string[],
  wanted: readonly number[],
  live: Pick<Live, 'child'>,
): FillFeatures {
  if (isReader(features)) return fillFromOne(features, names, wanted);
  const parts = wanted.map((position) => {
    const use = features[names[position]!]!;
    return { name: names[position]!, position, score: isReader(use) ? finiteAt(use) : live.child(use) };
  });
  return (candidate, index, values, note) => {
    let any = parts.length === 0;
    for (const { name, position, score } of parts) {
      const value = score(candidate, index, note);
      // The score of an entry: NaN would be mistaken for a missing feature.
      if (Number.isNaN(value)) throw new RangeError(`the feature ${name} is not a number`);
      values[position] = value ?? Number.NaN;
      any ||= value !== undefined;
    }
    return any;
  };
}

/** Each feature as an expression; undefined if all come from one value. */
export const featureFormulas = (
  features: Features,
  names: readonly string[],
  { path: field, child: score }: FormulaParts,
): readonly string[] | undefined =>
  isReader(features)
    ? undefined
    : names.map((name) => {
        const use = features[name]!;
        return isReader(use) ? field(use) : score(use);
      });

const finiteAt =
  (read: PathReader): Score<unknown> =>
  (candidate) =>
    readFinite(read, candidate);

/**
 * Reads all features from one value: a list of numbers by position, a map by name, or a list of [name, number] pairs.
 */
function fillFromOne(read: PathReader, names: readonly string[], wanted: readonly number[]): FillFeatures {
  const { source } = read;
  const positions = new Map(names.map((name, position) => [name, position]));
  const number = (value: unknown, name: string): number => {
    if (value === undefined || value === null) return Number.NaN;
    if (typeof value === 'number') return value;
    throw typeMismatch(`${source}, feature ${name}`, 'a number', value);
  };
  const fillFromPairs = (pairs: readonly unknown[], values: Float64Array): void => {
    for (const position of wanted) values[position] = Number.NaN;
    for (const pair of pairs) {
      if (!Array.isArray(pair) || pair.length !== 2)
        throw typeMismatch(source, 'pairs of a feature and a number', pair);
      const name = String(pair[0]);
      const position = positions.get(name);
      if (position !== undefined) values[position] = number(pair[1], name);
    }
  };
  const fillFromList = (list: ArrayLike<unknown>, values: Float64Array): void => {
    if (list.length < names.length)
      throw new TypeError(`${source}: expected a number for each of ${names.length} features, found ${list.length}`);
    for (const position of wanted) values[position] = number(list[position], names[position]!);
  };
  return (candidate, _index, values) => {
    const found = read(candidate);
    if (found === undefined) return false;
    if (Array.isArray(found) && (found.length === 0 || Array.isArray(found[0]))) fillFromPairs(found, values);
    else if (Array.isArray(found) || found instanceof Float64Array || found instanceof Float32Array)
      fillFromList(found, values);
    else if (isMap(found))
      for (const position of wanted) {
        const name = names[position]!;
        values[position] = number(ownValue(found, name), name);
      }
    else throw typeMismatch(source, 'a map of features, a list of numbers, or a list of pairs', found);
    return true;
  };
}

/** How a missing feature is handled. */
type Missing = number | 'nan' | 'abstain';

/** A param that sets how a missing feature is handled. */
export const missingParam = () =>
  z
    .union([z.number(), z.literal(['nan', 'abstain'])])
    .default('nan')
    .describe('The value of a missing feature: NaN as in training, a number (0 for sparse data), or `abstain`.');

/**
 * Writes the features that a model reads of one candidate, including substitutes for missing ones.
 *
 * @returns false if the unit abstains; the reason is noted: `absent`, or `missing` with the `name`
 */
export type ReadFeatureRow = (candidate: unknown, index: number, values: Float64Array, note?: Note) => boolean;

/**
 * Compiles a reader of a model's features.
 *
 * @param names the names by position
 * @param wanted the positions whose values are read
 */
export function compileFeatureRow(
  features: Features,
  names: readonly string[],
  wanted: readonly number[],
  missing: Missing,
  live: Pick<Live, 'child'>,
): ReadFeatureRow {
  const fill = compileFeatures(features, names, wanted, live);
  const instead = typeof missing === 'number' ? missing : Number.NaN;
  return (candidate, index, values, note) => {
    if (!fill(candidate, index, values, note)) {
      abstain(note, 'absent');
      return false;
    }
    for (const feature of wanted) {
      if (!Number.isNaN(values[feature]!)) continue;
      if (missing === 'abstain') {
        abstain(note, 'missing', { name: names[feature]! });
        return false;
      }
      values[feature] = instead;
    }
    return true;
  };
}
