import type { RunFacts } from '../../../contract/index.js';
import type { Phase, SignalEntry } from '../../../profile/index.js';
import type { Binder } from '../../units/binder.js';
import { type Instantiate, runUnit } from '../../units/run-unit.js';
import type { CompiledPhase, CompiledSignal } from './types.js';

export function compileSignal(entry: SignalEntry, binder: Binder, instantiate: Instantiate): CompiledSignal {
  const { id, use, when, timeout, retries, onError } = entry;
  const compute = runUnit<RunFacts, unknown>(id, use, instantiate);
  return {
    id,
    timeout,
    retries,
    onError,
    when: binder.condition(when, id, 'signals'),
    compute: (context, abort) => compute(binder.runFacts(context, abort)),
  };
}

export const compilePhase = ({ name, turns, when }: Phase, binder: Binder): CompiledPhase => ({
  name,
  turns,
  when: binder.condition(when, name, 'signals'),
});
