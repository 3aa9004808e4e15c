import { copyPlaces } from '../../base/index.js';
import { detectFileFormat } from '../../data/node.js';
import { isMap, ownValue } from '../../expression/index.js';
import { contextReads, type Profile } from '../../profile/index.js';
import type { Context } from '../../sdk/index.js';
import type { InputOptions } from '../options.js';
import { usageError } from '../terminal/problems.js';

/** The context with the last message of the user as `query`, if the candidates are messages and it has no query. */
export function withQuery(context: Context, candidates: readonly object[] = []): Context {
  if (ownValue(context, 'query') !== undefined || !isMessage(candidates[0])) return context;
  const query = ownValue(
    candidates.findLast((one) => isMessage(one) && ownValue(one, 'role') === 'user' && ownValue(one, 'pinned')),
    'content',
  );
  if (typeof query !== 'string' || query === '') return context;
  const extended = { ...context, query };
  copyPlaces(context, extended);
  return extended;
}

/**
 * Checks that candidates can be printed as messages. It does so for all of them: if they are not messages, none may be
 * selected, and an empty list would say that the conversation is empty.
 *
 * @throws AssizeError (ASZ601)
 */
export function checkMessages(candidates: readonly object[]): void {
  const index = candidates.findIndex((candidate) => !isMessage(candidate));
  if (index < 0) return;
  throw usageError(
    `--format messages needs candidates that are messages, and candidate @${index} is not read as one`,
    'each entry of the file needs a role and content; if it has them, name their format: --input openai-chat',
  );
}

/** Whether a candidate is one that a codec of messages made. */
const isMessage = (candidate: unknown): boolean =>
  isMap(ownValue(candidate, 'message')) &&
  typeof ownValue(candidate, 'format') === 'string' &&
  typeof ownValue(candidate, 'content') === 'string';

/** Whether a file may have messages whose last one is the query, so that it must be read before the run starts. */
export async function needsQuery(
  profile: Profile,
  context: Context,
  file: string,
  { input }: InputOptions,
): Promise<boolean> {
  if (ownValue(context, 'query') !== undefined) return false;
  const reads = contextReads(profile).some(({ variable: { steps } }) => {
    const [first] = steps;
    return first?.kind === 'key' && first.key === 'query';
  });
  if (!reads) return false;
  const format = input ?? (await detectFileFormat(file));
  return format === 'json' || (format !== undefined && MESSAGES.has(format));
}

const MESSAGES: ReadonlySet<string> = new Set(['openai-chat', 'openai-responses', 'anthropic', 'ai-sdk']);
