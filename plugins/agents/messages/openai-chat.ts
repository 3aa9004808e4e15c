import { isMap, ownValue } from '../../../src/unit-sdk.js';
import { describe, jsonText, type MessageRole, MessageView, typeName } from './message.js';

const ROLES: ReadonlyMap<unknown, MessageRole> = new Map([
  ['system', 'system'],
  ['developer', 'developer'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

const KEYS = new Set('role content name refusal audio annotations tool_calls function_call tool_call_id'.split(' '));

/** Reads a message of OpenAI's chat completions; undefined if the value is not one. */
export function viewOfChatMessage(message: unknown): MessageView | undefined {
  const role = ROLES.get(ownValue(message, 'role'));
  if (role === undefined || !isMap(message)) return undefined;
  const view = new MessageView(role);
  const name = ownValue(message, 'name');
  if (name !== undefined) view.counted.push(typeof name === 'string' ? name : jsonText(name));
  const refusal = ownValue(message, 'refusal');
  if (typeof refusal === 'string') view.texts.push(refusal);
  else if (refusal !== undefined) view.addUnknown('refusal', 'field refusal', refusal);
  readContent(message, view);
  readCalls(message, view);
  if (role === 'tool') {
    const isOld = ownValue(message, 'role') === 'function';
    // The deprecated function call has no id: its function answers it.
    if (isOld) view.addResult('name', typeof name === 'string' ? `function ${name}` : name);
    else view.addResult('tool_call_id', ownValue(message, 'tool_call_id'));
  }
  view.addOtherKeys(message, KEYS);
  return view;
}

function readContent(message: object, view: MessageView): void {
  const content = ownValue(message, 'content');
  const hasOther = ['tool_calls', 'function_call', 'refusal', 'audio'].some(
    (key) => ownValue(message, key) !== undefined,
  );
  view.speaks ||= view.role !== 'tool';
  if (ownValue(message, 'audio') !== undefined) view.files += 1;
  if (typeof content === 'string') view.texts.push(content);
  else if (Array.isArray(content) && content.length > 0) {
    for (const [at, part] of content.entries()) readPart(part, `content[${at}]`, view);
  } else if (content !== undefined && !Array.isArray(content)) {
    view.addUnknown('content', describe(content), content);
    view.fault('content', 'content', `the content is ${describe(content)}; expected text or a list of parts`);
  } else if (Array.isArray(content) || view.role !== 'assistant' || !hasOther) {
    const found = Array.isArray(content) ? content : (message as { readonly content?: unknown }).content;
    view.fault('content', 'content', `the content is ${describe(found)}; expected text or a list of parts`);
  }
}

/** The parts that only some roles may have. */
const PART_ROLES: ReadonlyMap<unknown, MessageRole> = new Map([
  ['refusal', 'assistant'],
  ['image_url', 'user'],
  ['input_audio', 'user'],
  ['file', 'user'],
]);

function readPart(part: unknown, path: string, view: MessageView): void {
  const type = ownValue(part, 'type');
  view.checkPartRole(path, type, PART_ROLES);
  const text = type === 'refusal' ? ownValue(part, 'refusal') : ownValue(part, 'text');
  if ((type === 'text' || type === 'refusal') && typeof text === 'string') view.texts.push(text);
  else if (type === 'image_url' && isMap(ownValue(part, 'image_url'))) {
    const image = ownValue(part, 'image_url');
    view.images.push({ data: ownValue(image, 'url'), detail: ownValue(image, 'detail') });
  } else if (type === 'input_audio' || type === 'file') view.files += 1;
  else {
    view.addUnknown(path, typeName(type, part), part);
    if (!isMap(part) || typeof type !== 'string' || type === 'text' || type === 'refusal')
      view.fault(
        path,
        'content',
        `the part is ${type === undefined ? describe(part) : 'without its value'}; expected an object with a type`,
      );
  }
}

function readCalls(message: object, view: MessageView): void {
  const calls = ownValue(message, 'tool_calls');
  const old = ownValue(message, 'function_call');
  if ((calls !== undefined || old !== undefined) && view.role !== 'assistant')
    view.fault('tool_calls', 'tool-call', 'only an assistant message can call tools');
  if (Array.isArray(calls)) {
    if (calls.length === 0) view.fault('tool_calls', 'tool-call', 'tool_calls is an empty list; remove the field');
    for (const [at, call] of calls.entries()) {
      const inner = ownValue(call, ownValue(call, 'type') === 'custom' ? 'custom' : 'function');
      const input = ownValue(inner, 'arguments') ?? ownValue(inner, 'input');
      view.addCall(`tool_calls[${at}]`, { id: ownValue(call, 'id'), name: ownValue(inner, 'name'), input });
      if (typeof input !== 'string')
        view.fault(`tool_calls[${at}]`, 'tool-call', `the arguments are ${describe(input)}; expected JSON as text`);
    }
  } else if (calls !== undefined) {
    view.addUnknown('tool_calls', describe(calls), calls);
    view.fault('tool_calls', 'tool-call', `tool_calls is ${describe(calls)}; expected a list`);
  }
  if (old === undefined) return;
  const name = ownValue(old, 'name');
  const id = typeof name === 'string' ? `function ${name}` : name;
  view.addCall('function_call', { id, name, input: ownValue(old, 'arguments') });
}
