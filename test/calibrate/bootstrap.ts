import type { Interval } from '@assize/evaluate';
import type { Random } from '../../plugins/@assize/evaluate/src/significance/distributions.js';
import { sumsByGroup } from '../../plugins/@assize/evaluate/src/significance/intervals.js';

interface BootstrapOptions {
  readonly samples: number;
  /** 0.95 for 95 %. */
  readonly confidence: number;
  readonly random: Random;
  /**
   * The group of each value. Whole groups are drawn, because values from one source are not independent. Without groups,
   * values are drawn one by one.
   */
  readonly groups?: readonly string[] | undefined;
}

/**
 * The percentile bootstrap of a mean: the middle part of the means of samples drawn with replacement. NaN with fewer than
 * two values or groups, since one value has no spread. O(samples × n).
 */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions): Interval {
  const { samples, confidence, random, groups } = options;
  const parts = sumsByGroup(values, groups);
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

/** The central interval that contains a share of ascending samples; NaN without samples. */
export function percentiles(ascending: Float64Array, confidence: number): Interval {
  if (ascending.length === 0) return [Number.NaN, Number.NaN];
  const tail = (1 - confidence) / 2;
  return [quantile(ascending, tail), quantile(ascending, 1 - tail)];
}

/** A quantile of ascending values, interpolated linearly. */
function quantile(ascending: Float64Array, part: number): number {
  const at = part * (ascending.length - 1);
  const [below, above] = [ascending[Math.floor(at)]!, ascending[Math.ceil(at)]!];
  return below + (above - below) * (at - Math.floor(at));
}
