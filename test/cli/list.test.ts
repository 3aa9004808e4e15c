import { describe, expect, it } from 'vitest';
import * as core from '../../plugins/core/index.js';
import { typeText } from '../../src/cli/list/unit-text.js';
import { faultOf, PROBLEM_CODES } from '../../src/base/codes.js';
import { presetNames } from '../../src/profile/presets.js';
import { paramsJsonSchema } from '../../src/profile/schema/json-schema.js';
import { readPlugin } from '../../src/profile/registry/read-plugin.js';
import { duration, path, z } from 'assize/sdk';
import { assize, inFolder } from './run-here.js';

inFolder({
  'mine.mjs': `import { defineScorer, z } from 'assize/sdk';
export const codes = { ACME001: 'A voice is missing.' };
export class LoudScorer {
  static meta = defineScorer({
    summary: 'Favours the loud.', range: [0, 1],
    params: z.strictObject({ most: z.number().positive().default(11).describe('What counts as 1.') }),
  });
  compile() { return () => 1; }
}
export class DearScorer {
  static meta = defineScorer({ summary: 'Favours the dear.', cost: 25_000, range: () => [0, 1], params: z.strictObject({}) });
  compile() { return () => 1; }
}
`,
});

const json = async (args: readonly string[]): Promise<unknown> =>
  JSON.parse((await assize(['list', ...args, '--format', 'json'])).out);

describe('assize list', () => {
  it('shows the presets with their descriptions, and the plugins', async () => {
    const { code, out, err } = await assize(['list']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { presets, plugins } = (await json([])) as {
      presets: { name: string; description: string }[];
      plugins: object[];
    };
    expect(presets.map(({ name }) => name)).toEqual((await presetNames()).toSorted());
    for (const { name, description } of presets) {
      expect(out).toContain(name);
      expect(description, name).not.toBe('');
    }
    expect(plugins[0]).toEqual({ name: 'core', units: readPlugin('core', core).units.size });
    expect(await json(['presets'])).toEqual(presets);
    expect(await json(['plugins'])).toEqual(plugins);
  });

  it('shows every unit of a plugin, with its kind and summary', async () => {
    const units = readPlugin('core', core).units;
    expect(await json(['units', '--plugin', 'core'])).toEqual(
      Array.from(units, ([name, { meta }]) => ({ plugin: 'core', name, kind: meta.kind, summary: meta.summary })),
    );
    const { out } = await assize(['list', 'units', '--plugin', 'core']);
    for (const name of units.keys()) expect(out).toContain(`\n  ${name}`);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('shows the params of a class, with types, defaults and descriptions', async () => {
    expect((await assize(['list', 'DecayScorer'])).out).toMatchInlineSnapshot(`
      "DecayScorer  scorer of core, range depends on its params
      Favours recent candidates: half-life, linear, Gaussian, window or steps.

        field: path = timestamp
          The path to a time: milliseconds since 1970, ISO 8601 or a Date.

        format: time format
          The format of the time if it is a text that is not ISO 8601, such as
          yyyy/MM/dd HH:mm.

        curve: { type: exponential, half_life: duration } or { type: linear or
               gaussian, scale: duration, offset?: duration, decay?: number above 0
               and below 1 } or { type: window, max_age: duration } or { type: step,
               windows: list of { max_age: duration, score: number } } (required)
          How the score decreases with age.

        null_timestamp_score: number from 0 to 1 or abstain = 0.5
          The score of a candidate without a time, or \`abstain\`: then the entry’s
          on_absent applies.
      "
    `);
    expect(await json(['core/DecayScorer'])).toMatchObject({
      plugin: 'core',
      name: 'DecayScorer',
      kind: 'scorer',
      params: { required: ['curve'], properties: { field: { default: 'timestamp' } } },
    });
  });

  it('has output for every shipped class', async () => {
    for (const [name, unit] of readPlugin('core', core).units) {
      const { out } = await assize(['list', `core/${name}`]);
      const { properties = {} } = paramsJsonSchema(unit.meta.params) as { properties?: object };
      for (const key of Object.keys(properties)) expect(out).toContain(`\n  ${key}: `);
      expect(out, name).not.toContain('undefined');
    }
  });

  it("reads a user's own plugin", async () => {
    expect((await assize(['list', '--plugin', './mine.mjs'])).out).toMatchInlineSnapshot(`
      "mine
        DearScorer  scorer: Favours the dear.
        LoudScorer  scorer: Favours the loud.
      "
    `);
    expect((await assize(['list', 'LoudScorer', '--plugin', './mine.mjs'])).out).toMatchInlineSnapshot(`
      "LoudScorer  scorer of mine, 0 to 1
      Favours the loud.

        most: number above 0 = 11
          What counts as 1.
      "
    `);
  });

  it('accepts the former words, and shows the new ones', async () => {
    expect(await assize(['list', 'packs'])).toEqual(await assize(['list', 'plugins']));
    const of = (option: string) => assize(['list', option, './mine.mjs', '--format', 'json']);
    expect(await of('--pack')).toEqual(await of('--plugin'));
    expect((await assize(['list', '--help'])).out).not.toContain('pack');
  });

  it('shows the cost of a class, and what determines its range', async () => {
    const of = (name: string) => assize(['list', name, '--plugin', './mine.mjs']);
    expect((await of('DearScorer')).out).toContain(
      'DearScorer  scorer of mine, range depends on its params, cost 25,000\n',
    );
    expect((await assize(['list', 'SemanticSimilarityScorer'])).out).toContain(
      ', -1 to 1, cost depends on its params\n',
    );
    expect(await json(['DearScorer', '--plugin', './mine.mjs'])).toMatchObject({ name: 'DearScorer', cost: 25_000 });
  });

  it('shows every code, and who is at fault', async () => {
    const rows = (codes: object): object[] =>
      Object.entries(codes).map(([code, meaning]: [string, unknown]) => ({ code, meaning, fault: faultOf(code) }));
    const all = await json(['codes']);
    expect(all).toEqual(expect.arrayContaining(rows(PROBLEM_CODES)));
    expect(all).toContainEqual({ code: 'ASZ520', meaning: 'A graph in the context is malformed.', fault: 'caller' });
    expect(await json(['codes', '--pack', 'core'])).toEqual(rows(PROBLEM_CODES));
    expect(await json(['codes', '--pack', './mine.mjs'])).toEqual(rows({ ACME001: 'A voice is missing.' }));
    expect((await assize(['list', 'codes'])).out).toMatch(/^ {2}ASZ103 {2,}A row of candidates cannot be read\.$/m);
  });

  it.each([
    ['a class with a typo', ['list', 'DecyaScorer'], 2],
    ['an unknown name', ['list', 'xyzzy'], 2],
    ['an unknown plugin', ['list', 'units', '--plugin', 'nowhere'], 1],
    ['an unknown format', ['list', '--format', 'xml'], 2],
  ])('reports %s', async (_, args, code) => {
    const said = await assize(args);
    expect(said).toMatchObject({ code, out: '' });
    expect(said.err.replace(/shipped plugin \(.*\)/, 'shipped plugin (…)')).toMatchSnapshot();
  });
});

describe('the type of a param', () => {
  it.each<[string, () => z.ZodType]>([
    ['text', () => z.string()],
    ['number from 0 to 1', () => z.number().min(0).max(1)],
    ['number above 0', () => z.number().positive()],
    ['whole number', () => z.int()],
    ['whole number of at least 1', () => z.int().min(1)],
    ['list of (text or number)', () => z.array(z.union([z.string(), z.number()]))],
    ['a or "b c"', () => z.literal(['a', 'b c'])],
    ['map of number', () => z.record(z.string(), z.number())],
    ['{ a: path, b?: duration }', () => z.strictObject({ a: path(), b: duration('1d') })],
    ['anything', () => z.unknown()],
  ])('%s', (text, schema) => {
    expect(typeText(paramsJsonSchema(schema()))).toBe(text);
  });
});
