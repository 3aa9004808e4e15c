import { describe, expect, test } from 'vitest';
import * as core from '../../plugins/core/index.js';
import * as cupel from '../../plugins/cupel/index.js';
import { readPack } from '../../src/registry/read-pack.js';
import { checkUnit } from '../../src/testing.js';
import { cupelExamples } from './cupel-examples.js';
import { examples } from './examples.js';

const packs = [
  { pack: readPack('core', core), examples },
  { pack: readPack('cupel', cupel), examples: cupelExamples },
];

test.each(packs)('every unit that ships in $pack.name has an example, and every example a unit', (shipped) => {
  expect(Object.keys(shipped.examples).toSorted()).toEqual([...shipped.pack.units.keys()].toSorted());
});

const units = packs.flatMap(({ pack, examples: ofPack }) =>
  [...pack.units].map(([name, unit]) => ({ name, unit, ofUnit: ofPack[name] ?? [] })),
);

describe.each(units)('$name keeps the contract', ({ unit, ofUnit }) => {
  test.each(ofUnit.map((example) => [JSON.stringify(example.params), example] as const))(
    'with %s',
    async (_, example) => {
      expect(await checkUnit(unit, example)).toEqual([]);
    },
  );
});
