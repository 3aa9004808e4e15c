import { type Context, createPipeline, type ProfileOrPipeline, toAssizeError } from 'assize';
import { effectiveProfile, openProfile } from 'assize/internal';
import {
  defineScorer,
  LANGUAGE_MODELS,
  type LanguageModel,
  type LanguageModelAnswer,
  type LanguageModelQuestion,
  type LanguageModels,
  type LanguageModelSettings,
  z,
} from 'assize/sdk';

/** The text of a candidate, with the query that it is judged for. */
export interface JudgedText {
  readonly text: string;
  readonly query: string | undefined;
}

/** The judges of a profile. */
interface OpenedJudges {
  readonly profile: string;
  readonly judges: readonly Judge[];
}

/** A scorer or veto as a profile writes it. */
interface RawEntry {
  readonly id: string;
  readonly class: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const GRADES = 'RubricScorer';
const PAIRS = 'PairwiseRubricScorer';

const entryType = z.looseObject({
  id: z.string(),
  class: z.string(),
  enabled: z.boolean().default(true),
  params: z.record(z.string(), z.unknown()).default({}),
});
const entriesType = z.array(z.unknown()).default([]);

/** `RubricScorer` of `rerank/RubricScorer`. */
const className = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/**
 * Finds the judges of a profile: its entries with the class `RubricScorer` or `PairwiseRubricScorer`.
 *
 * @throws AssizeError with every problem of the profile; ASZ556 if it has no such entry
 */
export async function openJudges<T>(given: ProfileOrPipeline<T>): Promise<OpenedJudges> {
  const { profile: source, options } = await openProfile<T>(given);
  const { folder, units, trust } = options;
  const profile = await effectiveProfile(source, {
    ...(folder !== undefined && { folder }),
    ...(units !== undefined && { units }),
    ...(trust !== undefined && { trust }),
  });
  const name = String(profile['name']);
  const entries = ['tier1_scorers', 'tier2_scorers'].flatMap((key) => rubricEntries(profile[key]));
  if (entries.length === 0) {
    const message = `${name} has no judge: no entry has the class ${GRADES} or ${PAIRS}`;
    throw toAssizeError([{ code: 'ASZ556', message, hint: 'add one, with plugins: [rerank]' }]);
  }
  const { plugins, candidate, fields, context } = profile;
  const shared = { plugins, candidate, fields, context };
  const base = Object.fromEntries(Object.entries(shared).filter(([, value]) => value !== undefined));
  const models = await boundModels(base, options);
  const pipelineOf = (entry: RawEntry, service: LanguageModels) =>
    createPipeline<object>(
      { ...base, tier2_scorers: [{ ...entry, on_error: 'skip' }] },
      { ...options, services: [...(options.services ?? []), { token: LANGUAGE_MODELS, value: service }] },
    );
  const judges = await Promise.all(entries.map((entry) => openJudge(entry, models, pipelineOf)));
  return { profile: name, judges };
}

function rubricEntries(list: unknown): readonly RawEntry[] {
  const all = entriesType.safeParse(list).data ?? [];
  return all.flatMap((one) => {
    const { data } = entryType.safeParse(one);
    if (!data?.enabled || ![GRADES, PAIRS].includes(className(data.class))) return [];
    return [{ id: data.id, class: data.class, params: data.params }];
  });
}

type Options = Awaited<ReturnType<typeof openProfile>>['options'];

/** The language models that a unit of the profile gets, from a plugin, from the caller or by default. */
async function boundModels(base: object, options: Options): Promise<LanguageModels> {
  let bound: LanguageModels | undefined;
  class ModelReceiver {
    static readonly meta = defineScorer({ summary: 'Receives the language models.', params: z.strictObject({}) });
    static readonly inject = [LANGUAGE_MODELS];
    constructor(models: LanguageModels) {
      bound = models;
    }
    compile() {
      return () => 0;
    }
  }
  const units = { ...options.units, ModelReceiver };
  await createPipeline({ ...base, tier2_scorers: [{ id: 'receiver', class: 'ModelReceiver' }] }, { ...options, units });
  if (bound) return bound;
  throw new Error('the language models of the profile were not injected');
}

/** A service that answers every question with a fixed value, and keeps the last question and the settings. */
class QuestionCatcher implements LanguageModels {
  question: LanguageModelQuestion | undefined;
  settings: LanguageModelSettings | undefined;

  constructor(private readonly value: object) {}

  open(settings: LanguageModelSettings): LanguageModel {
    this.settings = settings;
    return {
      ask: async (question) => {
        this.question = question;
        return { value: this.value, model: settings.name, tokens: 0 };
      },
    };
  }
}

/** The params that limit calls or keep answers. A measurement has its own limit, and asks every question again. */
const LIMITS = ['calls', 'price', 'spend', 'budget', 'cache', 'cache_folder'];

const materialType = z.object({ query: z.string().optional(), candidate: z.string() });

type CaughtPipeline = Awaited<ReturnType<typeof createPipeline<object>>>;

async function openJudge(
  entry: RawEntry,
  models: LanguageModels,
  pipelineOf: (entry: RawEntry, models: LanguageModels) => Promise<CaughtPipeline>,
): Promise<Judge> {
  const kind = className(entry.class) === GRADES ? 'grades' : 'pairs';
  const { rounds: _rounds, ...rest } = entry.params;
  const params = { ...Object.fromEntries(Object.entries(rest).filter(([key]) => !LIMITS.includes(key))), cache: 0 };
  // A judge of pairs reads the same texts as one that grades with the same params.
  const graded = new QuestionCatcher({ grade: 0, reason: '' });
  const grader = await pipelineOf({ ...entry, class: entry.class.replace(PAIRS, GRADES), params }, graded);
  if (kind === 'grades') return new Judge(entry, kind, models, [grader, graded], [grader, graded]);
  const compared = new QuestionCatcher({ better: 'neither', reason: '' });
  const comparer = await pipelineOf({ ...entry, params: { ...params, rounds: 1 } }, compared);
  return new Judge(entry, kind, models, [grader, graded], [comparer, compared]);
}

type Caught = readonly [pipeline: CaughtPipeline, catcher: QuestionCatcher];

/** An entry of a profile in which a language model judges by a rubric: it grades one candidate, or compares two. */
export class Judge {
  readonly id: string;
  readonly class: string;
  #template: LanguageModelQuestion | undefined;
  #model: LanguageModel | undefined;

  constructor(
    private readonly entry: RawEntry,
    readonly kind: 'grades' | 'pairs',
    private readonly models: LanguageModels,
    private readonly reader: Caught,
    private readonly asker: Caught,
  ) {
    this.id = entry.id;
    this.class = className(entry.class);
  }

  /** The best grade of a judge that grades. */
  get most(): number {
    return this.#number('most', 4);
  }

  /** The number of others with which a candidate is compared. */
  get rounds(): number {
    return this.#number('rounds', 4);
  }

  get parallel(): number {
    return this.#number('parallel', 4);
  }

  get retries(): number {
    return this.#number('retries', 2);
  }

  /** The price of one call; undefined if the profile does not have it. */
  get price(): number | undefined {
    return this.#number('price', 0) || undefined;
  }

  #number(param: string, otherwise: number): number {
    const value = this.entry.params[param];
    return typeof value === 'number' ? value : otherwise;
  }

  /** The name of the model in the profile. Known after `textOf` has found a text. */
  get modelName(): string | undefined {
    return this.reader[1].settings?.name;
  }

  /** The text of a candidate; undefined if it has none. Calls no model, and is not called concurrently. */
  async textOf(candidate: object, context: Context | undefined): Promise<JudgedText | undefined> {
    const question = await caughtQuestion(this.reader, [candidate], context);
    if (this.kind === 'grades') this.#template ??= question;
    const material = materialType.safeParse(question?.material).data;
    return material && { text: material.candidate, query: material.query };
  }

  /** Reads how the entry asks about two candidates. Calls no model. Necessary before `question` of a judge of pairs. */
  async readTemplate(pair: readonly object[], context: Context | undefined): Promise<void> {
    this.#template ??= await caughtQuestion(this.asker, pair, context);
  }

  /** The question of the entry about one text, or about two in this order. */
  question(query: string | undefined, first: string, second?: string): LanguageModelQuestion {
    if (!this.#template) throw new Error(`no question of ${this.id} has been read yet`);
    const texts = this.kind === 'grades' ? { candidate: first } : { first, second };
    return { ...this.#template, material: { ...(query !== undefined && { query }), ...texts } };
  }

  ask(question: LanguageModelQuestion, signal?: AbortSignal): Promise<LanguageModelAnswer> {
    const { settings } = this.reader[1];
    if (!settings) throw new Error(`no question of ${this.id} has been read yet`);
    this.#model ??= this.models.open(settings);
    return this.#model.ask(question, signal);
  }
}

async function caughtQuestion(
  [pipeline, catcher]: Caught,
  candidates: readonly object[],
  context: Context | undefined,
): Promise<LanguageModelQuestion | undefined> {
  catcher.question = undefined;
  await pipeline.rank(candidates, context);
  return catcher.question;
}
