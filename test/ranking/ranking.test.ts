import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, scorer } from 'assize';
import { defineScorer, type Run, z } from 'assize/sdk';
import { embedderToken } from '../../src/services/embedder/embedder-registry.js';
import { messageOf, rankBy, refusalsOf, scoresOf } from '../properties/ranked.js';
import { temporaryFolder } from '../temporary-folder.js';

const vector = (id: string, v: number[]) => ({ id, v });

describe('a ranking', () => {
  test('is more than {} in JSON and in a console', async () => {
    const ranking = await rankBy({ tier1_scorers: [{ id: 'v', expr: 'candidate.no' }] }, [
      { id: 'a' },
      { id: 'b', no: true },
    ]);
    const said = JSON.parse(JSON.stringify(ranking)) as { selected: { id: string }[]; refused: { reason: string }[] };
    expect(said.selected.map(({ id }) => id)).toEqual(['a']);
    expect(said.refused[0]?.reason).toBe('candidate.no');
  });

  test('of no candidates is a warning, unless strategies generate some', async () => {
    const pipeline = await createPipeline({ tier2_scorers: [{ id: 'a', expr: '1.0' }] });
    expect(await messageOf(pipeline.rank())).toContain('no candidates were given');
    expect((await pipeline.rank([])).ranked).toEqual([]);
  });
});

describe('nothing is silently 0', () => {
  test.each([
    ['null', null],
    ['a string', '3'],
  ])('a class inside another one that returns %s', async (_, value) => {
    const units = { Odd: scorer(() => value as unknown as number) };
    const scorers = [{ class: 'Odd' }, { expr: '0.5' }];
    const profile = { tier2_scorers: [{ id: 'c', class: 'CompositeScorer', params: { scorers } }] };
    expect(refusalsOf(await rankBy(profile, [{ id: 'x' }], {}, { units }))).toEqual(['x: error by c']);
  });

  test('a run without an active scorer scores no candidate', async () => {
    const tier2_scorers = [{ id: 'a', expr: '1.0', when: 'context.mode == "live"' }];
    expect(refusalsOf(await rankBy({ tier2_scorers }, [{ id: 'x' }], { mode: 'dry' }))).toEqual([
      'x: unscored by combine',
    ]);
  });

  test('a fallback without a candidate is reported', async () => {
    const ranking = await rankBy({ select: { top: 0 }, fallback: [{ use: 'nobody' }] }, [{ id: 'x' }]);
    expect(ranking.degraded).toMatchObject([{ entry: 'nobody', stage: 'fallback' }]);
  });

  test('typos outside the entries are warnings too', async () => {
    const profile: ProfileInput = {
      tier2_scorers: [{ id: 'a', expr: 'candidate.stars' }],
      weights: { by: 'candidate.knd', cases: { x: { a: 2 } } },
      adjustments: [{ id: 'r', add: 'candidate.bonus' }],
      select: { duplicates: 'candidate.txt' },
    };
    const { warnings } = await rankBy(profile, [{ id: 'x', stars: 1, kind: 'x', text: 'y' }]);
    expect(warnings.map(({ message, hint }) => `${message}; ${hint}`).join('\n')).toMatch(
      /weights.by: .*knd.*kind[\s\S]*r: .*bonus[\s\S]*duplicates: .*txt.*text/,
    );
  });
});

describe('a scorer that gives all candidates the same value', () => {
  const profile: ProfileInput = {
    tier2_scorers: [
      { id: 'a', expr: 'candidate.a' },
      { id: 'b', expr: 'candidate.b', weight: 2 },
      { id: 'mood', expr: 'context.mood' },
      { id: 'nowhere', expr: 'candidate.nowhere', on_absent: 0.5 },
    ],
  };
  const warned = async (candidates: readonly object[]) =>
    (await rankBy(profile, candidates, { mood: 1 })).scoreWarnings.filter(({ code }) => code === 'ASZ714');

  test('is named, with the value', async () => {
    const candidates = [
      { a: 1, b: 0.25 },
      { a: 2, b: 0.25 },
    ];
    expect(await warned(candidates)).toEqual([
      { code: 'ASZ714', path: 'tier2_scorers[1]', message: 'b gave all 2 candidates the same number: 0.25' },
    ]);
  });

  test('also if a class sees single candidates, or its params name its fields; not if it may score the run', async () => {
    class Turn {
      static readonly meta = defineScorer({ summary: 'How the turn went.', params: z.strictObject({}) });
      prepare(_params: object, { context }: Run) {
        return () => Number(context['mood'] ?? 1);
      }
    }
    const units = { Turn, Same: scorer(() => 1.2) };
    const params = { field: 'at', curve: { type: 'window', max_age: '1d' } };
    const tier2_scorers = [
      { id: 'turn', class: 'Turn' },
      { id: 'same', class: 'Same' },
      { id: 'fresh', class: 'DecayScorer', params },
      { id: 'inner', class: 'CompositeScorer', params: { scorers: [{ class: 'DecayScorer', params }] } },
    ];
    const { scoreWarnings } = await rankBy({ tier2_scorers }, [{ at: 1 }, { at: 2 }], { now: 3 }, { units });
    expect(scoreWarnings.map(({ message }) => message)).toEqual([
      'same gave all 2 candidates the same number: 1.2',
      'fresh gave all 2 candidates the same number: 1',
      'inner gave all 2 candidates the same number: 1',
    ]);
  });

  test('is not reported for one candidate, or if it abstains', async () => {
    expect(await warned([{ a: 1, b: 1 }])).toEqual([]);
    expect(await warned([{ a: 1, b: 1 }, { a: 2 }])).toEqual([]);
  });
});

test('veto_on_first: false changes neither the kept candidates nor the memories', async () => {
  const tier1_scorers = [
    { id: 'archived', expr: 'candidate.archived' },
    { id: 'same', class: 'SimilarityVeto', params: { vector: 'v' } },
  ];
  const candidates = [
    { ...vector('a', [1, 0]), archived: true },
    { ...vector('b', [1, 0]), archived: false },
  ];
  for (const veto_on_first of [true, false]) {
    const ranking = await rankBy({ tier1_scorers, veto_on_first }, candidates);
    expect(ranking.ranked.map(({ id }) => id)).toEqual(['b']);
  }
});

test('finds cases by numbers and booleans like tables', async () => {
  const tier2_scorers = [
    { id: 'a', expr: '1.0' },
    { id: 'b', expr: '0.0' },
  ];
  const weights = { by: 'candidate.tier', cases: { 1: { a: 3 }, true: { a: 9 } } };
  const candidates = [
    { id: 'one', tier: 1 },
    { id: 'yes', tier: true },
    { id: 'no', tier: 2 },
  ];
  expect(scoresOf(await rankBy({ tier2_scorers, weights }, candidates))).toEqual({ one: 0.75, yes: 0.9, no: 0.5 });
});

test('ties between keys of several types do not depend on the order of the input', async () => {
  const candidates = [2, 'a', 1, true, undefined, 'b'].map((k, i) => ({ id: `c${i}`, k }));
  const orders = [candidates, candidates.toReversed(), [...candidates.slice(3), ...candidates.slice(0, 3)]];
  const ranked = await Promise.all(orders.map((list) => rankBy({ select: { ties: ['candidate.k'] } }, list)));
  for (const { selected } of ranked) expect(selected.map(({ id }) => id)).toEqual(['c2', 'c0', 'c1', 'c5', 'c3', 'c4']);
});

describe('settings of an inherited entry', () => {
  const embedder = (name: string): ProfileInput => ({
    extends: ['knowledgepulse'],
    tier2_scorers: [{ id: 'novelty', params: { embedder: name } }],
  });

  test('an unknown embedder is a load error', async () => {
    expect(await messageOf(createPipeline(embedder('lexcial')))).toContain("no embedder is called 'lexcial'");
    await expect(createPipeline(embedder('lexical'))).resolves.toBeDefined();
  });

  test('another type, or another name, replaces unknown settings', async () => {
    const folder = temporaryFolder();
    const decay = (curve: string) => `tier2_scorers: [{ id: d, class: DecayScorer, params: { curve: ${curve} } }]\n`;
    writeFileSync(join(folder, 'base.yaml'), decay('{ type: exponential, half_life: 7d }'));
    writeFileSync(
      join(folder, 'window.yaml'),
      'extends: [./base.yaml]\ntier2_scorers: [{ id: d, params: { curve: { type: window, max_age: 7d } } }]\n',
    );
    await expect(createPipeline(join(folder, 'window.yaml'))).resolves.toBeDefined();
  });

  test('a relative folder starts from the file that contains it', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'base'));
    const params = 'params: { text: t, embedder: { name: fake, folder: ./models } }';
    writeFileSync(join(folder, 'base', 'm.yaml'), `tier2_scorers: [{ id: n, class: NoveltyScorer, ${params} }]\n`);
    writeFileSync(
      join(folder, 'd.yaml'),
      'extends: [./base/m.yaml]\ntier2_scorers: [{ id: n, params: { max_elements: 5 } }]\n',
    );
    const opened: unknown[] = [];
    const open = (settings: { folder?: string }) => {
      opened.push(settings.folder);
      return { name: 'fake', dimensions: 1, embed: async () => [] };
    };
    await createPipeline(join(folder, 'd.yaml'), { services: [{ token: embedderToken('fake'), value: { open } }] });
    expect(opened).toEqual([join(folder, 'base', 'models')]);
  });

  test('an undeclared field of the context is a typo', async () => {
    const profile: ProfileInput = {
      context: { strict: { type: 'bool' } },
      tier1_scorers: [{ id: 'v', expr: 'true', when: 'context.strct' }],
    };
    expect(await messageOf(createPipeline(profile))).toContain('strict');
  });
});

test('names the first duplicate ids, and counts the others', async () => {
  const candidates = Array.from({ length: 60 }, (_, i) => ({ id: `c${i % 30}` }));
  const messages = (await rankBy({}, candidates)).warnings.map(({ code, message }) => `${code} ${message}`);
  expect(messages).toHaveLength(21);
  expect(messages[0]).toBe('ASZ711 2 candidates have the id c0: @0, @30');
  expect(messages.at(-1)).toBe('ASZ711 10 more ids belong to several');
});
