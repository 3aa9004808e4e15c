import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { ENVELOPES } from '../../src/serve/operations.js';
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
    candidates: { type: 'array', items: { type: 'object' } },
    context: { type: 'object', properties: { now: { type: ['string', 'number', 'null'] } } },
    budget: {
      anyOf: [
        { type: 'number', minimum: 0 },
        { type: 'object', additionalProperties: false },
      ],
    },
  });
  expect(description.components.schemas['score']?.required).toEqual(['profile', 'candidates']);
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
