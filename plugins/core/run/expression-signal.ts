import {
  defineSignal,
  expression,
  type ParamsOf,
  RUN_VARIABLES,
  type RunFacts,
  type Signal,
  z,
} from '../../../src/sdk.js';

const scope = { name: 'a signal', variables: RUN_VARIABLES };

type Params = ParamsOf<typeof ExpressionSignal>;

/** Computes a value by an expression of the context and earlier signals; an absent value is a missing signal. */
export class ExpressionSignal implements Signal<Params> {
  static readonly meta = defineSignal({
    summary: 'Computes a value of the context and of earlier signals.',
    params: z.strictObject({ value: expression({ scope }).describe('What the signal is.') }),
  });

  prepare({ value }: Params, run: RunFacts): unknown {
    return run.expression(value)(undefined, 0);
  }
}
