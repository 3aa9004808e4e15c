import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { StudioSession } from '../../src/server/studio-session.js';
import { newFolder } from '../../../../../test/scale/threads/folder.js';

const folder = newFolder();
const by = (expr: string): string => `tier2_scorers: [{ id: a, expr: ${expr} }]\n`;
const queries = [1, 2].map((n) => ({
  id: `q${n}`,
  context: { n },
  candidates: [{ a: 1 }, { a: 2 }, { a: 3 }],
  grades: [1, 0, 0],
}));

test('reports another profile that becomes invalid, and uses it when fixed; the page keeps its ranking', async () => {
  const profile = folder.write('own.yaml', by('candidate.a'));
  const other = folder.write('other.yaml', by('-candidate.a * context.n'));
  const session = await StudioSession.open({ profile, others: [other], queries });
  const orders = async () => (await session.allQueries()).map(({ others }) => others?.map(({ order }) => order));
  const version = async () => (await session.data()).file!.version;
  const before = await version();
  const ascending = [[0, 1, 2]];
  expect(await orders()).toEqual([ascending, ascending]);

  folder.write('other.yaml', 'tier2_scorers: [{ id: a, expr: candidate. }]\n');
  folder.write('own.yaml', by('candidate.a * 2'));
  const gone = new AbortController();
  const broken = await session.changed(before, gone.signal);
  expect(broken.problem).toMatch(/other\.yaml:1:/);
  expect(broken.version).not.toBe(before);
  expect(await orders()).toEqual([ascending, ascending]);
  expect(await version()).toBe(before);

  folder.write('other.yaml', by('candidate.a'));
  expect(await session.changed('', gone.signal)).toMatchObject({ version: broken.version });
  expect(await orders()).toEqual([[[2, 1, 0]], [[2, 1, 0]]]);
  expect(await version()).toBe(broken.version);
});

test('watches each shown file: another profile in another folder, next to a preset', async () => {
  const other = newFolder().write('other.yaml', by('candidate.a'));
  const session = await StudioSession.open({ profile: 'knowledgepulse', others: [other, other], queries });
  const { file, filesVersion } = await session.data();
  expect(file).toBeUndefined();
  const gone = new AbortController();
  const waiting = session.changed(filesVersion!, gone.signal);
  writeFileSync(other, by('-candidate.a'));
  const state = await waiting;
  expect(state.problem).toBeUndefined();
  expect(state.filesVersion).not.toBe(filesVersion);
  const now = await session.data();
  expect(now.filesVersion).toBe(state.filesVersion);
  expect(now.others?.map(({ order }) => order)).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
});

test('reports a removed folder, and continues', async () => {
  const away = newFolder();
  const other = away.write('other.yaml', by('candidate.a'));
  const session = await StudioSession.open({ profile: 'knowledgepulse', others: [other], queries });
  rmSync(away.path, { recursive: true });
  const gone = new AbortController();
  const { problem } = await session.changed('', gone.signal);
  expect(problem).toContain('other.yaml');
});
