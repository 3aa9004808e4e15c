import { describeValue, isMap, ownValue, type PathReader, readList } from '../../../src/unit-sdk.js';
import { canonicalText, isEmptyResult, reportsError, startsWithError, wordsOf } from './trace-texts.js';

/** What came back to the agent: a tool's result, or a message of a user or another agent. */
export interface TraceResult {
  /** The step's number, as the trace numbers its steps. */
  readonly step: number;
  /** The position of the step in the trace, from 0. */
  readonly position: number;
  readonly text: string;
  readonly error: boolean;
  readonly empty: boolean;
}

/** A call of a tool. */
export interface TraceCall {
  readonly step: number;
  readonly position: number;
  readonly tool: string;
  /** The same with the server of a tool of MCP, as models name it: `mcp__git__status`. */
  readonly name: string;
  /** The tool with its arguments, equal for equal calls. */
  readonly key: string;
  readonly args: unknown;
  readonly words: ReadonlySet<string>;
  /** Undefined if nothing came back. */
  result: TraceResult | undefined;
}

/** A text of the agent. */
export interface TraceMessage {
  readonly step: number;
  readonly position: number;
  readonly text: string;
  readonly words: readonly string[];
}

/** What the scorers of traces read, computed once for each trace. */
export interface TraceReading {
  /** The number of steps. */
  readonly length: number;
  readonly calls: readonly TraceCall[];
  readonly results: readonly TraceResult[];
  readonly messages: readonly TraceMessage[];
  /** Sums over the steps. Undefined if no step has the number. */
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
  readonly latency: number | undefined;
}

/** Readings by the list of steps. They are dropped with the list. */
const readings = new WeakMap<object, { readonly steps: readonly unknown[]; readonly reading: TraceReading }>();

/**
 * Reads the steps of a trace. All scorers share the reading of a list of steps. It is read again if the list has other
 * elements.
 *
 * @returns undefined if the trace has no steps
 * @throws TypeError if the steps are not a list of maps
 */
export function readTrace(path: PathReader, trace: unknown): TraceReading | undefined {
  const steps = readList(path, trace);
  if (steps === undefined || steps.length === 0) return undefined;
  const known = readings.get(steps);
  if (known && known.steps.length === steps.length && known.steps.every((step, i) => step === steps[i])) {
    return known.reading;
  }
  const reading = readSteps(steps, path.source);
  readings.set(steps, { steps: [...steps], reading });
  return reading;
}

type Step = Readonly<Record<string, unknown>>;

const numberIn = (step: Step, key: string): number | undefined => {
  const value = ownValue(step, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** A number that the trace itself has, which may count more than its steps: failed requests have no step. */
export function ownTotal(trace: unknown, key: 'tokens' | 'cost'): number | undefined {
  if (!isMap(trace)) return undefined;
  return key === 'tokens' ? tokensOf(trace) : numberIn(trace, key);
}

/** The time that a trace itself has, which includes waiting for its user. */
export const ownLatency = (trace: unknown): number | undefined =>
  isMap(trace) ? numberIn(trace, 'latency_ms') : undefined;

/** The error that a trace ended with, such as that of a request to its model. */
export function ownError(trace: unknown): string | undefined {
  const error = isMap(trace) ? ownValue(trace, 'error') : undefined;
  return error === undefined || error === null || error === '' || typeof error === 'boolean'
    ? undefined
    : canonicalText(error);
}

/** The tokens of a step or a trace: a number, or a map with `total` or with `input` and `output`. */
function tokensOf(step: Step): number | undefined {
  const value = ownValue(step, 'tokens');
  if (!isMap(value)) return numberIn(step, 'tokens');
  const total = numberIn(value, 'total');
  if (total !== undefined) return total;
  const [input, output] = [numberIn(value, 'input'), numberIn(value, 'output')];
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}

/** The sum of a number over the steps that have it; undefined if none has. */
function sumOver(steps: readonly Step[], read: (step: Step) => number | undefined): number | undefined {
  const found = steps.map(read).filter((value) => value !== undefined);
  return found.length === 0 ? undefined : found.reduce((sum, value) => sum + value, 0);
}

/** The text that a call carries itself as its result, or its error. */
function ownResult(step: Step): string | undefined {
  for (const key of ['output', 'output_summary', 'error']) {
    const value = ownValue(step, key);
    if (value !== undefined && value !== null && typeof value !== 'boolean') return canonicalText(value);
  }
  return undefined;
}

/** Whether the step itself says that it failed: `error` is true, a text or a map. */
function isMarkedError(step: Step): boolean {
  const error = ownValue(step, 'error');
  return error === true || (typeof error === 'string' && error !== '') || isMap(error);
}

function readSteps(steps: readonly unknown[], source: string): TraceReading {
  const maps: Step[] = steps.map((step, i) => {
    if (!isMap(step)) throw new TypeError(`${source}[${i}] is ${describeValue(step)}; expected a map`);
    return step;
  });
  const calls: TraceCall[] = [];
  const results: TraceResult[] = [];
  const messages: TraceMessage[] = [];
  const byStep = new Map<number, TraceCall>();
  /** Calls without a result so far. Results without the number of a call answer them in order. */
  let open: TraceCall[] = [];
  // Logs link each result of a tool to its call, and mark its errors: other observations are messages of the user.
  const isLinked = maps.some((map) => numberIn(map, 'answers') !== undefined);

  const answer = (call: TraceCall | undefined, result: TraceResult): void => {
    results.push(result);
    if (call === undefined) return;
    call.result = result;
    open = open.filter((one) => one !== call);
  };

  for (const [position, map] of maps.entries()) {
    const step = numberIn(map, 'step_id') ?? position;
    const type = ownValue(map, 'type');
    const text = canonicalContent(ownValue(map, 'content'));
    if (type === 'tool_call' || type === 'error_recovery') {
      const call = readCall(map, step, position);
      calls.push(call);
      byStep.set(call.step, call);
      open.push(call);
      const own = ownResult(map);
      if (own !== undefined) answer(call, resultOf(own, step, position, isMarkedError(map) || reportsError(own)));
    } else if (type === 'observation') {
      const answers = numberIn(map, 'answers');
      const call = isLinked ? byStep.get(answers ?? -1) : open[0];
      const content = text || (ownResult(map) ?? '');
      const failed =
        isMarkedError(map) || (isLinked ? call !== undefined && startsWithError(content) : reportsError(content));
      answer(call, resultOf(content, step, position, failed));
    } else {
      messages.push({ step, position, text, words: wordsOf(text) });
      open = [];
    }
  }
  return {
    length: maps.length,
    calls,
    results,
    messages,
    tokens: sumOver(maps, tokensOf),
    cost: sumOver(maps, (step) => numberIn(step, 'cost')),
    latency: sumOver(maps, (step) => numberIn(step, 'latency_ms')),
  };
}

const canonicalContent = (content: unknown): string => (typeof content === 'string' ? content : canonicalText(content));

function readCall(map: Step, step: number, position: number): TraceCall {
  const tool = ownValue(map, 'tool');
  const own = canonicalText(isMap(tool) ? ownValue(tool, 'name') : tool);
  const server = isMap(tool) ? ownValue(tool, 'mcp_server') : undefined;
  const name = typeof server === 'string' && server !== '' ? `mcp__${server}__${own}` : own;
  const args = ownValue(map, 'input') ?? ownValue(map, 'input_text');
  const text = canonicalText(args);
  return {
    step,
    position,
    tool: own,
    name,
    key: `${name}(${text})`,
    args,
    words: new Set(wordsOf(text)),
    result: undefined,
  };
}

const resultOf = (text: string, step: number, position: number, error: boolean): TraceResult => ({
  step,
  position,
  text,
  error,
  empty: isEmptyResult(text),
});
