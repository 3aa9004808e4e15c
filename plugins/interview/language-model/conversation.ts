import { describeValue, estimateTokens, z } from '../../../src/sdk.js';

const TURN_SHAPE = '{ speaker: user or system, text: a string }';
const historySchema = z.array(z.object({ speaker: z.enum(['user', 'system']), text: z.string() }));

/** A turn of the conversation as a language model gets it. */
export interface ConversationTurn {
  readonly speaker: 'respondent' | 'interviewer';
  readonly text: string;
}

/**
 * Reads the conversation of a context: its `history`, oldest first, each turn `{ speaker: user | system, text }`.
 *
 * @throws Error where it has another shape
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

/** The tokens of a turn besides its text. */
const TURN_OVERHEAD = 12;
const turnTokens = (text: string): number => TURN_OVERHEAD + estimateTokens(JSON.stringify(text));

/** The latest turns that fit into a number of tokens; where the last alone is too long, its end. */
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

/** The end of a text that fits into a number of tokens. */
function truncateStart(text: string, tokens: number): string {
  if (turnTokens(text) <= tokens) return text;
  let end = text.slice(-3 * tokens);
  while (end !== '' && turnTokens(`…${end}`) > tokens) end = end.slice(Math.ceil(end.length / 16));
  return `…${end.replace(/^[\uDC00-\uDFFF]/, '')}`;
}
