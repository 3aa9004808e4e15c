import * as z from 'zod';
import type { ContextField } from 'assize';
import { packageVersion } from 'assize/internal';
import { isMap } from 'assize/sdk';
import { ANSWERS, HEALTH_ANSWER, PROFILES_ANSWER, READY_ANSWER } from '../answers.js';
import { type JsonSchema as Json, jsonSchema } from '../operations.js';
import type { RunKind } from '../operations.js';
import type { ServedPipeline } from '../profiles/served-profile.js';
import { RUN_ROUTES, type RunRoute } from './run-routes.js';

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
const answer = (description: string, schema: z.ZodType = z.looseObject({})): Json => ({
  description,
  ...json(jsonSchema(schema)),
});

/** Components by name. A recursive part is a component of its own, as generators of clients do not resolve `$defs`. */
function components(name: string, { $defs, ...schema }: Json): Readonly<Record<string, unknown>> {
  const parts = isMap($defs) ? $defs : {};
  const partName = (key: string): string => `${name}_${key.replace('__schema', 'part')}`;
  const schemas = { [name]: schema, ...mapKeys(parts, partName) };
  const text = JSON.stringify(schemas).replaceAll(
    /"#\/\$defs\/(\w+)"/g,
    (_, key: string) => `"#/components/schemas/${partName(key)}"`,
  );
  return JSON.parse(text) as Json;
}

const mapKeys = (map: Json, rename: (key: string) => string): Json =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [rename(key), value]));

const PROBLEM: Json = {
  type: 'object',
  description: 'RFC 9457, with the codes and places of the problems, and whether the caller or the server caused them.',
  required: ['title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', examples: ['ASZ534'] },
    fault: { type: 'string', enum: ['caller', 'profile', 'unit', 'environment'] },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        required: ['severity', 'code', 'message'],
        properties: {
          severity: { type: 'string', enum: ['error', 'warning'] },
          code: { type: 'string' },
          message: { type: 'string', description: 'What was found, and what was expected.' },
          path: { type: 'string', description: 'The path in the data: `context.country`.' },
          place: {
            type: 'object',
            required: ['file', 'line', 'column'],
            properties: { file: { type: 'string' }, line: { type: 'integer' }, column: { type: 'integer' } },
          },
          hint: { type: 'string', description: 'How to fix it.' },
        },
      },
    },
  },
};

/** The statuses of problems and their meanings. */
const PROBLEMS: Readonly<Record<string, string>> = {
  400: 'The request, its candidates, context, weights or limits are invalid.',
  401: 'The token is missing or unknown.',
  403: 'The origin of the page is not accepted, or the token belongs to another tenant.',
  404: 'The profile does not exist.',
  408: 'The body stalled.',
  413: 'The body or the number of candidates is too large.',
  415: 'The body is neither JSON nor JSON Lines.',
  421: 'The server does not accept this host name.',
  429: 'The tenant has too many requests, uploads or bytes in progress. Retry-After says when to try again.',
  500: 'The profile, one of its units or the server failed.',
  503: 'The server is busy or stopping, the run took too long, or the profile is broken.',
};

const PROBLEM_RESPONSE: Json = {
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const problemResponses = (statuses = Object.keys(PROBLEMS)): Json =>
  Object.fromEntries(statuses.map((status) => [status, { ...PROBLEM_RESPONSE, description: PROBLEMS[status] }]));

/** The statuses of routes without a token. */
const OPEN = ['403', '421'];
/** The statuses of routes with a token. */
const GUARDED = ['401', '403', '421'];

/** The profile of a request to a server without inline profiles. */
const PROFILE_NAME: Json = {
  type: 'string',
  minLength: 1,
  description: 'The name of the profile: `shop` for shop.yaml.',
};

/** The schema of a request; its profile is a name unless the server accepts profiles. */
function requestSchema(schema: z.ZodType, inline: boolean): Json {
  const { properties, ...rest } = jsonSchema(schema);
  const own = isMap(properties) && 'profile' in properties && !inline ? { profile: PROFILE_NAME } : {};
  return { ...rest, properties: { ...(isMap(properties) && properties), ...own } };
}

/** A profile that examples name. */
export interface ExampleProfile {
  readonly name: string;
  readonly pipeline: ServedPipeline;
}

/** A value of each type that a profile can require of a field of the context. */
const EXAMPLE_VALUES: Readonly<Record<NonNullable<ContextField['type']>, unknown>> = {
  int: 1,
  number: 1,
  string: 'text',
  bool: true,
  list: [],
  map: {},
  time: '2026-01-01T00:00:00Z',
};

/** The name of a profile, and the required fields of its context. */
function exampleOf(one: ExampleProfile | undefined): { readonly name: string; readonly context: Json } {
  if (!one) return { name: 'shop', context: {} };
  const required = Object.entries(one.pipeline.contextFields).filter(([, field]) => field.required);
  const context = Object.fromEntries(required.map(([name, { type = 'string' }]) => [name, EXAMPLE_VALUES[type]]));
  return { name: one.name, context: required.length > 0 ? { context } : {} };
}

/**
 * A request of each kind that the profiles can answer.
 *
 * @param usable the first is used; for `pack`, the first that packs
 */
function examplesOf(usable: readonly ExampleProfile[]): Readonly<Record<RunKind, Json>> {
  const any = exampleOf(usable[0]);
  const packing = exampleOf(usable.find(({ pipeline }) => pipeline.packs) ?? usable[0]);
  const candidates = [{ id: 'first' }, { id: 'second' }];
  const request = { profile: any.name, candidates, ...any.context };
  return {
    rank: request,
    score: request,
    pack: { profile: packing.name, candidates, ...packing.context, budget: 100 },
    explain: { ...request, candidate: 'first' },
    compare: { ...request, a: 'first', b: 'second' },
    rerank: { model: any.name, query: 'a question', documents: ['an answer', 'another answer'], ...any.context },
  };
}

function runPath(kind: string, summary: string, example: Json): Json {
  return {
    post: {
      operationId: kind,
      summary,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { $ref: `#/components/schemas/${kind}` }, example },
          'application/x-ndjson': {
            schema: { type: 'string', description: 'The request without its candidates, then a candidate per line.' },
          },
        },
      },
      responses: {
        200: { description: 'The result.', ...json({ $ref: `#/components/schemas/${kind}_answer` }) },
        ...problemResponses(),
      },
    },
  };
}

/** The requests that use the first of the listed profiles. */
const profileLinks = (runs: readonly RunRoute[]): Json =>
  Object.fromEntries(
    runs.map(({ kind }) => {
      const key = kind === 'rerank' ? 'model' : 'profile';
      return [kind, { operationId: kind, requestBody: { [key]: '{$response.body#/profiles/0/name}' } }];
    }),
  );

/** A path without a token. */
const openPath = (operationId: string, summary: string, responses: Json): Json => ({
  get: { operationId, summary, security: [], responses: { ...responses, ...problemResponses(OPEN) } },
});

const guardedPath = (operationId: string, summary: string, responses: Json): Json => ({
  get: { operationId, summary, responses: { ...responses, ...problemResponses(GUARDED) } },
});

/**
 * The description of the server's interface: OpenAPI 3.1, from the schemas that check its requests.
 *
 * @param inline whether a request may contain a profile
 * @param usable the profiles that the caller may use, for examples
 * @param base the path of the routes: empty, or `/assize`
 */
export function openApi(inline: boolean, usable: readonly ExampleProfile[], base: string): Json {
  const examples = examplesOf(usable);
  const runs = Object.values(RUN_ROUTES);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assize',
      version: packageVersion(),
      description: 'Ranks candidates by profiles.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base === '' ? '/' : base }],
    security: [{}, { bearer: [] }],
    paths: {
      ...Object.fromEntries(runs.map(({ kind, paths, summary }) => [paths[0], runPath(kind, summary, examples[kind])])),
      '/v1/profiles': guardedPath('profiles', 'List the profiles.', {
        200: { ...answer('The profiles.', PROFILES_ANSWER), links: profileLinks(runs) },
      }),
      '/healthz': openPath('healthz', 'Whether the process is alive.', { 200: answer('It is.', HEALTH_ANSWER) }),
      '/readyz': openPath('readyz', 'Whether the server is ready.', {
        200: answer('It is ready; some profiles may be broken.', READY_ANSWER),
        503: answer('It is not ready, or is stopping.', READY_ANSWER),
      }),
      '/metrics': guardedPath('metrics', 'Metrics for Prometheus.', {
        200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } },
        501: { ...PROBLEM_RESPONSE, description: 'The package prom-client is not installed.' },
      }),
      '/openapi.json': openPath('openapi', 'This description.', { 200: answer('The description.') }),
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...Object.fromEntries(runs.map(({ kind, envelope }) => [kind, requestSchema(envelope, inline)])),
        ...Object.fromEntries(
          Object.entries(ANSWERS).flatMap(([kind, schema]) =>
            Object.entries(components(`${kind}_answer`, jsonSchema(schema))),
          ),
        ),
        Problem: PROBLEM,
      },
    },
  };
}
