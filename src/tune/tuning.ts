import type { Problem } from '../diagnostics/index.js';
import type { DataSketch } from '../evaluate/dataset/leaks.js';
import type { CurvePoint } from '../evaluate/curves/curve.js';
import type { Setting } from './model/fitter.js';
import type { HeldOut } from './held-out/held-out.js';
import type { LearntFrom } from './prepare/learnable.js';
import type { LeftAlone } from './prepare/tuned-entries.js';

/** What was found for one scorer. */
export interface TunedScorer {
  readonly id: string;
  /** Its weight in the profile. */
  readonly before: number;
  /** On the scale of the profile: the sum of the weights, without signs, is what it was before. */
  readonly weight: number;
  /** The curve that its score goes through from now on: at most six points, y from 0 to 1. */
  readonly points?: readonly CurvePoint[] | undefined;
  /** The scores themselves, for a histogram; NaN where there was none. */
  readonly scores: Float64Array;
}

/** What was found for one param of an entry. */
export interface FoundParam {
  /** The part of the profile that has the entry. */
  readonly list: 'measures' | 'tier2_scorers';
  readonly entry: string;
  readonly param: string;
  readonly before: number;
  readonly value: number;
}

/** What tuning has found, and what that is worth on what it had not seen. */
export interface Tuning {
  readonly profile: string;
  readonly measure: string;
  /** The case of `weights` that was tuned; undefined where it was the entries' own weights. */
  readonly case: string | undefined;
  readonly scorers: readonly TunedScorer[];
  /** The params that were asked for. */
  readonly params: readonly FoundParam[];
  /** The scorers whose weights stayed as they were, and why. */
  readonly left: readonly LeftAlone[];
  /** By each way to make folds; the first is the one that was asked for first. */
  readonly heldOut: readonly [HeldOut, ...HeldOut[]];
  /** The value on what it was learnt from, before and after: no evidence. */
  readonly training: { readonly before: number; readonly after: number };
  /** How many queries, and how many of their candidates, were learnt from. */
  readonly learntFrom: LearntFrom;
  /** Whether the first of `heldOut` shows a gain. */
  readonly shown: boolean;
  /** Whether time or the caller ended the search. */
  readonly stopped: boolean;
  readonly setting: Setting;
  readonly seed: number;
  /** What a profile that extends the tuned one says: `{ extends: [it], ...change }`. */
  readonly change: TunedChange;
  readonly warnings: readonly Problem[];
  /** By which `assize evaluate` recognises the data that the profile was tuned on. */
  readonly data: DataSketch;
}

/** What a profile that extends the tuned one says otherwise. */
export interface TunedChange {
  readonly measures?: readonly Readonly<Record<string, unknown>>[];
  readonly tier2_scorers?: readonly Readonly<Record<string, unknown>>[];
  readonly weights?: { readonly cases: Readonly<Record<string, Readonly<Record<string, number>>>> };
}
