import {
  defineSignal,
  describeValue,
  expression,
  type ParamsOf,
  RUN_VARIABLES,
  type RunFacts,
  type Signal,
  z,
} from '../../src/sdk.js';

const scope = { name: 'a signal', variables: RUN_VARIABLES };

const namedValues = z.record(z.string(), z.number()).describe('What holds there, by name.');

const isAscending = (numbers: readonly number[]): boolean => numbers.every((n, i) => i === 0 || n > numbers[i - 1]!);

const stages = z
  .array(
    z.strictObject({
      name: z.string().min(1),
      below: z.number().optional().describe('Up to here, and not including it; the last stage has none.'),
      values: namedValues,
    }),
  )
  .min(1)
  .refine((list) => isAscending(list.slice(0, -1).map(({ below }) => below ?? Number.NaN)), {
    message: 'expected every stage but the last to have a below, each above the one before it',
  })
  .refine((list) => list.at(-1)?.below === undefined, { message: 'expected no below in the last stage' });

const anchors = z
  .array(z.strictObject({ at: z.number(), values: namedValues }))
  .min(2)
  .refine((list) => isAscending(list.map(({ at }) => at)), { message: 'expected each at above the one before it' })
  .refine((list) => new Set(list.map((anchor) => Object.keys(anchor.values).toSorted().join())).size === 1, {
    message: 'expected the same names in the values of each',
  });

type Params = ParamsOf<typeof StageSignal>;

/**
 * Gives values that depend on a number of the run, such as weights on the density of a graph: by stages, each from the
 * end of the one before it up to its own `below`, or by linear interpolation between anchors, constant beyond them.
 */
export class StageSignal implements Signal<Params> {
  static readonly meta = defineSignal({
    summary: 'Values by stages of a number, or in a line between anchors: weights by the density of a graph.',
    params: z
      .strictObject({
        by: expression({ scope, want: 'number' }).describe('The number.'),
        stages: stages.optional().describe('Stages in order: { name, below, values }; the last has no below.'),
        anchors: anchors.optional().describe('Points of a line in order: { at, values }.'),
      })
      .refine(
        (given) => (given.stages === undefined) !== (given.anchors === undefined),
        'expected either stages or anchors',
      ),
  });

  prepare(
    { by, stages: steps = [], anchors: line }: Params,
    run: RunFacts,
  ): Readonly<Record<string, unknown>> | undefined {
    const number = run.expression(by)(undefined, 0);
    if (number === undefined) return undefined;
    if (typeof number !== 'number' || Number.isNaN(number)) {
      throw new TypeError(`${by.source} is ${describeValue(number)}; expected a number`);
    }
    if (line !== undefined) return interpolate(line, number);
    const stage = steps.find(({ below }) => below === undefined || number < below);
    return stage && { stage: stage.name, ...stage.values };
  }
}

/** The values at a number, linearly between the two nearest anchors. */
function interpolate(line: NonNullable<Params['anchors']>, number: number): Readonly<Record<string, number>> {
  const next = line.findIndex(({ at }) => number < at);
  const high = line.at(next < 0 ? -1 : next)!;
  const low = next <= 0 ? high : line[next - 1]!;
  const share = low === high ? 0 : (number - low.at) / (high.at - low.at);
  return Object.fromEntries(
    Object.entries(low.values).map(([name, value]) => [name, value + share * (high.values[name]! - value)]),
  );
}
