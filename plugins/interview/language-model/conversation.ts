import { describeValue, estimateTokens, z } from '../../../src/sdk.js';

const TURN = '{ speaker: user or system, text: a string }';
const history = z.array(z.object({ speaker: z.enum(['user', 'system']), text: z.string() }));

/** One turn, as a language model is shown it. */
export interface Turn {
  readonly speaker: 'respondent' | 'interviewer';
  readonly text: string;
}

/**
 * The conversation of a context: its `history`, oldest first, each `{ speaker: user | system, text }`.
 *
 * @throws Error where it is of another shape
 */
export function conversationOf({ history: given }: Readonly<Record<string, unknown>>): readonly Turn[] {
  if (given === undefined || given === null) return [];
  const { success, data, error } = history.safeParse(given);
  if (!success) {
    const [index] = error.issues[0]?.path ?? [];
    const where = index === undefined ? 'history is' : `history[${String(index)}] is`;
    const found = describeValue(index === undefined ? given : Reflect.get(Object(given) as object, index));
    throw new Error(`the context's ${where} ${found}; expected ${index === undefined ? 'a list of ' : ''}${TURN}`);
  }
  return data.map(({ speaker, text }) => ({ speaker: speaker === 'user' ? 'respondent' : 'interviewer', text }));
}

/** What a turn costs besides its text. */
const FRAME = 12;
const costOf = (text: string): number => FRAME + estimateTokens(JSON.stringify(text));

/** The last turns that fit into so many tokens: older ones go first, and of one that is too long itself the beginning. */
export function fitting(turns: readonly Turn[], tokens: number): readonly Turn[] {
  const kept: Turn[] = [];
  let left = tokens;
  for (const turn of turns.toReversed()) {
    const text = kept.length === 0 ? endOf(turn.text, left) : turn.text;
    left -= costOf(text);
    if (left < 0) break;
    kept.push({ speaker: turn.speaker, text });
  }
  return kept.toReversed();
}

/** As much of the end of a text as may be shown. */
function endOf(text: string, tokens: number): string {
  if (costOf(text) <= tokens) return text;
  let end = text.slice(-3 * tokens);
  while (end !== '' && costOf(`…${end}`) > tokens) end = end.slice(Math.ceil(end.length / 16));
  return `…${end.replace(/^[\uDC00-\uDFFF]/, '')}`;
}
