/**
 * The tools for agents. They do not depend on the protocol. Their inputs are the requests of HTTP, and their results are
 * the answers of HTTP, both from the same schemas.
 *
 * @module
 */
import * as z from 'zod';
import { didYouMean, toAssizeError, AssizeError, comparisonText, explanationText, type Problem } from 'assize';
import { profileFormat, problemJson, rankingJson, snakeCaseKeys } from 'assize/internal';
import { CHECK_ANSWER, COMPARISON, EXPLANATION, PROFILES_ANSWER, RANKING_SUMMARY, SCHEMA_ANSWER } from '../answers.js';
import { RequestError } from '../http/request-error.js';
import { ENVELOPES, parseEnvelope } from '../operations.js';
import { profilesJson, relativeProblem } from '../profiles/profile-json.js';
import type { ServedPipeline } from '../profiles/served-profile.js';
import type { ServedProfiles } from '../profiles/served-profiles.js';
import { type Call, inlinePipeline, rankFor, rankRequest } from '../routes/call.js';
import type { ToolLimits } from './limits.js';

/** The state that tools use. */
export interface ToolContext {
  readonly profiles: ServedProfiles;
  readonly limits: ToolLimits;
}

/** The result of a tool: text for a model, and the same as data for a program. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: object;
}

/** The description of a tool. */
export interface ToolFacts {
  readonly name: string;
  readonly title: string;
  /** What the tool does and when to call it. Models choose tools by this text. */
  readonly description: string;
  /** The schema of `data`. */
  readonly output: z.ZodType;
  /** Whether a call may change the results of later ones, because a profile may remember ranked candidates. */
  readonly updatesMemory?: boolean;
}

/** A tool of the server. */
export interface Tool extends ToolFacts {
  readonly input: z.ZodType;
  /** @throws AssizeError (ASZ590) if the input does not match its schema */
  readonly call: (input: unknown, context: ToolContext, signal: AbortSignal) => Promise<ToolAnswer>;
}

/** Creates a tool from a function with typed input. */
const defineTool = <I>({
  run,
  ...facts
}: ToolFacts & {
  readonly input: z.ZodType<I>;
  readonly run: (input: I, call: Call, context: ToolContext) => Promise<ToolAnswer>;
}): Tool => ({
  ...facts,
  call: async (input, context, signal) => run(parseEnvelope(facts.input, input), callOf(context, signal), context),
});

/** A call as the routes of HTTP receive it. Profiles in calls are not trusted. */
const callOf = ({ profiles, limits }: ToolContext, signal: AbortSignal): Call => ({
  limits: { candidates: limits.candidates, detailed: limits.rows },
  signal,
  wantsLines: false,
  takePipeline: (profile) =>
    typeof profile === 'string' ? { name: profile, pipeline: profiles.pipeline(profile) } : inlinePipeline(profile, {}),
  ran: () => {},
});

/** Keys with shorter descriptions, because an agent reads each word in each conversation. */
const SHORT = {
  profile: ENVELOPES.rank.shape.profile.describe(
    'The name of a profile (see the tool list), or a profile: an object, or { yaml: text }.',
  ),
  candidates: ENVELOPES.rank.shape.candidates.describe('Objects with the fields that the profile reads.'),
  budget: ENVELOPES.rank.shape.budget.describe('The budget, for a profile that packs.'),
};
const WHICH = ENVELOPES.explain.shape.candidate.describe('A candidate: its id, or its position: { index: 0 }.');

/** The significant digits of the numbers in a ranking. */
const DIGITS = 6;

/** Ranks candidates. */
const rank = defineTool({
  name: 'rank',
  title: 'Rank candidates',
  description:
    'Ranks candidates by a profile: vetoes refuse, scorers score, and the best are selected. Returns the selected, best ' +
    'first, each with the scores of its scorers, and the number of refused and not selected candidates with reasons. Send ' +
    'all candidates in one call: scores may depend on the other candidates.',
  input: ENVELOPES.rank.omit({ include: true, prune: true }).extend({
    ...SHORT,
    rows: z.int().positive().default(20).describe('The most selected candidates to list.'),
  }),
  output: RANKING_SUMMARY,
  updatesMemory: true,
  async run({ rows, ...request }, call, { limits, profiles }) {
    const ranking = await rankFor(call, rankRequest(request));
    const shown = Math.min(rows, limits.rows);
    const json = rankingJson(ranking, { rows: shown, digits: DIGITS, notSelected: false, refused: false });
    const warnings = ranking.warnings.map((warning) => problemJson(relativeProblem(warning, profiles.folder)));
    const data = RANKING_SUMMARY.parse({ ...json, warnings }); // removes the keys that agents do not need
    return { text: rankingText(data, ranking.counts.given), data };
  },
});

/** The width of explanations. Long lines cost an agent nothing. */
const COLUMNS = 120;

/** Explains one candidate. */
const explain = defineTool({
  name: 'explain',
  title: 'Explain a candidate',
  description:
    'Ranks candidates by a profile, and explains the result of one of them: what each veto, scorer and rule found, which ' +
    'fields it read, and how the score is computed. Send the same candidates and context as to rank.',
  input: ENVELOPES.explain.omit({ format: true, prune: true }).extend({ ...SHORT, candidate: WHICH }),
  output: EXPLANATION,
  async run({ candidate, ...request }, call) {
    const ranking = await rankFor(call, rankRequest({ ...request, update_memory: false }));
    const explanation = ranking.explain(candidate);
    return { text: explanationText(explanation, { columns: COLUMNS }), data: snakeCaseKeys(explanation) };
  },
});

/** Compares two candidates. */
const compare = defineTool({
  name: 'compare',
  title: 'Compare two candidates',
  description:
    'Ranks candidates by a profile, and shows which of two comes first, what makes the difference, and which single ' +
    'change (a weight, a scorer’s value, a veto) would reverse their order.',
  input: ENVELOPES.compare.omit({ format: true, prune: true }).extend({ ...SHORT, a: WHICH, b: WHICH }),
  output: COMPARISON,
  async run({ a, b, ...request }, call) {
    const ranking = await rankFor(call, rankRequest({ ...request, update_memory: false }));
    const comparison = await ranking.compare(a, b);
    return { text: comparisonText(comparison, { columns: COLUMNS }), data: snakeCaseKeys(comparison) };
  },
});

type ProfileInput = z.output<typeof SHORT.profile>;

/** Checks a profile. */
const check = defineTool({
  name: 'check',
  title: 'Check a profile',
  description:
    'Loads a profile and lists its problems, each with file, line and how to fix it. If there are none, returns its ' +
    'warnings and the ids of its entries.',
  input: z.strictObject({ profile: SHORT.profile }),
  output: CHECK_ANSWER,
  async run({ profile }, call, { profiles }) {
    const { pipeline, problems } = await checked(profile, call, profiles);
    const name = pipeline?.name ?? (typeof profile === 'string' ? profile : 'profile');
    const found = problems.map((problem) => relativeProblem(problem, profiles.folder));
    const data = {
      profile: name,
      valid: pipeline !== undefined,
      problems: found.map(problemJson),
      ...(pipeline && { entries: pipeline.describe() }),
    };
    const lines = [
      `${name}: ${pipeline ? 'fine' : 'invalid'}`,
      ...(found.length > 0 ? [toAssizeError(found).message] : []),
    ];
    return { text: lines.join('\n'), data };
  },
});

/** The pipeline of a profile if it is valid, and the problems of its current text. */
async function checked(
  profile: ProfileInput,
  call: Call,
  profiles: ServedProfiles,
): Promise<{ readonly pipeline?: ServedPipeline | undefined; readonly problems: readonly Problem[] }> {
  if (typeof profile === 'string') {
    const { pipeline, error } = profiles.find(profile);
    return error ? { problems: error.problems } : { pipeline, problems: pipeline?.warnings ?? [] };
  }
  try {
    const { pipeline } = await call.takePipeline(profile);
    return { pipeline, problems: pipeline.warnings };
  } catch (error) {
    return { problems: problemsOf(error) };
  }
}

/** The problems that an agent can fix; throws any other error. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof AssizeError || error instanceof RequestError) return error.problems;
  throw error;
}

/** Lists the profiles. */
const list = defineTool({
  name: 'list',
  title: 'List profiles',
  description:
    'Lists the profiles of this server: the purpose of each, the fields of candidates that it reads, and the ids of its ' +
    'entries. Call this before rank.',
  input: z.strictObject({}),
  output: PROFILES_ANSWER,
  async run(_input, _call, { profiles }) {
    const data = PROFILES_ANSWER.parse(profilesJson(profiles));
    const lines = data.profiles.map(({ name, description, reads = [], context = {}, problems: [problem] = [] }) => {
      if (problem) return `${name}: broken: ${problem.message}`;
      const required = Object.keys(context).filter((field) => context[field]?.required);
      const facts = [
        ...(reads.length > 0 ? [`reads ${reads.join(', ')}`] : []),
        ...(required.length > 0 ? [`needs context ${required.join(', ')}`] : []),
      ];
      const text = description === undefined ? name : `${name}: ${description}`;
      return facts.length > 0 ? `${text} (${facts.join('; ')})` : text;
    });
    return { text: lines.join('\n') || 'there are no profiles', data };
  },
});

/** Describes the profile format, part by part. */
const schema = defineTool({
  name: 'schema',
  title: 'The profile format',
  description:
    'Describes the profile format. Without a part, lists every key, class and preset in a line each. With a part, returns ' +
    'the JSON Schema of a key (select) or of a class’s params (DecayScorer), or the text of a preset as an example.',
  input: z.strictObject({ part: z.string().optional().describe('A key, a class, or a preset.') }),
  output: SCHEMA_ANSWER,
  async run({ part }) {
    const parts = await profileFormat();
    if (part === undefined) {
      const all = parts.map(({ kind, name, summary }) => ({ kind, name, summary }));
      return { text: partsText(parts), data: { parts: all } };
    }
    const { kind, name, summary, read } = findPart(parts, part);
    const content = await read();
    return { text: `${kind} ${name}: ${summary}\n${content}`, data: { parts: [{ kind, name, summary, content }] } };
  },
});

/** The tools, in the order in which an agent needs them. */
export const TOOLS: readonly Tool[] = [list, rank, explain, compare, check, schema];

type Summary = z.output<typeof RANKING_SUMMARY>;

/**
 * A ranking as text for a language model: a line for each selected candidate, and for each reason why others are missing.
 *
 * @param given the number of candidates of the call
 */
function rankingText({ profile, counts, ...rest }: Summary, given: number): string {
  const generated = counts.generated === undefined ? '' : `, ${counts.generated} generated by the fallback`;
  return [
    `${profile}: ${given} candidates, ${counts.selected} selected, ${counts.not_selected} not selected, ${counts.refused} refused${generated}`,
    ...rest.selected.map(rowText),
    ...(rest.more === undefined ? [] : [`… and ${rest.more} more`]),
    ...rest.refused_counts.map(
      ({ by, kind, count, examples: [first] }) =>
        `refused ${count} by ${by} (${kind}): ${first?.id ?? ''}: ${first?.reason ?? ''}`,
    ),
    ...rest.degraded.map(
      ({ entry, stage, cause, count, instead }) =>
        `failed: ${entry} (${stage}), ${count} times, replaced by ${instead}: ${cause}`,
    ),
    ...(rest.warnings ?? []).map(
      ({ code, message, hint }) => `warning ${code}: ${[message, hint].filter(Boolean).join('; ')}`,
    ),
  ].join('\n');
}

function rowText({ rank: place, id, score, scores, because, cost }: Summary['selected'][number]): string {
  const notes = [
    ...(because === undefined ? [] : [because]),
    ...(cost === undefined ? [] : [`cost ${cost}`]),
    ...Object.entries(scores ?? {}).map(([scorer, value]) => `${scorer} ${value ?? '–'}`),
  ];
  return [place === undefined ? '–' : `${place}.`, id, score, notes.length > 0 ? `(${notes.join(', ')})` : undefined]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** A part of the profile format: a key, a class, or a preset as an example. */
type SchemaPart = Awaited<ReturnType<typeof profileFormat>>[number];

/** @throws AssizeError (ASZ591) if no part has this name */
export function findPart(parts: readonly SchemaPart[], name: string): SchemaPart {
  const found = parts.find((part) => part.name === name);
  if (found) return found;
  const hint = didYouMean(
    name,
    parts.map((part) => part.name),
    'call schema without a part to list them',
  );
  throw toAssizeError([{ code: 'ASZ591', message: `there is no key, class or preset ${JSON.stringify(name)}`, hint }]);
}

/** The parts as text, one per line. */
export function partsText(parts: readonly SchemaPart[]): string {
  const titles = { key: 'Keys of a profile', class: 'Classes', preset: 'Presets, as examples' };
  return (['key', 'class', 'preset'] as const)
    .map((kind) => {
      const lines = parts.filter((part) => part.kind === kind).map(({ name, summary }) => `- ${name}: ${summary}`);
      return `${titles[kind]}:\n${lines.join('\n')}`;
    })
    .join('\n\n');
}
