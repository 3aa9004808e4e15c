import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { AssizeError } from 'assize';
import { defineScorer, z } from 'assize/sdk';
import { packageRoot } from '../../../../../src/base/package-root.js';
import type { ProfileEvent } from '../../src/profiles/served-profile.js';
import { ServedProfiles, type ServedProfilesOptions } from '../../src/profiles/served-profiles.js';
import { isBuilt } from '../../../../../test/scale/threads/folder.js';
import { eventually } from '../../../../../test/eventually.js';
import { profileFolder, type ProfileFolder, scoring } from '../profile-folder.js';

const SDK = pathToFileURL(join(packageRoot(), 'dist', 'bundle', 'sdk.js')).href;

const opened: ServedProfiles[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

async function open({ path }: ProfileFolder, options: ServedProfilesOptions = {}) {
  const events: ProfileEvent[] = [];
  const profiles = await ServedProfiles.open(path, { report: (event) => void events.push(event), ...options });
  opened.push(profiles);
  const scoreOf = async (name: string, tenant?: string): Promise<number | undefined> =>
    (await profiles.pipeline(name, tenant).rank([{ x: 1 }])).ranked[0]?.score;
  return { profiles, events, scoreOf };
}

/** The code of a call's error. */
function codeOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof AssizeError) return error.problems[0]?.code;
  }
  return undefined;
}

describe('the served profiles', () => {
  test('are the files of the folder and its subfolders, without fragments, expectations and hidden files', async () => {
    const folder = profileFolder({
      'shop.yaml': scoring('1.0'),
      'acme/shop.yml': scoring('2.0'),
      '_base.yaml': scoring('3.0'),
      'shop.expect.yaml': 'cases: []',
      '.hidden.yaml': scoring('4.0'),
      'a b.yaml': scoring('4.0'),
      'acme/deep/shop.yaml': scoring('5.0'),
      'package.json': '{}',
    });
    const { profiles } = await open(folder);
    expect(profiles.list().map(({ name }) => name)).toEqual(['shop', 'acme/shop']);
  });

  test('a tenant has its own, by their short names, and no others', async () => {
    const folder = profileFolder({
      'shop.yaml': scoring('1.0'),
      'acme/shop.yaml': scoring('2.0'),
      'bolt/x.yaml': '{}',
    });
    const { profiles, scoreOf } = await open(folder);
    expect([await scoreOf('shop'), await scoreOf('shop', 'acme'), await scoreOf('acme/shop', 'acme')]).toEqual([
      1, 2, 2,
    ]);
    for (const name of ['x', 'bolt/x', '../bolt/x', '../shop', 'acme/../shop', '__proto__', 'constructor', '']) {
      expect([name, codeOf(() => profiles.pipeline(name, 'acme'))]).toEqual([name, 'ASZ591']);
    }
    expect(codeOf(() => profiles.pipeline('shop', 'bolt'))).toBe('ASZ591');
  });

  test('one that is invalid from the start does not affect the others', async () => {
    const { profiles, scoreOf, events } = await open(
      profileFolder({ 'a.yaml': scoring('1.0'), 'b.yaml': 'wieght: 1' }),
    );
    expect(await scoreOf('a')).toBe(1);
    expect(codeOf(() => profiles.pipeline('b'))).toBe('ASZ596');
    expect(profiles.find('b').error?.problems[0]).toMatchObject({ code: 'ASZ201', place: { line: 1, column: 1 } });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'broken', profile: 'b', answersOn: false }));
  });

  test('a folder that does not exist is an error', async () => {
    const failure: unknown = await ServedProfiles.open('/no/such/folder').catch((error: unknown) => error);
    expect(failure).toMatchObject({ problems: [{ code: 'ASZ597' }] });
  });
});

describe('a change takes effect', () => {
  test('for a file that is written, replaced repeatedly, added and removed', async () => {
    const folder = profileFolder({ 'a.yaml': scoring('1.0') });
    const { profiles, scoreOf } = await open(folder);
    folder.write('a.yaml', scoring('2.0'));
    await eventually(async () => expect(await scoreOf('a')).toBe(2));
    for (const score of [3, 4, 5]) {
      folder.replace('a.yaml', scoring(`${score}.0`));
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await eventually(async () => expect(await scoreOf('a')).toBe(score));
    }
    folder.write('acme/b.yaml', scoring('7.0'));
    await eventually(async () => expect(await scoreOf('b', 'acme')).toBe(7));
    folder.remove('acme');
    await eventually(() => expect(profiles.list().map(({ name }) => name)).toEqual(['a']));
    expect(profiles.find('a').version).toBe(5);
  });

  test.skipIf(!isBuilt)(
    'for files that it extends, and for its plugins and their imports (needs a build)',
    async () => {
      const folder = profileFolder({
        'parts/base.yaml': scoring('1.0'),
        'a.yaml': 'extends: [./parts/base.yaml]',
        'code/two.ts': 'export const two = 2;',
        'code/plugin.ts': `import { scorer } from '${SDK}';\nimport { two } from './two';\nexport const Two = scorer(() => two);`,
        'b.yaml': 'plugins: [./code/plugin.ts]\ntier2_scorers: [{ id: two, class: Two }]',
      });
      const { scoreOf } = await open(folder);
      expect([await scoreOf('a'), await scoreOf('b')]).toEqual([1, 2]);
      folder.write('parts/base.yaml', scoring('3.0'));
      folder.write('code/two.ts', 'export const two = 4;');
      await eventually(async () => expect([await scoreOf('a'), await scoreOf('b')]).toEqual([3, 4]));
    },
  );

  test('an invalid file keeps the old version until it is fixed', async () => {
    const folder = profileFolder({ 'a.yaml': scoring('1.0') });
    const { profiles, scoreOf, events } = await open(folder);
    folder.replace('a.yaml', 'extends: [./missing.yaml]');
    await eventually(() => expect(profiles.find('a').error?.problems[0]?.code).toBe('ASZ101'));
    expect(await scoreOf('a')).toBe(1);
    expect(events.at(-1)).toMatchObject({ kind: 'broken', profile: 'a', answersOn: true });
    folder.write('missing.yaml', scoring('2.0'));
    await eventually(async () => expect(await scoreOf('a')).toBe(2));
    expect(profiles.find('a').error).toBeUndefined();
  });

  test('an empty file is about to be written, and is not a profile', async () => {
    const folder = profileFolder({ 'a.yaml': scoring('1.0') });
    const { profiles, scoreOf } = await open(folder);
    folder.write('a.yaml', '');
    await eventually(() => expect(profiles.find('a').error?.problems[0]?.code).toBe('ASZ596'));
    expect(await scoreOf('a')).toBe(1);
    folder.write('a.yaml', scoring('2.0'));
    await eventually(async () => expect(await scoreOf('a')).toBe(2));
  });

  test('a version that fails its test run does not answer', async () => {
    const folder = profileFolder({ 'a.yaml': scoring('1.0'), 'a.expect.yaml': '1' });
    const { profiles, scoreOf } = await open(folder, {
      tryOut: async (pipeline) => {
        const [first] = (await pipeline.rank([{}])).ranked;
        return first?.score === 2 ? [{ code: 'ASZ596', message: 'no golden case has 2' }] : [];
      },
    });
    folder.replace('a.yaml', scoring('2.0'));
    await eventually(() => expect(profiles.find('a').error?.problems[0]?.code).toBe('ASZ596'));
    expect(await scoreOf('a')).toBe(1);
    folder.replace('a.yaml', scoring('3.0'));
    await eventually(async () => expect(await scoreOf('a')).toBe(3));
  });

  test.skipIf(!isBuilt)(
    'but not for a JavaScript module, which Node caches: a message reports it (needs a build)',
    async () => {
      const plugin = (score: number): string =>
        `import { scorer } from '${SDK}';\nexport const Two = scorer(() => ${score});`;
      const folder = profileFolder({
        'a.yaml': 'plugins: [./plugin.mjs]\ntier2_scorers: [{ id: two, class: Two }]',
        'plugin.mjs': plugin(2),
      });
      const { profiles, events, scoreOf } = await open(folder);
      expect(await scoreOf('a')).toBe(2);
      folder.write('plugin.mjs', plugin(3));
      await eventually(() => expect(profiles.find('a').needsRestart).toBe(true));
      expect(events).toContainEqual(expect.objectContaining({ kind: 'restart_needed', profile: 'a' }));
    },
  );

  test('for a file that changes whenever it is read', async () => {
    const version = (n: number): string => `tier2_scorers: [{ id: n, class: Writes, params: { n: ${n} } }]`;
    const folder = profileFolder({ 'a.yaml': version(0) });
    /** Writes the next version when its own has been read. */
    class Writes {
      static readonly meta = defineScorer({ summary: 'Writes.', params: z.strictObject({ n: z.number() }) });
      compile({ n }: { readonly n: number }) {
        if (n < 4) folder.replace('a.yaml', version(n + 1));
        return () => n;
      }
    }
    const { profiles, scoreOf } = await open(folder, { watch: false, pipeline: { units: { Writes } } });
    expect(codeOf(() => profiles.pipeline('a'))).toBe('ASZ658'); // it stops reading, and no version answers that mixes two
    await profiles.refresh();
    expect(await scoreOf('a')).toBe(4);
  });

  test('reads nothing while nothing changes, even if other files of the folder do', async () => {
    const folder = profileFolder({ 'a.yaml': scoring('1.0') });
    const { profiles, events } = await open(folder);
    for (let k = 0; k < 5; k++) folder.write('notes.txt', String(k));
    await pause(150);
    await profiles.refresh();
    expect(events.filter(({ kind }) => kind === 'loaded')).toHaveLength(1);
  });
});

describe('memories', () => {
  const novelty = (weight: number): string => `tier2_scorers:
  - { id: novelty, class: NoveltyScorer, weight: ${weight}, params: { vector: vector } }
  - { id: zero, expr: '0.0' }
`;

  test('continue after a change of the profile, when the runs of the old version have ended', async () => {
    const folder = profileFolder({ 'a.yaml': novelty(1) });
    const { profiles } = await open(folder);
    expect(profiles.find('a').error?.message).toBeUndefined();
    const seen = { vector: [1, 0] };
    await profiles.pipeline('a').rank([seen]);
    const underWay = profiles.pipeline('a').rank([{ vector: [0, 1] }]);
    folder.replace('a.yaml', novelty(3));
    await eventually(() => expect(profiles.find('a').version).toBe(2));
    await underWay;
    const again = await profiles.pipeline('a').rank([{ vector: [0, 1] }, seen], {}, { updateMemory: false });
    expect(again.matrix.column('novelty').values).toEqual(new Float64Array([0, 0]));
  });

  test('in files are never written by two versions at once', async () => {
    const inFile = (weight: number): string => novelty(weight).replace('params:', 'memory: ./seen.bin, params:');
    const folder = profileFolder({ 'a.yaml': inFile(1) });
    const { profiles } = await open(folder);
    const runs: Promise<unknown>[] = [];
    for (let k = 0; k < 40; k++) {
      if (k % 10 === 5) folder.replace('a.yaml', inFile(k));
      runs.push(profiles.pipeline('a').rank([{ vector: [1, k] }]));
      await pause(5); // oxlint-disable-line no-await-in-loop -- while the profile is reloaded
    }
    await eventually(() => expect(profiles.find('a').version).toBeGreaterThan(1));
    runs.push(profiles.pipeline('a').rank([{ vector: [1, 40] }]));
    await Promise.all(runs);
  });
});
