import * as z from 'zod';
import { AssizeError, type Problem } from '../../base/index.js';
import { comparisonText, explanationText, type RankOptions, type Ranking } from '../../ranking/index.js';
import type { Pipeline } from '../../pipeline/index.js';
import type { ServedPipeline, ServedProfile } from '../profiles/served-profile.js';
import { problemData, problemsText, rankingData, rankingText } from './answers.js';
import { checkCount } from './limits.js';
import { findPart, partsText, schemaParts } from './schema-parts.js';
import { defineTool, pipelineOf, type Tool, type ToolContext } from './tool.js';

/** The profile of a call. */
const profileInput = z
  .union([z.string().min(1), z.record(z.string(), z.unknown())])
  .describe('The name of a profile (see the tool list), or a profile: an object, or { yaml: text }.');

/** Not validated one by one, since the engine does that and reports invalid candidates. */
const candidates = z
  .array(z.unknown())
  .meta({ items: { type: 'object' } })
  .describe('The candidates: objects with the fields that the profile reads.');

/** The input of every tool that ranks. */
const rankingInput = z.strictObject({
  profile: profileInput,
  candidates: candidates.optional(),
  context: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The context of the request: query, now, turn_count and other fields that the profile reads.'),
  weights: z.record(z.string(), z.number()).optional().describe("Weights by scorer, in place of the profile's."),
  min_score: z.number().optional().describe("The minimum score of a selected candidate, in place of the profile's."),
  budget: z.number().nonnegative().optional().describe('The budget, for a profile that packs.'),
});

type RankingInput = z.infer<typeof rankingInput>;

/** Ranks for a call. Yields to other calls in between, and observes an abort. */
async function rankFor(
  { profile, candidates: given, context, weights, min_score, budget }: RankingInput,
  toolContext: ToolContext,
  options: Pick<RankOptions, 'signal' | 'updateMemory' | 'top' | 'offset' | 'prune'>,
): Promise<Ranking<unknown>> {
  checkCount(given, toolContext.limits);
  const pipeline: Pipeline = await pipelineOf(profile, toolContext);
  return pipeline.rank(given, context, {
    ...options,
    turns: true,
    ...(weights && { weights }),
    ...(min_score !== undefined && { minScore: min_score }),
    ...(budget !== undefined && { budget }),
  });
}

const count = z.int().nonnegative();

/** Ranks candidates. */
const rank = defineTool({
  name: 'rank',
  title: 'Rank candidates',
  description:
    'Ranks candidates by a profile: vetoes refuse, scorers score, and the best are selected. Returns the selected, best ' +
    'first, each with the scores of its scorers, and the number of refused and not selected candidates with reasons. Send ' +
    'all candidates in one call: scores may depend on the other candidates.',
  input: rankingInput.extend({
    top: count.optional().describe("How many to select, in place of the profile's top."),
    offset: count.optional().describe('How many of the best to skip, for the next page.'),
    rows: z.int().positive().optional().describe('The most selected candidates to list; 20 by default.'),
    update_memory: z.boolean().optional().describe('false: do not update the memory of the profile.'),
  }),
  learns: true,
  async run({ top, offset, update_memory: updateMemory, rows = 20, ...request }, context, abort) {
    const ranking = await rankFor(request, context, {
      signal: abort,
      ...(updateMemory !== undefined && { updateMemory }),
      ...(top !== undefined && { top }),
      ...(offset !== undefined && { offset }),
    });
    const data = rankingData(ranking, Math.min(rows, context.limits.rows));
    return { text: rankingText(data), data: { ...data } };
  },
});

/** The width of explanations. Long lines cost an agent nothing. */
const COLUMNS = 120;

/** A candidate of a call. */
const which = z
  .union([z.string(), z.strictObject({ index: z.int().nonnegative() })])
  .describe('A candidate: its id, or its position: { index: 0 }.');

/** Explains one candidate. */
const explain = defineTool({
  name: 'explain',
  title: 'Explain a candidate',
  description:
    'Ranks candidates by a profile, and explains the result of one of them: what each veto, scorer and rule found, which ' +
    'fields it read, and how the score is computed. Send the same candidates and context as to rank.',
  input: rankingInput.extend({ candidate: which }),
  async run({ candidate, ...request }, context, abort) {
    const ranking = await rankFor(request, context, { signal: abort, updateMemory: false });
    const explanation = ranking.explain(candidate);
    const { profile, id, index, outcome } = explanation;
    return { text: explanationText(explanation, { columns: COLUMNS }), data: { profile, id, index, outcome } };
  },
});

/** Compares two candidates. */
const compare = defineTool({
  name: 'compare',
  title: 'Compare two candidates',
  description:
    'Ranks candidates by a profile, and shows which of two comes first, what makes the difference, and which single ' +
    'change (a weight, a scorer’s value, a veto) would reverse their order.',
  input: rankingInput.extend({ a: which, b: which }),
  async run({ a, b, ...request }, context, abort) {
    const ranking = await rankFor(request, context, { signal: abort, updateMemory: false });
    const comparison = await ranking.compare(a, b);
    const { profile, ahead, decidedBy, difference } = comparison;
    const data = {
      profile,
      a: sideOf(comparison.a),
      b: sideOf(comparison.b),
      ...(ahead && { ahead }),
      decidedBy,
      ...(difference !== undefined && { difference }),
      flips: comparison.flips.weights.filter(({ state }) => state === 'flips'),
    };
    return { text: comparisonText(comparison, { columns: COLUMNS }), data };
  },
});

const sideOf = ({ id, index, outcome }: { id: string; index: number; outcome: unknown }) => ({ id, index, outcome });

/** Checks a profile. */
const check = defineTool({
  name: 'check',
  title: 'Check a profile',
  description:
    'Loads a profile and lists its problems, each with file, line and how to fix it. If there are none, returns its ' +
    'warnings and the ids of its entries.',
  input: z.strictObject({ profile: profileInput }),
  async run({ profile }, context) {
    const { folder } = context.profiles;
    const { pipeline, problems } = await checked(profile, context);
    const name = pipeline?.name ?? (typeof profile === 'string' ? profile : 'profile');
    const data = {
      profile: name,
      valid: pipeline !== undefined,
      problems: problems.map((problem) => problemData(problem, folder)),
      ...(pipeline && { entries: pipeline.describe() }),
    };
    const found = problems.length === 0 ? [] : [problemsText(problems, folder)];
    return { text: [`${name}: ${pipeline ? 'fine' : 'invalid'}`, ...found].join('\n'), data };
  },
});

/** The pipeline of a profile if it is valid, and the problems of its current text. */
async function checked(
  profile: z.infer<typeof profileInput>,
  context: ToolContext,
): Promise<{ readonly pipeline?: ServedPipeline | undefined; readonly problems: readonly Problem[] }> {
  if (typeof profile === 'string') {
    const { pipeline, error } = context.profiles.find(profile);
    return error ? { problems: error.problems } : { pipeline, problems: pipeline?.warnings ?? [] };
  }
  try {
    const pipeline = await pipelineOf(profile, context);
    return { pipeline, problems: pipeline.warnings };
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return { problems: error.problems };
  }
}

/** Lists the profiles. */
const list = defineTool({
  name: 'list',
  title: 'List profiles',
  description:
    'Lists the profiles of this server: the purpose of each, the fields of candidates that it reads, and the ids of its ' +
    'entries. Call this before rank.',
  input: z.strictObject({}),
  run: async (_input, { profiles }) => {
    const found = profiles.list().map(summaryOf);
    const lines = found.map(({ name, description, reads = [], problem }) => {
      if (problem !== undefined) return `${name}: broken: ${problem}`;
      const fields = reads.length > 0 ? `(reads ${reads.join(', ')})` : undefined;
      return [description === undefined ? name : `${name}: ${description}`, fields].filter(Boolean).join(' ');
    });
    return { text: lines.join('\n') || 'there are no profiles', data: { profiles: found } };
  },
});

function summaryOf({ name, pipeline, error }: ServedProfile) {
  const description = pipeline?.description;
  return {
    name,
    ...(description && { description }),
    ...(pipeline && { reads: fieldsOf(pipeline), packs: pipeline.packs, entries: entriesOf(pipeline.describe()) }),
    ...(error && { problem: error.problems[0]?.message ?? error.message }),
  };
}

/** Each field once. A unit that may read any field lists none. */
const fieldsOf = ({ candidateReads }: ServedPipeline): readonly string[] => [
  ...new Set(candidateReads.flatMap(({ field }) => field ?? [])),
];

/** The entries by kind, without empty kinds. */
const entriesOf = (entries: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(entries).filter(([, ids]: [string, readonly string[]]) => ids.length > 0));

/** Describes the profile format, part by part. */
const schema = defineTool({
  name: 'schema',
  title: 'The profile format',
  description:
    'Describes the profile format. Without a part, lists every key, class and preset in a line each. With a part, returns ' +
    'the JSON Schema of a key (select) or of a class’s params (DecayScorer), or the text of a preset as an example.',
  input: z.strictObject({ part: z.string().optional().describe('A key, a class, or a preset.') }),
  async run({ part }) {
    const parts = await schemaParts();
    if (part === undefined) {
      const all = parts.map(({ kind, name, summary }) => ({ kind, name, summary }));
      return { text: partsText(parts), data: { parts: all } };
    }
    const { kind, name, summary, read } = findPart(parts, part);
    const text = await read();
    return { text: `${kind} ${name}: ${summary}\n${text}`, data: { kind, name, summary } };
  },
});

/** The tools, in the order in which an agent needs them. */
export const TOOLS: readonly Tool[] = [list, rank, explain, compare, check, schema];
