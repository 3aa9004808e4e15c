import type { OptionTypes } from '../base/index.js';
import { OVERRIDE_OPTIONS } from '../engine/index.js';

// The types of the options of each method of a pipeline.

const { weights: WEIGHTS } = OVERRIDE_OPTIONS;
export const RANK_OPTIONS: OptionTypes = {
  signal: 'signal',
  turns: 'boolean',
  updateMemory: 'boolean',
  budget: 'anything',
  prune: 'boolean',
  ...OVERRIDE_OPTIONS,
};
export const PARTITION_OPTIONS: OptionTypes = {
  ...RANK_OPTIONS,
  by: {
    expected: 'the path of a field, or a function',
    accepts: (value) => typeof value === 'function' || typeof value === 'string',
  },
};
export const SCORE_OPTIONS: OptionTypes = {
  signal: 'signal',
  updateMemory: 'boolean',
  among: 'list',
  weights: WEIGHTS,
};
export const SCORE_STREAM_OPTIONS: OptionTypes = {
  signal: 'signal',
  terms: 'boolean',
  updateMemory: 'boolean',
  weights: WEIGHTS,
  takeTurn: 'function',
};
export const RANK_STREAM_OPTIONS: OptionTypes = { budget: 'anything', signal: 'signal', ...OVERRIDE_OPTIONS };
