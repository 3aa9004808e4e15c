import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { AssizeError, createPipeline, type PipelineOptions, type ProfileSource, rankFile, scorer } from 'assize';
import { PRESET_TEXTS } from '../../src/profile/preset-texts.js';
import { embedderToken, LANGUAGE_MODELS } from 'assize/sdk';
import { temporaryFolder } from '../temporary-folder.js';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('assize-trust-');
  writeFileSync(join(folder, 'base.yaml'), 'tier2_scorers: [{ id: a, expr: candidate.a }]\n');
  writeFileSync(join(folder, 'team.yaml'), 'extends: [./base.yaml]\n');
  writeFileSync(join(folder, 'plugin.mjs'), 'globalThis.pluginRan = true;\n');
  writeFileSync(join(folder, 'rows.jsonl'), '{"a":1}\n{"a":2}\n');
});

const load = (profile: ProfileSource, options: PipelineOptions = {}) =>
  createPipeline(profile, { trust: 'none', folder, ...options });

/** The problems, as `file:line:column code message`. */
async function refusals(profile: ProfileSource, options: PipelineOptions = {}): Promise<readonly string[]> {
  const error: unknown = await load(profile, options).catch((reason: unknown) => reason);
  if (!(error instanceof AssizeError)) throw new Error('it loads');
  return error.problems.map(
    ({ place, code, message }) => `${place?.file}:${place?.line}:${place?.column} ${code} ${message}`,
  );
}

const EVERYTHING = `\
extends: [./base.yaml, rag]
plugins: [./plugin.mjs, left-pad, interview]
expression_steps: 2000000
scoring:
  select: { top: 1000000 }
  signals:
    - { id: mood, class: ConversationReading, params: { model: { name: m, base_url: http://10.0.0.1/, api_key_env: HOME } } }
  tier2_scorers:
    - { id: model, class: ModelScorer, params: { file: /etc/passwd } }
    - { id: linear, class: LinearScorer, params: { file: ../weights.csv } }
    - id: new
      class: core/NoveltyScorer
      memory: ./seen.bin
      params: { text: a, embedder: { name: lexical, folder: /models, options: { cache_dir: /tmp } } }
    - { id: near, class: BoostedScorer, params: { base: { class: core/NoveltyScorer, params: { text: a, embedder: { name: transformers } } }, boosts: [] } }
`;

describe('an untrusted profile', () => {
  test('gets all its violations at once, each with its place', async () => {
    expect(await refusals({ yaml: EVERYTHING, name: 'tenant.yaml' })).toMatchInlineSnapshot(`
      [
        "tenant.yaml:2:11 ASZ111 expected a shipped plugin in an untrusted profile, found ./plugin.mjs",
        "tenant.yaml:2:25 ASZ111 expected a shipped plugin in an untrusted profile, found left-pad",
        "tenant.yaml:1:11 ASZ111 an untrusted profile can extend only presets, found the path ./base.yaml",
        "tenant.yaml:13:15 ASZ111 expected no file or folder in an untrusted profile, found the string "./seen.bin"",
        "tenant.yaml:3:19 ASZ112 expected at most 10000 steps, found 2000000",
        "tenant.yaml:5:18 ASZ112 expected a top of at most 10000, found 1000000",
        "tenant.yaml:7:85 ASZ111 expected no address in an untrusted profile, found the string "http://10.0.0.1/"",
        "tenant.yaml:7:116 ASZ111 expected no environment variable in an untrusted profile, found the string "HOME"",
        "tenant.yaml:9:56 ASZ111 expected no file or folder in an untrusted profile, found the string "/etc/passwd"",
        "tenant.yaml:10:58 ASZ111 expected no file or folder in an untrusted profile, found the string "../weights.csv"",
        "tenant.yaml:14:61 ASZ111 expected no file or folder in an untrusted profile, found the string "/models"",
        "tenant.yaml:14:79 ASZ111 expected no options of a service in an untrusted profile",
        "tenant.yaml:15:115 ASZ111 expected no model in an untrusted profile",
      ]
    `);
    expect(globalThis).not.toHaveProperty('pluginRan');
  });

  test('gets messages with the value, the expectation and a hint', async () => {
    const yaml = 'tier2_scorers: [{ id: m, class: ModelScorer, params: { file: /etc/passwd } }]';
    await expect(load({ yaml, name: 'tenant.yaml' })).rejects.toThrowErrorMatchingInlineSnapshot(`
      [AssizeError: tenant.yaml:1:62 error ASZ111 expected no file or folder in an untrusted profile, found the string "/etc/passwd"
        1 | tier2_scorers: [{ id: m, class: ModelScorer, params: { file: /etc/passwd } }]
          |                                                              ^
        remove it, and put its content into the profile, the candidates or the context]
    `);
  });

  test('does not reveal which files exist', async () => {
    const said = await load({ extends: ['base'] }).catch(String);
    expect(said).not.toContain('base.yaml');
  });

  test.each(['context.n', 10_001])('may not select without a limit: top: %s', async (top) => {
    expect(await refusals({ select: { top } })).toEqual([
      expect.stringContaining('ASZ112 expected a top of at most 10000'),
    ]);
  });

  test('is short, and has few values, entries and references', async () => {
    const entries = Array.from({ length: 101 }, (_, index) => ({ id: `e${index}`, expr: '1.0' }));
    expect(await refusals({ tier2_scorers: entries })).toEqual([
      expect.stringContaining('at most 100 in tier2_scorers'),
    ]);
    expect(await refusals({ extends: Array.from({ length: 11 }, () => 'rag') })).toHaveLength(1);
    expect(await refusals({ yaml: `# ${'x'.repeat(65_536)}` })).toEqual([expect.stringContaining('ASZ112')]);
    const data = { data: Array.from({ length: 2000 }, () => 0) };
    expect(await refusals({ strategies: [{ id: 'a', ...data }] })).toEqual([expect.stringContaining('2000 values')]);
  });

  test('has a hundredth of the steps, and may not raise them', async () => {
    const squares = (count: number) => ({
      tier2_scorers: [
        {
          id: 'a',
          expr: `candidate.list.map(x, candidate.list.map(y, y)).size() / ${count}`,
          on_error: 'fail' as const,
        },
      ],
    });
    const list = Array.from({ length: 120 }, (_, index) => index);
    const trusted = await createPipeline(squares(120));
    expect(trusted.scoreSync({ list })).toMatchObject({ score: 1 });
    const pipeline = await load(squares(120));
    expect(() => pipeline.scoreSync({ list })).toThrow('10000 steps');
    expect(await refusals({ expression_steps: 10_001 })).toHaveLength(1);
    await load({ expression_steps: 5 });
  });
});

describe('an untrusted profile may', () => {
  test.each(Object.keys(PRESET_TEXTS))('extend the preset %s, or get an error about its model', async (name) => {
    const error: unknown = await load({ extends: [name] }).catch((reason: unknown) => reason);
    if (!(error instanceof AssizeError)) return expect(error).toHaveProperty('name');
    expect(error.problems.map(({ code, message }) => `${code} ${message}`)).toEqual(
      error.problems.map(() => expect.stringMatching(/^ASZ111 .*model/)),
    );
  });

  test('be a file that the host has chosen, which extends no other', async () => {
    await load('./base.yaml');
    expect(await refusals('./team.yaml')).toEqual([
      expect.stringContaining('ASZ111 an untrusted profile can extend only presets'),
    ]);
  });

  test('use units of the host', async () => {
    const Stars = scorer((repo: { stars: number }) => repo.stars);
    const pipeline = await load({ tier2_scorers: [{ id: 'stars', class: 'Stars' }] }, { units: { Stars } });
    expect(pipeline.scoreSync({ stars: 3 })).toMatchObject({ score: 3 });
  });

  test('use the lexical embedder, and vectors of the candidates', async () => {
    const novelty = (params: object) =>
      load({ tier2_scorers: [{ id: 'n', class: 'NoveltyScorer', params: { ...params } }] });
    expect((await novelty({ text: 'a', embedder: 'lexical' })).warnings).toEqual([]);
    expect((await novelty({ vector: 'v' })).warnings).toEqual([]);
  });

  test('use a model only through a service of the host', async () => {
    const ofText = (embedder?: string) => ({
      tier2_scorers: [{ id: 'n', class: 'NoveltyScorer', params: { text: 'a', ...(embedder && { embedder }) } }],
    });
    const reading = {
      plugins: ['interview'],
      signals: [{ id: 'r', class: 'ConversationReading', params: { model: 'm' } }],
    };
    for (const profile of [ofText(), ofText('transformers'), ofText('mine'), reading]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await refusals(profile)).toEqual([expect.stringContaining('ASZ111')]);
    }
    const value = { open: () => ({ name: 'mine', embed: () => [] }) };
    const services = ['transformers', 'mine'].map((name) => ({ token: embedderToken(name), value }));
    await load(ofText(), { services });
    await load(ofText('mine'), { services });
    await load(reading, { services: [{ token: LANGUAGE_MODELS, value }] });
    const there = { name: 'm', base_url: 'http://localhost/', api_key_env: 'KEY', options: {} };
    const signals = [{ ...reading.signals[0]!, params: { model: there } }];
    expect(await refusals({ ...reading, signals }, { services: [{ token: LANGUAGE_MODELS, value }] })).toHaveLength(3);
  });
});

test('changes of a profile are not trusted either', async () => {
  const pipeline = await load({ tier2_scorers: [{ id: 'n', class: 'NoveltyScorer', params: { vector: 'v' } }] });
  const ranking = await pipeline.rank([{ v: [1] }]);
  const change = { params: { n: { vector: 'v', embedder: { name: 'lexical', folder: '/models' } } } };
  await expect(ranking.whatIf(change)).rejects.toThrow('ASZ111');
});

test('ranks a file of candidates, too', async () => {
  const rows = join(folder, 'rows.jsonl');
  const options = { trust: 'none', folder } as const;
  await expect(rankFile('./team.yaml', rows, {}, options)).rejects.toThrow('ASZ111');
  expect((await rankFile('./base.yaml', rows, {}, { ...options, top: 1 })).selected).toHaveLength(1);
});

test('trust is full or none, and has no other value', async () => {
  const trust = 'some' as 'none';
  await expect(createPipeline({}, { trust })).rejects.toThrow('ASZ533');
});
