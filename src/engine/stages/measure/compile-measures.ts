import type { Profile } from '../../../profile/index.js';
import type { Binder } from '../../units/binder.js';
import type { UnitCompiler } from '../../units/unit-compiler.js';
import type { CompiledMeasure } from './types.js';

export const compileMeasures = (
  { measures }: Profile,
  units: UnitCompiler,
  binder: Binder,
): readonly CompiledMeasure[] =>
  measures.map((entry) => ({
    id: entry.id,
    timeout: entry.timeout,
    onError: entry.onError,
    when: binder.condition(entry.when, entry.id, 'measure'),
    unit: units.entry<number>(entry, 'measure'),
  }));
