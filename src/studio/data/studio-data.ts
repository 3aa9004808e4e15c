import type { Context, ProfileInput, Refusal } from '../../index.js';
import type { CurveData, ParamValue } from './curve-data.js';
import type { OtherRanking } from './other-ranking.js';

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
