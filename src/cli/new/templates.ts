import type { Names } from './names.js';

/** What is written: texts by file name. */
export type Files = Readonly<Record<string, string>>;

/** A pack of one unit: plain JavaScript that a type checker understands, so that nothing has to be built. */
const packageOf = ({ file }: Names, summary: string, version: string): string =>
  `${JSON.stringify(
    {
      name: file,
      version: '0.1.0',
      description: summary,
      type: 'module',
      exports: `./${file}.js`,
      files: [`${file}.js`],
      scripts: { test: 'node --test' },
      dependencies: { assize: `^${version}` },
    },
    undefined,
    2,
  )}\n`;

export function scorerFiles(names: Names, version: string): Files {
  const summary = 'Favours candidates with a high number.';
  return {
    'package.json': packageOf(names, summary, version),
    [`${names.file}.js`]: `// @ts-check
import { abstain, defineScorer, path, z } from 'assize/sdk';

/** @import { ParamsOf, RowScorer, Score } from 'assize/sdk' */
/** @typedef {ParamsOf<typeof ${names.class}>} Params */

/**
 * ${summary}
 *
 * @implements {RowScorer<Params>}
 */
export class ${names.class} {
  static meta = defineScorer({
    summary: '${summary}',
    params: z.strictObject({
      value: path('value').describe('The path to the number.'),
      most: z.number().positive().default(1).describe('The number that scores 1, as does every higher one.'),
    }),
    range: [0, 1],
    reasons: { measured: '{value} of {most}', missing: 'no number' },
  });

  /**
   * Once per pipeline: its params are what the schema above gave. The score is a pure function of a candidate.
   *
   * @param {Params} params
   * @returns {Score<unknown>}
   */
  compile({ value, most }) {
    return (candidate, _index, note) => {
      const found = value(candidate);
      if (typeof found !== 'number') return abstain(note, 'missing');
      note?.('measured', { value: found, most });
      return Math.min(1, Math.max(0, found / most));
    };
  }
}
`,
    [`${names.file}.test.js`]: testOf(names, '[0, 0.5, 1, null, null]', '[{ value: 5 }]', '[0.5]'),
  };
}

export function vetoFiles(names: Names, version: string): Files {
  const summary = 'Refuses candidates with a number that is too high.';
  return {
    'package.json': packageOf(names, summary, version),
    [`${names.file}.js`]: `// @ts-check
import { abstain, defineVeto, path, z } from 'assize/sdk';

/** @import { ParamsOf, RowVeto, Score } from 'assize/sdk' */
/** @typedef {ParamsOf<typeof ${names.class}>} Params */

/**
 * ${summary}
 *
 * @implements {RowVeto<Params>}
 */
export class ${names.class} {
  static meta = defineVeto({
    summary: '${summary}',
    params: z.strictObject({
      value: path('value').describe('The path to the number.'),
      most: z.number().default(1).describe('The highest number that passes.'),
    }),
    reasons: { too_high: '{value} is above {most}', missing: 'no number' },
  });

  /**
   * Once per pipeline: its params are what the schema above gave. True refuses.
   *
   * @param {Params} params
   * @returns {Score<unknown, boolean>}
   */
  compile({ value, most }) {
    return (candidate, _index, note) => {
      const found = value(candidate);
      if (typeof found !== 'number') return abstain(note, 'missing');
      if (found <= most) return false;
      note?.('too_high', { value: found, most });
      return true;
    };
  }
}
`,
    [`${names.file}.test.js`]: testOf(names, '[false, false, true, null, null]', '[{ value: 5 }]', '[false]'),
  };
}

const testOf = (names: Names, expected: string, other: string, otherwise: string): string => `// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkUnit, checkVectors } from 'assize/testing';
import { ${names.class} } from './${names.file}.js';

// Realistic ones, and the odd ones.
const candidates = [{ value: 0 }, { value: 0.5 }, { value: 2 }, { value: null }, {}];

test('${names.class} keeps the contract', async () => {
  assert.deepEqual(await checkUnit(${names.class}, { candidates }), []);
});

test('${names.class} gives what it should', async () => {
  const vectors = [
    { candidates, expected: ${expected} },
    { params: { most: 10 }, candidates: ${other}, expected: ${otherwise} },
  ];
  assert.deepEqual(await checkVectors(${names.class}, vectors), []);
});
`;

export function profileFiles({ file }: Names): Files {
  return {
    [`${file}.yaml`]: `# yaml-language-server: $schema=./node_modules/assize/config/profile.schema.json
name: ${file}
description: One line on what this profile is for.

# Tier 1: a candidate for which any of these holds is refused.
tier1_scorers:
  - { id: archived, expr: 'candidate.?archived.orValue(false)' }

# Tier 2: each gives a number, and the score is their weighted mean.
tier2_scorers:
  - { id: popularity, expr: 'min(candidate.stars / 1000, 1)', weight: 3 }
  - id: freshness
    class: DecayScorer
    params: { field: pushed_at, curve: { type: exponential, half_life: 30d } }

# What is selected of those that were scored.
select: { top: 10 }
`,
  };
}
