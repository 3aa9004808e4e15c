import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createPipeline, type ProfileInput } from 'assize';
import { blocksOf, documents } from '../reference/documents.js';

const pages = documents.filter(({ path }) => path.startsWith('plugins/') && !path.startsWith('plugins/@'));
const complete = pages.flatMap(({ path, text }) =>
  blocksOf(text)
    .filter(({ language, file }) => language === 'yaml' && file === undefined)
    .map((block) => parse(block.text) as ProfileInput)
    .filter((profile) => 'plugins' in profile || 'extends' in profile)
    .map((profile, index) => [`${path}, profile ${index + 1}`, profile] as const),
);

test('the pages of plugins have complete profiles', () => {
  expect(complete.length).toBeGreaterThan(5);
});

test.each(complete)('%s loads without a warning', async (_, profile) => {
  expect((await createPipeline(profile)).warnings).toEqual([]);
});
