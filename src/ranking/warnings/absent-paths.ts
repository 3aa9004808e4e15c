import { lookAt } from '../../columns/index.js';
import { closestName, type Problem } from '../../diagnostics/index.js';
import { compilePath, type PathReader } from '../../expression/index.js';
import { candidateReads, PRESET_FOLDER, type Profile } from '../../profile/index.js';
import { type WarningSubject, warningAbout } from './warning.js';

/** How many candidates are searched for the key that a typo may stand for. */
export const SAMPLE_SIZE = 100;

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

function isPresent(path: PathReader, candidates: readonly unknown[]): boolean {
  const [first] = path.steps;
  const at = lookAt(candidates, first?.kind === 'key' ? first.key : undefined);
  for (let k = 0; k < candidates.length; k++) if (tryRead(() => path(at(k))) !== undefined) return true;
  return false;
}

const VARIABLE = 'candidate.';

/** The path that was meant by one that starts as an expression does, where some candidate has it. */
function withoutVariable({ source }: PathReader, candidates: readonly unknown[]): string | undefined {
  if (!source.startsWith(VARIABLE)) return undefined;
  const own = source.slice(VARIABLE.length);
  return isPresent(compilePath(own), candidates) ? own : undefined;
}

/** Where a preset reads the field, which is not to be changed: how to say what it is called here. */
const otherNameHint = ({ place }: WarningSubject, { source }: PathReader): string | undefined =>
  place?.file.startsWith(PRESET_FOLDER) && /^[\w.]+$/.test(source)
    ? `a field of another name: fields: { ${source}: yours }`
    : undefined;

/** A warning where no candidate has a field: most probably a typo, which loading cannot find, because candidates are untyped. */
function absentPathWarning(
  reader: WarningSubject,
  path: PathReader,
  candidates: readonly unknown[],
): Problem | undefined {
  if (isPresent(path, candidates)) return undefined;
  const message = `${reader.id}: no candidate has ${path.source}`;
  const own = withoutVariable(path, candidates);
  if (own !== undefined)
    return warningAbout(reader, 'ASZ712', message, `a path starts at the candidate and is no CEL: write ${own}`);
  const missing = [...keysBesideMissing(candidates, path)];
  const closest = missing[0] && closestName(missing[0][0], new Set(missing.map(([, key]) => key)));
  const hint =
    closest && missing[0]
      ? `did you mean ${path.source.replace(missing[0][0], closest)}?`
      : otherNameHint(reader, path);
  return warningAbout(reader, 'ASZ712', message, hint);
}

/** Every field that a profile reads and does not declare optional, with its reader. */
const fieldsExpected = (profile: Profile): readonly (readonly [WarningSubject, PathReader])[] =>
  candidateReads(profile).flatMap(({ by: id, field, optional, path, place }) =>
    field === undefined || optional ? [] : [[{ id, path, place }, compilePath(field)]],
  );

/**
 * A warning for each field that is read and whose date is infinite in some candidates, which databases can store: it is
 * absent there.
 *
 * @param counts in how many candidates, by field
 */
export function infiniteDateWarnings(profile: Profile, counts: ReadonlyMap<string, number> | undefined): Problem[] {
  if (!counts || counts.size === 0) return [];
  const readers = new Map<string, Problem>();
  for (const { by, field, path, place } of candidateReads(profile)) {
    const count = field === undefined || by === 'candidate.id' ? undefined : counts.get(field);
    if (count === undefined || field === undefined || readers.has(field)) continue;
    const message = `${by}: ${field} is an infinite date in ${count} candidate${count === 1 ? '' : 's'}, and absent there`;
    const hint = 'a date that a comparison understands, such as 9999-12-31, can stand for "never"';
    readers.set(field, warningAbout({ path, place }, 'ASZ725', message, hint));
  }
  return [...readers.values()];
}

const distinctWarnings = (warnings: readonly Problem[]): Problem[] => [
  ...new Map(warnings.map((warning) => [warning.message, warning])).values(),
];

/** A warning for each field that a profile reads and none of the candidates has. */
export function absentPathWarnings(profile: Profile, candidates: readonly unknown[]): Problem[] {
  if (candidates.length === 0) return [];
  return distinctWarnings(
    fieldsExpected(profile).flatMap(([reader, path]) => absentPathWarning(reader, path, candidates) ?? []),
  );
}

/** The fields that no candidate of a stream has had so far. */
export class UnseenPaths {
  readonly #readers: readonly (readonly [WarningSubject, PathReader])[];
  #unseen: readonly number[];
  /** Of the first candidates. */
  #sample: readonly unknown[] = [];

  constructor(profile: Profile) {
    this.#readers = fieldsExpected(profile);
    this.#unseen = [...this.#readers.keys()];
  }

  /** Positions in the list of what the profile reads: plain data, valid in other threads with the same profile. */
  get unseen(): readonly number[] {
    return this.#unseen;
  }

  /** The paths at these positions. */
  get paths(): readonly PathReader[] {
    return this.#unseen.map((k) => this.#readers[k]![1]);
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

  /** Puts the first candidates, whole, in the place of those that were read in part. */
  replaceSample(candidates: readonly unknown[]): void {
    this.#sample = candidates.slice(0, SAMPLE_SIZE);
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

/** What a candidate gives; its own getters may throw. */
function tryRead<R>(read: () => R): R | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
