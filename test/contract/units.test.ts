import { describe, expect, test } from 'vitest';
import { checkUnit } from 'assize/testing';
import { shippedPacks } from './shipped.js';

test.each(shippedPacks)('every shipped unit in $pack.name has an example, and every example a unit', (shipped) => {
  expect(Object.keys(shipped.examples).toSorted()).toEqual([...shipped.pack.units.keys()].toSorted());
});

const units = shippedPacks.flatMap(({ pack, examples: ofPack }) =>
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
