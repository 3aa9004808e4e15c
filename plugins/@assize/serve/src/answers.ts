/**
 * The schemas of answers, of which the responses in OpenAPI and the outputs of MCP's tools are made. Objects may get more
 * keys in later versions.
 *
 * @module
 */
import * as z from 'zod';

const strings = z.array(z.string());
const byScorer = z.record(z.string(), z.number().nullable());
const anyMap = z.record(z.string(), z.unknown());

const note = z.object({ reason: z.string(), text: z.string(), data: anyMap.optional() });

const terms = {
  scores: byScorer.optional().describe('Of each scorer the number that counts; null if it is left out of the score.'),
  states: z.record(z.string(), z.string()).optional(),
  case: z.string().optional(),
  weights: byScorer.optional().describe('Missing if they are those of the whole ranking.'),
  contributions: byScorer.optional(),
  combined: z.number().optional().describe('The score before the rules.'),
  rules: z.array(z.looseObject({ id: z.string(), score: z.number() })).optional(),
};

const placed = {
  id: z.string(),
  index: z.int().describe('The position in the candidates of the request; −1 if a fallback generated it.'),
};

const row = z.object({
  rank: z.int().optional(),
  ...placed,
  score: z.number().optional(),
  partial: z.object({ present: z.int(), of: z.int() }).optional(),
  cost: z.number().optional(),
  ...terms,
  candidate: z.unknown().optional(),
});

const refusal = z.object({ kind: z.string(), by: z.string(), reason: z.string() });
const refused = z.object({
  ...placed,
  ...refusal.shape,
  all: z.array(refusal).optional(),
  candidate: z.unknown().optional(),
});

const degraded = z.array(
  z.object({
    entry: z.string(),
    stage: z.string(),
    cause: z.string(),
    causes: z.array(z.object({ cause: z.string(), count: z.int() })).optional(),
    count: z.int(),
    instead: z.union([z.number(), z.string()]),
  }),
);

const problems = z.array(z.looseObject({ code: z.string(), message: z.string() }));

/** A node of an explanation. Kinds of nodes have more keys. */
const node = z.looseObject({
  kind: z.string(),
  id: z.string(),
  label: z.string().optional(),
  text: z.string(),
  state: z.string().optional(),
  get details() {
    return z.array(node);
  },
});

const outcome = z.looseObject({ kind: z.string() });
export const EXPLANATION = z.looseObject({ ...node.shape, profile: z.string(), index: z.int(), outcome });
const text = z.object({ text: z.string() });

const selected = row.extend({ because: z.string().optional(), note: note.optional(), moved: z.string().optional() });

const ranking = z.object({
  profile: z.string(),
  labels: z.record(z.string(), z.string()).optional(),
  counts: z.object({
    ranked: z.int(),
    selected: z.int(),
    not_selected: z.int(),
    refused: z.int(),
    generated: z.int().optional(),
  }),
  weights: byScorer.optional(),
  case_weights: z.record(z.string(), byScorer).optional(),
  ranked: z.array(row).optional(),
  selected: z.array(selected),
  not_selected: z.array(row.extend({ ...note.shape, replaced_by: strings.optional() })).optional(),
  refused: z.array(refused),
  budget: anyMap.optional(),
  pruned: z.looseObject({ exact: z.boolean() }).optional(),
  report: anyMap,
  degraded,
  warnings: problems.optional(),
  explanations: z.array(EXPLANATION).optional(),
});

/** The answer of the tool `rank`, short for language models: the refused are counted, and rows have fewer numbers. */
export const RANKING_SUMMARY = ranking
  .omit({ case_weights: true, ranked: true, not_selected: true, refused: true, explanations: true })
  .extend({
    selected: z.array(
      selected.omit({ weights: true, contributions: true, combined: true, rules: true, candidate: true }),
    ),
    more: z.int().optional().describe('The number of selected candidates that are not listed.'),
    refused_counts: z.array(
      refusal.omit({ reason: true }).extend({
        count: z.int(),
        examples: z.array(z.object({ ...placed, reason: z.string() })),
      }),
    ),
  });

const score = z.object({
  profile: z.string(),
  rows: z.array(
    z.object({
      ...row.shape,
      score: z.number().nullable(),
      ...refusal.partial().shape,
      all: z.array(refusal).optional(),
      because: z.string().optional(),
    }),
  ),
  degraded,
  warnings: problems,
});

const side = z.looseObject({ ...placed, outcome });
export const COMPARISON = z.looseObject({
  profile: z.string(),
  a: side,
  b: side,
  ahead: z.enum(['a', 'b']).optional(),
  decided_by: z.string(),
  difference: z.number().optional(),
  terms: z.array(z.looseObject({ id: z.string(), unit: z.string() })),
  rules: z.array(z.looseObject({ id: z.string() })),
  flips: anyMap,
});

const result = z.object({
  index: z.int().describe('The position of the document in the request.'),
  relevance_score: z
    .number()
    .describe('From 0 to 1, by the profile’s `serve.relevance`; with `serve.relevance: score` any number.'),
  score: z.number().optional().describe('The score as the profile computes it.'),
  document: z.unknown().optional().describe('The document, if `return_documents` is true.'),
});

const reranked = z.object({
  id: z.string(),
  model: z.string(),
  results: z.array(result).optional().describe('Missing if the request has `top_k` without `top_n`.'),
  object: z.literal('list').optional(),
  data: z.array(result).optional().describe('The same for Voyage; missing if the request has `top_n` without `top_k`.'),
  usage: z.object({ total_tokens: z.int() }),
  meta: z.object({
    api_version: z.object({ version: z.string() }),
    billed_units: z.object({ search_units: z.int() }),
    warnings: strings.optional(),
  }),
});

/** The answers of the routes that run a profile, by kind. */
export const ANSWERS = {
  rank: ranking,
  pack: ranking,
  score,
  explain: z.union([EXPLANATION, text]),
  compare: z.union([COMPARISON, text]),
  rerank: reranked,
};

const entries = z.record(z.string(), strings).describe('The ids of the entries, by kind.');
const profile = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  reads: strings.optional().describe('The fields of candidates that the profile reads.'),
  context: z
    .record(z.string(), z.object({ type: z.string().optional(), required: z.boolean() }))
    .optional()
    .describe('The fields of the context that the profile declares.'),
  packs: z.boolean().optional().describe('Whether it packs candidates into a budget.'),
  entries: entries.optional(),
  answers: z.boolean().describe('Whether a version of the profile can be used.'),
  version: z.int(),
  problems: problems.optional().describe('Why the current file is not used.'),
});

/** The answers of the other routes. `PROFILES_ANSWER` is also that of the tool `list`. */
export const PROFILES_ANSWER = z.object({ profiles: z.array(profile) });
export const HEALTH_ANSWER = z.object({ status: z.literal('alive') });
export const READY_ANSWER = z.object({
  status: z.enum(['stopping', 'not ready', 'degraded', 'ready']),
  profiles: z.int(),
  answering: z.int(),
  broken: z.union([z.int(), z.array(z.looseObject({ name: z.string() }))]),
});

/** The answer of the tool `check`. */
export const CHECK_ANSWER = z.object({
  profile: z.string(),
  valid: z.boolean(),
  problems: problems.describe('Errors, or the warnings of a valid profile.'),
  entries: entries.optional(),
});

/** The answer of the tool `schema`. */
export const SCHEMA_ANSWER = z.object({
  parts: z.array(
    z.object({
      kind: z.enum(['key', 'class', 'preset']),
      name: z.string(),
      summary: z.string(),
      content: z.string().optional().describe('JSON Schema, or the text of a preset.'),
    }),
  ),
});
