import { meanOf } from '../mean.js';
import type { Random } from './random.js';

/** What sums of measures in another order may differ by. */
const ROUNDING = 1e-12;

/**
 * A sign-flip permutation test of the mean difference: how often it is as far from 0 when each difference has a sign by
 * chance. The observed one counts as one of them, so that p is never 0; of no differences it is 1.
 * O(samples × n).
 */
export function permutationTest(differences: readonly number[], samples: number, random: Random): number {
  if (differences.length === 0) return 1;
  const observed = Math.abs(meanOf(differences)) - ROUNDING;
  let asFar = 1;
  for (let sample = 0; sample < samples; sample++) {
    let sum = 0;
    for (const difference of differences) sum += random() < 0.5 ? difference : -difference;
    if (Math.abs(sum / differences.length) >= observed) asFar += 1;
  }
  return asFar / (samples + 1);
}

/** An interval that holds what was estimated with some confidence. */
export type Interval = readonly [low: number, high: number];

export interface BootstrapOptions {
  readonly samples: number;
  /** 0.95 for 95 %. */
  readonly confidence: number;
  readonly random: Random;
  /**
   * By value: its group. Whole groups are drawn, because what stems from one source is alike; without it, each value is a
   * group of its own.
   */
  readonly groups?: readonly string[] | undefined;
}

/**
 * The percentile bootstrap of a mean: the middle part of the means of samples drawn with replacement. NaN of fewer than
 * two values, or groups: one says nothing of how far apart others are. O(samples × n).
 */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions): Interval {
  const { samples, confidence, random, groups } = options;
  const parts = groups ? valuesByGroup(values, groups) : values.map((value) => ({ sum: value, count: 1 }));
  if (parts.length < 2) return [Number.NaN, Number.NaN];
  const means = new Float64Array(samples);
  for (let sample = 0; sample < samples; sample++) {
    let sum = 0;
    let count = 0;
    for (let k = 0; k < parts.length; k++) {
      const part = parts[Math.floor(random() * parts.length)]!;
      sum += part.sum;
      count += part.count;
    }
    means[sample] = sum / count;
  }
  return percentiles(means.sort(), confidence);
}

/** The middle part of ascending samples that holds a share of them; NaN of none. */
export function percentiles(ascending: Float64Array, confidence: number): Interval {
  if (ascending.length === 0) return [Number.NaN, Number.NaN];
  const tail = (1 - confidence) / 2;
  return [quantile(ascending, tail), quantile(ascending, 1 - tail)];
}

function valuesByGroup(values: readonly number[], groups: readonly string[]) {
  const byGroup = new Map<string, { sum: number; count: number }>();
  for (const [k, value] of values.entries()) {
    const part = byGroup.get(groups[k]!) ?? { sum: 0, count: 0 };
    part.sum += value;
    part.count += 1;
    byGroup.set(groups[k]!, part);
  }
  return [...byGroup.values()];
}

/** The value below which a share of ascending values lies, between neighbours in proportion. */
function quantile(ascending: Float64Array, part: number): number {
  const at = part * (ascending.length - 1);
  const [below, above] = [ascending[Math.floor(at)]!, ascending[Math.ceil(at)]!];
  return below + (above - below) * (at - Math.floor(at));
}
