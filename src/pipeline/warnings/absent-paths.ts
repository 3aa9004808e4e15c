import type { Problem } from '../../contract/index.js';
import { type Expression, isExpression } from '../../expression/expression.js';
import { compilePath, type PathReader } from '../../expression/path.js';
import { suggest } from '../../expression/suggest.js';
import type { Entry, Profile, Use } from '../../profile/profile.js';
import { about, type Reader } from './warning.js';

/** How many candidates it takes to guess at a typo. */
const SAMPLE = 100;

/** The candidate's fields that a use reads, whose absence it does not provide for. */
function fieldsOf(use: Use): readonly PathReader[] {
  if (use.kind === 'expr') return fieldsOfExpression(use.expression);
  const expected = use.paths.filter(({ optional }) => !optional);
  return [...expected, ...[...use.children.values()].flatMap((child) => fieldsOf(child.use))];
}

const fieldsOfExpression = (expression: Expression): readonly PathReader[] =>
  expression.candidatePaths.filter((path) => !expression.optionalPaths.includes(path)).map(compilePath);

/** The keys that stand where a path's first missing step was looked for, over a sample of the candidates. */
function* keysWhereMissing(
  candidates: readonly unknown[],
  { steps }: PathReader,
): Generator<[step: string, key: string]> {
  for (const candidate of candidates.slice(0, SAMPLE)) {
    let at: unknown = candidate;
    for (const step of steps) {
      if (step.kind !== 'key' || typeof at !== 'object' || at === null) break;
      if (!Object.hasOwn(at, step.key)) {
        for (const key of Object.keys(at)) yield [step.key, key];
        break;
      }
      at = Reflect.get(at, step.key);
    }
  }
}

const isThere = (path: PathReader, candidates: readonly unknown[]): boolean =>
  candidates.some((candidate) => quietly(() => path(candidate)) !== undefined);

/** A typo in a path is no load error, because candidates are untyped: but no candidate has it. */
function absentPath(reader: Reader, path: PathReader, candidates: readonly unknown[]): Problem | undefined {
  if (isThere(path, candidates)) return undefined;
  const missing = [...keysWhereMissing(candidates, path)];
  const near = missing[0] && suggest(missing[0][0], new Set(missing.map(([, key]) => key)));
  const hint = near && missing[0] ? `did you mean ${path.source.replace(missing[0][0], near)}?` : undefined;
  return about(reader, 'ASZ712', `${reader.id}: no candidate has ${path.source}`, hint);
}

/** Every expression of a profile that reads candidates, besides those of its entries, by what it is called. */
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
    ['cost', select.pack?.cost],
    ...ties,
  ];
}

/** Every field that a profile reads and does not provide for the absence of, with who reads it. */
function pathsOf(profile: Profile): [Reader, PathReader][] {
  const entries: readonly Entry[] = [...profile.vetoes, ...profile.measures, ...profile.scorers];
  const ofEntries = entries.flatMap((entry) => fieldsOf(entry.use).map((path): [Reader, PathReader] => [entry, path]));
  const ofRest = expressionsOf(profile).flatMap(([id, part]) =>
    isExpression(part) ? fieldsOfExpression(part).map((path): [Reader, PathReader] => [{ id }, path]) : [],
  );
  const ofId: [Reader, PathReader][] = profile.candidate.id ? [[{ id: 'candidate.id' }, profile.candidate.id]] : [];
  return [...ofId, ...ofEntries, ...ofRest];
}

const eachOnce = (warnings: readonly Problem[]): Problem[] => [
  ...new Map(warnings.map((warning) => [warning.message, warning])).values(),
];

/** The fields that a profile reads and none of the candidates has. */
export function absentPaths(profile: Profile, candidates: readonly unknown[]): Problem[] {
  if (candidates.length === 0) return [];
  return eachOnce(pathsOf(profile).flatMap(([reader, path]) => absentPath(reader, path, candidates) ?? []));
}

/** The fields that no candidate of a stream has had so far. */
export class UnseenPaths {
  readonly #readers: readonly (readonly [Reader, PathReader])[];
  #unseen: readonly number[];
  /** The first candidates. */
  #sample: readonly unknown[] = [];

  constructor(profile: Profile) {
    this.#readers = pathsOf(profile);
    this.#unseen = [...this.#readers.keys()];
  }

  /** Positions in what the profile reads: plain data, which another stream of the same profile understands. */
  get unseen(): readonly number[] {
    return this.#unseen;
  }

  /** Takes in a part of the stream. What was seen once is not looked for again. */
  look(candidates: readonly unknown[]): void {
    if (this.#sample.length < SAMPLE) this.sample(candidates);
    this.#unseen = this.#unseen.filter((k) => !isThere(this.#readers[k]![1], candidates));
  }

  /** Takes in a part that was looked at elsewhere. */
  meet(unseen: readonly number[]): void {
    const there = new Set(unseen);
    this.#unseen = this.#unseen.filter((k) => there.has(k));
  }

  /** Takes in some of the first candidates, to guess at typos with. */
  sample(candidates: readonly unknown[]): void {
    this.#sample = [...this.#sample, ...candidates.slice(0, SAMPLE - this.#sample.length)];
  }

  warnings(): readonly Problem[] {
    if (this.#sample.length === 0) return [];
    return eachOnce(
      this.#unseen.flatMap((k) => {
        const [reader, path] = this.#readers[k]!;
        return absentPath(reader, path, this.#sample) ?? [];
      }),
    );
  }
}

/** What reading gives; undefined where a candidate's own getter throws. */
function quietly(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
