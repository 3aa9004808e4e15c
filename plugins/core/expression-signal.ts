import { defineSignal, expression, type ParamsOf, type RunFacts, type Signal, z } from '../../src/sdk.js';

const scope = {
  name: 'a signal',
  variables: { context: 'dyn', signals: 'dyn', now: 'number' },
} as const;

type Params = ParamsOf<typeof ExpressionSignal>;

/** A value of the run that an expression computes of the context and of earlier signals. Absent, it is missing. */
export class ExpressionSignal implements Signal<Params> {
  static readonly meta = defineSignal({
    summary: 'Computes a value of the context and of earlier signals.',
    params: z.strictObject({ value: expression({ scope }).describe('What the signal is.') }),
  });

  prepare({ value }: Params, run: RunFacts): unknown {
    return run.expression(value)(undefined, 0);
  }
}
