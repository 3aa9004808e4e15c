import { mkdirSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetNames } from '../../src/profile/presets.js';
import { assize, inFolder } from './run-here.js';

const pack = (value: number): string => `import { defineScorer, z } from 'assize/sdk';
export class FlatScorer {
  static meta = defineScorer({ summary: 'Flat.', params: z.strictObject({ plus: z.number().default(1) }) });
  compile({ plus }) { return () => ${value} + plus; }
}
`;

inFolder({
  'base.yaml': `name: base
description: What the others build on.
tier1_scorers: [{ id: old, expr: candidate.age > 9 }]
tier2_scorers:
  - { id: stars, expr: 'min(candidate.stars / 1000, 1)', weight: 3 }
  - id: fresh
    class: DecayScorer
    params:
      field: pushed_at
      curve: { type: exponential, half_life: 30d }
select: { top: 3 }
`,
  'over.yaml': `extends: [./base.yaml]
tier2_scorers:
  - { id: fresh, weight: 2, params: { curve: { half_life: 7d } } }
  - { id: named, expr: 'candidate.name == "a: #b" ? 1.0 : 0.0', before: fresh }
  - { id: stars, enabled: false }
context: { mode: { type: string, description: "several\\nlines, and a 'quote'" } }
select: { min_score: 0.5 }
`,
  'one.mjs': pack(1),
  'two.mjs': pack(2),
  'one.yaml': 'plugins: [./one.mjs]\ntier2_scorers: [{ id: one, class: FlatScorer }]\n',
  'two.yaml':
    'extends: [./one.yaml]\nplugins: [./two.mjs]\ntier2_scorers: [{ id: two, class: FlatScorer, params: { plus: 5 } }]\n',
  'failing.yaml': `tier2_scorers:
  - { id: stars, expr: candidate.stars }
  - { id: age, expr: candidate.age, on_error: skip }
  - { id: rank, class: ScaledScorer, params: { scorer: { expr: candidate.stars } } }
  - { id: best, class: CompositeScorer, params: { scorers: [{ class: ScaledScorer, params: { scorer: { expr: candidate.stars } } }] } }
`,
  'defaults.yaml': `extends: [./failing.yaml]
defaults: { on_absent: 0.25, on_error: skip, timeout: 2s }
`,
  'broken.yaml': 'tier2_scorers: [{ id: stars, exrp: candidate.stars }]\n',
  'things.json': '[{"id":"a","stars":900,"name":"a","pushed_at":"2026-01-01"},{"id":"b","stars":20,"age":10}]',
});

interface Scorer {
  readonly on_error?: string;
}

const data = async (profile: string, ...args: string[]): Promise<object> =>
  JSON.parse((await assize(['show', profile, '--format', 'json', ...args])).out) as object;

/** The printed profile, written to a file with another name. */
async function printed(profile: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await assize(['show', profile, ...args]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  writeFileSync('printed.yaml', out);
  return './printed.yaml';
}

describe('assize show', () => {
  it('prints the effective profile, with the file and line of every value', async () => {
    expect((await assize(['show', './over.yaml'])).out).toMatchInlineSnapshot(`
      "name: over                                               # default
      context: { mode: { type: string, description: "several\\nlines, and a 'quote'" } }  # over.yaml:6
      tier1_scorers: [ { id: old, expr: candidate.age > 9 } ]  # base.yaml:3
      tier2_scorers:
        - id: stars                                            # over.yaml:5
          expr: 'min(candidate.stars / 1000, 1)'               # base.yaml:5
          weight: 3                                            # base.yaml:5
          enabled: false                                       # over.yaml:5
        - { id: named, expr: 'candidate.name == "a: #b" ? 1.0 : 0.0', before: fresh }  # over.yaml:4
        - id: fresh                                            # over.yaml:3
          class: DecayScorer                                   # base.yaml:7
          params:
            field: pushed_at                                   # base.yaml:9
            curve:
              type: exponential                                # base.yaml:10
              half_life: 7d                                    # over.yaml:3
          weight: 2                                            # over.yaml:3
      select:
        top: 3                                                 # base.yaml:11
        min_score: 0.5                                         # over.yaml:7
      "
    `);
  });

  it('prints the defaults with --defaults', async () => {
    expect((await assize(['show', './one.yaml', '--defaults'])).out).toMatchInlineSnapshot(`
      "name: one                  # default
      plugins:
        - ./one.mjs              # one.yaml:1
      tier2_scorers:
        - id: one                # one.yaml:2
          class: FlatScorer      # one.yaml:2
          params:
            plus: 1              # default
          enabled: true          # default
          weight: 1              # default
          out_of_range: warn     # default
          on_absent: skip        # default
          on_error: refuse       # default
      veto_on_first: true        # default
      combine: weighted_mean     # default
      on_unscored: refuse        # default
      expression_steps: 1000000  # default
      "
    `);
  });

  it('prints on_error only if it has a single meaning', async () => {
    const { tier2_scorers: scorers } = (await data('./failing.yaml', '--defaults')) as { tier2_scorers: Scorer[] };
    expect(scorers.map(({ on_error: meaning }) => meaning)).toEqual(['refuse', 'skip', undefined, undefined]);
  });

  it('prints the values that entries take from defaults, with the line of the default', async () => {
    expect((await assize(['show', './defaults.yaml'])).out).toMatchInlineSnapshot(`
      "name: defaults                                              # default
      defaults: { on_absent: 0.25, on_error: skip, timeout: 2s }  # defaults.yaml:2
      tier2_scorers:
        - id: stars                                               # failing.yaml:2
          expr: candidate.stars                                   # failing.yaml:2
          on_absent: 0.25                                         # defaults.yaml:2
          on_error: skip                                          # defaults.yaml:2
        - id: age                                                 # failing.yaml:3
          expr: candidate.age                                     # failing.yaml:3
          on_error: skip                                          # failing.yaml:3
          on_absent: 0.25                                         # defaults.yaml:2
        - id: rank                                                # failing.yaml:4
          class: ScaledScorer                                     # failing.yaml:4
          params: { scorer: { expr: candidate.stars } }           # failing.yaml:4
          on_absent: 0.25                                         # defaults.yaml:2
          on_error: skip                                          # defaults.yaml:2
          timeout: 2s                                             # defaults.yaml:2
        - id: best                                                # failing.yaml:5
          class: CompositeScorer                                  # failing.yaml:5
          params: { scorers: [ { class: ScaledScorer, params: { scorer: { expr: candidate.stars } } } ] }  # failing.yaml:5
          on_absent: 0.25                                         # defaults.yaml:2
          on_error: skip                                          # defaults.yaml:2
          timeout: 2s                                             # defaults.yaml:2
      "
    `);
  });

  it.each(['./over.yaml', './two.yaml', './base.yaml', './failing.yaml', './defaults.yaml'])(
    'its output loads as the same profile: %s',
    async (profile) => {
      const again = await printed(profile);
      expect(await data(again)).toEqual(await data(profile));
      const run = async (of: string): Promise<string> =>
        (await assize(['score', '-p', of, 'things.json', '--now', '2026-02-01', '--format', 'json'])).out;
      expect(await run(again)).toBe(await run(profile));
      expect(await run(await printed(profile, '--defaults'))).toBe(await run(profile));
    },
  );

  it('the output for every preset loads as the same profile', async () => {
    for (const preset of await presetNames()) {
      const all = await data(preset, '--defaults');
      expect(await data(await printed(preset)), preset).toEqual(await data(preset));
      expect(await data(await printed(preset, '--defaults')), preset).toEqual(all);
    }
  });

  it('prints any data so that it reads as the same', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'yes',
        '1e3',
        '007',
        '# no',
        'a: b',
        '- x',
        '',
        ' ',
        'two\nlines\n',
        '\t',
        '~',
        '\u2028',
        '"',
        "'",
      ),
    );
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          text.filter((key) => key !== '__proto__'),
          tie('value'),
          { maxKeys: 3 },
        ),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(value, async (written) => {
        writeFileSync('any.json', JSON.stringify({ name: 'any', strategies: [{ id: 'ask', written }] }));
        expect(await data(await printed('./any.json'))).toEqual(await data('./any.json'));
      }),
      {
        numRuns: 100,
        examples: [
          [[{ yes: 'two\nlines\n' }]],
          [{ a: { 'k\ney': "it's\n" } }],
          [{ '\u2028': { a: ['b'], 'two\nlines': '' }, 'a: b': {} }],
          [{ '\u2028': false, '# no': { '': 1.0414266e-317, '         ': { '        ': ' "   ' } } }],
        ],
      },
    );
  });

  it('names plugins from the working directory', async () => {
    mkdirSync('below', { recursive: true });
    writeFileSync('below/mine.yaml', 'plugins: [../one.mjs]\ntier2_scorers: [{ id: one, class: FlatScorer }]\n');
    expect((await assize(['show', 'below/mine.yaml'])).out).toMatchInlineSnapshot(`
      "name: mine                                         # default
      plugins:
        - ./one.mjs                                      # below/mine.yaml:1
      tier2_scorers: [ { id: one, class: FlatScorer } ]  # below/mine.yaml:2
      "
    `);
  });

  it.each([
    ['an invalid profile', ['./broken.yaml']],
    ['an unknown preset', ['nowhere']],
    ['an unknown format', ['./base.yaml', '--format', 'toml']],
    ['no profile', []],
  ])('reports %s', async (_, args) => {
    const { code, out, err } = await assize(['show', ...args]);
    expect(out).toBe('');
    expect(`${err.replace(/presets: .*;/, 'presets: …;')}exit code ${code}`).toMatchSnapshot();
  });
});
