import { describe, expect, test } from 'vitest';
import * as interview from '../../../../plugins/interview/index.js';
import { readPack } from '../../../../src/registry/read-pack.js';
import { checkUnit } from '../../../../src/testing.js';
import { languageModelExamples } from '../../../contract/language-model-examples.js';

const { units } = readPack('interview', interview);

describe.each(Object.entries(languageModelExamples))('%s keeps the contract', (name, examples) => {
  test.each(examples.map((example) => [JSON.stringify(example.params), example] as const))(
    'with %s',
    async (_, example) => {
      const unit = units.get(name);
      expect(unit && (await checkUnit(unit, example))).toEqual([]);
    },
  );
});
