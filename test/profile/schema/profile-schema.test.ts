import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadPlugins } from '../../../src/pipeline/create-pipeline.js';
import { profileJsonSchema } from '../../../src/profile/schema/json-schema.js';

const schema = profileJsonSchema(await loadPlugins(undefined));

test('the shipped schema equals the generated one (npm run generate writes it)', async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../../config/profile.schema.json');
});

test('it is draft 7, for the YAML language server, and contains every key', () => {
  expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
  const preset: unknown = parse(
    readFileSync(new URL('../../../config/presets/knowledgepulse.yaml', import.meta.url), 'utf8'),
  );
  expect(Object.keys(schema['properties'] as object)).toEqual(expect.arrayContaining(Object.keys(preset as object)));
});
