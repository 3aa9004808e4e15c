import { closestName, type Problem } from '../../diagnostics/index.js';
import { compilePath, type Expression, isExpression, type PathReader } from '../../expression/index.js';
import type { Entry, Profile, Use } from '../../profile/index.js';
import { type WarningSubject, warningAbout } from './warning.js';

/** How many candidates, the first, are searched for the key that a typo may stand for. */
export const SAMPLE_SIZE = 100;

/** The candidate's fields that a use reads and does not declare optional. */
function fieldsOfUse(use: Use): readonly PathReader[] {
  if (use.kind === 'expr') return fieldsOfExpression(use.expression);
  const expected = use.paths.filter(({ optional }) => !optional);
  return [...expected, ...[...use.children.values()].flatMap((child) => fieldsOfUse(child.use))];
}

const fieldsOfExpression = (expression: Expression): readonly PathReader[] =>
  expression.candidatePaths.filter((path) => !expression.optionalPaths.includes(path)).map(compilePath);

/** The keys beside a path's first missing step, over a sample of the candidates. */
function* keysBesideMissing(
  candidates: readonly unknown[],
  { steps }: PathReader,
): Generator<[step: string, key: string]> {
  for (const candidate of candidates.slice(0, SAMPLE_SIZE)) {
    let at: unknown = candidate;
    for (const step of steps) {
      if (step.kind !== 'key' || typeof at !== 'object' || at === null) break;
      const holder = at;
      if (tryRead(() => Object.hasOwn(holder, step.key)) !== true) {
        for (const key of tryRead(() => Object.keys(holder)) ?? []) yield [step.key, key];
        break;
      }
      at = tryRead(() => Reflect.get(holder, step.key) as unknown);
    }
  }
}

const isPresent = (path: PathReader, candidates: readonly unknown[]): boolean =>
  candidates.some((candidate) => tryRead(() => path(candidate)) !== undefined);

/** A warning where no candidate has a field: most probably a typo, which loading cannot find, because candidates are untyped. */
function absentPathWarning(
  reader: WarningSubject,
  path: PathReader,
  candidates: readonly unknown[],
): Problem | undefined {
  if (isPresent(path, candidates)) return undefined;
  const missing = [...keysBesideMissing(candidates, path)];
  const closest = missing[0] && closestName(missing[0][0], new Set(missing.map(([, key]) => key)));
  const hint = closest && missing[0] ? `did you mean ${path.source.replace(missing[0][0], closest)}?` : undefined;
  return warningAbout(reader, 'ASZ712', `${reader.id}: no candidate has ${path.source}`, hint);
}

/** Every expression of a profile that reads candidates, except those of its entries, by its name in messages. */
function expressionsOf({ candidate, weights, combine, adjustments, select }: Profile): [string, unknown][] {
  const rules = adjustments.flatMap(({ id, when, set, add, multiply, min, max }): [string, unknown][] => {
    const by = typeof multiply === 'object' && 'by' in multiply ? multiply.by : [multiply];
    return [when, set, add, ...by, min, max].map((part) => [id, part]);
  });
  const ties = (select.ties ?? []).map((tie): [string, unknown] => ['ties', tie]);
  return [
    ['pinned', candidate.pinned],
    ['weights', weights?.by],
    ['combine', typeof combine === 'string' ? undefined : combine.formula],
    ...rules,
    ['duplicates', select.duplicates],
    ['per', select.per?.by],
    ['cost', select.pack?.cost],
    ...ties,
  ];
}

/** Every field that a profile reads and does not declare optional, with its reader. */
function pathsReadBy(profile: Profile): [WarningSubject, PathReader][] {
  const entries: readonly Entry[] = [...profile.vetoes, ...profile.measures, ...profile.scorers];
  const ofEntries = entries.flatMap((entry) =>
    fieldsOfUse(entry.use).map((path): [WarningSubject, PathReader] => [entry, path]),
  );
  const ofRest = expressionsOf(profile).flatMap(([id, part]) =>
    isExpression(part) ? fieldsOfExpression(part).map((path): [WarningSubject, PathReader] => [{ id }, path]) : [],
  );
  const ofId: [WarningSubject, PathReader][] = profile.candidate.id
    ? [[{ id: 'candidate.id' }, profile.candidate.id]]
    : [];
  return [...ofId, ...ofEntries, ...ofRest];
}

const distinctWarnings = (warnings: readonly Problem[]): Problem[] => [
  ...new Map(warnings.map((warning) => [warning.message, warning])).values(),
];

/** A warning for each field that a profile reads and none of the candidates has. */
export function absentPathWarnings(profile: Profile, candidates: readonly unknown[]): Problem[] {
  if (candidates.length === 0) return [];
  return distinctWarnings(
    pathsReadBy(profile).flatMap(([reader, path]) => absentPathWarning(reader, path, candidates) ?? []),
  );
}

/** The fields that no candidate of a stream has had so far. */
export class UnseenPaths {
  readonly #readers: readonly (readonly [WarningSubject, PathReader])[];
  #unseen: readonly number[];
  /** Of the first candidates. */
  #sample: readonly unknown[] = [];

  constructor(profile: Profile) {
    this.#readers = pathsReadBy(profile);
    this.#unseen = [...this.#readers.keys()];
  }

  /** Positions in the list of what the profile reads: plain data, valid in other threads with the same profile. */
  get unseen(): readonly number[] {
    return this.#unseen;
  }

  /** Adds a part of the stream. A field that was seen once is not searched again. */
  add(candidates: readonly unknown[]): void {
    if (this.#sample.length < SAMPLE_SIZE) this.addSample(candidates);
    this.#unseen = this.#unseen.filter((k) => !isPresent(this.#readers[k]![1], candidates));
  }

  /** Adds the result of another part. */
  merge(unseen: readonly number[]): void {
    const other = new Set(unseen);
    this.#unseen = this.#unseen.filter((k) => other.has(k));
  }

  /** Adds to the sample of the first candidates, in which the hints are searched. */
  addSample(candidates: readonly unknown[]): void {
    this.#sample = [...this.#sample, ...candidates.slice(0, SAMPLE_SIZE - this.#sample.length)];
  }

  warnings(): readonly Problem[] {
    if (this.#sample.length === 0) return [];
    return distinctWarnings(
      this.#unseen.flatMap((k) => {
        const [reader, path] = this.#readers[k]!;
        return absentPathWarning(reader, path, this.#sample) ?? [];
      }),
    );
  }
}

/** The value read; undefined where a getter of the candidate throws. */
/** What a candidate gives; its own getters may throw. */
function tryRead<R>(read: () => R): R | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
