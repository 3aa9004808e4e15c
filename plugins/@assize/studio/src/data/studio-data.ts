import type { Context, ProfileInput, Refusal } from 'assize';
import type { UnitKind } from 'assize/sdk';
import type { GradesState } from './given-grades.js';
import type { FileEdit, JsonMap } from '../save/data-edit.js';

/** The results of an entry, by position of the candidate. A page has the numbers, but not the class. */
export interface StoredScores {
  /** null if the entry abstained, did not run, or failed. */
  readonly values: readonly (number | null)[];
  /** The messages of failures, by position. */
  readonly failures: Readonly<Record<number, string>>;
  /** The bounds for `out_of_range: clamp`. */
  readonly range?: readonly [least: number, most: number];
}

/** The reasons of a veto's refusals, by position of the candidate. */
export interface StoredRefusals {
  readonly reasons: Readonly<Record<number, { readonly kind: Refusal; readonly reason: string }>>;
}

/** The value of a signal; absent if it has none. */
export interface StoredSignal {
  readonly value?: unknown;
}

/** A numeric param of an entry. */
export interface ParamControl {
  readonly name: string;
  /** The value in the profile, or the default. */
  readonly value: number;
  readonly description?: string;
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
}

/** One value among the params of an entry. */
export interface ParamField {
  /** The keys and positions that lead to it in `params`. */
  readonly path: readonly (string | number)[];
  /** The value in the profile, or the default. */
  readonly value: string | number | boolean | readonly (string | number | boolean)[];
  /** True if the profile does not set it and it has no default: then the value only tells its type. */
  readonly isUnset?: true;
  readonly description?: string;
  /** The allowed texts, if the class lists them. */
  readonly choices?: readonly string[];
  /** True if it names a file, a host or a model, or if its class is not known: the page cannot change it. */
  readonly readOnly?: true;
  /** True if the class needs it. Only in a `ClassForm`. */
  readonly isRequired?: true;
  /** The meaning of a text: a path to a field of a candidate, or an expression. */
  readonly form?: 'path' | 'expression';
}

/** A class that a profile can name, with the params that a form edits. */
export interface ClassForm {
  /** As a profile names it. */
  readonly name: string;
  readonly kind: UnitKind;
  readonly summary: string;
  readonly params: readonly ParamField[];
  /** A needed param without a form: it names something outside of the profile, or its shape has no form. */
  readonly withoutForm?: { readonly param: string; readonly because: 'outside' | 'shape' };
}

/** Whether the profile's own file adds an entry, a profile that it extends does, or the file amends an inherited one. */
export type EntryOrigin = 'own' | 'inherited' | 'amended';

/** The facts that a page needs to edit a profile. */
export interface Editing {
  /** The text of the file with the structural edits; for a preset, that of a profile that extends it. */
  readonly text: string;
  /** The profile merged with the profiles that it extends, with its classes and params. */
  readonly document: JsonMap;
  /** By list and id; those of the keys of `select` and `let` under these, those of the profile's keys under `PROFILE_KEYS`. */
  readonly origins: Readonly<Record<string, Readonly<Record<string, EntryOrigin>>>>;
  /** The params of entries with a class, by `paramsKey`. */
  readonly params: Readonly<Record<string, readonly ParamField[]>>;
}

/** The name of the keys of the profile itself, among its lists. */
export const PROFILE_KEYS = '';

/** Identifies an entry among the params. A signal or a report may have the id of a scorer. */
export const paramsKey = (list: string, id: string): string =>
  list === 'signals' || list === 'report' ? `${list}/${id}` : id;

/** The candidates of one query, with the stored results of entries by position of the candidate. */
export interface QueryData {
  readonly scores: Readonly<Record<string, StoredScores>>;
  readonly refusals: Readonly<Record<string, StoredRefusals>>;
  readonly signals: Readonly<Record<string, StoredSignal>>;
  /** The entries that are curves, by id. */
  readonly curves: Readonly<Record<string, CurveData>>;
  readonly context: Context;
  readonly candidates: readonly object[];
  /** The grade of each candidate; null if it is not judged. Absent if there are no judgements. */
  readonly grades?: readonly (number | null)[];
  /** The grades of judged items that are not candidates. */
  readonly missing?: readonly number[];
  /** The source of the query, if queries of one source are similar. */
  readonly group?: string;
  /** The rankings of the same candidates by other profiles; absent if there are none. */
  readonly others?: readonly OtherRanking[];
}

/** The data of a page: everything that it shows and reweights, without parts that need Node. */
export interface StudioData extends QueryData {
  /** The profile, as named on the command line. */
  readonly title: string;
  /**
   * The profile merged with the profiles that it extends. Entries with a class have the class `Stored`, with their results
   * in `scores` and `refusals`. Expressions, weights, rules and limits are unchanged.
   */
  readonly profile: ProfileInput;
  /** A description of each entry with a class: `DecayScorer of pushed_at`. */
  readonly units: Readonly<Record<string, string>>;
  /** The path of the number that a removal compares with its bounds, by entry id. */
  readonly bounded: Readonly<Record<string, string>>;
  /** The numeric params of entries, by entry id. */
  readonly controls: Readonly<Record<string, readonly ParamControl[]>>;
  /** A sentence for each part of the profile that the page omits. */
  readonly notes: readonly string[];
  /** The file to save to, and the version of all files of the profile; absent for a preset. */
  readonly file?: { readonly name: string; readonly version: string };
  /** The version of the files of all profiles; absent if there are no files. */
  readonly filesVersion?: string;
  /** In an exported page, which cannot be edited, only the document, as in `profile`. */
  readonly editing?: Editing;
  /** The grades that people gave in the page; absent in an exported page, whose grades include them. */
  readonly judging?: GradesState;
  /** Identifies the profile's file in the storage of a browser; absent in an exported page. */
  readonly key?: string;
  /** The ids of the queries, if there are several. The other fields are about the current query, at first the first one. */
  readonly queries?: readonly string[];
}

/** The ranking of a query by the profile with edits, in a page that has no server to ask. */
export interface DraftAnswer {
  readonly edits: readonly FileEdit[];
  readonly query: number;
  /** Without the candidates. */
  readonly data: StudioData;
}

/** The current state of the files of the profiles, while the page is open. */
export interface FilesState {
  /** The version of the profile's files, as in `StudioData.file`. */
  readonly version: string;
  /** The version of the files of all profiles, as in `StudioData.filesVersion`. */
  readonly filesVersion: string;
  /** The version of the file of grades; absent if it does not exist. */
  readonly gradesVersion?: string;
  /** The problem of the current files if they are invalid, as the command line prints it. */
  readonly problem?: string;
}

/** The points of a curve, by x. */
export type CurvePoints = readonly (readonly [x: number, y: number])[];

/** The fewest points of a `CurveScorer`. */
export const FEWEST_POINTS = 2;
/** More points than a person draws. */
export const MOST_POINTS = 1000;

/** An entry that reads a curve. */
export interface CurveData {
  /** The points in the profile. */
  readonly points: CurvePoints;
  /** The inputs of the curve, by position of the candidate; null if there is none. */
  readonly xs: readonly (number | null)[];
}

/** The value of a param in a page: a number, or the points of a curve. */
export type ParamValue = number | CurvePoints;

/** Whether two params have the same value. */
export const isSameParam = (a: ParamValue | undefined, b: ParamValue | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** A found weight. */
interface FoundWeight {
  readonly id: string;
  readonly before: number;
  readonly weight: number;
  /** The 90 % credible interval, if the weight was found from answers. */
  readonly likely?: readonly [least: number, most: number] | undefined;
}

/** What people judged: grades, or choices between two items. */
export const JUDGED_BY = ['grades', 'pairs'] as const;
export type JudgedBy = (typeof JUDGED_BY)[number];

/** Why no weights are searched for: there are fewer judgements than are needed. */
export interface TooFew {
  readonly by: JudgedBy;
  readonly count: number;
  readonly needed: number;
  readonly criteria: number;
  /** Whether there are enough grades, but all of them are the same. */
  readonly areSame?: boolean;
}

/** How many of the chosen pairs the weights order as they were chosen. */
export interface PairAgreement {
  readonly pairs: number;
  readonly before: number;
  readonly after: number;
}

/** The quality by grades that the search did not use. */
export interface UnseenQuality {
  readonly measure: string;
  readonly before: number;
  readonly after: number;
  /** Whether the difference is significant. */
  readonly isSure: boolean;
}

/** Weights found by tuning or from answers, with the evidence that they are better. */
export interface FoundWeights {
  readonly by: JudgedBy;
  readonly tooFew?: TooFew;
  readonly agreement?: PairAgreement;
  readonly unseen?: UnseenQuality;
  /** Empty if no weights were found. */
  readonly scorers: readonly FoundWeight[];
  /** Lines of text about the data and the result. */
  readonly evidence: readonly string[];
  /** Whether a complete search shows a gain on held-out data, or whether answers decide the top. */
  readonly shown: boolean;
}

/** A step of tuning. */
export interface TuneProgress {
  readonly task: string;
  readonly done: number;
  /** Undefined while it is unknown. */
  readonly total: number | undefined;
}

/** A question: which of two candidates should come first? Gives their positions. */
export interface AskedPair {
  /** The id of the question. A second answer to the same question is refused. */
  readonly question: string;
  readonly pair: readonly [a: number, b: number];
  readonly answered: number;
  /** How many pairs one item was chosen of, also earlier, and from how many on weights are found. */
  readonly chosen: number;
  readonly needed: number;
  /** The share of the top on which the likely weights agree, from 0 to 1. */
  readonly agreement: number;
}

/** The first, the second, neither; or `stop` to end the questions. */
export const REPLIES = ['a', 'b', 'same', 'stop'] as const;
export type PairReply = (typeof REPLIES)[number];

/** The ranking of the same candidates by another profile. */
export interface OtherRanking {
  /** The profile, as named on the command line. */
  readonly title: string;
  /** The positions of the candidates, best first. */
  readonly order: readonly number[];
  /** The scores in this order; absent without judgements. */
  readonly scores?: readonly number[];
  /** The positions of the selected candidates; absent if all ranked candidates are selected. */
  readonly selected?: readonly number[];
}

/** A profile as data. */
export type ProfileDocument = Readonly<Record<string, unknown>>;

/** Whether a value is a map of a document. */
export const isMap = (value: unknown): value is ProfileDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
