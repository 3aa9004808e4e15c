import { isMap, ownValue } from '../../../src/unit-sdk.js';
import { describe, jsonText, MessageView, textOf, typeName } from './message.js';

const KEYS = new Set(['role', 'content', 'providerOptions']);

/** Reads a `ModelMessage` of the AI SDK; undefined if the value is not one. */
export function viewOfModelMessage(message: unknown): MessageView | undefined {
  const role = ownValue(message, 'role');
  if (!isMap(message) || (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool'))
    return undefined;
  const view = new MessageView(role);
  const content = ownValue(message, 'content');
  if (typeof content === 'string') {
    view.speaks = true;
    view.texts.push(content);
    if (role === 'tool') view.fault('content', 'content', 'the content is a string; expected a list of tool results');
  } else if (Array.isArray(content)) {
    if (role === 'system') view.fault('content', 'content', 'the content is a list; expected text');
    if (content.length === 0) view.fault('content', 'content', 'the content is an empty list; expected parts');
    const approvals = approvalsIn(content);
    for (const [at, part] of content.entries()) readPart(part, `content[${at}]`, view, approvals);
  } else {
    if (content !== undefined) view.addUnknown('content', describe(content), content);
    view.fault('content', 'content', `the content is ${describe(content)}; expected text or a list of parts`);
  }
  view.addOtherKeys(message, KEYS);
  return view;
}

/** The ids of the questions whether a tool may run, by the id of its call. */
const approvalsIn = (content: readonly unknown[]): ReadonlyMap<unknown, unknown> =>
  new Map(
    content
      .filter((part) => ownValue(part, 'type') === 'tool-approval-request')
      .map((part) => [ownValue(part, 'toolCallId'), ownValue(part, 'approvalId')]),
  );

/** The parts that a message of a role may have. */
const ALLOWED: Readonly<Record<string, ReadonlySet<unknown>>> = {
  system: new Set(),
  user: new Set(['text', 'image', 'file']),
  assistant: new Set(
    'text file reasoning reasoning-file custom tool-call tool-result tool-approval-request'.split(' '),
  ),
  tool: new Set(['tool-result', 'tool-approval-response']),
};

const KNOWN = new Set(Object.values(ALLOWED).flatMap((types) => [...types]));

function readPart(part: unknown, path: string, view: MessageView, approvals: ReadonlyMap<unknown, unknown>): void {
  const type = ownValue(part, 'type');
  if (!isMap(part) || !KNOWN.has(type)) {
    view.speaks = true;
    view.addUnknown(path, typeName(type, part), part);
    view.fault(
      path,
      'content',
      `the part is ${typeof type === 'string' ? `of the unknown type ${typeName(type, part)}` : describe(part)}`,
    );
    return;
  }
  if (!ALLOWED[view.role]?.has(type))
    view.fault(path, 'content', `a ${view.role} message cannot have a part ${typeName(type, part)}`);
  if (type === 'tool-result') readResult(part, path, view);
  else if (type === 'tool-approval-response') view.addResult(path, approvalId(ownValue(part, 'approvalId')));
  else if (type === 'tool-approval-request') {
    const id = approvalId(ownValue(part, 'approvalId'));
    if (id === undefined) view.fault(path, 'tool-call', 'the approval has no id');
    else view.calls.push({ id, required: false });
  } else if (type === 'tool-call') {
    const id = ownValue(part, 'toolCallId');
    const call = { id, name: ownValue(part, 'toolName'), input: ownValue(part, 'input') };
    view.addCall(path, call, ownValue(part, 'providerExecuted') !== true, approvalId(approvals.get(id)));
  } else readContent(part, type, path, view);
}

/** Approvals have ids of their own. */
const approvalId = (id: unknown): string | undefined => (typeof id === 'string' ? `approval ${id}` : undefined);

function readContent(part: object, type: unknown, path: string, view: MessageView): void {
  view.speaks = true;
  const text = ownValue(part, 'text');
  const mediaType = textOf(ownValue(part, 'mediaType'));
  if (type === 'image' || (type === 'file' && mediaType.startsWith('image/'))) {
    const data = ownValue(part, type === 'image' ? 'image' : 'data');
    view.images.push({ data: isMap(data) ? (ownValue(data, 'data') ?? data) : data });
    if (data === undefined) view.fault(path, 'content', 'the image has no data');
  } else if (type === 'file' || type === 'reasoning-file') view.files += 1;
  else if (type === 'custom') view.counted.push(jsonText(part));
  else if (typeof text === 'string') {
    if (type === 'text') view.texts.push(text);
    else view.counted.push(text);
  } else {
    view.addUnknown(path, typeName(type, part), part);
    view.fault(path, 'content', `the text is ${describe(text)}; expected text`);
  }
}

/** Reads a result. In an assistant message it is that of a tool which the provider ran. */
function readResult(part: object, path: string, view: MessageView): void {
  view.addResult(path, ownValue(part, 'toolCallId'));
  const output = ownValue(part, 'output');
  const [type, value] = [ownValue(output, 'type'), ownValue(output, 'value')];
  if ((type === 'text' || type === 'error-text') && typeof value === 'string') view.texts.push(value);
  else if (type === 'json' || type === 'error-json') view.texts.push(jsonText(value));
  else if (type === 'execution-denied') view.texts.push(textOf(ownValue(output, 'reason')));
  else if (type === 'content' && Array.isArray(value)) {
    for (const [at, item] of value.entries()) readResultPart(item, `${path}.output.value[${at}]`, view);
  } else {
    view.addUnknown(`${path}.output`, typeName(type, output), output);
    view.fault(`${path}.output`, 'content', `the output is ${isMap(output) ? 'of an unknown type' : describe(output)}`);
  }
}

function readResultPart(item: unknown, path: string, view: MessageView): void {
  const type = ownValue(item, 'type');
  const text = ownValue(item, 'text');
  if (type === 'text' && typeof text === 'string') view.texts.push(text);
  else if (type === 'image-data' || (type === 'media' && textOf(ownValue(item, 'mediaType')).startsWith('image/')))
    view.images.push({ data: ownValue(item, 'data') });
  else if (type === 'image-url' || type === 'image-file-id') view.images.push({});
  else if (typeof type === 'string' && /^(?:file|media)/.test(type)) view.files += 1;
  else view.addUnknown(path, typeName(type, item), item);
}
