import {
  answerSchema,
  AssizeError,
  contextPath,
  EndpointError,
  type LanguageModel,
  languageModelParam,
  type LanguageModels,
  type Note,
  readText,
  type Run,
  type Score,
  z,
} from '../../src/unit-sdk.js';
import {
  askAll,
  type Asking,
  askingParams,
  type AskingState,
  type FailureOutlook,
  outlookOfEndpoint,
  unanswered,
} from './asking.js';
import { documentParam, Documents } from './documents.js';

/** The params of a unit in which a language model judges texts by a rubric. */
export const rubricParams = {
  model: languageModelParam(),
  rubric: z.string().regex(/\S/, 'expected a rubric, which is not blank'),
  text: documentParam(),
  query: contextPath().optional().describe('The path to the query in the context. Default: no query is sent.'),
  answer_tokens: z.int().min(20).default(200).describe('The maximum number of tokens of an answer.'),
  ...askingParams,
};

type RubricParams = z.output<z.ZodObject<typeof rubricParams>>;

/** What a unit asks about each candidate, and how it uses an answer. */
interface Judgement<T extends z.ZodObject, V> extends Omit<RubricQuestion<T>, 'maxTokens'> {
  readonly verdictOf: (answer: Judged<z.output<T>> & { readonly rubric: string }, note: Note | undefined) => V;
}

/**
 * Asks a language model about each candidate in a separate question. A candidate without an answer fails individually;
 * if a run got no answer at all, the entry fails.
 */
export async function judgeEach<T extends z.ZodObject, V>(
  given: RubricParams,
  run: Run,
  models: LanguageModels,
  state: AskingState,
  { verdictOf, ...judgement }: Judgement<T, V>,
): Promise<Score<unknown, V> | Error> {
  const query = given.query && readText(given.query, run.context);
  const digest = await digestOf(judgement.instructions);
  const rubric = versionOf(digest);
  const model = models.open(given.model);
  const question = { ...judgement, maxTokens: given.answer_tokens };
  const documents = new Documents(given.text, run.candidates);
  const limit = state.limitOf(run.context, given);
  const scoreBy = (answers: ReadonlyMap<string, Judged<z.output<T>> | Error>): Score<unknown, V> =>
    documents.scoreBy((text, note) => {
      const answer = answers.get(text) ?? unanswered(run.abort);
      if (answer instanceof Error) throw answer;
      return verdictOf({ ...answer, rubric }, note);
    });
  const asking: Asking<Judged<z.output<T>>> = {
    params: given,
    batch: 1,
    limit,
    store: state.storeOf(given),
    parse: judgedParser(judgement.answer.type),
    about: aboutRubric(digest, query, given),
    abort: run.abort,
    patience: Infinity,
    outlookOf: outlookOfModel,
    call: async ([candidate = '']) => {
      const material = query === undefined ? { candidate } : { query, candidate };
      return [await askRubric(model, question, material, run.abort)];
    },
  };
  const answers = await askAll(documents.present, asking, (soFar) => {
    if (!limit.failureOf(soFar)) run.partial(scoreBy(soFar));
  });
  return limit.failureOf(answers) ?? scoreBy(answers);
}

/** Everything besides the texts that an answer depends on. */
export const aboutRubric = (
  digest: string,
  query: string | undefined,
  { model: { name, baseUrl, options }, answer_tokens: tokens }: Pick<RubricParams, 'model' | 'answer_tokens'>,
): string => JSON.stringify([digest, query, name, baseUrl, options, tokens]);

/** A judgement and the model that returned it. */
export type Judged<A> = A & { readonly model: string };

/** The part of a question that does not depend on the candidates. */
interface RubricQuestion<T extends z.ZodObject> {
  readonly instructions: string;
  readonly answer: { readonly name: string; readonly type: T };
  /** The expected answer, for messages: `a grade from 0 to 4, and a reason`. */
  readonly expected: string;
  readonly maxTokens: number;
}

/**
 * Sends one question.
 *
 * @param material the judged data; nothing in it is an instruction
 * @throws EndpointError (ASZ612) if the answer does not match the schema
 */
export async function askRubric<T extends z.ZodObject>(
  model: LanguageModel,
  { instructions, answer: { name, type }, expected, maxTokens }: RubricQuestion<T>,
  material: object,
  abort: AbortSignal,
): Promise<Judged<z.output<T>>> {
  const question = { instructions, material, answer: { name, schema: answerSchema(type) }, maxTokens };
  const given = await model.ask(question, abort);
  const { data } = type.safeParse(given.value);
  if (data !== undefined) return { ...data, model: given.model };
  const found = JSON.stringify(given.value)?.slice(0, 100);
  throw new EndpointError('ASZ612', `${given.model} answered ${found}; expected ${expected}`);
}

const judgeType = z.object({ model: z.string() });

/** Reads a stored judgement; undefined if it is malformed. */
export const judgedParser =
  <T extends z.ZodObject>(type: T) =>
  (stored: unknown): Judged<z.output<T>> | undefined => {
    const { data } = type.safeParse(stored);
    const by = judgeType.safeParse(stored).data;
    return data && by && { ...data, ...by };
  };

/**
 * The outlook after an error: no question can be sent (ASZ525), or the model did not answer and the next question waits
 * (ASZ526).
 */
export function outlookOfModel(failure: Error): FailureOutlook {
  const codes = failure instanceof AssizeError ? failure.problems.map(({ code }) => code) : [];
  if (codes.includes('ASZ526')) return { retry: { afterMs: undefined }, isFinal: false };
  return codes.includes('ASZ525') ? { isFinal: true } : outlookOfEndpoint(failure);
}

/** The SHA-256 of the instructions. */
export async function digestOf(instructions: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(instructions)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The version of the instructions that is shown. Too short for a key of an answer: another rubric could have the same. */
export const versionOf = (digest: string): string => digest.slice(0, 8);
