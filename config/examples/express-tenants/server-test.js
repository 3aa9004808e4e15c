// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { createApp, loadTenants } from './server.js';

const server = createApp(await loadTenants()).listen(0, 'localhost');
await once(server, 'listening');
after(() => server.close());
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;

const candidates = [
  { id: 'lamp', rating: 4.5, price: 80, countries: ['DE', 'FR'] },
  { id: 'desk', rating: 2.5, price: 10, countries: ['DE'] },
];
const context = { country: 'DE' };

/**
 * @param {string} tenant
 * @param {object | string} body
 */
async function rank(tenant, body) {
  const response = await fetch(`http://localhost:${port}/${tenant}/rank`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

test('a tenant has its own profile', async () => {
  const common = await rank('default', { candidates, context });
  assert.deepEqual(common.body, {
    ranked: [
      { id: 'lamp', score: 0.667 },
      { id: 'desk', score: 0.633 },
    ],
    refused: [],
    degraded: [],
  });
  const acme = await rank('acme', { candidates, context });
  assert.deepEqual(acme.body.refused, [{ id: 'desk', by: 'rated_low' }]);
});

test('a request sets weights and the number of results', async () => {
  const { body } = await rank('default', { candidates, context, weights: { price: 9 }, top: 1 });
  assert.deepEqual(body.ranked, [{ id: 'desk', score: 0.827 }]);
});

test('errors of the caller are 400 and name the problem', async () => {
  const missing = await rank('acme', { candidates, context: {} });
  assert.equal(missing.status, 400);
  assert.equal(missing.body.problems[0].code, 'ASZ104');
  const misspelt = await rank('acme', { candidates, context, weights: { prcie: 9 } });
  assert.equal(misspelt.status, 400);
  assert.deepEqual(misspelt.body.problems[0], {
    code: 'ASZ534',
    message: 'weights: the profile has no scorer prcie',
    hint: 'did you mean price?',
  });
  assert.equal((await rank('acme', { context })).status, 400);
  assert.equal((await rank('acme', '{')).status, 400);
});

test('an unknown tenant is 404', async () => {
  assert.equal((await rank('other', { candidates, context })).status, 404);
});
