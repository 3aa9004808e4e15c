import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../src/verbs/open-in-browser.js';
import { assize } from '../../../../test/cli/run-here.js';
import { newFolder } from '../../../../test/scale/threads/folder.js';
import { packageRoot } from '../../../../src/base/package-root.js';

const folder = newFolder();
const profile = folder.write('profile.yaml', 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n');
const file = folder.write('repos.json', '[{ "id": "</script>", "stars": 1 }]');
const isBuilt = existsSync(join(packageRoot(), 'plugins', '@assize', 'studio', 'dist', 'studio-page.js'));

test('requires a profile, and a number as a port', async () => {
  expect(await assize(['studio', file])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--profile is missing'),
  });
  const port = await assize(['studio', '--profile', profile, '--port', 'x', file]);
  expect(port).toMatchObject({ code: 2, err: expect.stringContaining('--port: expected a whole number') });
});

test('rejects a host of images that is not a host', async () => {
  const refused = await assize(['studio', '--profile', profile, '--images', "x; script-src 'unsafe-inline'", file]);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('is not a host') });
});

test('rejects files of judgements that are not JSON Lines', async () => {
  for (const option of ['--grades', '--answers']) {
    // oxlint-disable-next-line no-await-in-loop -- one command after another
    expect(await assize(['studio', '--profile', profile, option, 'grades.csv', file])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${option}: grades.csv is not a file of JSON Lines`),
    });
  }
});

test.skipIf(!isBuilt)('shows queries without judgements, and the grades of a file', async () => {
  const rows = folder.write('rows.json', '[{ "id": "a", "q": "x", "stars": 1 }, { "id": "b", "q": "y", "stars": 2 }]');
  const grades = folder.write('given.jsonl', '{"query":"y","id":"b","grade":3}\n');
  const out = join(folder.path, 'graded');
  const options = ['--profile', profile, '-g', 'q', '--grades', grades, '--export', out, rows];
  expect(await assize(['studio', ...options])).toMatchObject({ code: 0 });
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toMatch(/"grades":\[null\][^]*"grades":\[3\]/);
});

test('reports a port in use, and a missing profile', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const refused = await assize(['studio', '--profile', profile, '--port', String(port), file]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`:${port}: the port is in use`) });
  taken.close();
  const none = await assize(['studio', '--profile', profile, '--port', '99999', file]);
  expect(none).toMatchObject({
    code: 1,
    err: expect.stringContaining('error ASZ597 cannot listen on 127.0.0.1:99999'),
  });
  const missing = await assize(['studio', '--profile', './nowhere.yaml', file]);
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('error ASZ101 cannot read nowhere.yaml') });
});

test('rejects a profile that reads the grade', async () => {
  const judged = folder.write('judged.json', '[{ "stars": 1, "good": true }, { "stars": 2, "good": false }]');
  const leaking = folder.write('leaking.yaml', 'tier2_scorers: [{ id: a, expr: "candidate.good ? 1 : 0" }]\n');
  const refused = await assize(['studio', '--profile', leaking, '--label', 'good', judged]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/leaking\.yaml:1:\d+ error ASZ540/) });
});

describe('--open', () => {
  const queries = folder.write(
    'queries.jsonl',
    '{ "id": "q1", "candidates": [{ "id": "a", "stars": 1 }, { "id": "b", "stars": 2 }], "judgements": { "b": 1 } }\n'
      .repeat(2)
      .replace('q1', 'q0'),
  );

  test.each([
    [['rank', '-p', profile, '--open', '--workers', '2', file], '--workers cannot be combined with --open'],
    [['rank', '-p', profile, '--open', '--format', 'json', file], '--format json cannot be combined with --open'],
    [['rank', '-p', profile, '--open', '--generate'], '--generate cannot be combined with --open'],
    [['evaluate', profile, queries, '--open', '--format', 'json'], '--format json cannot be combined with --open'],
  ])('rejects %j', async (args, said) => {
    expect(await assize(args)).toMatchObject({ code: 2, err: expect.stringContaining(said) });
  });

  test('rejects a weight of an unknown scorer before it serves', async () => {
    const refused = await assize(['rank', '-p', profile, '--open', '--weight', 'star=2', file]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('did you mean stars') });
  });

  test('opens a browser if there is a display', () => {
    expect(hasBrowser('linux', {})).toBe(false);
    expect(hasBrowser('linux', { DISPLAY: ':0' })).toBe(true);
    expect(hasBrowser('linux', { WAYLAND_DISPLAY: 'wayland-0', CI: 'true' })).toBe(false);
    expect(hasBrowser('darwin', {})).toBe(true);
  });

  test.skipIf(!isBuilt)('rank shows its candidates in the studio, with the weights of the call', async () => {
    const { address, end } = await served(['rank', '-p', profile, '--weight', 'stars=3', '--top', '1', file, '--open']);
    const { origin, hash } = new URL(address);
    const { state, token } = Object.fromEntries(new URLSearchParams(hash.slice(1))) as { state: string; token: string };
    expect(JSON.parse(state)).toEqual({ settings: { weights: { stars: 3 }, top: 1 } });
    const answer = await fetch(`${origin}/api/data`, { headers: { authorization: `Bearer ${token}` } });
    expect(await answer.json()).toMatchObject({ candidates: [{ id: '</script>' }], file: { name: 'profile.yaml' } });
    end();
  });

  test.skipIf(!isBuilt)('evaluate shows its queries in the studio, after its table', async () => {
    const { address, before, end } = await served(['evaluate', profile, queries, '--open']);
    expect(before).toContain('nDCG@10');
    const [origin, token] = address.split('/#token=') as [string, string];
    const answer = await fetch(`${origin}/api/data`, { headers: { authorization: `Bearer ${token}` } });
    expect(await answer.json()).toMatchObject({ queries: ['q0', 'q1'], grades: [null, 1] });
    end();
  });
});

/** Runs a command that serves, until it has printed its address. */
async function served(args: readonly string[]) {
  const child = spawn(process.execPath, [join(packageRoot(), 'dist', 'bundle', 'cli.js'), ...args]);
  let out = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    out += chunk.toString();
    if (/^http:.*\n/m.test(out)) break;
  }
  const [address = ''] = /^http:.*$/m.exec(out) ?? [];
  return { address, before: out.slice(0, out.indexOf(address)), end: () => child.kill() };
}

test.skipIf(!isBuilt)('exports the page as one file, with candidates escaped', async () => {
  const out = join(folder.path, 'out');
  expect(await assize(['studio', '--profile', profile, file, '--export', out])).toMatchObject({
    code: 0,
    out: `${join(out, 'index.html')}\n`,
  });
  const html = readFileSync(join(out, 'index.html'), 'utf8');
  expect(html).toContain('"id":"\\u003c/script>"');
  expect(html.match(/<\/script>/g)).toHaveLength(2);
});

test('overwrites an exported page, and no other file', async () => {
  mkdirSync(join(folder.path, 'site'));
  const other = folder.write('site/index.html', '<title>Mine</title>');
  const exported = (to: string) => assize(['studio', '--profile', profile, file, '--export', to]);
  expect(await exported(dirname(other))).toMatchObject({ code: 1, err: expect.stringContaining('error ASZ604') });
  expect(readFileSync(other, 'utf8')).toBe('<title>Mine</title>');
  if (!isBuilt) return;
  expect(await exported(profile)).toMatchObject({ code: 1, err: expect.stringContaining('error ASZ654 cannot write') });
  const out = join(folder.path, 'again');
  expect(await exported(out)).toMatchObject({ code: 0 });
  expect(await exported(out)).toMatchObject({ code: 0 });
  expect(readdirSync(out)).toEqual(['index.html']);
});

test('ranks by further profiles, too; reports the place of a mistake in one', async () => {
  const other = folder.write('other.yaml', 'name: other\ntier2_scorers: [{ id: id, expr: "-candidate.stars" }]\n');
  const wrong = folder.write('wrong.yaml', 'tier2_scorers: [{ id: a, expr: candidate. }]\n');
  const out = join(folder.path, 'two');
  const both = (second: string) => assize(['studio', '--profile', profile, '-p', second, file, '--export', out]);
  expect(await both(wrong)).toMatchObject({ code: 1, err: expect.stringMatching(/wrong\.yaml:1:\d+ error ASZ/) });
  if (!isBuilt) return;
  expect(await both(other)).toMatchObject({ code: 0 });
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain(`"others":[{"title":"${other}","order":[0]}]`);
});
