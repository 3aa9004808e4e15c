import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assize } from '../cli/run-here.js';
import { newFolder } from '../workers/folder.js';
import { packageRoot } from '../../src/input/package-root.js';

const folder = newFolder();
const profile = folder.write('profile.yaml', 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n');
const file = folder.write('repos.json', '[{ "id": "</script>", "stars": 1 }]');
const isBuilt = existsSync(join(packageRoot(), 'dist', 'bundle', 'studio-page.js'));

test('a profile is needed, a port is a number', async () => {
  expect(await assize(['studio', file])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--profile is missing'),
  });
  const port = await assize(['studio', '--profile', profile, '--port', 'x', file]);
  expect(port).toMatchObject({ code: 2, err: expect.stringContaining('--port: expected a whole number') });
});

test('a profile that reads the grade is refused', async () => {
  const judged = folder.write('judged.json', '[{ "stars": 1, "good": true }, { "stars": 2, "good": false }]');
  const leaking = folder.write('leaking.yaml', 'tier2_scorers: [{ id: a, expr: "candidate.good ? 1 : 0" }]\n');
  const refused = await assize(['studio', '--profile', leaking, '--label', 'good', judged]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/leaking\.yaml:1:\d+ error ASZ540/) });
});

test.skipIf(!isBuilt)('the page as one file, in which nothing of a candidate is HTML', async () => {
  const out = join(folder.path, 'out');
  expect(await assize(['studio', '--profile', profile, file, '--export', out])).toMatchObject({
    code: 0,
    out: `${join(out, 'index.html')}\n`,
  });
  const html = readFileSync(join(out, 'index.html'), 'utf8');
  expect(html).toContain('"id":"\\u003c/script>"');
  expect(html.match(/<\/script>/g)).toHaveLength(2);
});

test('more profiles are ranked by, too; one that is wrong is said with its place', async () => {
  const other = folder.write('other.yaml', 'name: other\ntier2_scorers: [{ id: id, expr: "-candidate.stars" }]\n');
  const wrong = folder.write('wrong.yaml', 'tier2_scorers: [{ id: a, expr: candidate. }]\n');
  const out = join(folder.path, 'two');
  const both = (second: string) => assize(['studio', '--profile', profile, '-p', second, file, '--export', out]);
  expect(await both(wrong)).toMatchObject({ code: 1, err: expect.stringMatching(/wrong\.yaml:1:\d+ error ASZ/) });
  if (!isBuilt) return;
  expect(await both(other)).toMatchObject({ code: 0 });
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain(`"others":[{"title":"${other}","order":[0]}]`);
});
