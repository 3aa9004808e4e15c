import type { MessageFormat, MessageView } from './message.js';

/**
 * Finds the messages that only stay together: a message with tool calls and all of their results. In the Responses API,
 * also the reasoning before a call or an answer, and all calls of one response. A message of Anthropic that ends in thinking
 * stays with the next one of the assistant.
 *
 * @returns for each message the position of the first of its group; undefined if it stands alone
 */
export function groupsOf(
  views: readonly (MessageView | undefined)[],
  format: MessageFormat,
): readonly (number | undefined)[] {
  const first = views.map((_, at) => at);
  const find = (at: number): number => {
    let root = at;
    while (first[root] !== root) root = first[root]!;
    for (let next = at; next !== root; ) [next, first[next]] = [first[next]!, root];
    return root;
  };
  const join = (one: number, other: number): void => {
    const [a, b] = [find(one), find(other)];
    first[Math.max(a, b)] = Math.min(a, b);
  };
  if (format === 'openai-responses') joinResponses(views, join);
  for (const at of views.keys())
    if (views[at]?.thinkingLast !== undefined && views[at + 1]?.role === 'assistant') join(at, at + 1);
  const callers = new Map<string, number>();
  let opaque: number | undefined;
  for (const [at, view] of views.entries()) {
    if (view?.opaque) opaque = at;
    for (const { id } of view?.calls ?? []) callers.set(id, at);
    for (const id of view?.results ?? []) {
      const caller = callers.get(id) ?? opaque; // its call is probably the stored item
      if (caller !== undefined) join(caller, at);
    }
  }
  const sizes = new Map<number, number>();
  for (const at of views.keys()) sizes.set(find(at), (sizes.get(find(at)) ?? 0) + 1);
  return views.map((_, at) => (sizes.get(find(at)) === 1 ? undefined : find(at)));
}

/** Joins the items of each response: a run of items of the model that has reasoning or calls. */
function joinResponses(views: readonly (MessageView | undefined)[], join: (one: number, other: number) => void): void {
  let start = 0;
  let binds = false;
  let hasOutput = false;
  const close = (end: number): void => {
    if (binds) for (let at = start + 1; at < end; at++) join(start, at);
  };
  for (const [at, view] of views.entries()) {
    const kind = view?.kind ?? 'message';
    if (kind === 'message' || (kind === 'reasoning' && hasOutput)) {
      close(at);
      [start, binds, hasOutput] = [at, false, false];
      if (kind === 'message') {
        start = at + 1;
        continue;
      }
    }
    binds ||= kind === 'reasoning' || (view?.calls.length ?? 0) > 0;
    hasOutput ||= kind === 'output';
  }
  close(views.length);
}
