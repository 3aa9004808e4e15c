import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { problemJson } from '../../../../src/base/index.js';
import { ENVELOPES } from '../src/operations.js';
import { openServer } from './open-server.js';
import { profileFolder } from './profile-folder.js';

test('GET /openapi.json is valid OpenAPI 3.1, and contains every route and every key of a request', async () => {
  const server = await openServer(profileFolder(), { tokens: [{ token: 'sixteen-characters' }] });
  const response = await server.get('/openapi.json');
  const description = (await response.json()) as {
    paths: object;
    components: { schemas: Record<string, { properties: object; required: string[] }> };
  };
  const validator = new Validator();
  const { valid, errors } = await validator.validate(description);
  expect(errors ?? []).toEqual([]);
  expect([valid, validator.version]).toEqual([true, '3.1']);
  expect(Object.keys(description.paths).toSorted()).toEqual([
    '/healthz',
    '/metrics',
    '/openapi.json',
    '/readyz',
    '/v1/compare',
    '/v1/explain',
    '/v1/pack',
    '/v1/profiles',
    '/v1/rank',
    '/v1/rerank',
    '/v1/score',
  ]);
  for (const [kind, { shape }] of Object.entries(ENVELOPES)) {
    expect(Object.keys(description.components.schemas[kind]?.properties ?? {})).toEqual(Object.keys(shape));
  }
  expect(description.components.schemas['rank']?.required).toEqual(['profile']);
  expect(description.components.schemas['rank']?.properties).toMatchObject({
    candidates: { type: 'array', items: { type: 'object', additionalProperties: true } },
    context: {
      type: 'object',
      additionalProperties: true,
      properties: { now: { type: ['string', 'number', 'null'] } },
    },
    budget: {
      anyOf: [
        { type: 'number', minimum: 0 },
        { type: 'object', additionalProperties: false },
      ],
    },
  });
  expect(description.components.schemas['score']?.required).toEqual(['profile', 'candidates']);
});

test('generators of clients can read the description: no $defs, and defaults only in descriptions', async () => {
  const server = await openServer(profileFolder());
  const text = await (await server.get('/openapi.json')).text();
  expect(text).not.toContain('$defs');
  expect(text).not.toContain('"default":');
  expect(text).toContain('false: do not update the memory of the profile. Default: true.');
  const { schemas } = (JSON.parse(text) as { components: { schemas: Record<string, unknown> } }).components;
  expect(schemas).toHaveProperty(['explain_answer_part0', 'items', 'required'], ['kind', 'id', 'text', 'details']);
  expect(schemas).toHaveProperty(
    ['explain_answer_part0', 'items', 'properties', 'details', '$ref'],
    '#/components/schemas/explain_answer_part0',
  );
  expect(schemas).toHaveProperty(
    ['Problem', 'properties', 'problems', 'items', 'required'],
    ['severity', 'code', 'message'],
  );
});

test('a problem has the keys of its description', async () => {
  const server = await openServer(profileFolder());
  const { components } = (await (await server.get('/openapi.json')).json()) as {
    components: { schemas: { Problem: { properties: { problems: { items: { properties: object } } } } } };
  };
  const described = Object.keys(components.schemas.Problem.properties.problems.items.properties);
  const problem = problemJson({
    code: 'ASZ201',
    message: 'unknown key',
    path: 'a',
    place: { file: 'a.yaml', line: 1, column: 1 },
    hint: 'remove it',
  });
  expect(described).toEqual(Object.keys(problem));
});

test('a profile in a request is described if the server accepts one', async () => {
  const profileOf = async (inline: boolean): Promise<unknown> => {
    const server = await openServer(profileFolder(), { inline });
    const { components } = (await (await server.get('/openapi.json')).json()) as {
      components: { schemas: Record<string, { properties: Record<string, unknown> }> };
    };
    return components.schemas['rank']?.properties['profile'];
  };
  expect(await profileOf(false)).toMatchObject({ type: 'string' });
  expect(await profileOf(true)).toMatchObject({ anyOf: [{ type: 'string' }, { type: 'object' }] });
});
