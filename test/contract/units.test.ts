import { describe, expect, test } from 'vitest';
import * as core from '../../plugins/core/index.js';
import type { UnitClass } from '../../src/contract/index.js';
import { readPack } from '../../src/registry/read-pack.js';
import { checkUnit } from '../../src/testing.js';
import { examples } from './examples.js';

const units: ReadonlyMap<string, UnitClass> = readPack('core', core).units;

test('every unit that ships has an example, and every example a unit', () => {
  expect(Object.keys(examples).toSorted()).toEqual([...units.keys()].toSorted());
});

describe.each([...units])('%s keeps the contract', (name, unit) => {
  test.each((examples[name] ?? []).map((example) => [JSON.stringify(example.params), example] as const))(
    'with %s',
    async (_, example) => {
      expect(await checkUnit(unit, example)).toEqual([]);
    },
  );
});
