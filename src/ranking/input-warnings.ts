import { lookAt } from '../data/index.js';
import { closestName, isOfType, type OptionTypes, type Place, type Problem, type ProblemCode } from '../base/index.js';
import { type Degraded, OVERRIDE_OPTIONS } from '../engine/index.js';
import { compilePath, type PathReader, type Expression } from '../expression/index.js';
import {
  PRESET_FOLDER,
  candidateReads,
  type ContextRead,
  contextReads,
  type Entry,
  expressionsOfUse,
  labelOf,
  type Profile,
  type Use,
} from '../profile/index.js';
import { inProfileOrder } from './result-rows.js';

/** The entry or profile key that a warning is about: its name in messages, and its place. */
export interface WarningSubject extends Pick<Entry, 'id'> {
  readonly path?: string | undefined;
  readonly place?: Place | undefined;
}

/** A warning about an entry; with `{}` about the run. */
export const warningAbout = (
  { path, place }: Omit<WarningSubject, 'id'>,
  code: ProblemCode,
  message: string,
  hint?: string,
): Problem =>
  Object.freeze({ code, message, ...(path !== undefined && { path }), ...(place && { place }), ...(hint && { hint }) });

/** The number of candidates to search for the correct spelling of a field. */
export const SAMPLE_SIZE = 100;

/** The sibling keys of a path's first missing step, in a sample of the candidates. */
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

/** The path without a leading `candidate.`, if a candidate has that field. */
function withoutVariable({ source }: PathReader, candidates: readonly unknown[]): string | undefined {
  if (!source.startsWith(VARIABLE)) return undefined;
  const own = source.slice(VARIABLE.length);
  return isPresent(compilePath(own), candidates) ? own : undefined;
}

/** The key of a list inside the only candidate, if items of the list have the path: the list was probably wrapped. */
function listWithPath(path: PathReader, candidates: readonly unknown[]): string | undefined {
  const [only] = candidates;
  if (candidates.length !== 1 || typeof only !== 'object' || only === null) return undefined;
  const keys = tryRead(() => Object.keys(only)) ?? [];
  return keys.find((key) => {
    const value = tryRead(() => Reflect.get(only, key) as unknown);
    return Array.isArray(value) && isPresent(path, value.slice(0, SAMPLE_SIZE));
  });
}

/** A hint for a field that a preset reads: presets cannot be edited, but `fields` maps names. */
const otherNameHint = ({ place }: WarningSubject, { source }: PathReader): string | undefined =>
  place?.file.startsWith(PRESET_FOLDER) && /^[\w.]+$/.test(source)
    ? `if the field has another name: fields: { ${source}: yours }`
    : undefined;

/** Warns if no candidate has a field. Probably a typo; loading cannot find it, because candidates are untyped. */
function absentPathWarning(
  reader: WarningSubject,
  path: PathReader,
  candidates: readonly unknown[],
): Problem | undefined {
  if (isPresent(path, candidates)) return undefined;
  const message = `${reader.id}: no candidate has ${path.source}`;
  const own = withoutVariable(path, candidates);
  if (own !== undefined)
    return warningAbout(
      reader,
      'ASZ712',
      message,
      `a path is relative to the candidate and is not a CEL expression: write ${own}`,
    );
  const list = listWithPath(path, candidates);
  if (list !== undefined) {
    const hint = `the only candidate is an object with a list of ${list}: give that list as the candidates`;
    return warningAbout(reader, 'ASZ712', message, hint);
  }
  const missing = [...keysBesideMissing(candidates, path)];
  const closest = missing[0] && closestName(missing[0][0], new Set(missing.map(([, key]) => key)));
  const hint =
    closest && missing[0]
      ? `did you mean ${path.source.replace(missing[0][0], closest)}?`
      : otherNameHint(reader, path);
  return warningAbout(reader, 'ASZ712', message, hint);
}

/** Every field that a profile reads and does not declare as optional, with its reader. */
const fieldsExpected = (profile: Profile): readonly (readonly [WarningSubject, PathReader])[] =>
  candidateReads(profile).flatMap(({ by: id, field, optional, path, place }) =>
    field === undefined || optional ? [] : [[{ id, path, place }, compilePath(field)]],
  );

/**
 * Warns about fields with infinite dates, which databases can store. They count as absent.
 *
 * @param counts the number of candidates with an infinite date, by field
 */
export function infiniteDateWarnings(profile: Profile, counts: ReadonlyMap<string, number> | undefined): Problem[] {
  if (!counts || counts.size === 0) return [];
  const readers = new Map<string, Problem>();
  for (const { by, field, path, place } of candidateReads(profile)) {
    const count = field === undefined || by === 'candidate.id' ? undefined : counts.get(field);
    if (count === undefined || field === undefined || readers.has(field)) continue;
    const message = `${by}: ${field} is an infinite date in ${count} candidate${count === 1 ? '' : 's'}, and absent there`;
    const hint = 'to express "never" in comparisons, use a finite date such as 9999-12-31';
    readers.set(field, warningAbout({ path, place }, 'ASZ725', message, hint));
  }
  return [...readers.values()];
}

const distinctWarnings = (warnings: readonly Problem[]): Problem[] => [
  ...new Map(warnings.map((warning) => [warning.message, warning])).values(),
];

/** Warns about each field that the profile reads and no candidate has. */
export function absentPathWarnings(profile: Profile, candidates: readonly unknown[]): Problem[] {
  if (candidates.length === 0) return [];
  return distinctWarnings(
    fieldsExpected(profile).flatMap(([reader, path]) => absentPathWarning(reader, path, candidates) ?? []),
  );
}

/** Tracks the fields that no candidate of a stream has had so far. */
export class UnseenPaths {
  readonly #readers: readonly (readonly [WarningSubject, PathReader])[];
  #unseen: readonly number[];
  /** The first candidates, to search for the correct spelling of a field. */
  #sample: readonly unknown[] = [];

  constructor(profile: Profile) {
    this.#readers = fieldsExpected(profile);
    this.#unseen = [...this.#readers.keys()];
  }

  /** The unseen fields as positions in the list of expected fields. Valid in other threads with the same profile. */
  get unseen(): readonly number[] {
    return this.#unseen;
  }

  /** The paths of the unseen fields. */
  get paths(): readonly PathReader[] {
    return this.#unseen.map((k) => this.#readers[k]![1]);
  }

  /** Adds a part of the stream. Searches only for fields that were not seen before. */
  add(candidates: readonly unknown[]): void {
    if (this.#sample.length < SAMPLE_SIZE) this.addSample(candidates);
    this.#unseen = this.#unseen.filter((k) => !isPresent(this.#readers[k]![1], candidates));
  }

  /** Merges the unseen fields of another part. */
  merge(unseen: readonly number[]): void {
    const other = new Set(unseen);
    this.#unseen = this.#unseen.filter((k) => other.has(k));
  }

  /** Replaces the sample by whole candidates, if only some of their fields were read before. */
  replaceSample(candidates: readonly unknown[]): void {
    this.#sample = candidates.slice(0, SAMPLE_SIZE);
  }

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

/** Undefined if reading throws, because getters of candidates may throw. */
function tryRead<R>(read: () => R): R | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Warns about each variable that a profile reads and the context lacks: misspelt, or not passed. Without it, a scorer
 * abstains on every candidate and a veto refuses none. Conditions often read a variable that may be missing, so they
 * get a warning only if the context has a variable with a similar name.
 *
 * @param gaveNothing whether an entry returned no number for any candidate. A param may name a variable that its unit
 *   does not require
 */
export function absentContextWarnings(
  profile: Profile,
  context: Readonly<Record<string, unknown>>,
  gaveNothing: (id: string, path: string | undefined) => boolean,
): Problem[] {
  const reads = contextReads(profile);
  const known = new Set(reads.map(({ variable }) => variable.source));
  const warnings = reads.flatMap((read) => {
    if (read.optional && !isDeclared(profile, read)) return [];
    if (read.variable(context) !== undefined) return [];
    const near = nearName(read.variable, context, known);
    const matters =
      near !== undefined ||
      (!read.optional && !read.conditional && read.as === 'value') ||
      (!read.optional && read.as === 'param' && gaveNothing(read.by, read.path));
    return matters ? [warningOf(read, near)] : [];
  });
  return [...new Map(warnings.map((warning) => [warning.message, warning])).values()];
}

/** Whether the profile declares the variable. It may be missing, but a similar name in the context is then a typo. */
const isDeclared = ({ context }: Profile, { variable }: ContextRead): boolean => {
  const [first] = variable.steps;
  return first?.kind === 'key' && context.has(first.key);
};

/** A context variable with a similar name that the profile does not read. */
function nearName(
  { steps, source }: PathReader,
  context: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): string | undefined {
  let at: unknown = context;
  for (const step of steps) {
    if (step.kind !== 'key' || typeof at !== 'object' || at === null) return undefined;
    if (!Object.hasOwn(at, step.key)) {
      const near = closestName(step.key, Object.keys(at));
      const meant = near === undefined ? undefined : source.replace(step.key, near);
      return meant === undefined || known.has(meant) ? undefined : meant;
    }
    at = Reflect.get(at, step.key);
  }
  return undefined;
}

function warningOf({ by, variable: { source }, as, path, place }: ContextRead, near: string | undefined): Problem {
  const otherwise =
    as === 'value'
      ? `pass it in the context; if it may be missing, write ${optionalForm(source)}.orValue(…)`
      : 'pass it in the context';
  const hint = near === undefined ? otherwise : `did you mean ${near}?`;
  return warningAbout({ path, place }, 'ASZ723', `${by}: the context has no ${source}`, hint);
}

const optionalForm = (source: string): string =>
  source.startsWith('[') ? `context${source.replace('[', '[?')}` : `context.?${source}`;

/** What the value of an option looks like. `budget` is not one of them: many contexts have a budget of their own. */
const OPTION_TYPES: OptionTypes = {
  ...OVERRIDE_OPTIONS,
  signal: 'signal',
  prune: 'boolean',
  updateMemory: 'boolean',
  workers: { integerFrom: 1 },
};

/**
 * A warning if the context has an option of the call, such as `rank(candidates, { top: 3 })`: nothing reads it there. A
 * profile that reads or declares a variable of that name has no warning.
 */
export function misplacedOptionWarnings(
  profile: Profile,
  context: Readonly<Record<string, unknown>>,
): readonly Problem[] {
  const looksLikeOption = (key: string): boolean =>
    Object.hasOwn(OPTION_TYPES, key) && tryRead(() => isOfType(context[key], OPTION_TYPES[key]!)) === true;
  const options = Object.keys(context).filter((key) => looksLikeOption(key) && !profile.context.has(key));
  if (options.length === 0) return [];
  const read = new Set(
    contextReads(profile).map(({ variable: { steps } }) => (steps[0]?.kind === 'key' ? steps[0].key : undefined)),
  );
  return options
    .filter((key) => !read.has(key))
    .map((key) => {
      const message = `the context has ${key}, which profile ${profile.name} does not read`;
      return warningAbout({}, 'ASZ727', message, `options come after the context: (…, context, { ${key}: … })`);
    });
}

/** A rule, veto or condition, which has no effect if a value that it reads is absent. */
interface Reader extends Omit<WarningSubject, 'id'> {
  /** Its name in messages: `rule cap`. */
  readonly name: string;
  readonly reads: ReadonlySet<string>;
  /** The effect that may be missing: `fire`, `refuse`, `hold`. */
  readonly effect: string;
}

/** By stage of a failure: the variable through which expressions read the missing value. */
const VARIABLES: Readonly<Record<string, string>> = { signals: 'signals', measure: 'measures', score: 'scores' };
const NOUNS: Readonly<Record<string, string>> = { signals: 'signal', measure: 'measure', score: 'scorer' };

/**
 * Warns if a rule, veto or condition reads a value that failed, also through measures and scorers that are absent for
 * this reason. The rule does not fire. For example, a cap on unsafe candidates does not apply to a candidate whose safety
 * score failed.
 *
 * @param degraded the failures of the run
 */
export function failedInputWarnings(profile: Profile, degraded: readonly Degraded[]): readonly Problem[] {
  const missing = degraded.filter(({ stage, instead }) => instead === 'absent' && VARIABLES[stage] !== undefined);
  if (missing.length === 0) return [];
  const readers = readersOf(profile);
  return inProfileOrder(profile, missing).flatMap(({ entry, stage, count, cause }) => {
    const variable = `${VARIABLES[stage]}.${entry}`;
    const absent = absentWith(profile, variable);
    return readers
      .filter(({ reads }) => [...reads].some((name) => absent.has(name)))
      .map(({ name, effect, reads, ...subject }) => {
        const where =
          stage === 'signals' ? 'for any candidate' : `for ${count === 1 ? '1 candidate' : `${count} candidates`}`;
        const through = reads.has(variable) ? undefined : [...reads].find((one) => absent.has(one));
        const what = `${NOUNS[stage]} ${labelOf(profile.labels, entry)}`;
        const input = through === undefined ? `it reads ${what}` : `it reads ${through}, which reads ${what}`;
        const message = `${name} may not ${effect} ${where}: ${input}, which failed (${cause})`;
        const hint = `to fail the run instead, set on_error: fail on ${entry}`;
        return warningAbout(subject, 'ASZ719', message, hint);
      });
  });
}

/**
 * The variables that are absent if one is: itself, and the measures and scorers whose expressions need one of them. An
 * expression that handles the absence (`orValue`) has a value.
 */
function absentWith({ measures, scorers }: Profile, variable: string): ReadonlySet<string> {
  const absent = new Set([variable]);
  const needsAbsent = (use: Use): boolean =>
    expressionsOfUse(use).some(({ reads, optionalReads }) =>
      reads.some((name) => absent.has(name) && !optionalReads.includes(name)),
    );
  // A measure reads only those before it.
  for (const { id, use } of measures) if (needsAbsent(use)) absent.add(`measures.${id}`);
  for (const { id, use, onAbsent } of scorers) if (onAbsent === 'skip' && needsAbsent(use)) absent.add(`scores.${id}`);
  return absent;
}

function readersOf(profile: Profile): readonly Reader[] {
  const { adjustments, vetoes, measures, scorers, reports, signals, phases, fallback } = profile;
  const named = (id: string): string => labelOf(profile.labels, id);
  const conditions = [...vetoes, ...measures, ...scorers, ...reports, ...signals].map((entry): Reader => {
    const { id, path, place } = entry;
    return { name: `the when of ${named(id)}`, reads: readsOf([entry.when]), effect: 'hold', path, place };
  });
  return [
    ...vetoes.map((entry): Reader => {
      const { id, use, path, place } = entry;
      const reads = readsOf(use.kind === 'expr' ? [use.expression] : []);
      return { name: `veto ${named(id)}`, reads, effect: 'refuse', path, place };
    }),
    ...conditions,
    ...phases.map(
      ({ name, when }): Reader => ({ name: `the when of phase ${name}`, reads: readsOf([when]), effect: 'hold' }),
    ),
    ...adjustments.flatMap(({ id, when, set, add, multiply, min, max, refuse }): Reader[] => {
      if (refuse?.onAbsent === 'refuse') return []; // it refuses the candidate
      const factors = typeof multiply === 'object' && 'table' in multiply ? multiply.by : [multiply];
      const reads = readsOf([when, set, add, ...factors, min, max]);
      return [{ name: `rule ${named(id)}`, reads, effect: refuse ? 'refuse' : 'fire' }];
    }),
    ...fallback.map(
      ({ use, when }): Reader => ({ name: `the when of fallback ${use}`, reads: readsOf([when]), effect: 'hold' }),
    ),
  ];
}

const readsOf = (given: readonly (Expression | number | undefined)[]): ReadonlySet<string> =>
  new Set(given.flatMap((one) => (typeof one === 'object' ? one.reads : [])));
