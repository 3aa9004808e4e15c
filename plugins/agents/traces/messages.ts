import type { OfferedTool } from './agent-trace.js';
import type { Counts } from './agent-trace.js';
import { anyOf, at, isMap, type JsonMap, listOf, parseJson, stringOf, textOf, unpacked } from './values.js';
import { unwrapMessage, unwrapMessages } from './wrapped-messages.js';

/** A part of a message. */
export type Part =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'call'; readonly id?: string | undefined; readonly name: string; readonly input: unknown }
  | {
      readonly kind: 'result';
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly output: string;
      readonly isError: boolean;
    };

/** A message to or from a model, in the shape of any provider. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly Part[];
}

const TEXTS: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text', 'summary_text', 'refusal']);
const THOUGHTS: ReadonlySet<string> = new Set(['thinking', 'reasoning', 'reasoning_text']);
const CALLS: ReadonlySet<string> = new Set([
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
  'tool_call',
  'tool-call',
  'server_tool_call',
  'function',
  'function_call',
  'custom_tool_call',
  'custom',
  'mcp_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'web_search_call',
  'file_search_call',
  'computer_call',
  'code_interpreter_call',
  'image_generation_call',
]);
const RESULTS = /(?:^|[_-])(?:tool_result|tool-result|tool_call_response|call_output)$/;
const MEDIA = /image|audio|video|file|document|blob|uri/;

/** Reads messages, or a text that is the message of a user. Messages without a role have the given one. */
export function readMessages(value: unknown, lost: Counts, role: Message['role'] = 'user'): Message[] {
  const found = unwrapMessages(unpacked(value));
  const list = Array.isArray(found) ? found : found === undefined || found === null ? [] : [found];
  return list.map((item) => readMessage(item, lost, role));
}

/** Reads a message, or an item of the Responses API. */
export function readMessage(value: unknown, lost: Counts, role: Message['role'] = 'user'): Message {
  const message = unwrapMessage(at(value, 'message') ?? value);
  if (typeof message === 'string') return { role, parts: textPart(message) };
  if (!isMap(message)) {
    lost.add('message that is not an object');
    return { role, parts: [] };
  }
  const given = at(message, 'role');
  const type = at(message, 'type');
  if (given === undefined && typeof type === 'string' && type !== 'message') {
    const parts = readBlock(message, lost);
    return { role: RESULTS.test(type) ? 'user' : CALLS.has(type) || THOUGHTS.has(type) ? 'assistant' : role, parts };
  }
  const parts = [
    ...readParts(anyOf(message, 'reasoning_content', 'reasoning'), lost, 'thinking'),
    ...readParts(anyOf(message, 'content', 'parts', 'contents'), lost),
    ...textPart(at(message, 'refusal')),
    ...[...listOf(unpacked(at(message, 'tool_calls'))), ...listOf(at(message, 'function_call'))].flatMap((call) =>
      readCall(call, lost),
    ),
    ...(isMap(at(message, 'function_call')) ? readCall(at(message, 'function_call'), lost) : []),
  ];
  switch (given) {
    case undefined:
      return { role, parts };
    case 'system':
    case 'developer':
      return { role: 'system', parts };
    case 'assistant':
    case 'model':
    case 'ai':
      return { role: 'assistant', parts };
    case 'tool':
    case 'function':
      return { role: 'user', parts: toolParts(message, parts) };
    default:
      if (given !== 'user' && given !== 'human') lost.add('unknown role of a message');
      return { role: 'user', parts };
  }
}

/** The parts of a message of a tool: its text is the result. */
function toolParts(message: JsonMap, parts: readonly Part[]): readonly Part[] {
  if (parts.some(({ kind }) => kind === 'result')) return parts;
  const id = stringOf(anyOf(message, 'tool_call_id', 'id'));
  const output = parts.map((part) => ('text' in part ? part.text : '')).join('\n');
  return [{ kind: 'result', id, name: stringOf(at(message, 'name')), output, isError: reportsError(output) }];
}

const textPart = (value: unknown, kind: 'text' | 'thinking' = 'text'): Part[] =>
  typeof value === 'string' && value.trim() !== '' ? [{ kind, text: value }] : [];

/** Reads the content of a message: a text, or a list of blocks. */
function readParts(value: unknown, lost: Counts, kind: 'text' | 'thinking' = 'text'): Part[] {
  if (typeof value === 'string') {
    // Exporters write lists of blocks as JSON.
    const list = value.startsWith('[{"') ? parseJson(value) : undefined;
    const blocks = Array.isArray(list) && list.every((block) => stringOf(at(block, 'type')) !== undefined);
    return blocks ? readParts(list, lost) : textPart(value, kind);
  }
  if (Array.isArray(value)) return value.flatMap((block) => readBlock(block, lost));
  return isMap(value) ? readBlock(value, lost) : [];
}

function readBlock(value: unknown, lost: Counts): Part[] {
  const block = anyOf(value, 'message_content', 'tool_call') ?? value;
  if (typeof block === 'string') return textPart(block);
  // The parts of Gemini have a key instead of a type.
  const call = anyOf(block, 'function_call', 'functionCall');
  if (isMap(call)) return readCall(call, lost);
  const result = anyOf(block, 'function_response', 'functionResponse');
  if (isMap(result)) return [readResult(result, lost)];
  const type = at(block, 'type') ?? (at(block, 'text') === undefined ? undefined : 'text');
  if (typeof type !== 'string') {
    lost.add('content block without a type');
    return [];
  }
  if (TEXTS.has(type)) return textPart(anyOf(block, 'text', 'content', 'refusal'));
  if (THOUGHTS.has(type)) return readThought(block, lost);
  if (CALLS.has(type)) return readCall(block, lost);
  if (RESULTS.test(type)) return [readResult(block, lost)];
  if (MEDIA.test(type)) {
    lost.add(`content block ${type}`);
    return [{ kind: 'text', text: `[${type}]` }];
  }
  lost.add(`content block ${type}`);
  return [];
}

function readThought(block: unknown, lost: Counts): Part[] {
  const direct = anyOf(block, 'thinking', 'text', 'content', 'summary');
  const texts = Array.isArray(direct) ? direct.map((item) => anyOf(item, 'text') ?? item) : [direct];
  const found = texts.flatMap((text) => textPart(text, 'thinking'));
  if (found.length === 0) lost.add('reasoning without text');
  return found;
}

function readCall(value: unknown, lost: Counts): Part[] {
  const call = at(value, 'tool_call') ?? value;
  const own = at(call, 'function') ?? at(call, 'custom');
  const type = stringOf(at(call, 'type'));
  const builtIn = type?.endsWith('_call') && !/^(?:function|custom_tool|mcp|tool)_call$/.test(type);
  const name =
    stringOf(anyOf(call, 'name', 'toolName')) ??
    stringOf(at(own, 'name')) ??
    (builtIn ? type?.replace(/_call$/, '') : undefined);
  if (name === undefined) {
    lost.add('call without the name of a tool');
    return [];
  }
  const id = stringOf(anyOf(call, 'call_id', 'toolCallId', 'tool_use_id', 'id'));
  const input = anyOf(call, 'arguments', 'input', 'args', 'action', 'queries') ?? anyOf(own, 'arguments', 'input');
  const part: Part = { kind: 'call', id, name, input: unpacked(input) };
  // Tools that the provider runs have their output in the same item.
  const output = anyOf(call, 'output', 'results', 'outputs');
  const error = at(call, 'error');
  if (output === undefined && error === undefined) return [part];
  return [part, { kind: 'result', id, name, output: textOf(error ?? output), isError: error !== undefined }];
}

function readResult(block: unknown, lost: Counts): Part {
  const found = anyOf(block, 'content', 'output', 'result', 'response');
  const type = stringOf(at(found, 'type'));
  const value = type !== undefined && at(found, 'value') !== undefined ? at(found, 'value') : found;
  const output = outputText(value, lost);
  const marked = anyOf(block, 'is_error', 'isError') === true || type?.startsWith('error') === true;
  return {
    kind: 'result',
    id: stringOf(anyOf(block, 'tool_use_id', 'call_id', 'toolCallId', 'id')),
    name: stringOf(anyOf(block, 'toolName', 'name')),
    output,
    isError:
      marked ||
      type?.endsWith('_error') === true ||
      (anyOf(block, 'is_error', 'isError') !== false && reportsError(output)),
  };
}

/** The output of a tool as text. Blocks of text are joined; an image becomes `[image]`. */
export function outputText(value: unknown, lost: Counts): string {
  if (!Array.isArray(value) || !value.some((item) => stringOf(at(item, 'type')) !== undefined)) return textOf(value);
  const texts = value.map((item) => {
    const type = textOf(at(item, 'type'));
    if (TEXTS.has(type)) return textOf(anyOf(item, 'text', 'content'));
    if (!MEDIA.test(type)) return textOf(item);
    lost.add(`content block ${type}`);
    return `[${type}]`;
  });
  return texts.join('\n');
}

const ERROR_START = /^\s*(?:<tool_use_error>|\w*(?:Error|Exception)\b|error\b|Traceback \(most recent call last\))/i;

/** Whether the output of a tool reports an error: by how it starts, or as JSON with `error` or `isError`. */
export function reportsError(output: string): boolean {
  if (ERROR_START.test(output.slice(0, 200))) return true;
  if (!/^\s*\{/.test(output) || !/"(?:error|isError)"/.test(output)) return false;
  const data = parseJson(output);
  const error = at(data, 'error');
  return at(data, 'isError') === true || (error !== undefined && error !== false && error !== '');
}

/** Reads the tools of a request, in the shape of any provider. */
export function readTools(value: unknown): OfferedTool[] {
  return listOf(unpacked(value)).flatMap((item) => {
    const packed = unpacked(at(item, 'tool', 'json_schema') ?? item);
    const tool = isMap(at(packed, 'function')) ? at(packed, 'function') : packed;
    const name = stringOf(anyOf(tool, 'name', 'type'));
    if (name === undefined) return [];
    const description = stringOf(at(tool, 'description'));
    const parameters = unpacked(anyOf(tool, 'parameters', 'input_schema', 'inputSchema'));
    return [{ name, ...(description !== undefined && { description }), ...(isMap(parameters) && { parameters }) }];
  });
}
