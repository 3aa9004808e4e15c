import {
  type Context,
  type PipelineOptions,
  type ProfileOrPipeline,
  type Ranked,
  type Ranking,
  toAssizeError,
} from 'assize';
import { checkOptions, effectiveProfile, openPipeline, openProfile } from 'assize/internal';
import { hasRelativeWeights, type ScorerEntry, roundWeights } from '../model/weighing.js';
import { seededRandom } from '../../significance/distributions.js';
import type { Interval } from '../../significance/intervals.js';
import { type LeftAlone, tunedEntries } from '../prepare-search.js';
import { extendingYaml, originText, type TunedYamlOptions } from '../tuned-yaml.js';
import { tunedChange, type TunedChange } from '../tuning.js';
import { type Choice, Interview, scoreTable } from './interview.js';
import { counted } from '../../values.js';

/** A question: should candidate `a` or `b` come first? */
export interface Question<T> {
  readonly a: T;
  readonly b: T;
  /** Their positions in the given candidates. */
  readonly indexes: readonly [a: number, b: number];
  /** The number of earlier answers. */
  readonly answered: number;
  /** The share of the top on which the likely weights agree, from 0 to 1. */
  readonly agreement: number;
}

/** An answer, or `stop` to end the interview. */
export type Reply = Choice | 'stop';

export interface AskOptions<T> {
  /** Asks a person. */
  readonly ask: (question: Question<T>) => Reply | Promise<Reply>;
  /** Earlier answers, by position of the candidates. Answers about candidates that are not ranked are ignored. */
  readonly earlier?: readonly Pick<Answered, 'a' | 'b' | 'choice'>[] | undefined;
  /** The number of top candidates to determine. Default: 10. */
  readonly top?: number | undefined;
  /** The maximum number of questions. Default: 30. */
  readonly questions?: number | undefined;
  /** The fewest answers that choose a candidate, including earlier ones. Default: no limit. It never stops below 5 answers. */
  readonly fewest?: number | undefined;
  /** The ids of the scorers to tune. Default: all with a number as weight. */
  readonly only?: readonly string[] | undefined;
  /** The same seed and answers give the same questions. Default: 1. */
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly pipeline?: PipelineOptions | undefined;
}

export interface Answered {
  readonly a: number;
  readonly b: number;
  readonly choice: Choice;
  /** Whether the found weights contradict this answer, because the other answers do. */
  readonly contradicts: boolean;
}

/** The result of `askWeights`. Without answers, the weights and the order are those of the profile. */
export interface Asked<T> {
  readonly profile: string;
  readonly scorers: readonly AskedScorer[];
  readonly left: readonly LeftAlone[];
  readonly answers: readonly Answered[];
  /** The share of the top on which the likely weights agree. */
  readonly agreement: number;
  /** Whether they agree on at least 90 % of it. */
  readonly stable: boolean;
  /** The best candidates by the found (rounded) weights. */
  readonly top: readonly Ranked<T>[];
  /** The overrides of a profile that extends the original one; empty without answers. */
  readonly change: TunedChange;
  readonly seed: number;
}

/** The top is stable if the likely weights agree on this share of it. */
const STABLE = 0.9;
/** Fewer answers are never stable: the fifth question is the first one that checks earlier answers. */
const FEWEST_ANSWERS = 5;
const OPTIONS = {
  ask: 'function',
  earlier: 'list',
  top: { integerFrom: 1 },
  questions: { integerFrom: 1 },
  fewest: { integerFrom: 1 },
  only: 'list',
  seed: { integerFrom: 0 },
  signal: 'signal',
  pipeline: 'anything',
} as const;

/**
 * Finds weights from the answers of a person to questions about pairs of candidates. Stops when the weights that fit the
 * answers agree on the top. The candidates are ranked once.
 *
 * ```ts
 * const { change } = await askWeights('./films.yaml', films, {}, { ask: ({ a, b }) => (likes(a) > likes(b) ? 'a' : 'b') });
 * ```
 *
 * @throws AssizeError if the profile has no weights to find (ASZ550 to ASZ553) or fewer than three candidates are
 *   ranked (ASZ554); also throws the errors of `createPipeline` and `rank`
 */
export async function askWeights<T>(
  given: ProfileOrPipeline<T>,
  candidates: readonly T[],
  context: Context | undefined,
  options: AskOptions<T>,
): Promise<Asked<T>> {
  checkOptions('askWeights', options, OPTIONS);
  const { ask, top: wanted = 10, questions = 30, fewest = 0, seed = 1, signal } = options;
  const pipeline = await openPipeline<T>(given, options.pipeline);
  const { compiled, profile: source, options: own } = await openProfile(pipeline);
  const { profile } = compiled.plan;
  const { tuned, left } = tunedEntries(profile, options);
  const ranking = await pipeline.rank(candidates, context, { updateMemory: false, prune: false });
  if (ranking.matrix.index.length < 3) throw tooFew(ranking.matrix.index.length);
  const top = Math.min(wanted, Math.ceil(ranking.matrix.index.length / 2));
  const table = scoreTable(ranking, profile, tuned.entries, seededRandom(seed));
  const interview = new Interview(table, top, seed);
  const replies: Omit<Answered, 'contradicts'>[] = [];
  for (const answer of options.earlier ?? []) {
    const pair = { a: table.index.indexOf(answer.a), b: table.index.indexOf(answer.b) };
    if (pair.a < 0 || pair.b < 0 || pair.a === pair.b) continue;
    interview.answer(pair, answer.choice);
    replies.push(answer);
  }
  const before = replies.length;
  const goesOn = (): boolean =>
    replies.length - before < questions &&
    signal?.aborted !== true &&
    (choices(replies) < fewest || !isStable(interview, replies.length));
  while (goesOn()) {
    const pair = interview.question();
    const [a, b] = [table.index[pair.a]!, table.index[pair.b]!];
    const { agreement } = interview;
    // oxlint-disable-next-line no-await-in-loop -- the next question depends on the answer
    const reply = await ask({
      a: candidates[a]!,
      b: candidates[b]!,
      indexes: [a, b],
      answered: replies.length,
      agreement,
    });
    if (reply === 'stop') break;
    interview.answer(pair, reply);
    replies.push({ a, b, choice: reply });
  }
  const scorers = askedScorers(tuned.entries, interview, replies.length, hasRelativeWeights(profile));
  const contradicted = interview.contradictions;
  const change = replies.length === 0 ? {} : tunedChange(await effectiveProfile(source, own), scorers, undefined);
  return {
    profile: profile.name,
    scorers,
    left,
    answers: replies.map((one, k) => ({ ...one, contradicts: contradicted.includes(k) })),
    agreement: interview.agreement,
    stable: isStable(interview, replies.length),
    top: weighed(ranking, scorers).ranked.slice(0, wanted),
    change,
    seed,
  };
}

const choices = (replies: readonly Pick<Answered, 'choice'>[]): number =>
  replies.filter(({ choice }) => choice !== 'same').length;

const isStable = (interview: Interview, answers: number): boolean =>
  answers >= FEWEST_ANSWERS && interview.agreement >= STABLE;

const weighed = <T>(ranking: Ranking<T>, scorers: Asked<T>['scorers']): Ranking<T> =>
  ranking.reweigh({ weights: Object.fromEntries(scorers.map(({ id, weight }) => [id, weight])) });

const tooFew = (count: number): Error =>
  toAssizeError([
    {
      code: 'ASZ554',
      message: `the profile ranks ${counted(count, 'candidate')}, and at least 3 are needed to ask about`,
    },
  ]);

/** The result for one scorer. */
export interface AskedScorer {
  readonly id: string;
  /** Its weight in the profile. */
  readonly before: number;
  /** On the scale of the profile's weights; unchanged without answers. */
  readonly weight: number;
  /** The 90 % credible interval of the weight; undefined without answers. */
  readonly likely?: Interval | undefined;
}

/** The probability of the credible interval. */
const LIKELY = 0.9;

/** The posterior mean weights, rounded; the weights of the profile without answers. */
function askedScorers(
  entries: readonly ScorerEntry[],
  interview: Interview,
  answers: number,
  isRelative: boolean,
): readonly AskedScorer[] {
  const before = entries.map(({ weight }) => (typeof weight === 'number' ? weight : 0));
  const sum = before.reduce((all, one) => all + Math.abs(one), 0) || (isRelative ? 1 : 0);
  const believed = Array.from(interview.weights, (weight) => ({ weight }));
  const found = roundWeights(believed, sum);
  const scale = found.reduce((all, { weight }) => all + weight, 0); // the posterior mean sums to 1
  const likely = interview.likely(LIKELY);
  return entries.map(({ id }, k) => ({
    id,
    before: before[k]!,
    weight: answers === 0 ? before[k]! : found[k]!.weight,
    likely: answers === 0 ? undefined : [scale * likely[k]![0], scale * likely[k]![1]],
  }));
}

/** The result as YAML of a profile that extends the original one. */
export function askedYaml(asked: Asked<unknown>, options: TunedYamlOptions): string {
  return extendingYaml(options.extends, asked.change, asked.scorers, [
    `${originText('Asked', options)}${askedText(asked)}.`,
    ...asked.left.map(({ id, because }) => `${id} is unchanged: ${because}.`),
  ]);
}

/** A summary of the answers: count, agreement and contradictions. */
export function askedText({ answers, agreement, top }: Asked<unknown>): string {
  if (answers.length === 0) return 'no answers: the weights are unchanged';
  const against = answers.filter(({ contradicts }) => contradicts).length;
  const sure = `the weights that fit them agree on ${Math.round(agreement * 100)} % of the top ${top.length}`;
  const few =
    answers.length < FEWEST_ANSWERS ? `; fewer than ${FEWEST_ANSWERS} answers are not enough to show a result` : '';
  return `${counted(answers.length, 'answer')}; ${sure}${against > 0 ? `; ${against} of them contradict the others` : ''}${few}`;
}
