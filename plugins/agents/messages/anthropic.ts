import { isMap, ownValue } from '../../../src/unit-sdk.js';
import { describe, jsonText, type MessageRole, MessageView, typeName } from './message.js';

const KEYS = new Set(['role', 'content']);

/** Reads a message of Anthropic's Messages API; undefined if the value is not one. */
export function viewOfAnthropicMessage(message: unknown): MessageView | undefined {
  const role = ownValue(message, 'role');
  if (!isMap(message) || (role !== 'user' && role !== 'assistant')) return undefined;
  const view = new MessageView(role);
  const content = ownValue(message, 'content');
  if (typeof content === 'string') {
    view.speaks = true;
    view.texts.push(content);
    // An empty last message of the assistant is accepted, and no other.
    view.blank = content.trim() === '';
  } else if (Array.isArray(content)) {
    view.blank = content.length === 0;
    for (const [at, block] of content.entries()) readBlock(block, `content[${at}]`, view);
    const last = typeOf(content.at(-1));
    if (last === 'thinking' || last === 'redacted_thinking') view.thinkingLast = `content[${content.length - 1}]`;
  } else {
    if (content !== undefined) view.addUnknown('content', describe(content), content);
    view.fault('content', 'content', `the content is ${describe(content)}; expected text or a list of blocks`);
  }
  if (role === 'user' && view.results.length > 0 && !view.speaks) view.role = 'tool';
  view.addOtherKeys(message, KEYS);
  return view;
}

/** Reads the system prompt: a text, or a list of text blocks. */
export function viewOfAnthropicSystem(system: unknown): MessageView {
  const view = new MessageView('system');
  view.speaks = true;
  if (typeof system === 'string') view.texts.push(system);
  else if (Array.isArray(system)) for (const [at, block] of system.entries()) readBlock(block, `[${at}]`, view);
  else view.addUnknown('', describe(system), system);
  return view;
}

const typeOf = (block: unknown): unknown => ownValue(block, 'type');

/** The readers of blocks by type. Each returns whether the block has its value. */
const BLOCKS: Readonly<Record<string, (block: object, path: string, view: MessageView) => boolean>> = {
  text(block, path, view) {
    const text = ownValue(block, 'text');
    if (typeof text !== 'string') return false;
    view.speaks = true;
    view.texts.push(text);
    if (text.trim() === '')
      view.fault(path, 'content', 'the text is empty; expected a text that is not white space alone');
    return true;
  },
  image(block, _path, view) {
    const source = ownValue(block, 'source');
    view.speaks = true;
    view.images.push({ data: ownValue(source, 'data') });
    return isMap(source);
  },
  document(block, path, view) {
    const source = ownValue(block, 'source');
    view.speaks = true;
    const data = ownValue(source, 'data');
    if (typeOf(source) === 'text' && typeof data === 'string') view.texts.push(data);
    else if (typeOf(source) === 'content') readNested(ownValue(source, 'content'), `${path}.source.content`, view);
    else view.files += 1;
    for (const key of ['title', 'context']) {
      const text = ownValue(block, key);
      if (typeof text === 'string') view.counted.push(text);
    }
    return isMap(source);
  },
  search_result(block, path, view) {
    view.speaks = true;
    for (const key of ['title', 'source']) {
      const text = ownValue(block, key);
      if (typeof text === 'string') view.texts.push(text);
    }
    readNested(ownValue(block, 'content'), `${path}.content`, view);
    return true;
  },
  thinking(block, _path, view) {
    const thinking = ownValue(block, 'thinking');
    if (typeof thinking === 'string') view.counted.push(thinking);
    view.speaks = true;
    return typeof thinking === 'string';
  },
  redacted_thinking(block, _path, view) {
    const data = ownValue(block, 'data');
    if (typeof data === 'string') view.counted.push(data);
    view.speaks = true;
    return typeof data === 'string';
  },
  tool_use(block, path, view) {
    if (view.role !== 'assistant') view.fault(path, 'tool-call', 'only an assistant message can call tools');
    const input = ownValue(block, 'input');
    view.addCall(path, { id: ownValue(block, 'id'), name: ownValue(block, 'name'), input });
    if (!isMap(input)) view.fault(path, 'tool-call', `the input is ${describe(input)}; expected an object`);
    return true;
  },
  tool_result(block, path, view) {
    if (view.role !== 'user') view.fault(path, 'orphan-result', 'only a user message can have tool results');
    if (view.speaks)
      view.fault(path, 'result-first', 'the tool result is after other content; expected tool results first');
    view.addResult(path, ownValue(block, 'tool_use_id'));
    const content = ownValue(block, 'content');
    if (typeof content === 'string') view.texts.push(content);
    else if (content !== undefined) readNested(content, `${path}.content`, view);
    return true;
  },
};

/** The blocks that only one side may send. */
const BLOCK_ROLES: ReadonlyMap<unknown, MessageRole> = new Map([
  ['image', 'user'],
  ['document', 'user'],
  ['search_result', 'user'],
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
]);

function readBlock(block: unknown, path: string, view: MessageView): void {
  const type = typeOf(block);
  view.checkPartRole(path, type, BLOCK_ROLES);
  const read = typeof type === 'string' && Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
  if (read !== undefined && isMap(block)) {
    if (read(block, path, view)) return;
    view.addUnknown(path, typeName(type, block), block);
    view.fault(path, 'content', `the block ${typeName(type, block)} has no value`);
    return;
  }
  view.speaks = true;
  // Tools that Anthropic runs: their calls and results are in the same message.
  if (isMap(block) && typeof type === 'string' && /^(?:server|mcp)_tool_use$|._tool_result$/.test(type)) {
    view.counted.push(jsonText(block));
    return;
  }
  view.addUnknown(path, typeName(type, block), block);
  if (typeof type !== 'string' || !isMap(block))
    view.fault(
      path,
      'content',
      `the block is ${isMap(block) ? 'without a type' : describe(block)}; expected an object with a type`,
    );
}

/** Reads blocks inside a block: texts, images, documents and search results. They are not content of the message. */
function readNested(content: unknown, path: string, view: MessageView): void {
  if (!Array.isArray(content)) {
    if (typeof content === 'string') view.texts.push(content);
    else view.addUnknown(path, describe(content), content);
    return;
  }
  for (const [at, block] of content.entries()) {
    const source = ownValue(block, 'source');
    const text = ownValue(block, 'text');
    if (typeOf(block) === 'text' && typeof text === 'string') view.texts.push(text);
    else if (typeOf(block) === 'image') view.images.push({ data: ownValue(source, 'data') });
    else if (typeOf(block) === 'document') view.files += 1;
    else view.addUnknown(`${path}[${at}]`, typeName(typeOf(block), block), block);
  }
}
