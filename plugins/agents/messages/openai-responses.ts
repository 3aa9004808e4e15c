import { isMap, ownValue } from '../../../src/unit-sdk.js';
import { describe, jsonText, type MessageRole, MessageView, textOf, typeName } from './message.js';

const ROLES: ReadonlyMap<unknown, MessageRole> = new Map([
  ['system', 'system'],
  ['developer', 'developer'],
  ['user', 'user'],
  ['assistant', 'assistant'],
]);

const MESSAGE_KEYS = new Set('role content type id status phase'.split(' '));
const TEXT_PARTS = new Set<unknown>(['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text']);

/** The parts of messages to the model, and of messages that it wrote. */
const INPUT_PARTS = new Set<unknown>(['input_text', 'input_image', 'input_file', 'input_audio']);
const OUTPUT_PARTS = new Set<unknown>(['output_text', 'refusal']);

/** Items that the model or a tool of OpenAI wrote, and that the caller does not answer. */
const HOSTED = new Set<unknown>([
  'file_search_call',
  'web_search_call',
  'image_generation_call',
  'code_interpreter_call',
  'tool_search_call',
  'tool_search_output',
  'mcp_list_tools',
  'mcp_call',
  'compaction',
]);

/** Reads an item of the Responses API; undefined if the value is not one. */
export function viewOfResponseItem(item: unknown): MessageView | undefined {
  if (!isMap(item)) return undefined;
  const type = ownValue(item, 'type');
  const role = ROLES.get(ownValue(item, 'role'));
  if (role !== undefined && (type === undefined || type === 'message')) return viewOfMessage(item, role);
  if (typeof type !== 'string' || type === 'message') return undefined;
  const view = viewOfItem(item, type);
  const id = ownValue(item, 'id');
  if (typeof id === 'string' && type !== 'item_reference') view.itemId = id;
  return view;
}

function viewOfMessage(item: Readonly<Record<string, unknown>>, role: MessageRole): MessageView {
  const view = new MessageView(role);
  view.speaks = true;
  if (role === 'assistant') view.kind = 'output';
  const id = ownValue(item, 'id');
  if (typeof id === 'string') view.itemId = id;
  readContent(ownValue(item, 'content'), 'content', view);
  view.addOtherKeys(item, MESSAGE_KEYS);
  return view;
}

function readContent(content: unknown, path: string, view: MessageView): void {
  if (typeof content === 'string') view.texts.push(content);
  else if (Array.isArray(content)) {
    if (content.length === 0) view.fault(path, 'content', 'the content is an empty list; expected text or parts');
    for (const [at, part] of content.entries()) {
      const type = ownValue(part, 'type');
      const isOther = (view.role === 'assistant' ? INPUT_PARTS : OUTPUT_PARTS).has(type);
      if (isOther)
        view.fault(`${path}[${at}]`, 'content', `${view.role} messages cannot have a part ${typeName(type, part)}`);
      readPart(part, `${path}[${at}]`, view);
    }
  } else {
    if (content !== undefined) view.addUnknown(path, describe(content), content);
    view.fault(path, 'content', `the content is ${describe(content)}; expected text or a list of parts`);
  }
}

function readPart(part: unknown, path: string, view: MessageView): void {
  const type = ownValue(part, 'type');
  const text = type === 'refusal' ? ownValue(part, 'refusal') : ownValue(part, 'text');
  if ((TEXT_PARTS.has(type) || type === 'refusal') && typeof text === 'string') view.texts.push(text);
  else if (type === 'input_image' || type === 'computer_screenshot') {
    view.images.push({ data: ownValue(part, 'image_url'), detail: ownValue(part, 'detail') });
  } else if (type === 'input_file' || type === 'input_audio') view.files += 1;
  else {
    view.addUnknown(path, typeName(type, part), part);
    if (typeof type !== 'string' || TEXT_PARTS.has(type) || type === 'refusal')
      view.fault(path, 'content', 'the part has no type or no value; expected an object with both');
  }
}

/** Reads an item that is not a message. Calls and outputs of every tool have the same fields. */
function viewOfItem(item: Readonly<Record<string, unknown>>, type: string): MessageView {
  if (type === 'reasoning') return viewOfReasoning(item);
  if (HOSTED.has(type)) return counted(new MessageView('assistant'), item, 'output');
  if (type === 'mcp_approval_response') {
    const view = counted(new MessageView('tool'), item, 'message');
    view.addResult('approval_request_id', ownValue(item, 'approval_request_id'));
    return view;
  }
  if (type === 'mcp_approval_request') {
    const view = new MessageView('assistant');
    view.kind = 'output';
    view.addCall(
      '',
      { id: ownValue(item, 'id'), name: ownValue(item, 'name'), input: ownValue(item, 'arguments') },
      false,
    );
    return view;
  }
  if (type.endsWith('_call_output')) return viewOfOutput(item);
  if (type.endsWith('_call')) return viewOfCall(item, type);
  if (type === 'item_reference') return viewOfReference(item);
  const view = new MessageView('assistant');
  view.speaks = true;
  view.addUnknown('', typeName(type, item), item);
  return view;
}

/** An item that OpenAI has stored. Its id tells whether it is reasoning; what a call or another item has is unknown. */
function viewOfReference(item: object): MessageView {
  const view = new MessageView('assistant');
  const id = textOf(ownValue(item, 'id'));
  view.kind = id.startsWith('rs_') ? 'reasoning' : 'output';
  view.opaque = !/^(?:rs|msg)_/.test(id);
  view.speaks = true;
  view.addUnknown('', 'item_reference', item);
  return view;
}

/** An item whose fields are not text for a reader: it is counted as JSON. */
function counted(view: MessageView, item: object, kind: 'message' | 'output'): MessageView {
  view.kind = kind;
  view.speaks = true;
  view.counted.push(jsonText(item));
  return view;
}

function viewOfReasoning(item: object): MessageView {
  const view = new MessageView('assistant');
  view.kind = 'reasoning';
  view.speaks = true;
  for (const key of ['summary', 'content']) {
    const parts = ownValue(item, key);
    if (Array.isArray(parts)) for (const [at, part] of parts.entries()) readPart(part, `${key}[${at}]`, view);
    else if (parts !== undefined) view.addUnknown(key, describe(parts), parts);
  }
  const encrypted = ownValue(item, 'encrypted_content');
  if (typeof encrypted === 'string') view.counted.push(encrypted);
  return view;
}

function viewOfCall(item: Readonly<Record<string, unknown>>, type: string): MessageView {
  const view = new MessageView('assistant');
  view.kind = 'output';
  const id = ownValue(item, 'call_id');
  // A function and a custom tool have a name; other tools are named by their type.
  const isNamed = type === 'function_call' || type === 'custom_tool_call';
  const name = isNamed ? ownValue(item, 'name') : type.slice(0, -'_call'.length);
  const input = ['arguments', 'input', 'action', 'actions', 'operation']
    .map((key) => ownValue(item, key))
    .find(Boolean);
  view.addCall('', { id, name, input: input ?? '' });
  if (type === 'function_call' && typeof ownValue(item, 'arguments') !== 'string')
    view.fault(
      'arguments',
      'tool-call',
      `the arguments are ${describe(ownValue(item, 'arguments'))}; expected JSON as text`,
    );
  return view;
}

function viewOfOutput(item: Readonly<Record<string, unknown>>): MessageView {
  const view = new MessageView('tool');
  // The output of a local shell names its call in `id`.
  view.addResult('call_id', ownValue(item, 'call_id') ?? ownValue(item, 'id'));
  const output = ownValue(item, 'output');
  if (typeof output === 'string') view.texts.push(output);
  else if (Array.isArray(output))
    for (const [at, part] of output.entries()) readOutputPart(part, `output[${at}]`, view);
  else if (isMap(output)) readOutputPart(output, 'output', view);
  else view.fault('output', 'content', `the output is ${describe(output)}; expected text or a list of parts`);
  return view;
}

/** A part of an output: that of a shell has no type. */
function readOutputPart(part: unknown, path: string, view: MessageView): void {
  if (isMap(part) && ownValue(part, 'type') === undefined) view.counted.push(jsonText(part));
  else readPart(part, path, view);
}
