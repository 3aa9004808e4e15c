import {
  abstain,
  defineScorer,
  isMap,
  type ParamsOf,
  path,
  ownValue,
  readList,
  type RowScorer,
  type Score,
  z,
} from '../../../src/unit-sdk.js';
import { changesSomething } from './tool-verbs.js';
import { ownError, readTrace, type TraceCall } from './trace-reading.js';
import { groupBy, listed, shortened, wordsOf } from './trace-texts.js';

/** The param for the path to the steps of a trace. */
export const stepsParam = () => path('steps').describe('The path to the steps of a trace.');

type RepeatedCallParams = ParamsOf<typeof RepeatedCallScorer>;

/** Favours traces that do not repeat a call with the same arguments: the share of calls that are new. */
export class RepeatedCallScorer implements RowScorer<RepeatedCallParams> {
  static readonly meta = defineScorer({
    summary: 'Favours traces that do not call a tool again with the same arguments.',
    reads: 'params',
    params: z.strictObject({ steps: stepsParam() }),
    range: [0, 1],
    reasons: {
      repeated: '{repeated} of {calls} calls repeat an earlier one: {call} {times} times, in steps {steps}',
      none: 'none of {calls} calls repeats an earlier one',
      absent: 'no steps',
    },
  });

  compile({ steps }: RepeatedCallParams): Score<unknown> {
    return (trace, _index, note) => {
      const reading = readTrace(steps, trace);
      if (reading === undefined) return abstain(note, 'absent');
      const { calls } = reading;
      const byKey = groupBy(calls, ({ key }) => key);
      const repeated = calls.length - byKey.size;
      if (repeated === 0) note?.('none', { calls: calls.length });
      else if (note) {
        const [worst = []] = [...byKey.values()].toSorted((a, b) => b.length - a.length);
        note('repeated', {
          repeated,
          calls: calls.length,
          call: shortened(worst[0]?.key ?? ''),
          times: worst.length,
          steps: listed(worst.map(({ step }) => step)),
        });
      }
      return 1 - repeated / Math.max(1, calls.length);
    };
  }
}

type ToolErrorParams = ParamsOf<typeof ToolErrorScorer>;

/**
 * Favours traces without errors, and those that recovered early: the share of steps after the last result that reports
 * an error. 1 without an error, 0 if the trace ends with one, also with that of a request to its model (`error`).
 */
export class ToolErrorScorer implements RowScorer<ToolErrorParams> {
  static readonly meta = defineScorer({
    summary: 'Favours traces without errors of tools, and those whose last error was early.',
    reads: 'params',
    params: z.strictObject({ steps: stepsParam() }),
    range: [0, 1],
    reasons: {
      errors:
        '{errors} of {results} results report an error, the last in step {step}, {after} steps before the end: {text}',
      ended: 'it ended with the error: {text}',
      none: 'none of {results} results reports an error',
      absent: 'no steps',
    },
  });

  compile({ steps }: ToolErrorParams): Score<unknown> {
    return (trace, _index, note) => {
      const reading = readTrace(steps, trace);
      if (reading === undefined) return abstain(note, 'absent');
      const ended = ownError(trace);
      if (ended !== undefined) {
        note?.('ended', { text: shortened(ended) });
        return 0;
      }
      const { results, length } = reading;
      const last = results.findLast(({ error }) => error);
      if (last === undefined) {
        note?.('none', { results: results.length });
        return 1;
      }
      const after = length - 1 - last.position;
      const errors = results.filter(({ error }) => error).length;
      note?.('errors', { errors, results: results.length, step: last.step, after, text: shortened(last.text) });
      return after / length;
    };
  }
}

type WastedCallParams = ParamsOf<typeof WastedCallScorer>;

/** Why a call did not help. A call that changes something may help without a result. */
const wasteOf = (
  call: TraceCall,
  seen: ReadonlySet<string>,
  used: (call: TraceCall) => boolean,
): string | undefined => {
  if (seen.has(call.key)) return 'repeats an earlier call';
  if (call.result?.error) return 'failed';
  if (changesSomething(call.tool)) return undefined;
  if (call.result?.empty) return 'returned nothing';
  return call.result !== undefined && !used(call) ? 'has a result that no later step uses' : undefined;
};

/**
 * Favours traces whose calls help: the share of calls that do not repeat an earlier one that succeeded, do not fail, return
 * something, and have a result from which a later step uses a word. The result of the last step counts as used, and so does
 * that of a tool that changes something by its name, such as `edit_file`.
 */
export class WastedCallScorer implements RowScorer<WastedCallParams> {
  static readonly meta = defineScorer({
    summary: 'Favours traces without calls that fail, return nothing, are repeated, or whose results are not used.',
    reads: 'params',
    params: z.strictObject({ steps: stepsParam() }),
    range: [0, 1],
    cost: 10,
    reasons: {
      wasted: '{wasted} of {calls} calls are wasted; step {step} {why}: {call}',
      none: 'none of {calls} calls is wasted',
      absent: 'no calls',
    },
  });

  compile({ steps }: WastedCallParams): Score<unknown> {
    return (trace, _index, note) => {
      const reading = readTrace(steps, trace);
      if (reading === undefined || reading.calls.length === 0) return abstain(note, 'absent');
      const { calls, messages, length } = reading;
      const used = ({ result }: TraceCall): boolean => {
        if (result === undefined || result.position === length - 1) return true;
        const words = new Set(wordsOf(result.text).filter((word) => word.length > 3));
        const later = [...calls, ...messages].filter(({ position }) => position > result.position);
        return later.some(({ words: own }) => [...own].some((word) => words.has(word)));
      };
      const seen = new Set<string>();
      const wasted = calls.flatMap((call) => {
        const why = wasteOf(call, seen, used);
        if (!call.result?.error) seen.add(call.key); // a call after a failure is a second attempt
        return why === undefined ? [] : [{ call, why }];
      });
      const [first] = wasted;
      if (first === undefined) note?.('none', { calls: calls.length });
      else {
        const { call, why } = first;
        note?.('wasted', {
          wasted: wasted.length,
          calls: calls.length,
          step: call.step,
          why,
          call: shortened(call.key),
        });
      }
      return 1 - wasted.length / calls.length;
    };
  }
}

type InvalidCallParams = ParamsOf<typeof InvalidCallScorer>;

/** The problem of a call beside the tools that were offered; undefined if it is valid. */
function problemOf(call: TraceCall, tools: ReadonlyMap<string, unknown>): string | undefined {
  const name = [call.name, call.tool].find((one) => tools.has(one));
  if (name === undefined) return 'calls a tool that was not offered';
  const schema = tools.get(name);
  if (!isMap(schema)) return undefined;
  if (call.args !== undefined && !isMap(call.args)) return 'has arguments that are not an object';
  const args = isMap(call.args) ? call.args : {};
  const required = ownValue(schema, 'required');
  const missing = Array.isArray(required) ? required.map(String).find((key) => !Object.hasOwn(args, key)) : undefined;
  if (missing !== undefined) return `has no argument ${missing}`;
  const properties = ownValue(schema, 'properties');
  if (ownValue(schema, 'additionalProperties') !== false || !isMap(properties)) return undefined;
  const unknown = Object.keys(args).find((key) => !Object.hasOwn(properties, key));
  return unknown === undefined ? undefined : `has the unknown argument ${unknown}`;
}

/**
 * Favours traces whose calls fit the tools that were offered: the share of calls of an offered tool, with an object of
 * arguments that has the required ones, and no others if the schema forbids them. Types of arguments are not checked.
 */
export class InvalidCallScorer implements RowScorer<InvalidCallParams> {
  static readonly meta = defineScorer({
    summary: "Favours traces whose calls fit the offered tools' JSON Schemas.",
    reads: 'params',
    params: z.strictObject({
      steps: stepsParam(),
      tools: path('tools').describe(
        'The path to the offered tools: maps with a name and the parameters as JSON Schema.',
      ),
    }),
    range: [0, 1],
    reasons: {
      invalid: '{invalid} of {calls} calls are invalid; step {step} {why}: {call}',
      none: 'all of {calls} calls are valid',
      absent: 'no tools or no calls',
    },
  });

  compile({ steps, tools }: InvalidCallParams): Score<unknown> {
    return (trace, _index, note) => {
      const calls = readTrace(steps, trace)?.calls ?? [];
      const offered = new Map(
        (readList(tools, trace) ?? [])
          .filter(isMap)
          .map((tool) => [String(ownValue(tool, 'name')), ownValue(tool, 'parameters')]),
      );
      if (calls.length === 0 || offered.size === 0) return abstain(note, 'absent');
      const invalid = calls.flatMap((call) => {
        const why = problemOf(call, offered);
        return why === undefined ? [] : [{ call, why }];
      });
      const [first] = invalid;
      if (first === undefined) note?.('none', { calls: calls.length });
      else {
        const { call, why } = first;
        note?.('invalid', {
          invalid: invalid.length,
          calls: calls.length,
          step: call.step,
          why,
          call: shortened(call.key),
        });
      }
      return 1 - invalid.length / calls.length;
    };
  }
}
