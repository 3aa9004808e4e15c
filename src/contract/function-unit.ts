import * as z from 'zod';
import { defineScorer, defineVeto, type UnitFacts, type UnitMeta } from './meta.js';
import type { Score } from './score.js';
import type { UnitClass } from './unit.js';

const noParams = z.strictObject({});

const functionUnit = (meta: UnitMeta, score: Score<never, unknown>): UnitClass =>
  class {
    static readonly meta = meta;
    compile(): Score<never, unknown> {
      return score;
    }
  };

/** A scorer class of a function of one candidate: `units: { Stars: scorer((repo: Repo) => repo.stars / 1000) }`. */
export function scorer<T>(score: Score<T>, facts: Partial<UnitFacts<Record<string, never>>> = {}): UnitClass {
  return functionUnit(defineScorer({ summary: 'A function.', ...facts, params: noParams }), score);
}

/** A veto class of a function of one candidate, which is refused where it gives true. */
export function veto<T>(refuses: Score<T, boolean>, facts: Partial<UnitFacts<Record<string, never>>> = {}): UnitClass {
  return functionUnit(defineVeto({ summary: 'A function.', ...facts, params: noParams }), refuses);
}
