// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, mockModel, passages } from './answer.js';

const question = 'When is my invoice sent?';

test('the model reads the passages that fit, and no others', async () => {
  const model = await mockModel();
  const { text, ranking } = await answer(model, question, passages);
  assert.equal(text, 'An invoice is sent on the first of each month. [faq-3]');
  const [call] = model.doGenerateCalls;
  assert.deepEqual(JSON.stringify(call?.prompt[0]).match(/(?<=\[)\S+(?=\])/g), ['faq-3', 'blog-9']);
  assert.equal(ranking.budget?.used, 90);
});

test('duplicates, passages without room and retired passages have reasons', async () => {
  const { ranking } = await answer(await mockModel(), question, passages);
  const reasons = Object.fromEntries(ranking.notSelected.map(({ id, text }) => [id, text]));
  assert.deepEqual(reasons, {
    'faq-4': 'duplicate of a better candidate',
    terms: 'it costs 70, and at its turn 10 was left',
  });
  assert.deepEqual(
    ranking.refused.map(({ id, by }) => `${id} by ${by}`),
    ['old by retired'],
  );
});

test('a smaller budget leaves the best passage', async () => {
  const { ranking } = await answer(await mockModel(), question, passages, 45);
  assert.deepEqual(
    ranking.selected.map(({ id }) => id),
    ['faq-3'],
  );
});

test('without passages the model does not know', async () => {
  const { text } = await answer(await mockModel(), question, []);
  assert.equal(text, 'I do not know.');
});
