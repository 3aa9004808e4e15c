import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatProblems } from '../../src/base/format.js';
import { createPipeline } from 'assize';
import { defineScorer, z } from 'assize/sdk';
import { temporaryFolder } from '../temporary-folder.js';

/** The warnings about a profile in a file. */
async function warned(profile: string): Promise<string> {
  const folder = temporaryFolder('profile-');
  await writeFile(join(folder, 'p.yaml'), profile);
  const { warnings } = await createPipeline('./p.yaml', { folder });
  return formatProblems(warnings).replaceAll(/[^\s:]*profile-\w+[\\/]/g, '');
}

const two = `tier2_scorers:
  - { id: a, expr: candidate.a }
  - { id: b, expr: candidate.b }
`;

/** Valid profiles that are almost certainly mistakes. */
const MISTAKES: Readonly<Record<string, string>> = {
  'literals that standard CEL divides as integers': `
tier2_scorers:
  - { id: a, expr: candidate.n * (1 / 2) }`,
  'a weight of 0': `tier2_scorers:
  - { id: a, expr: candidate.a, weight: 0 }
  - { id: b, expr: candidate.b }
`,
  'a timeout on an entry without prepare': `tier1_scorers:
  - { id: a, expr: candidate.a, timeout: 5s }
tier2_scorers:
  - { id: b, class: CountScorer, params: { items: b }, timeout: 5s }
`,
  'on_absent on an entry that never abstains': `tier2_scorers:
  - { id: a, expr: 1.0 / 2, on_absent: 0.5 }
`,
  'out_of_range without a declared range': `tier2_scorers:
  - { id: a, expr: candidate.a, out_of_range: clamp }
  - { id: b, class: CountScorer, params: { items: b }, out_of_range: fail }
`,
  'rules without an effect, and reversed bounds': `${two}adjustments:
  - { id: same, when: candidate.a > 1, add: 0 }
  - { id: one, multiply: 1 }
  - { id: bounds, min: 0.8, max: 0.5 }
`,
  'a limit for each group that is at least the top': `${two}select: { top: 3, per: { by: candidate.a, top: 3 } }
`,
  'keys after the position among ties': `${two}select: { ties: [candidate.a, input, candidate.b] }
`,
  'a profile that neither refuses, scores nor orders': `candidate: { id: url }
select: { top: 3 }
`,
  'a profile without an enabled entry': `tier1_scorers: [{ id: old, expr: candidate.old, enabled: false }]
tier2_scorers: [{ id: a, expr: candidate.a, enabled: false }]
`,
  'a top of 0': `${two}select: { top: 0 }
`,
  'conditions that are always false': `phases: { early: { n_turns: 3, when: 'false' }, late: {} }
tier1_scorers:
  - { id: all, expr: 1 < 2 }
  - { id: none, expr: 'false' }
tier2_scorers:
  - { id: a, expr: candidate.a, when: 1 > 2 }
adjustments:
  - { id: r, when: '"a" == "b"', add: 1 }
fallback: [{ when: 'false', use: ask }]
candidate: { pinned: 'true' }
`,
  'weights that are shares and do not sum to 1': `combine: weighted_sum
tier2_scorers:
  - { id: a, expr: candidate.a, weight: 0.35 }
  - { id: b, expr: candidate.b, weight: 0.6 }
weights:
  by: candidate.kind
  cases: { whole: { a: 0.4 }, more: { a: 0.5 }, same: { a: 0.35 } }
`,
  'ranges that drown others': `tier2_scorers:
  - { id: fresh, class: DecayScorer, params: { curve: { type: window, max_age: 1d } } }
  - id: steps
    class: DecayScorer
    params: { curve: { type: step, windows: [{ max_age: 1d, score: 100 }, { max_age: 2d, score: 40 }] } }
`,
  'phases that are never reached': `phases: { none: { n_turns: 0 }, early: {}, middle: { n_turns: 3 }, late: {} }
`,
  'cases and rows for unknown phases': `phases: { early: { n_turns: 3 }, late: {} }
${two}weights: { by: signals.phase, cases: { erly: { a: 2 } } }
adjustments:
  - id: r
    multiply:
      by: [signals.phase, candidate.kind]
      table: { late: { x: 2, y: { z: 3 } }, lat: { x: 1.5 }, early: 2 }
`,
  'a factor for an unknown strategy': `phases: { a: {} }
strategies: [{ id: broaden }, { id: deepen, enabled: false }]
phase_profiles: { a: { deepen: 1, brodaen: 2 } }
`,
  'weights without a case': `${two}weights: { by: candidate.kind, cases: {} }
`,
  'copies that were not changed': `tier1_scorers:
  - { id: old, class: ThresholdVeto, params: { value: age, max: 30 } }
  - { id: young, class: ThresholdVeto, params: { value: age, max: 30 } }
tier2_scorers:
  - { id: a, expr: candidate.a }
  - { id: b, expr: candidate.a, weight: 2 }
`,
  'a strategy with a typo': `strategies: [{ id: broaden }]
fallback: [{ use: broden }]
`,
};

/** Similar profiles that may be intended. */
const MEANT: Readonly<Record<string, string>> = {
  'a weight of 0 that a case raises': `${two.replace('b }', 'b, weight: 0 }')}weights: { by: candidate.k, cases: { x: { b: 1 } } }`,
  'a weight of 0 on an entry that a rule reads': `${two.replace('b }', 'b, weight: 0 }')}adjustments: [{ id: r, when: scores.b > 1, add: 1 }]`,
  'a weight of 0 on an entry that refuses': two.replace('b }', 'b, weight: 0, on_absent: refuse }'),
  'a timeout on an entry with a prepared child': `tier2_scorers:
  - id: a
    class: CompositeScorer
    timeout: 5s
    params: { scorers: [{ class: ScaledScorer, params: { scorer: { expr: candidate.a } } }] }
`,
  'points in a sum': `combine: weighted_sum\n${two.replace('b }', 'b, weight: 3 }')}`,
  'shares that sum to 1 but for rounding': `combine: weighted_sum
tier2_scorers: [{ id: a, expr: candidate.a, weight: 0.1 }, { id: b, expr: candidate.b, weight: 0.2 }, { id: c, expr: candidate.c, weight: 0.7 }]
`,
  'ranges that are nearly alike': `tier2_scorers:
  - { id: fresh, class: DecayScorer, params: { curve: { type: window, max_age: 1d } } }
  - { id: novel, class: NoveltyScorer, params: { text: t, embedder: lexical } }
`,
  'a wide range with a small weight': `tier2_scorers:
  - { id: fresh, class: DecayScorer, params: { curve: { type: window, max_age: 1d } } }
  - { id: steps, weight: 0.01, class: DecayScorer, params: { curve: { type: step, windows: [{ max_age: 1d, score: 100 }] } } }
`,
  'the last phase, with its own length and condition': `phases: { a: { n_turns: 3 }, b: { n_turns: 2, when: context.hurry } }\n${two}`,
  'a phase of no turns after a conditional one': `phases: { a: { n_turns: 3, when: context.calm }, b: { n_turns: 0 }, c: {} }\n${two}`,
  'a selection of pinned candidates only': `candidate: { pinned: candidate.keep }\n${two}select: { top: 0 }\n`,
  'the same question at different times': `tier2_scorers:
  - { id: a, expr: candidate.a, when: context.live, weight: 3 }
  - { id: b, expr: candidate.a, when: '!context.live' }
`,
  'a table by keys of candidates': `phases: { early: {} }
adjustments: [{ id: r, multiply: { by: [candidate.phase], table: { dawn: 2 } } }]
`,
  'factors for strategies that the caller’s candidates bring': `phases: { a: {} }
phase_profiles: { a: { deepen: 1, broaden: 2 } }
`,
  'an order without a score': 'select: { ties: [candidate.a] }\n',
  'a formula without a scorer': 'combine: { formula: candidate.a }\n',
  'rules without a scorer': 'adjustments: [{ id: r, set: candidate.a }]\n',
  'a fallback that is a candidate’s id':
    'strategies: [{ id: broaden }]\nfallback: [{ use: home_page }, { use: broaden }]\n',
};

describe('a profile warns of', () => {
  test.each(Object.entries(MISTAKES))('%s', async (_, profile) => {
    expect(`\n${profile}\n${await warned(profile)}\n`).toMatchSnapshot();
  });
});

describe('a profile does not warn of', () => {
  test.each(Object.entries(MEANT))('%s', async (_, profile) => {
    expect(await warned(profile)).toBe('');
  });
});

test.each(readdirSync(new URL('../../config/presets', import.meta.url)))(
  'the preset %s has no warnings',
  async (file) => {
    expect((await createPipeline(file.replace('.yaml', ''))).warnings).toEqual([]);
  },
);

test('a param that its class accepts and ignores', async () => {
  class Old {
    static readonly meta = defineScorer({
      summary: 'Has a param of the past.',
      params: z.strictObject({
        size: z.number().default(1),
        method: z.unknown().optional().meta({ deprecated: true }),
      }),
    });
    compile({ size }: { size: number }) {
      return () => size;
    }
  }
  const messages = async (params: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const { warnings } = await createPipeline(
      { tier2_scorers: [{ id: 's', class: 'Old', params }] },
      { units: { Old } },
    );
    return warnings.map(({ message }) => message);
  };
  expect(await messages({ size: 2 })).toEqual([]);
  expect(await messages({ method: 'cosine' })).toEqual(['Old ignores its param method']);
});
