import { expect, test } from 'vitest';
import { versionOf } from '../../../src/studio/server/file-version.js';
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
  const ascending = [[0, 1, 2]];
  expect(await orders()).toEqual([ascending, ascending]);

  folder.write('other.yaml', 'tier2_scorers: [{ id: a, expr: candidate. }]\n');
  const changed = by('candidate.a * 2');
  folder.write('own.yaml', changed);
  const gone = new AbortController();
  const broken = await session.changed(versionOf(by('candidate.a')), gone.signal);
  expect(broken).toEqual({ version: versionOf(changed), problem: expect.stringMatching(/other\.yaml:1:/) as string });
  expect(await orders()).toEqual([ascending, ascending]);
  expect((await session.data()).file?.version).toBe(versionOf(by('candidate.a')));

  folder.write('other.yaml', by('candidate.a'));
  expect(await session.changed('', gone.signal)).toEqual({ version: versionOf(changed) });
  expect(await orders()).toEqual([[[2, 1, 0]], [[2, 1, 0]]]);
  expect((await session.data()).file?.version).toBe(versionOf(changed));
});
