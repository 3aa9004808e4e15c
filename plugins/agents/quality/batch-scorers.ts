import {
  abstain,
  type BatchScorer,
  defineScorer,
  type ParamsOf,
  path,
  type PathReader,
  type Run,
  type Score,
  valueOrError,
  z,
} from '../../../src/unit-sdk.js';
import { stepsParam } from './call-scorers.js';
import { ownLatency, ownTotal, readTrace, type TraceReading } from './trace-reading.js';
import { canonicalText, groupBy, overlap, shortened, wordsOf } from './trace-texts.js';

/** The readings of a batch by position: undefined without steps, an error if they are malformed. */
const readBatch = (steps: PathReader, traces: readonly unknown[]): readonly (TraceReading | undefined | Error)[] =>
  traces.map((trace) => valueOrError(() => readTrace(steps, trace)));

/** The positions of the traces that have the same value at a path. Traces without a value are a group of their own. */
const groupsBy = (by: PathReader, traces: readonly unknown[]): readonly string[] =>
  traces.map((trace) => canonicalText(by(trace)));

type EffortParams = ParamsOf<typeof EffortScorer>;

/** The time of the steps comes first, since that of a trace includes waiting for its user. */
const EFFORTS = {
  steps: ({ length }: TraceReading) => length,
  calls: ({ calls }: TraceReading) => calls.length,
  tokens: ({ tokens }: TraceReading, trace: unknown) => ownTotal(trace, 'tokens') ?? tokens,
  cost: ({ cost }: TraceReading, trace: unknown) => ownTotal(trace, 'cost') ?? cost,
  latency: ({ latency }: TraceReading, trace: unknown) => latency ?? ownLatency(trace),
};

/** The unit of each effort in reasons. */
const UNITS = { steps: 'steps', calls: 'calls', tokens: 'tokens', cost: 'cost', latency: 'ms' };

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/**
 * Favours traces with less effort than comparable traces of the batch: `median / (median + effort)`, so 0.5 at the
 * median. It abstains for a trace that cannot be compared.
 */
export class EffortScorer implements BatchScorer<EffortParams> {
  static readonly meta = defineScorer({
    summary: 'Favours traces with fewer steps, calls, tokens, cost or time than comparable traces of the batch.',
    reads: 'params',
    params: z.strictObject({
      steps: stepsParam(),
      measure: z
        .enum(['steps', 'calls', 'tokens', 'cost', 'latency'])
        .default('steps')
        .describe(
          'The effort. Tokens and cost: of the trace, else summed over its steps. Latency in milliseconds: summed over the steps, else of the trace.',
        ),
      group: path('metadata.framework').describe(
        'The path to a value that comparable traces share. Traces without it are compared with each other.',
      ),
      least: z
        .int()
        .min(2)
        .default(3)
        .describe('The number of comparable traces, itself included, that a score needs.'),
    }),
    range: [0, 1],
    scope: 'set',
    reasons: {
      compared: '{effort} {unit}; the median of {count} comparable traces is {median}',
      alone: '{effort} {unit}; there are only {count} comparable traces',
      absent: 'no steps, or none with {measure}',
    },
  });

  prepare({ steps, measure, group, least }: EffortParams, { candidates }: Run): Score<unknown> {
    const efforts = readBatch(steps, candidates).map((reading, index) =>
      reading instanceof Error || reading === undefined ? reading : EFFORTS[measure](reading, candidates[index]),
    );
    const unit = UNITS[measure];
    const groups = groupsBy(group, candidates);
    const members = groupBy(groups.keys(), (index) => groups[index]!);
    const medians = new Map(
      [...members].map(([key, indices]) => {
        const numbers = indices.map((index) => efforts[index]).filter((effort) => typeof effort === 'number');
        return [key, { count: numbers.length, median: medianOf(numbers) }];
      }),
    );
    return (_trace, index, note) => {
      const effort = efforts[index];
      if (effort instanceof Error) throw effort;
      if (effort === undefined) return abstain(note, 'absent', { measure });
      const { count, median } = medians.get(groups[index]!)!;
      if (count < least) return abstain(note, 'alone', { effort, unit, count });
      note?.('compared', { effort, unit, count, median });
      return median + effort === 0 ? 0.5 : median / (median + effort);
    };
  }
}

type AgreementParams = ParamsOf<typeof AgreementScorer>;

/** The text that a trace ended with: its last text, the arguments of a last call without a result, or the last result. */
function endOf({ calls, results, messages }: TraceReading): string {
  const [call, result, message] = [calls.at(-1), results.at(-1), messages.at(-1)];
  const last = Math.max(call?.position ?? -1, result?.position ?? -1);
  if (message && message.position > last) return message.text;
  if (call && call.result === undefined) return canonicalText(call.args);
  return result?.text ?? '';
}

interface Summary {
  readonly end: string;
  readonly endWords: ReadonlySet<string>;
  readonly callWords: ReadonlySet<string>;
}

const summaryOf = (reading: TraceReading): Summary => {
  const end = endOf(reading);
  const callWords = new Set(reading.calls.flatMap(({ words }) => [...words]));
  return { end, endWords: new Set(wordsOf(end)), callWords };
};

/**
 * Favours traces that agree with other runs of the same task in the batch: the mean, over these runs, of the shared
 * share of words in what both ended with and in the arguments of their calls. It abstains if there is no other run.
 */
export class AgreementScorer implements BatchScorer<AgreementParams> {
  static readonly meta = defineScorer({
    summary: 'Favours traces that end like other runs of the same task in the batch, after similar calls.',
    reads: 'params',
    params: z.strictObject({
      steps: stepsParam(),
      task: path('task.objective').describe('The path to the task. Traces with equal tasks are compared.'),
      calls_weight: z
        .number()
        .min(0)
        .max(1)
        .default(0.4)
        .describe("The weight of the calls' arguments; the end has the rest."),
    }),
    range: [0, 1],
    scope: 'set',
    cost: 10,
    reasons: {
      compared:
        '{end:percent} of the words of its end and {calls:percent} of its calls are those of {runs} other runs: {text}',
      alone: 'the batch has no other run of the task',
      absent: 'no steps, or no task',
    },
  });

  prepare({ steps, task, calls_weight: callsWeight }: AgreementParams, { candidates }: Run): Score<unknown> {
    const readings = readBatch(steps, candidates);
    const summaries = readings.map((reading) =>
      reading === undefined || reading instanceof Error ? undefined : summaryOf(reading),
    );
    const tasks = groupsBy(task, candidates);
    const members = groupBy(tasks.keys(), (index) => tasks[index]!);
    return (_trace, index, note) => {
      const reading = readings[index];
      if (reading instanceof Error) throw reading;
      const own = summaries[index];
      if (own === undefined || tasks[index] === '') return abstain(note, 'absent');
      const others = members
        .get(tasks[index]!)!
        .flatMap((other) => (other === index || summaries[other] === undefined ? [] : [summaries[other]]));
      if (others.length === 0) return abstain(note, 'alone');
      const mean = (of: (other: Summary) => number): number =>
        others.reduce((sum, other) => sum + of(other), 0) / others.length;
      const end = mean(({ endWords }) => overlap(own.endWords, endWords));
      const calls = mean(({ callWords }) => overlap(own.callWords, callWords));
      note?.('compared', { end, calls, runs: others.length, text: shortened(own.end) });
      return (1 - callsWeight) * end + callsWeight * calls;
    };
  }
}
