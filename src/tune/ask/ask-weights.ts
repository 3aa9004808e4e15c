import { createCompiledProfile, effectiveProfile, type PipelineOptions } from '../../create-pipeline.js';
import type { Context } from '../../contract/index.js';
import {
  ABORT_SIGNAL,
  ANYTHING,
  checkOptions,
  FUNCTION,
  integerFrom,
  LIST,
  type OptionTypes,
  toAssizeError,
} from '../../diagnostics/index.js';
import { seededRandom } from '../../evaluate/significance/distributions.js';
import type { Interval } from '../../evaluate/significance/intervals.js';
import { Pipeline } from '../../pipeline.js';
import { hasRelativeWeights, type ProfileSource, type ScorerEntry } from '../../profile/index.js';
import type { Ranked, Ranking } from '../../ranking/index.js';
import { roundWeights } from '../model/weighing.js';
import { type LeftAlone, tunedEntries } from '../prepare-search.js';
import { extendingYaml, originText, type TunedYamlOptions } from '../tuned-yaml.js';
import { tunedChange, type TunedChange } from '../tuning.js';
import { type Choice, Interview, scoreTable } from './interview.js';

/** A question: which of two candidates should come first? */
export interface Question<T> {
  readonly a: T;
  readonly b: T;
  /** Their positions in the candidates that were given. */
  readonly indexes: readonly [a: number, b: number];
  /** How many were answered before. */
  readonly answered: number;
  /** How much of the top the weights agree on that are still likely, from 0 to 1. */
  readonly agreement: number;
}

/** The first, the second, neither before the other; or no more questions. */
export type Reply = Choice | 'stop';

export interface AskOptions<T> {
  /** Asks a person. */
  readonly ask: (question: Question<T>) => Reply | Promise<Reply>;
  readonly context?: Context | undefined;
  /** Answers that were given before, by position of the candidates. Those about candidates that are not ranked are left out. */
  readonly earlier?: readonly Pick<Answered, 'a' | 'b' | 'choice'>[] | undefined;
  /** So many of the best are to be right: 10 when not given. */
  readonly top?: number | undefined;
  /** No more than so many questions: 30 when not given. */
  readonly questions?: number | undefined;
  /** The ids of the scorers whose weights are asked for; all whose weight is a number when not given. */
  readonly only?: readonly string[] | undefined;
  /** The same seed and the same answers give the same questions: 1 when not given. */
  readonly seed?: number | undefined;
  readonly abort?: AbortSignal | undefined;
  readonly pipeline?: PipelineOptions | undefined;
}

/** An answer that was given. */
export interface Answered {
  readonly a: number;
  readonly b: number;
  readonly choice: Choice;
  /** Whether the others say otherwise, so that the weights that were found do too. */
  readonly contradicts: boolean;
}

/** What was learnt from answers; where there are none, nothing: the weights and their order are those of the profile. */
export interface Asked<T> {
  readonly profile: string;
  readonly scorers: readonly AskedScorer[];
  readonly left: readonly LeftAlone[];
  readonly answers: readonly Answered[];
  /** How much of the top the likely weights agree on. */
  readonly agreement: number;
  /** Whether they agree on at least nine tenths of it. */
  readonly stable: boolean;
  /** The best by the weights that were found, rounded as they are. */
  readonly top: readonly Ranked<T>[];
  /** What a profile that extends the asked one says: nothing where nothing was answered. */
  readonly change: TunedChange;
  readonly seed: number;
}

/** The top is stable where the likely weights agree on so much of it. */
const STABLE = 0.9;
/** Fewer answers prove nothing, even where all weights agree: the fifth is the first that checks the others. */
const FEWEST_ANSWERS = 5;
const OPTIONS: OptionTypes = {
  ask: FUNCTION,
  context: ANYTHING,
  earlier: LIST,
  top: integerFrom(1),
  questions: integerFrom(1),
  only: LIST,
  seed: integerFrom(0),
  abort: ABORT_SIGNAL,
  pipeline: ANYTHING,
};

/**
 * Finds the weights that a person has in mind by asking which of two candidates should come first, until the weights
 * that fit the answers agree on the top. The candidates are ranked once.
 *
 * ```ts
 * const { change } = await askWeights('./films.yaml', films, { ask: ({ a, b }) => (likes(a) > likes(b) ? 'a' : 'b') });
 * ```
 *
 * @throws AssizeError where the profile has no weights to find (ASZ550 to ASZ553), or fewer than three candidates are
 *   ranked (ASZ554), and what `createPipeline` and `rank` throw
 */
export async function askWeights<T>(
  source: ProfileSource,
  candidates: readonly T[],
  options: AskOptions<T>,
): Promise<Asked<T>> {
  checkOptions('askWeights', options, OPTIONS);
  const { ask, context, top: wanted = 10, questions = 30, seed = 1, abort } = options;
  const compiled = await createCompiledProfile(source, options.pipeline);
  const { profile } = compiled.plan;
  const { tuned, left } = tunedEntries(profile, options);
  const ranking = await new Pipeline<T>(compiled).rank(candidates, context, { learn: false, prune: false });
  if (ranking.matrix.index.length < 3) throw tooFew(ranking.matrix.index.length);
  const top = Math.min(wanted, Math.ceil(ranking.matrix.index.length / 2));
  const table = scoreTable(ranking, profile, tuned.entries, seededRandom(seed));
  const interview = new Interview(table, top, seed);
  const given: Omit<Answered, 'contradicts'>[] = [];
  for (const answer of options.earlier ?? []) {
    const pair = { a: table.index.indexOf(answer.a), b: table.index.indexOf(answer.b) };
    if (pair.a < 0 || pair.b < 0 || pair.a === pair.b) continue;
    interview.answer(pair, answer.choice);
    given.push(answer);
  }
  const before = given.length;
  const goesOn = (): boolean =>
    given.length - before < questions && abort?.aborted !== true && !isStable(interview, given.length);
  while (goesOn()) {
    const pair = interview.question();
    const [a, b] = [table.index[pair.a]!, table.index[pair.b]!];
    const { agreement } = interview;
    // oxlint-disable-next-line no-await-in-loop -- what is asked next follows from the answer
    const reply = await ask({
      a: candidates[a]!,
      b: candidates[b]!,
      indexes: [a, b],
      answered: given.length,
      agreement,
    });
    if (reply === 'stop') break;
    interview.answer(pair, reply);
    given.push({ a, b, choice: reply });
  }
  const scorers = askedScorers(tuned.entries, interview, given.length, hasRelativeWeights(profile.combine));
  const contradicted = interview.contradictions;
  const change =
    given.length === 0 ? {} : tunedChange(await effectiveProfile(source, options.pipeline), scorers, undefined);
  return {
    profile: profile.name,
    scorers,
    left,
    answers: given.map((one, k) => ({ ...one, contradicts: contradicted.includes(k) })),
    agreement: interview.agreement,
    stable: isStable(interview, given.length),
    top: weighed(ranking, scorers).ranked.slice(0, wanted),
    change,
    seed,
  };
}

const isStable = (interview: Interview, answers: number): boolean =>
  answers >= FEWEST_ANSWERS && interview.agreement >= STABLE;

const weighed = <T>(ranking: Ranking<T>, scorers: Asked<T>['scorers']): Ranking<T> =>
  ranking.reweigh({ weights: Object.fromEntries(scorers.map(({ id, weight }) => [id, weight])) });

const tooFew = (count: number): Error =>
  toAssizeError([
    { code: 'ASZ554', message: `candidates that are ranked: ${count}, and there is nothing to ask about fewer than 3` },
  ]);

/** What answers say of one scorer. */
export interface AskedScorer {
  readonly id: string;
  /** Its weight in the profile. */
  readonly before: number;
  /** On the scale of the profile's weights; what it was before, where nothing was answered. */
  readonly weight: number;
  /** Where the weight lies with a probability of 90 %: the fewer answers, the wider. Undefined where there are none. */
  readonly likely?: Interval | undefined;
}

/** How probable it is that a weight lies where it is said to. */
const LIKELY = 0.9;

/** The weights that are believed, as a person would write them; those of the profile where nothing was answered. */
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
  const scale = found.reduce((all, { weight }) => all + weight, 0); // those that are believed sum to 1
  const likely = interview.likely(LIKELY);
  return entries.map(({ id }, k) => ({
    id,
    before: before[k]!,
    weight: answers === 0 ? before[k]! : found[k]!.weight,
    likely: answers === 0 ? undefined : [scale * likely[k]![0], scale * likely[k]![1]],
  }));
}

/** What was learnt from answers as the YAML of a profile that extends the one that was asked about. */
export function askedYaml(asked: Asked<unknown>, options: TunedYamlOptions): string {
  return extendingYaml(options.extends, asked.change, asked.scorers, [
    `${originText('Asked', options)}${askedText(asked)}.`,
    ...asked.left.map(({ id, because }) => `${id} is as it was: ${because}.`),
  ]);
}

/** How many answers there were, what they agree on, and how many contradict the others. */
export function askedText({ answers, agreement, top }: Asked<unknown>): string {
  if (answers.length === 0) return 'no answers: the weights are as they were';
  const against = answers.filter(({ contradicts }) => contradicts).length;
  const sure = `the weights that fit them agree on ${Math.round(agreement * 100)} % of the top ${top.length}`;
  const few = answers.length < FEWEST_ANSWERS ? `; fewer than ${FEWEST_ANSWERS} answers prove nothing` : '';
  return `${answers.length} answer${answers.length === 1 ? '' : 's'}; ${sure}${against > 0 ? `; ${against} of them contradict the others` : ''}${few}`;
}
