import {
  AssizeError,
  defineSignal,
  describeValue,
  inject,
  injectable,
  isMap,
  LANGUAGE_MODELS,
  type LanguageModelQuestion,
  type LanguageModels,
  languageModelParam,
  type ParamsOf,
  type RunFacts,
  type Signal,
  z,
} from '../../../src/sdk.js';
import { conversationOf, latestTurnsWithin } from './conversation.js';
import { conversationQuestion } from './conversation-question.js';
import { parseAnswer } from './parse-answer.js';
import { QUALITATIVE_SIGNAL_NAMES, type Reading } from './qualitative-signals.js';

type Params = ParamsOf<typeof ConversationReading>;

/**
 * Asks a language model about the conversation: one question a run for all qualitative signals. Each of these
 * (`UncertaintySignal` and the others) reads its part of the answer, so that a malformed part is missing alone.
 *
 * The signal is missing, and no model is asked, where the history has fewer than two turns or no answer.
 */
@injectable()
export class ConversationReading implements Signal<Params, Reading | undefined> {
  static readonly meta = defineSignal({
    summary: 'What a language model reads in the conversation: one question, for all signals.',
    params: z.strictObject({
      model: languageModelParam(),
      ask: z
        .array(z.enum(QUALITATIVE_SIGNAL_NAMES))
        .min(1)
        .default(QUALITATIVE_SIGNAL_NAMES)
        .describe('The signals that are asked for.'),
      turns: z.int().min(2).default(10).describe('How many turns are shown, the latest ones.'),
      transcript_tokens: z
        .int()
        .min(100)
        .default(2000)
        .describe('How many tokens of these turns are shown: the oldest are left out first.'),
      answer_tokens: z.int().min(100).default(1500).describe('How many tokens the answer may have.'),
    }),
  });

  constructor(@inject(LANGUAGE_MODELS) private readonly models: LanguageModels) {}

  async prepare(params: Params, { context, abort }: RunFacts): Promise<Reading | undefined> {
    const turns = conversationOf(context).slice(-params.turns);
    if (turns.length < 2 || turns.every(({ speaker }) => speaker !== 'respondent')) return undefined;
    const { ask, model, transcript_tokens: room, answer_tokens: maxTokens } = params;
    const question: LanguageModelQuestion = {
      ...conversationQuestion(ask, maxTokens),
      material: { turns: latestTurnsWithin(turns, room) },
    };
    const answer = await this.models.open(model).ask(question, abort);
    const requested = pickRequested(answer.value, ask, answer.model);
    return { ...parseAnswer(requested), model: answer.model, tokens: answer.tokens };
  }
}

/** Picks the requested keys of an answer, to which a model could add any other. */
function pickRequested(answer: unknown, ask: Params['ask'], model: string): Readonly<Record<string, unknown>> {
  const keys = ask.map((name) => `${name}_signal`);
  const requested = isMap(answer) ? Object.entries(answer).filter(([key]) => keys.includes(key)) : [];
  if (requested.length > 0) return Object.fromEntries(requested);
  const found = isMap(answer) ? `has none of ${keys.join(', ')}` : `is ${describeValue(answer)}; expected a map`;
  throw new AssizeError([{ code: 'ASZ527', message: `the answer of ${model} ${found}` }]);
}
