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
  .describe('The name of a profile (the tool list has them), or a profile itself: an object, or { yaml: text }.');

/** Not checked one by one: the engine does that as it reads them, and says which is wrong. */
const candidates = z
  .array(z.unknown())
  .meta({ items: { type: 'object' } })
  .describe('What is ranked: objects, with the fields that the profile reads.');

/** What every ranking of a call has. */
const rankingInput = z.strictObject({
  profile: profileInput,
  candidates: candidates.optional(),
  context: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('What is known about this request: query, now, turn_count … as the profile reads it.'),
  weights: z.record(z.string(), z.number()).optional().describe("Weights by scorer, in place of the profile's."),
  min_score: z.number().optional().describe("The least score that is selected, in place of the profile's."),
  budget: z.number().nonnegative().optional().describe('What may be spent, for a profile that packs.'),
});

type RankingInput = z.infer<typeof rankingInput>;

/** Ranks as a call asks. Others have their turn meanwhile, and an abort is heard. */
async function rankFor(
  { profile, candidates: given, context, weights, min_score, budget }: RankingInput,
  toolContext: ToolContext,
  options: Pick<RankOptions, 'signal' | 'learn' | 'top' | 'offset' | 'prune'>,
): Promise<Ranking<unknown>> {
  checkCount(given, toolContext.limits);
  const pipeline: Pipeline = await pipelineOf(profile, toolContext);
  return pipeline.rank(given, context, {
    ...options,
    turns: true,
    ...(weights && { weights }),
    ...(min_score !== undefined && { min_score }),
    ...(budget !== undefined && { budget }),
  });
}

const count = z.int().nonnegative();

/** Ranks candidates. */
const rank = defineTool({
  name: 'rank',
  title: 'Rank candidates',
  description:
    'Ranks candidates by a profile: vetoes refuse, scorers weigh, and the best are selected. Answers with the selected, best ' +
    'first, each with the scores it is made of, and with how many were refused or left out and why. Scores depend on the ' +
    'other candidates where a profile compares them: send all of them in one call.',
  input: rankingInput.extend({
    top: count.optional().describe("Select so many of the best, in place of the profile's own top."),
    offset: count.optional().describe('Skip so many of the best: the pages before.'),
    rows: z.int().positive().optional().describe('List at most so many of the selected; 20 when not said.'),
    learn: z.boolean().optional().describe('false: a profile that remembers what it has ranked forgets this call.'),
  }),
  learns: true,
  async run({ top, offset, learn, rows = 20, ...request }, context, abort) {
    const ranking = await rankFor(request, context, {
      signal: abort,
      ...(learn !== undefined && { learn }),
      ...(top !== undefined && { top }),
      ...(offset !== undefined && { offset }),
    });
    const data = rankingData(ranking, Math.min(rows, context.limits.rows));
    return { text: rankingText(data), data: { ...data } };
  },
});

/** How wide the text of an explanation is: long lines cost an agent nothing. */
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
    'Ranks candidates by a profile, and says why one of them came out as it did: what each veto, scorer and rule found, ' +
    'what it read, and how the score is computed. Send the same candidates and context as to rank.',
  input: rankingInput.extend({ candidate: which }),
  async run({ candidate, ...request }, context, abort) {
    const ranking = await rankFor(request, context, { signal: abort, learn: false });
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
    'Ranks candidates by a profile, and says which of two comes first, what decides between them, and which single change ' +
    '(a weight, a scorer’s value, a veto) would put the other one first.',
  input: rankingInput.extend({ a: which, b: which }),
  async run({ a, b, ...request }, context, abort) {
    const ranking = await rankFor(request, context, { signal: abort, learn: false });
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
    'Loads a profile and says everything that is wrong with it, each problem with its file, line and what to do; or, where ' +
    'nothing is, its warnings and the ids of its entries.',
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
    return { text: [`${name}: ${pipeline ? 'fine' : 'it cannot be used'}`, ...found].join('\n'), data };
  },
});

/** A profile's pipeline, where it can be used, and what is wrong with it as it is written now. */
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
    'The profiles of this server: what each is for, the fields of candidates that it reads, and the ids of its entries. Call ' +
    'it before rank.',
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

/** Each field once; a unit that may read anything says none. */
const fieldsOf = ({ candidateReads }: ServedPipeline): readonly string[] => [
  ...new Set(candidateReads.flatMap(({ field }) => field ?? [])),
];

/** Without the kinds of which it has none. */
const entriesOf = (entries: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(entries).filter(([, ids]: [string, readonly string[]]) => ids.length > 0));

/** Says how a profile is written, part by part. */
const schema = defineTool({
  name: 'schema',
  title: 'How a profile is written',
  description:
    'What a profile is written with. Without a part: every key, class and preset in a line each. With one: the JSON Schema of ' +
    'a key (select) or of a class’s params (DecayScorer), or the text of a preset, as an example.',
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
