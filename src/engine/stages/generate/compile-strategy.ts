import type { Focus, GeneratorRun } from '../../../contract/index.js';
import type { StrategyEntry } from '../../../profile/index.js';
import type { Binder } from '../../units/binder.js';
import { type Instantiate, runUnit } from '../../units/run-unit.js';
import type { CompiledStrategy } from './types.js';

export function compileStrategy(
  { id, data, focus }: StrategyEntry,
  binder: Binder,
  instantiate: Instantiate,
): CompiledStrategy {
  const generate = focus && runUnit<GeneratorRun, readonly Focus[]>(id, focus.use, instantiate);
  return {
    id,
    data,
    available: binder.condition(focus?.when, id, 'generate'),
    focuses:
      generate && ((context, abort) => generate(Object.assign(binder.runFacts(context, abort), { strategy: data }))),
  };
}
