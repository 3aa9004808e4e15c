import { readFileSync } from 'node:fs';
import { packageRoot } from '../../../../src/base/package-root.js';

/** A conversation as a list, or as a request. */
export interface Request {
  readonly system?: unknown;
  readonly instructions?: unknown;
  readonly messages?: readonly object[];
  readonly input?: readonly object[];
}

/** What the clients of the providers sent: see `SOURCE.md` in the folder. */
export const RECORDED = [
  ['openai-chat', 'openai-chat'],
  ['ai-sdk-to-chat', 'openai-chat'],
  ['openai-responses', 'openai-responses'],
  ['ai-sdk-to-responses', 'openai-responses'],
  ['anthropic', 'anthropic'],
  ['ai-sdk-to-anthropic', 'anthropic'],
  ['ai-sdk', 'ai-sdk'],
] as const;

/** The conversations of a file, by id. */
export function recorded(file: string): ReadonlyMap<string, Request> {
  const text = readFileSync(`${packageRoot()}/test/fixtures/messages/${file}.json`, 'utf8');
  const conversations: Readonly<Record<string, Request | readonly object[]>> = JSON.parse(text);
  return new Map(
    Object.entries(conversations).map(([id, one]) => [id, 'map' in one ? { messages: [...one] } : one] as const),
  );
}

export const listOf = ({ messages, input }: Request): readonly object[] => messages ?? input ?? [];
