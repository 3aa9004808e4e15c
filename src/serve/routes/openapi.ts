import * as z from 'zod';
import { isMap } from '../../expression/index.js';
import { packageVersion } from '../../input/package-version.js';
import { RUN_ROUTES } from './run-routes.js';

type Json = Readonly<Record<string, unknown>>;

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
const answer = (description: string, schema: Json = { type: 'object' }): Json => ({ description, ...json(schema) });

const PROBLEM: Json = {
  type: 'object',
  description: 'RFC 9457, with the codes of the problems, their places, and whose fault they are.',
  required: ['title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', examples: ['ASZ534'] },
    fault: { enum: ['caller', 'profile', 'unit', 'environment'] },
    problems: { type: 'array', items: { type: 'object' } },
  },
};

/** The statuses of problems, with what they mean. */
const PROBLEMS: Readonly<Record<string, string>> = {
  400: 'The request is malformed, or its candidates, context, weights or limits are.',
  401: 'There is no token, or it is not known.',
  403: 'The page that asks may not.',
  404: 'There is no such profile.',
  413: 'The body or the number of candidates is too large.',
  415: 'The body is neither JSON nor JSON Lines.',
  429: 'The tenant has too many requests under way. Retry-After says when to come again.',
  500: 'The profile, one of its units or the server has failed.',
  503: 'The server is busy or about to stop, the run took too long, or the profile is broken.',
};

const problemResponses: Json = Object.fromEntries(
  Object.entries(PROBLEMS).map(([status, description]) => [
    status,
    { description, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
  ]),
);

/** A zod schema of a request as JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. */
function envelopeSchema(schema: z.ZodType): Json {
  const generated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const { $schema, ...rest } = isMap(generated) ? generated : {};
  void $schema;
  return rest;
}

function runPath(kind: string, summary: string): Json {
  return {
    post: {
      operationId: kind,
      summary,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { $ref: `#/components/schemas/${kind}` } },
          'application/x-ndjson': {
            schema: { type: 'string', description: 'The request without its candidates, then a candidate a line.' },
          },
        },
      },
      responses: { 200: answer('What came out.'), ...problemResponses },
    },
  };
}

const getPath = (operationId: string, summary: string, response: Json): Json => ({
  get: { operationId, summary, security: [], responses: { 200: response } },
});

/** The description of the server's interface: OpenAPI 3.1, from the schemas that check its requests. */
export function openApi(): Json {
  const runs = Object.entries(RUN_ROUTES);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assize',
      version: packageVersion(),
      description: 'Ranks candidates as profiles say.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{}, { bearer: [] }],
    paths: {
      ...Object.fromEntries(runs.map(([kind, { paths, summary }]) => [paths[0], runPath(kind, summary)])),
      '/v1/profiles': {
        get: {
          operationId: 'profiles',
          summary: 'List the profiles.',
          responses: { 200: answer('The profiles.'), 401: problemResponses['401'] },
        },
      },
      '/healthz': getPath('healthz', 'Whether the process lives.', answer('It does.')),
      '/readyz': {
        get: {
          operationId: 'readyz',
          summary: 'Whether it can answer.',
          security: [],
          responses: {
            200: answer('It can; some profiles may be broken.'),
            503: answer('It cannot, or is about to stop.'),
          },
        },
      },
      '/metrics': getPath('metrics', 'Metrics for Prometheus.', {
        description: 'The metrics.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      }),
      '/openapi.json': getPath('openapi', 'This description.', answer('It.')),
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...Object.fromEntries(runs.map(([kind, { envelope }]) => [kind, envelopeSchema(envelope)])),
        Problem: PROBLEM,
      },
    },
  };
}
