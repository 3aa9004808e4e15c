import * as z from 'zod';
import { type CallBudget, type Problem, type ProfileSource, toAssizeError } from 'assize';
import { schemaProblems } from 'assize/internal';
import { isMap } from 'assize/sdk';

/** An object with any keys. Without `additionalProperties`, generators of clients make it one without keys. */
const anyObject = { type: 'object', additionalProperties: true } as const;

/**
 * A list whose contents are not checked here. Validating candidates one by one costs more than ranking them, and
 * the engine reports invalid ones.
 */
const candidates = z
  .custom<readonly object[]>((value) => Array.isArray(value), 'expected a list of objects')
  .meta({ type: 'array', items: anyObject });

const now = { type: ['string', 'number', 'null'], description: 'The time: ISO 8601, or milliseconds since 1970.' };

const context = z
  .custom<Readonly<Record<string, unknown>>>(isMap, 'expected a map')
  .optional()
  .meta({ ...anyObject, properties: { now } })
  .describe('The fields that the profile reads, besides those of candidates.');

const which = z
  .union([z.string(), z.strictObject({ index: z.int().min(0) })])
  .describe(
    "A candidate: its id, its name if several have that id ('widget (@3)'), or its position in the input: { index: 0 }.",
  );

const profile = z
  .custom<string | InlineProfile>((value) => (typeof value === 'string' ? value !== '' : isMap(value)), {
    error: 'expected the name of a profile, or a profile',
  })
  .meta({
    anyOf: [{ type: 'string', minLength: 1 }, anyObject],
    description: 'The name of the profile: `shop` for shop.yaml. If the server allows it, the profile itself.',
  });

const weights = z
  .record(z.string(), z.number())
  .optional()
  .describe('Weights by scorer id, in place of the profile’s.');

const call = {
  profile,
  candidates: candidates.optional().describe('Objects. If absent, a profile with strategies generates them.'),
  context,
  weights,
};

const memory = { update_memory: z.boolean().default(true).describe('false: do not update the memory of the profile.') };

const limits = {
  top: z.int().min(0).optional().describe('The most candidates to select, in place of the profile’s select.top.'),
  min_score: z.number().optional().describe('The minimum score of a selected candidate, in place of the profile’s.'),
  offset: z.int().min(0).optional().describe('The number of the best to skip, for the next page.'),
  seed: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Orders tied candidates and chooses at random, in place of the profile’s select.seed. The same seed gives the same result.',
    ),
  prune: z.boolean().default(true).describe('false: every scorer scores every candidate, without pruning.'),
};

const cost = { type: 'number', minimum: 0 };

const budget = z
  .custom<CallBudget>((value) => typeof value === 'number' || isMap(value), 'expected a number or a map')
  .meta({
    anyOf: [
      cost,
      {
        type: 'object',
        properties: {
          target: cost,
          max: cost,
          output_reserve: cost,
          reserved_slots: { type: 'object', additionalProperties: cost },
          safety_margin: { ...cost, maximum: 100 },
        },
        additionalProperties: false,
      },
    ],
    description:
      'The budget, in place of the profile’s. A number sets target and max; the keys of a map are those of select.pack.budget.',
  });

/** The optional parts of a response. */
const RANK_PARTS = ['terms', 'candidates', 'ranked', 'not_selected', 'explanations', 'warnings'] as const;
const SCORE_PARTS = ['terms', 'candidates'] as const;

const include = <const P extends readonly [string, ...string[]]>(parts: P, description: string) =>
  z.array(z.enum(parts)).default([]).describe(description);

const rankInclude = include(
  RANK_PARTS,
  'Optional parts of the response: the terms of each score, the candidates, every ranked row, the candidates that were not selected, explanations of the selected, and warnings.',
);

const rank = z.strictObject({ ...call, ...memory, ...limits, budget: budget.optional(), include: rankInclude });
const pack = z.strictObject({ ...call, ...memory, min_score: limits.min_score, budget, include: rankInclude });
const score = z
  .strictObject({
    ...call,
    ...memory,
    include: include(SCORE_PARTS, 'Optional parts of each row: the terms of its score, the candidate.'),
  })
  .meta({ required: ['profile', 'candidates'] }); // not checked here: in JSON Lines, they follow
const ranked = { ...call, ...limits, budget: budget.optional() };
const format = z.enum(['json', 'text']).default('json').describe('text: as `assize explain` prints it.');
const explain = z.strictObject({ ...ranked, candidate: which, format });
const compare = z.strictObject({ ...ranked, a: which, b: which, format });

/** Unknown options of other rerankers are accepted; the response warns that they have no effect. */
const rerank = z.looseObject({
  model: z.string().min(1).describe('The name of the profile.'),
  query: z.string().describe('Stored in the context field that the profile’s `serve.query` names.'),
  documents: z
    .custom<readonly unknown[]>((value) => Array.isArray(value), 'expected a list')
    .meta({ type: 'array', items: { anyOf: [{ type: 'string' }, anyObject] } })
    .describe('Candidates, or texts, which are stored in the field that the profile’s `serve.text` names.'),
  top_n: z.int().min(1).nullish().describe('The most results to return.'),
  top_k: z.int().min(1).nullish().describe('Like top_n, for clients that expect `data` in place of `results`.'),
  return_documents: z.boolean().nullish().describe('Whether each result has its document.'),
  context: context.describe('The fields that the profile reads, besides those of candidates and the query.'),
  weights,
});

/** A profile that a request brings, or `{ yaml }`, its text. */
export type InlineProfile = Exclude<ProfileSource, string>;

/** The envelopes of requests, of which OpenAPI and the tools of MCP are made. */
export const ENVELOPES = { rank, pack, score, explain, compare, rerank };

/** The kinds of requests. */
export type RunKind = keyof typeof ENVELOPES;

export type Envelope<K extends RunKind> = z.output<(typeof ENVELOPES)[K]>;

/**
 * Checks the envelope of a request.
 *
 * @throws AssizeError (ASZ590) with every problem
 */
export function parseEnvelope<E>(schema: z.ZodType<E>, data: unknown): E {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const { first, more } = firstIssues(parsed.error.issues);
  const problems = schemaProblems(first, { root: data, path: [], schema }).map(withHint);
  const found = problems.length > 0 ? problems : [{ message: 'the name __proto__ is reserved' }];
  const rest = more > 0 ? [{ message: `and ${more} more` }] : [];
  throw toAssizeError([...found, ...rest].map((problem) => ({ ...problem, code: 'ASZ590' })));
}

/** Keys that belong elsewhere in a request, or have another name in other products. */
const MISPLACED: ReadonlyMap<string, string> = new Map([
  ['now', 'it is part of the context: { "context": { "now": "2026-06-01" } }'],
  ['query', 'it is part of the context: { "context": { "query": "…" } }'],
  ['documents', 'objects are called candidates; POST /v1/rerank accepts documents'],
  ...['limit', 'top_k', 'top_n', 'n', 'k'].map(
    (key) => [key, 'the number of candidates to select is called top'] as const,
  ),
]);

function withHint(problem: Omit<Problem, 'code'>): Omit<Problem, 'code'> {
  const { path, message, hint } = problem;
  if ((path ?? '') === '' && message === 'expected a map, found a list')
    return { ...problem, hint: 'send the list as candidates: { "profile": "shop", "candidates": [{ "id": "a" }] }' };
  const misplaced = path !== undefined && message === `unknown key ${path}` ? MISPLACED.get(path) : undefined;
  return { ...problem, hint: misplaced ?? hint };
}

/**
 * The number of problems of an envelope that are described. A description takes a thousand times as long as parsing what
 * is wrong, and the caller chooses how much is wrong.
 */
const MAX_DESCRIBED = 99;

/** The first issues, each unknown key counted as one, and the number of the others. */
function firstIssues(issues: readonly z.core.$ZodIssue[]): {
  readonly first: readonly z.core.$ZodIssue[];
  readonly more: number;
} {
  const first: z.core.$ZodIssue[] = [];
  let more = 0;
  let left = MAX_DESCRIBED;
  for (const issue of issues) {
    const count = issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
    const described = Math.min(count, left);
    more += count - described;
    left -= described;
    if (described === count) first.push(issue);
    else if (described > 0 && issue.code === 'unrecognized_keys')
      first.push({ ...issue, keys: issue.keys.slice(0, described) });
  }
  return { first, more };
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A Zod schema as JSON Schema 2020-12, which OpenAPI 3.1 and MCP accept unchanged. Objects of answers may have other
 * keys, so that clients of this version accept the answers of later ones.
 */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  const generated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: describeDefault });
  const { $schema, ...rest } = isMap(generated) ? generated : {};
  void $schema;
  return rest;
}

/** Moves a default into the description: generators of clients make a key with a default a required one. */
function describeDefault({ jsonSchema: schema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.default === undefined) return;
  schema.description = `${schema.description ?? ''} Default: ${JSON.stringify(schema.default)}.`.trim();
  delete schema.default;
}
