import { describeValue, estimateTokens, z } from '../../../src/sdk.js';

const TURN_SHAPE = '{ speaker: user or system, text: a string }';
const historySchema = z.array(z.object({ speaker: z.enum(['user', 'system']), text: z.string() }));

/** One turn, as a language model is shown it. */
export interface ConversationTurn {
  readonly speaker: 'respondent' | 'interviewer';
  readonly text: string;
}

/**
 * The conversation of a context: its `history`, oldest first, each `{ speaker: user | system, text }`.
 *
 * @throws Error where it is of another shape
 */
export function conversationOf({ history: given }: Readonly<Record<string, unknown>>): readonly ConversationTurn[] {
  if (given === undefined || given === null) return [];
  const { success, data, error } = historySchema.safeParse(given);
  if (!success) {
    const [index] = error.issues[0]?.path ?? [];
    const where = index === undefined ? 'history is' : `history[${String(index)}] is`;
    const found = describeValue(index === undefined ? given : Reflect.get(Object(given) as object, index));
    throw new Error(
      `the context's ${where} ${found}; expected ${index === undefined ? 'a list of ' : ''}${TURN_SHAPE}`,
    );
  }
  return data.map(({ speaker, text }) => ({ speaker: speaker === 'user' ? 'respondent' : 'interviewer', text }));
}

/** What a turn costs besides its text. */
const TURN_OVERHEAD = 12;
const turnTokens = (text: string): number => TURN_OVERHEAD + estimateTokens(JSON.stringify(text));

/** The last turns that fit into so many tokens: older ones go first, and of one that is too long itself the beginning. */
export function latestTurnsWithin(turns: readonly ConversationTurn[], tokens: number): readonly ConversationTurn[] {
  const kept: ConversationTurn[] = [];
  let left = tokens;
  for (const turn of turns.toReversed()) {
    const text = kept.length === 0 ? truncateStart(turn.text, left) : turn.text;
    left -= turnTokens(text);
    if (left < 0) break;
    kept.push({ speaker: turn.speaker, text });
  }
  return kept.toReversed();
}

/** As much of the end of a text as may be shown. */
function truncateStart(text: string, tokens: number): string {
  if (turnTokens(text) <= tokens) return text;
  let end = text.slice(-3 * tokens);
  while (end !== '' && turnTokens(`…${end}`) > tokens) end = end.slice(Math.ceil(end.length / 16));
  return `…${end.replace(/^[\uDC00-\uDFFF]/, '')}`;
}
