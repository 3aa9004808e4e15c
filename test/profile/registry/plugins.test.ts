import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadPlugins } from '../../../src/pipeline/create-pipeline.js';
import { createPipeline, type PipelineOptions, type ProfileInput, scorer } from 'assize';
import { loadPlugin } from '../../../src/profile/registry/plugin-loader.js';
import { checkCodesAreFree, readPlugin } from '../../../src/profile/registry/read-plugin.js';
import { SHIPPED_CLASSES } from '../../../src/profile/class-lookup.js';
import { CLOCK, defineScorer, serviceToken, z } from 'assize/sdk';
import { messageOf } from '../../properties/ranked.js';
import { temporaryFolder } from '../../temporary-folder.js';

const fixtures = fileURLToPath(new URL('../../fixtures/plugins', import.meta.url));
const texts = [
  { id: 'one', words: ['cat', 'dog'] },
  { id: 'two', words: ['cat', 'cat'] },
];

const rank = async (profile: ProfileInput, options: PipelineOptions = {}) => {
  const { ranked } = await (await createPipeline(profile, { folder: fixtures, ...options })).rank(texts);
  return Object.fromEntries(ranked.map(({ id, score }) => [id, score]));
};
const failure = (profile: ProfileInput, options: PipelineOptions = {}) =>
  messageOf(createPipeline(profile, { folder: fixtures, ...options }));

const byName = (a: string, b: string): number => (a < b ? -1 : 1);
const byClass = (name: string): ProfileInput['tier2_scorers'] => [{ id: 's', class: name }];

describe('a plugin that is a file', () => {
  test('can be TypeScript, with decorators and its own service', async () => {
    expect(await rank({ plugins: ['./with-decorators.ts'], tier2_scorers: byClass('WordScorer') })).toEqual({
      one: 1,
      two: 2,
    });
  });

  test('can have its service replaced by token', async () => {
    const token = serviceToken('fixture-lexicon');
    const services = [{ token, value: { has: (word: string) => word === 'dog' } }];
    const profile = { plugins: ['./with-decorators.ts'], tier2_scorers: byClass('WordScorer') };
    expect(await rank(profile, { services })).toEqual({ one: 1, two: 0 });
  });

  test('can be plain JavaScript, with static inject', async () => {
    const profile: ProfileInput = {
      plugins: ['./plain.js'],
      tier1_scorers: [{ id: 'empty', class: 'EmptyVeto' }],
      tier2_scorers: [{ id: 'hour', class: 'HourScorer', params: { plus: 1 } }],
    };
    const services = [{ token: CLOCK, value: { now: () => 7_200_000 } }];
    expect(await rank(profile, { services })).toEqual({ one: 3, two: 3 });
  });

  // A former bug: a plugin's copy of the SDK has its own Child class, which `instanceof` does not recognise.
  test('can have params with children, paths and durations', async () => {
    const scorers = [{ expr: '0.5' }, { class: 'CountScorer', params: { items: 'words' } }];
    const tier2_scorers = [
      { id: 's', class: 'BestScorer', params: { scorers, other: { expr: '3.0' }, field: 'id', age: '2h' } },
    ];
    expect(await rank({ plugins: ['./with-children.ts'], tier2_scorers })).toEqual({ one: 3, two: 3 });
    const wrong = [
      { id: 's', class: 'BestScorer', params: { scorers: [{ class: 'CountScorer', params: { itms: 'words' } }] } },
    ];
    expect(await failure({ plugins: ['./with-children.ts'], tier2_scorers: wrong })).toContain('did you mean items?');
  });
});

describe('a plugin that cannot be imported', () => {
  let folder = '';
  beforeAll(async () => {
    folder = temporaryFolder('plugins-');
    const files = {
      'deep.ts': "import { first } from './helper.js';\ninterface A { b: string }\nexport const a = first(null);\n",
      'helper.js': 'export const first = (list) => list.items[0];\n',
      'syntax.ts': 'export const a = 1;\nexport const b = = 2;\n',
      'whole.ts': "import { scorer } from 'assize';\nexport const Stars = scorer(() => 1);\n",
      'text.mjs': "throw 'only a text';\n",
      'stuck.mjs': 'await new Promise(() => {});\nexport class Stuck {}\n',
    };
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  });
  const of = (plugin: string) => failure({ plugins: [plugin] }, { folder });

  test('reports the place in its own file, also if a function that it calls fails', async () => {
    const message = await of('./deep.ts');
    expect(message).toContain("plugin ./deep.ts cannot be loaded: Cannot read properties of null (reading 'items')\n");
    expect(message).toMatch(/it fails at .*deep\.ts:3:\d+/);
  });

  test('names assize/sdk in the hint when it imports assize and that is not installed', async () => {
    const message = await of('./whole.ts');
    expect(message).toContain("cannot be loaded: Cannot find module 'assize'\n");
    expect(message).toContain("import from 'assize/sdk'");
  });

  test('times out if it is never ready', async () => {
    const host = {
      shipped: {},
      sdk: () => fileURLToPath(new URL('../../../src/sdk.ts', import.meta.url)),
      timeoutMs: 100,
    };
    const message = await messageOf(loadPlugin('./stuck.mjs', join(folder, 'p.yaml'), host));
    expect(message).toContain('plugin ./stuck.mjs cannot be loaded: it was not ready after 0.1 s');
    expect(message).toContain(`an await at the top level of ${join(folder, 'stuck.mjs')}, or of what it imports`);
  });

  test('reports the searched path if the error has no place', async () => {
    expect(await of('./text.mjs')).toContain('cannot be loaded: only a text');
    expect(await of('./nowhere.ts')).toContain(`it was looked for at ${join(folder, 'nowhere.ts')}`);
  });
});

describe('units given in code', () => {
  test('a plain function is not a unit, and the error suggests a wrapper', async () => {
    const units = {
      Stars: () => 1,
      Bare: class {
        run = 1;
      },
      HourScorer: scorer(() => 5),
    };
    const message = await failure({ tier2_scorers: byClass('Stars') }, { units });
    expect(message).toContain('Stars is a plain function: wrap it as scorer(fn) or veto(fn)');
    expect(message).toContain('Bare is not a unit: it has no `static meta`');
    expect(message).not.toContain('HourScorer');
  });

  test('an instance and a symbol are named in the error, and constants are ignored', async () => {
    class Own {
      static readonly meta = defineScorer({ summary: 'One.', params: z.strictObject({}) });
      compile = () => () => 1;
    }
    const units = { Own: new Own(), Name: Symbol('name'), LIMIT: 3, OPTIONS: { a: 1 }, WORDS: ['a'] };
    const message = await failure({ tier2_scorers: byClass('Own') }, { units });
    expect(message).toContain('Own is an instance of a class: give the class itself, without new');
    expect(message).toContain('Name is a symbol: a unit is a class, or made by scorer(fn) or veto(fn)');
    expect(message).not.toMatch(/LIMIT|OPTIONS|WORDS/);
  });

  test('the error for a class of a shipped plugin names the plugin', async () => {
    const message = await failure({ tier2_scorers: byClass('RecencyScorer') });
    expect(message).toContain('it is in the shipped plugin cupel: add plugins: [cupel]');
    const plugins = (await loadPlugins(undefined)).filter(({ name }) => name !== 'core');
    const shipped = plugins.map(({ name, units }) => [name, [...units.keys()].toSorted(byName)] as const);
    expect(Object.fromEntries(shipped)).toEqual(SHIPPED_CLASSES);
  });

  test('a module may export helpers', () => {
    expect(
      readPlugin(
        'helpers',
        {
          help: () => 1,
          Helper: class {
            help = 1;
          },
        },
        'module',
      ).units.size,
    ).toBe(0);
  });

  test('malformed services are named', () => {
    const token = serviceToken('fixture-some');
    const services = [{ token, value: undefined }, { tokn: token, value: 1 }, null, { token }, { token, class: 'C' }];
    expect(() => readPlugin('some', { services }, 'module')).toThrow(
      [
        'error ASZ305 services[1] of some is not a service: its token is nothing: make one with serviceToken(name)',
        'error ASZ305 services[2] of some is not a service: expected { token, class or value }, found null',
        'error ASZ305 services[3] of some is not a service: it has neither class nor value',
        'error ASZ305 services[4] of some is not a service: its class is the string "C"',
        '4 problems',
      ].join('\n'),
    );
  });
});

describe('the codes of a plugin', () => {
  const codes = { ACME001: 'A price is missing.' };

  test('are loaded with it', () => {
    expect(readPlugin('acme', { codes }, 'module').codes).toEqual(codes);
    expect(readPlugin('bare', {}, 'module').codes).toEqual({});
  });

  test('belong to it, even if two profiles name it', () => {
    const acme = readPlugin('acme', { codes }, 'module');
    const other = readPlugin('other', { codes }, 'module');
    expect(() => checkCodesAreFree(acme, [acme])).not.toThrow();
    expect(() => checkCodesAreFree(other, [acme])).toThrow(
      'the code ACME001 of other is also one of acme: "A price is missing."',
    );
  });

  test('of shipped plugins are unique', async () => {
    const all = (await loadPlugins(undefined)).flatMap((plugin) => Object.keys(plugin.codes));
    expect(all).toContain('ASZ520');
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('a plugin that is an npm package', () => {
  let folder = '';
  beforeAll(async () => {
    folder = temporaryFolder('packages-');
    await cp(join(fixtures, 'package'), join(folder, 'node_modules/assize-fixture-pack'), { recursive: true });
  });

  test('is resolved from the profile, by its exports', async () => {
    const plugins = ['assize-fixture-pack', 'assize-fixture-pack/more'];
    expect(await rank({ plugins, tier2_scorers: byClass('PackedScorer') }, { folder })).toEqual({ one: 11, two: 11 });
    expect(await rank({ plugins, tier2_scorers: byClass('MoreScorer') }, { folder })).toEqual({ one: 12, two: 12 });
    const exact = byClass('assize-fixture-pack/more/MoreScorer');
    expect(await rank({ plugins, tier2_scorers: exact }, { folder })).toEqual({ one: 12, two: 12 });
  });

  test('is not resolved from other folders', async () => {
    expect(await failure({ plugins: ['assize-fixture-pack'] })).toContain('plugin assize-fixture-pack is not found');
  });
});

describe('a class is resolved level by level', () => {
  test('plugins of the file hide the pack core, except for an exact name', async () => {
    const plugins = ['./same-name.js'];
    expect(await rank({ plugins, tier2_scorers: byClass('CountScorer') })).toEqual({ one: 7, two: 7 });
    const exact = [{ id: 's', class: 'core/CountScorer', params: { items: 'words' } }];
    expect(await rank({ plugins, tier2_scorers: exact })).toEqual({ one: 2, two: 2 });
  });

  test('two matches on one level are an error that lists both', async () => {
    const plugins = ['./plain.js', './same-name.js'];
    const message = await failure({ plugins, tier2_scorers: byClass('HourScorer') });
    expect(message).toContain('HourScorer is in 2 plugins');
    expect(message).toContain('plain/HourScorer or same-name/HourScorer');
    expect(await rank({ plugins, tier2_scorers: byClass('same-name/HourScorer') })).toEqual({ one: 7, two: 7 });
  });

  test("units given in code are on the level of the profile's plugins", async () => {
    const units = { HourScorer: scorer(() => 5) };
    expect(await rank({ tier2_scorers: byClass('HourScorer') }, { units })).toEqual({ one: 5, two: 5 });
    const message = await failure({ plugins: ['./plain.js'], tier2_scorers: byClass('HourScorer') }, { units });
    expect(message).toContain('units/HourScorer or plain/HourScorer');
  });

  test('unlisted packs are not searched, and the error suggests one', async () => {
    const message = await failure({ tier2_scorers: byClass('WordScorer') });
    expect(message).toContain('unknown scorer class WordScorer');
    expect(message).toContain('searched: core; list its plugin under plugins');
    expect(await failure({ tier2_scorers: byClass('nowhere/CountScorer') })).toContain('nowhere/CountScorer');
  });

  test('an extended file sees its own plugins, and the extending one its own', async () => {
    const merged: ProfileInput = {
      extends: ['./base.yaml'],
      tier2_scorers: [{ id: 'own', class: 'CountScorer', params: { items: 'words' } }],
    };
    const base = fileURLToPath(new URL('../../fixtures/profiles', import.meta.url));
    expect(await rank(merged, { folder: base })).toEqual({ one: 4.5, two: 4.5 });
  });
});
