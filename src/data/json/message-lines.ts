import { isMap, ownValue } from '../../expression/index.js';
import { tryParseJson } from '../parsed-document.js';

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant']);

/** The beginning of a first line that is longer than the part that is read. */
const LONG_START = /^\{\s*"role"\s*:\s*"(?:system|developer|user|assistant)"\s*,\s*"content"\s*:/;

/**
 * Whether the first line of a text is a message with a role and content. In JSON Lines, the whole text is then read before
 * the first candidate, because calls and their results are in several lines.
 */
export function startsWithMessage(text: string): boolean {
  const start = text.trimStart(); // a byte order mark is white space
  if (!start.startsWith('{')) return false;
  const end = start.indexOf('\n');
  if (end < 0) return LONG_START.test(start);
  const message = tryParseJson(start.slice(0, end))?.data;
  return isMap(message) && ROLES.has(ownValue(message, 'role')) && 'content' in message;
}
