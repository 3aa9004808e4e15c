import type { Context, ProfileInput, Refusal } from '../../index.js';

/** What one entry of a class gave, by position of the candidate. A page has the numbers, and not what made them. */
export interface StoredScores {
  /** null where it abstained, was not asked, or failed. */
  readonly values: readonly (number | null)[];
  /** Where it failed, with the message. */
  readonly failures: Readonly<Record<number, string>>;
  /** The bounds that `out_of_range: clamp` keeps to. */
  readonly range?: readonly [least: number, most: number];
}

/** Why one veto of a class refused, by position of the candidate. */
export interface StoredRefusals {
  readonly reasons: Readonly<Record<number, { readonly kind: Refusal; readonly reason: string }>>;
}

/** What one signal gave; without a value where it gave none. */
export interface StoredSignal {
  readonly value?: unknown;
}

/** A number among the params of an entry. */
export interface ParamControl {
  readonly name: string;
  /** As the profile writes it, or the default. */
  readonly value: number;
  readonly description?: string;
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
}

/** What only the server can change of a ranking, by the ids of entries. */
export interface RemoteChange {
  /** Those that are left out. */
  readonly without: readonly string[];
  /** Those that the profile leaves out, and that are in. */
  readonly with: readonly string[];
  readonly params: Readonly<Record<string, Readonly<Record<string, ParamValue>>>>;
}

/** The candidates of one query, and what entries of classes gave them: numbers by position of the candidate. */
export interface QueryData {
  readonly scores: Readonly<Record<string, StoredScores>>;
  readonly refusals: Readonly<Record<string, StoredRefusals>>;
  readonly signals: Readonly<Record<string, StoredSignal>>;
  /** The entries that are curves, by id. */
  readonly curves: Readonly<Record<string, CurveData>>;
  readonly context: Context;
  readonly candidates: readonly object[];
  /** What somebody judged of each candidate; null where nobody did. Missing where there are no judgements. */
  readonly grades?: readonly (number | null)[];
  /** The grades of what is judged and not among the candidates. */
  readonly missing?: readonly number[];
  /** What the query belongs to, where queries of one source are alike. */
  readonly group?: string;
  /** The same candidates by other profiles, to compare with; missing where there are none. */
  readonly others?: readonly OtherRanking[];
}

/** A ranking as a page weighs it again: everything that is shown, and nothing that needs Node. */
export interface StudioData extends QueryData {
  /** Of the profile, as it is named on the command line. */
  readonly title: string;
  /**
   * The profile with all that it extends. Entries of classes are of the class `Stored`, with what they gave in `scores` and
   * `refusals`; expressions, weights, rules and limits are as they are written.
   */
  readonly profile: ProfileInput;
  /** What makes each entry of a class, in words: `DecayScorer of pushed_at`. */
  readonly units: Readonly<Record<string, string>>;
  /** The numbers among the params of entries, by the ids of those. */
  readonly controls: Readonly<Record<string, readonly ParamControl[]>>;
  /** What of the profile a page leaves out, in words. */
  readonly notes: readonly string[];
  /** The file that can be written, and its version, with all that it is made of; missing for a preset. */
  readonly file?: { readonly name: string; readonly version: string };
  /** The version of the files of all profiles, of the others too; missing where there are none. */
  readonly filesVersion?: string;
  /** The ids of the queries, where there are several: the rest of this is about one of them, at first the first. */
  readonly queries?: readonly string[];
}

/** What the files of the profiles say now, while the page is open. */
export interface FilesState {
  /** Of the file that can be written and what it is made of: as in `StudioData.file`. */
  readonly version: string;
  /** Of the files of all profiles: as in `StudioData.filesVersion`. */
  readonly filesVersion: string;
  /** Why what the files say now cannot be ranked by, as the command line says it. */
  readonly problem?: string;
}

/** The points of a curve, by x. */
export type CurvePoints = readonly (readonly [x: number, y: number])[];

/** How many points `CurveScorer` needs. */
export const FEWEST_POINTS = 2;
/** More than anybody draws. */
export const MOST_POINTS = 1000;

/** An entry that reads a curve. */
export interface CurveData {
  /** As the profile writes them. */
  readonly points: CurvePoints;
  /** The numbers that it is read at, by position of the candidate; null where there is none. */
  readonly xs: readonly (number | null)[];
}

/** What a param can be set to in a page: a number, or the points of a curve. */
export type ParamValue = number | CurvePoints;

/** Whether two params are set to the same. */
export const isSameParam = (a: ParamValue | undefined, b: ParamValue | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** A weight that was found. */
interface FoundWeight {
  readonly id: string;
  readonly before: number;
  readonly weight: number;
  /** Of answers: where it lies with a probability of 90 %. */
  readonly likely?: readonly [least: number, most: number] | undefined;
}

/** Weights that tuning or answers found, and what shows that they are better. */
export interface FoundWeights {
  /** Empty where nothing was found: then there is nothing to try. */
  readonly scorers: readonly FoundWeight[];
  /** In words, a line each: what it was learnt from, and what came out. */
  readonly evidence: readonly string[];
  /** Whether a gain is shown on what was kept back by a search that came to its end; of answers, whether they decide the top. */
  readonly shown: boolean;
}

/** A step of tuning. */
export interface TuneProgress {
  readonly task: string;
  readonly done: number;
  /** Undefined while it is unknown. */
  readonly total: number | undefined;
}

/** Which of two candidates should come first? By their positions. */
export interface AskedPair {
  /** What an answer names: a second one to the same question is refused. */
  readonly question: string;
  readonly pair: readonly [a: number, b: number];
  readonly answered: number;
  /** How much of the top the weights agree on that are still likely, from 0 to 1. */
  readonly agreement: number;
}

/** The first, the second, neither before the other; or no more questions. */
export const REPLIES = ['a', 'b', 'same', 'stop'] as const;
export type PairReply = (typeof REPLIES)[number];

/** The same candidates in the order of another profile, to compare with. */
export interface OtherRanking {
  /** The profile, as it is named on the command line. */
  readonly title: string;
  /** The positions of the candidates, best first. */
  readonly order: readonly number[];
  /** The score of each in this order; missing where nobody judged them. */
  readonly scores?: readonly number[];
  /** The positions of those that are selected; missing where all that are ranked are. */
  readonly selected?: readonly number[];
}

/** A profile as data. */
export type ProfileDocument = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is ProfileDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The profile with entries switched off, or on. */
export function switched(profile: ProfileDocument, ids: readonly string[], enabled: boolean): ProfileDocument {
  const set = (entry: unknown): unknown =>
    isMap(entry) && ids.includes(String(entry['id'])) ? { ...entry, enabled } : entry;
  return Object.fromEntries(
    Object.entries(profile).map(([key, list]) => [key, Array.isArray(list) ? list.map(set) : list]),
  );
}

/** A profile that extends another, and has on what that has switched off. */
export function switchingOn(name: string, profile: ProfileDocument, ids: readonly string[]): ProfileDocument {
  const amended = Object.entries(profile).flatMap(([key, list]) => {
    const own = Array.isArray(list) ? list.filter((entry) => isMap(entry) && ids.includes(String(entry['id']))) : [];
    return own.length > 0 ? [[key, own.map(({ id }: ProfileDocument) => ({ id, enabled: true }))]] : [];
  });
  return { extends: [name], ...Object.fromEntries(amended) };
}
