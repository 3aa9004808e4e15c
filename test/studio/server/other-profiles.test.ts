import { expect, test } from 'vitest';
import { StudioSession } from '../../../src/studio/server/studio-session.js';
import { newFolder } from '../../workers/folder.js';

const folder = newFolder();
const by = (expr: string): string => `tier2_scorers: [{ id: a, expr: ${expr} }]\n`;
const queries = [1, 2].map((n) => ({
  id: `q${n}`,
  context: { n },
  candidates: [{ a: 1 }, { a: 2 }, { a: 3 }],
  grades: [1, 0, 0],
}));

test('another profile that breaks while the page is open is said, and mended is ranked by; the page keeps what it has', async () => {
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
  expect(await session.changed('', gone.signal)).toEqual({ version: broken.version });
  expect(await orders()).toEqual([[[2, 1, 0]], [[2, 1, 0]]]);
  expect(await version()).toBe(broken.version);
});
