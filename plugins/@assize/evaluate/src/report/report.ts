import type { Influence, Problem } from 'assize';
import type { AblatedPart, FixedPart } from '../ablation.js';
import type { Difference } from '../differences.js';
import type { LabelledDifference } from '../evaluate-labelled.js';
import type { CurvePoint } from '../curves.js';
import type { Interval } from '../significance/intervals.js';

/** The report of an evaluation as plain data. Keys are stable; new keys may be added. */
export interface EvaluationReport {
  readonly data: {
    /** The file of candidates. */
    readonly file: string;
    /** The number of measured queries; absent for data without queries. */
    readonly queries?: number;
    /** The number of pairwise judgements, each of which is a query of two candidates; absent for other data. */
    readonly pairs?: number;
    /** The number of queries whose candidates all have the same grade, so that all orders are equal; absent if 0. */
    readonly alike?: number;
    readonly candidates: number;
    /** The number of judged candidates. */
    readonly judged: number;
    /** The number of relevant or positive candidates. */
    readonly relevant: number;
    /** The number of groups; absent if the data has no groups. */
    readonly groups?: number;
  };
  readonly measures: readonly string[];
  /** The ids of the queries; empty for data without queries. */
  readonly queries: readonly string[];
  readonly profiles: readonly ReportedProfile[];
  /** The differences of the other profiles from the first. */
  readonly differences: readonly (Difference | LabelledDifference)[];
  /** The queries with the largest gains and losses by the first measure, and their causes. */
  readonly moved: readonly MovedQuery[];
  /** The contributions of the parts of profiles, if requested. */
  readonly ablations: readonly ReportedAblation[];
  /**
   * By measure: about the smallest difference that data of this size detects with a power of 80 %; empty if no profiles
   * are compared.
   */
  readonly smallest: readonly { readonly measure: string; readonly difference: number }[];
  /** Reasons to distrust the values. */
  readonly warnings: readonly Problem[];
  /** The curves of the profiles; absent if no profile has one. */
  readonly curves?: readonly ReportedCurve[];
}

/** The curve of a scorer with a histogram of its inputs. */
export interface ReportedCurve {
  readonly profile: string;
  readonly scorer: string;
  readonly points: readonly CurvePoint[];
  /**
   * The number of candidates in equal parts from the first point to the last. Candidates beyond an end count in its
   * outermost part. Based on about 2,000 candidates at most.
   */
  readonly histogram: readonly number[];
}

export interface ReportedProfile {
  readonly profile: string;
  readonly values: readonly ReportedValue[];
}

export interface ReportedValue {
  readonly measure: string;
  readonly mean: number;
  /** Its 95 % confidence interval; NaN with fewer than two queries or groups. */
  readonly interval: Interval;
  /** The mean share of judged candidates within the cut (Judged@k); absent for data without queries. */
  readonly judged?: number;
  /** The value of each query, in order; absent for data without queries. */
  readonly byQuery?: readonly number[];
}

export interface MovedQuery {
  readonly profile: string;
  readonly baseline: string;
  readonly measure: string;
  readonly query: string;
  readonly before: number;
  readonly after: number;
  readonly moves: readonly JudgedMove[];
}

/** A judged candidate that two profiles rank differently, with the causes. */
export interface JudgedMove {
  readonly id: string;
  readonly grade: number;
  /** Its rank; absent if it is not ranked. */
  readonly before?: number;
  readonly after?: number;
  /** Why one of the profiles does not rank it, such as the reason of a veto. */
  readonly refused?: string;
  /** The scorers and rules that changed its score, the largest change first; empty if only other candidates moved. */
  readonly because: readonly Influence[];
}

export interface ReportedAblation {
  readonly profile: string;
  readonly parts: readonly AblatedPart[];
  readonly fixed: readonly FixedPart[];
}
