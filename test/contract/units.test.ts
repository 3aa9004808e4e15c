import { describe, expect, test } from 'vitest';
import { loadPacks } from '../../src/container.js';
import { checkUnit, type UnitExample } from '../../src/testing.js';
import { agentcardsExamples } from './agentcards-examples.js';
import { cupelExamples } from './cupel-examples.js';
import { examples } from './examples.js';
import { interviewExamples } from './interview-examples.js';
import { languageModelExamples } from './language-model-examples.js';

/** By the name of the pack. */
const examplesOf: Readonly<Record<string, Readonly<Record<string, readonly UnitExample[]>>>> = {
  core: examples,
  agentcards: agentcardsExamples,
  cupel: cupelExamples,
  interview: { ...interviewExamples, ...languageModelExamples },
};

const packs = (await loadPacks(undefined)).map((pack) => ({ pack, examples: examplesOf[pack.name] ?? {} }));

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
