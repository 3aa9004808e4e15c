import type { Problem } from '../../diagnostics/index.js';
import type { Influence } from '../../index.js';
import type { AblatedPart, FixedPart } from '../ablation.js';
import type { Difference } from '../compare-profiles.js';
import type { LabelledDifference } from '../evaluate-labelled.js';
import type { CurvePoint } from '../curves.js';
import type { Interval } from '../significance/intervals.js';

/** What an evaluation says, as plain data. Its keys are stable; new ones may come. */
export interface EvaluationReport {
  readonly data: {
    /** The file of candidates. */
    readonly file: string;
    /** How many queries were measured; missing for data without queries. */
    readonly queries?: number;
    /** In how many of them all candidates have one grade, so that every ranking is as good; missing where in none. */
    readonly alike?: number;
    readonly candidates: number;
    /** How many candidates are judged. */
    readonly judged: number;
    /** How many of them are relevant, or positive. */
    readonly relevant: number;
    /** How many groups are drawn together; missing where each query is drawn for itself. */
    readonly groups?: number;
  };
  readonly measures: readonly string[];
  /** The ids of the queries; empty for data without queries. */
  readonly queries: readonly string[];
  readonly profiles: readonly ReportedProfile[];
  /** How each profile but the first differs from it. */
  readonly differences: readonly (Difference | LabelledDifference)[];
  /** The queries that gained or lost most by the first measure, and why. */
  readonly moved: readonly MovedQuery[];
  /** What the parts of a profile earn, where it was asked. */
  readonly ablations: readonly ReportedAblation[];
  /**
   * By measure: about the smallest difference that data of this size shows in four of five cases, if it is there; missing
   * where profiles are not compared.
   */
  readonly smallest: readonly { readonly measure: string; readonly difference: number }[];
  /** What makes the values less trustworthy than they look. */
  readonly warnings: readonly Problem[];
  /** The curves of the profiles, over the data; missing where no profile has any. */
  readonly curves?: readonly ReportedCurve[];
}

/** The curve of a scorer, and where the candidates lie on it. */
export interface ReportedCurve {
  readonly profile: string;
  readonly scorer: string;
  readonly points: readonly CurvePoint[];
  /**
   * How many candidates lie in each of as many even parts from the first point to the last; those beyond are in the
   * outermost. Of many candidates some 2,000 are looked at.
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
  /** The share of the ranks that it reads which are judged (Judged@k), over all queries; missing for data without queries. */
  readonly judged?: number;
  /** The value of each query, in their order; missing for data without queries. */
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

/** A judged candidate that two profiles rank differently, and what moved it. */
export interface JudgedMove {
  readonly id: string;
  readonly grade: number;
  /** Its rank; missing where it has none. */
  readonly before?: number;
  readonly after?: number;
  /** Why it has no rank in either, such as the reason of a veto. */
  readonly refused?: string;
  /** The scorers and rules that changed its score, the largest change first; empty where only others moved. */
  readonly because: readonly Influence[];
}

export interface ReportedAblation {
  readonly profile: string;
  readonly parts: readonly AblatedPart[];
  readonly fixed: readonly FixedPart[];
}
