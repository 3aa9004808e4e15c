import { createProfileService, type Completion, type Diagnostic, type Hover } from '@assize/lsp/service';
import {
  AssizeError,
  createPipeline,
  explanationText,
  type Pipeline,
  type Problem,
  type Ranking,
} from 'assize/browser';
import { describeProfile } from 'assize/language';
import { rankingJsonText } from '../../../../src/ranking/index.js';
import type {
  CandidateFormat,
  PlaygroundCalls,
  ReadCandidates,
  RunResult,
  RunSource,
  ShownProblem,
  WeightSetting,
} from '../protocol.js';
import { readCandidates } from './read-candidates.js';
import { shownRanking } from './shown-ranking.js';
import { LONGEST_EDITED, weightsOf, withWeight } from './weights.js';

/** The name of the profile in problems and in the download. */
const NAME = 'profile.yaml';
const SAMPLE = 200;
const WIDTH = 78;

/** Ranks in the worker. Profiles are untrusted, because anyone can write a link; no code is generated. */
export class PlaygroundEngine implements PlaygroundCalls {
  #candidates: readonly object[] = [];
  #ranking: Ranking<object> | undefined;
  /** The last profile that was compiled, for its diagnostics and its run. */
  #compiled: { readonly yaml: string; readonly pipeline: Promise<Pipeline<object>> } | undefined;
  #weights: { readonly yaml: string; readonly found: readonly WeightSetting[] } = { yaml: '', found: [] };
  readonly #service = createProfileService({
    check: ({ yaml }) => this.#compile(yaml),
    candidates: async () => this.#candidates.slice(0, SAMPLE),
  });

  async read(text: string, format: CandidateFormat): Promise<ReadCandidates> {
    const { candidates, problems } = readCandidates(text, format);
    this.#candidates = candidates;
    this.#ranking = undefined;
    this.#service.refresh();
    return { count: candidates.length, problems };
  }

  async run({ profile, context, now }: RunSource): Promise<RunResult> {
    const start = performance.now();
    this.#ranking = undefined;
    const diagnostics = await this.#service.diagnostics(profile, NAME);
    const weights = await this.#weightsOf(profile);
    const problems = diagnostics.map((one) => shownDiagnostic(one));
    const given = readContext(context, now);
    if ('problem' in given) return { problems: [...problems, given.problem], weights, ranking: undefined };
    if (problems.some(({ severity }) => severity === 'error')) return { problems, weights, ranking: undefined };
    try {
      const pipeline = await this.#compile(profile);
      const ranking = await pipeline.rank(this.#candidates, given.context);
      this.#ranking = ranking;
      const ranked = shownRanking(ranking, performance.now() - start);
      return {
        problems: [...problems, ...ranking.warnings.map((one) => shownProblem(one, 'warning'))],
        weights: ranking.weights === undefined ? [] : weights,
        ranking: ranked,
      };
    } catch (error) {
      if (!(error instanceof AssizeError)) throw error;
      const failed = error.problems.map((one) => shownProblem(one, 'error'));
      return { problems: [...problems, ...failed], weights, ranking: undefined };
    }
  }

  async explain(index: number): Promise<string> {
    if (!this.#ranking) throw new Error('there is no ranking');
    return explanationText(this.#ranking.explain({ index }), { columns: WIDTH });
  }

  async rankingJson(): Promise<string> {
    if (!this.#ranking) throw new Error('there is no ranking');
    return [...rankingJsonText(this.#ranking)].join('');
  }

  async withWeight(profile: string, scorer: string, weight: number): Promise<string> {
    return withWeight(profile, scorer, weight);
  }

  complete(profile: string, offset: number): Promise<readonly Completion[]> {
    return this.#service.complete(profile, offset, NAME);
  }

  hover(profile: string, offset: number): Promise<Hover | undefined> {
    return this.#service.hover(profile, offset, NAME);
  }

  #compile(yaml: string): Promise<Pipeline<object>> {
    if (this.#compiled?.yaml !== yaml) {
      const pipeline = createPipeline<object>({ yaml, name: NAME }, { trust: 'none', codegen: false });
      this.#compiled = { yaml, pipeline };
    }
    return this.#compiled.pipeline;
  }

  async #weightsOf(yaml: string): Promise<readonly WeightSetting[]> {
    if (yaml.length > LONGEST_EDITED) return [];
    if (this.#weights.yaml !== yaml) {
      const { root } = await describeProfile({ yaml, name: NAME });
      this.#weights = { yaml, found: weightsOf(root) };
    }
    return this.#weights.found;
  }
}

type Context = { readonly context: Readonly<Record<string, unknown>> } | { readonly problem: ShownProblem };

/** The context of a run, from its JSON and its time. */
function readContext(text: string, now: string): Context {
  const wrong = (message: string): Context => ({
    problem: { severity: 'error', code: 'ASZ102', message, where: 'context.json' },
  });
  const time = now.trim() === '' ? {} : { now: now.trim() };
  if (text.trim() === '') return { context: time };
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return wrong('the context is not an object');
    return { context: { ...data, ...time } };
  } catch (error) {
    return wrong(`the context is not JSON: ${(error as Error).message}`);
  }
}

const placeText = ({ place }: Problem): string | undefined => place && `${place.file}:${place.line}:${place.column}`;

const shownDiagnostic = ({ start, end, severity, problem, message }: Diagnostic): ShownProblem => ({
  severity,
  code: problem.code,
  message,
  where: placeText(problem),
  range: { start, end },
});

const shownProblem = (problem: Problem, severity: ShownProblem['severity']): ShownProblem => ({
  severity,
  code: problem.code,
  message: problem.hint === undefined ? problem.message : `${problem.message}\n${problem.hint}`,
  where: placeText(problem),
});
