import {
  type Budget,
  NEVER,
  type Plan,
  budgetOf,
  type CallBudget,
  type CompiledProfile,
  executeCall,
  Failures,
  type MaybeAsync,
  overridePlan,
  type PlanOverrides,
  prepareOnly,
  run as runPlan,
  runAsync,
  startPart,
} from '../../engine/index.js';
import {
  type ColumnSource,
  type StreamRun,
  checkBounded,
  CHUNK_SIZE,
  completePart,
  openStreamRun,
  topOfRanking,
  type TopRanking,
  unboundedProblems,
} from '../../pipeline/index.js';
import { RankMerge, type RankMergeState } from './rank-merge.js';
import { rankLines, type RankPart, type RankPartOptions, rankRange, rankRows } from './rank-part.js';
import type { Shard, ShardLines } from './shard-lines.js';
import { openSharedRun, type SharedRun, sharedRunOf, wholeCall } from './shared-run.js';
import { AssizeError } from '../../base/index.js';
import { parseJsonLines } from '../../data/node.js';
import {
  createCompiledProfile,
  openProfile,
  type PipelineOptions,
  type ProfileOrPipeline,
} from '../../pipeline/node.js';
import type { Profile, ProfileSource, Use } from '../../profile/index.js';
import { createRanking } from '../../ranking/index.js';
import { type Context, injectionOf } from '../../sdk/index.js';
import { EMBEDDERS } from '../../services/index.js';

/** Ranks the parts of a run, which may be spread over several threads or machines, and merges them. */
export class RunParts {
  /** @param budget of the ranking of all parts */
  constructor(
    readonly run: StreamRun,
    private readonly budget?: Budget,
  ) {}

  /** Opens a run that another thread or machine started, with the same profile. */
  static join(compiled: Plan, shared: SharedRun, abort: AbortSignal = NEVER): RunParts {
    return new RunParts(openSharedRun(compiled, shared, abort));
  }

  /** Evaluates the lines of a shard of JSON Lines. */
  rankLines(lines: ShardLines, options: RankPartOptions): Promise<RankPart> {
    return rankLines(this.run, lines, options);
  }

  /** Evaluates candidates that are objects. The part contains the candidates that may be selected. */
  rankRows(candidates: readonly object[], options: RankPartOptions): Promise<RankPart> {
    return rankRows(this.run, candidates, options);
  }

  /** Evaluates whole row groups of a table. The part has the positions of the rows that may be selected. */
  rankRange(source: ColumnSource, range: Shard, options: RankPartOptions): Promise<RankPart> {
    return rankRange(this.run, source, range, options);
  }

  /** @param state the `state` of an earlier merge of the same run; trusted */
  merge(state?: unknown): RankMerge {
    return new RankMerge(this.run, this.budget, state as RankMergeState | undefined);
  }
}

/** The options of `startSharedRun`. */
interface StartOptions extends PlanOverrides {
  readonly folder?: string | undefined;
  readonly codegen?: boolean | undefined;
  readonly budget?: CallBudget | undefined;
  /** Whether the parts may only embed their texts, if the profile compares all candidates by their texts. */
  readonly mayEmbed: boolean;
}

/** A run that was started for other machines. */
interface StartedRun {
  readonly profile: ProfileSource;
  readonly folder: string | undefined;
  readonly codegen: boolean;
  /** What is done with each part. */
  readonly work: 'rank' | 'embed';
  readonly run: SharedRun;
}

/**
 * Starts a run whose parts are ranked, or only embedded, on other machines: computes its time, limits and signals.
 *
 * @throws AssizeError with every problem of the profile and of the options; ASZ518 if it cannot be ranked in parts
 */
export async function startSharedRun(
  given: ProfileOrPipeline<object>,
  context: Context,
  { folder, codegen, budget, mayEmbed, ...overrides }: StartOptions,
): Promise<StartedRun> {
  const host = { codegen: codegen ?? true, ...(folder !== undefined && { folder }) };
  const { compiled, profile, options: own } = await openProfile(given, host);
  const plan = overridePlan(compiled.plan, overrides);
  budgetOf(plan, budget); // throws if it is invalid
  const work = mayEmbed && isEmbeddedInParts(plan.profile) ? 'embed' : 'rank';
  if (work === 'rank') checkBounded(plan.profile);
  const shared = sharedRunOf(await openStreamRun(plan, context, NEVER), overrides.weights);
  return { profile, folder: folder ?? own.folder, codegen: codegen ?? own.codegen ?? true, work, run: shared };
}

const isEmbeddedInParts = (profile: Profile): boolean =>
  embeddingEntries(profile).size > 0 && unboundedProblems(profile).length > 0;

/** The parts of a run that another machine started, with a profile that is compiled here. */
export class ProfileParts extends RunParts {
  readonly #compiled: CompiledProfile;
  readonly #shared: SharedRun;
  readonly #callBudget: CallBudget | undefined;
  readonly #embedding: ReadonlySet<string>;

  private constructor(compiled: CompiledProfile, shared: SharedRun, budget: CallBudget | undefined) {
    const opened = openSharedRun(compiled.plan, shared);
    super(opened, budgetOf(opened.plan, budget));
    this.#compiled = compiled;
    this.#shared = shared;
    this.#callBudget = budget;
    this.#embedding = embeddingEntries(compiled.plan.profile);
  }

  /** @throws AssizeError with every problem of the profile */
  static async open(
    profile: ProfileSource,
    host: PipelineOptions,
    shared: SharedRun,
    budget: CallBudget | undefined,
  ): Promise<ProfileParts> {
    return new ProfileParts(await createCompiledProfile(profile, host), shared, budget);
  }

  /** Whether an entry is a class, which may call a model or a server: then a candidate may be expensive. */
  get callsCode(): boolean {
    const { vetoes, measures, scorers } = this.run.plan.profile;
    return [...vetoes, ...measures, ...scorers].some(({ use }) => use.kind === 'class');
  }

  /**
   * Prepares the entries that embed texts, and nothing else.
   *
   * @returns the reason if one of them fails
   */
  async embedLines({ bytes, offset }: ShardLines): Promise<string | undefined> {
    const failures = new Failures();
    let failed: string | undefined;
    for (const { values } of parseJsonLines(bytes, offset === 0, CHUNK_SIZE, () => true)) {
      const part = startPart(this.run, values, failures);
      const work = (): MaybeAsync<void> => prepareOnly(part, (id) => this.#embedding.has(id));
      // oxlint-disable-next-line no-await-in-loop -- in memory for one
      await completePart(this.run, work, values).catch((error: unknown) => {
        if (!(error instanceof AssizeError)) throw error;
        failed ??= error.problems[0]?.message;
      });
    }
    const own = failures.entries.find(({ unprepared, failure }) => unprepared && this.#embedding.has(failure.entry));
    return failed ?? own?.failure.cause;
  }

  /**
   * Ranks all candidates as one set, with the time, context and signals of the run.
   *
   * @param notices called after the run
   */
  async rankAll(candidates: readonly object[], notices: () => readonly string[]): Promise<TopRanking<object>> {
    const { plan } = this.#compiled;
    const call = wholeCall(plan, this.#shared, candidates, this.#callBudget);
    const ranking = createRanking<object>(this.#compiled, call, await runAsync(executeCall(plan, call, runPlan)));
    return topOfRanking(ranking, notices());
  }
}

/** The ids of the entries that may embed texts, themselves or through a nested entry. */
const embeddingEntries = ({ vetoes, measures, scorers }: Profile): ReadonlySet<string> =>
  new Set([...vetoes, ...measures, ...scorers].filter(({ use }) => embeds(use)).map(({ id }) => id));

const embeds = (use: Use): boolean =>
  use.kind === 'class' &&
  (injectionOf(use.unit)?.services.some(({ token }) => token === EMBEDDERS) === true ||
    [...use.children.values()].some((child) => embeds(child.use)));
