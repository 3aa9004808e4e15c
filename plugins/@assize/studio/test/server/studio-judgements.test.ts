import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { evaluateProfiles, readDataset, readJudgements, readPairs } from '@assize/evaluate';
import { exportStudio, openStudio, type Studio, type StudioSource } from '@assize/studio';
import { createPipeline } from 'assize';
import { withGiven } from '../../src/data/given-grades.js';
import { SeveralQueries } from '../../src/page/queries/several-queries.js';
import { StudioModel } from '../../src/page/model/studio-model.js';
import { NOTHING_SET } from '../../src/page/settings/settings.js';
import { StudioSession } from '../../src/server/studio-session.js';
import { newFolder } from '../../../../../test/scale/threads/folder.js';

const YAML = 'tier2_scorers:\n  - { id: a, expr: candidate.a / 10 }\n  - { id: b, expr: candidate.b / 10 }\n';
const items = ['__proto__', 'constructor', 'r2', 'r3', 'r4', 'r5'].map((id, k) => ({ id, a: k, b: (k * 4) % 7 }));

/** A folder with a profile, and its session. */
async function open(more: object = {}) {
  const folder = newFolder();
  const profile = folder.write('shop.yaml', YAML);
  const source: StudioSource = { profile, candidates: items, context: {}, ...more };
  const session = await StudioSession.open(source);
  const file = join(folder.path, 'shop.grades.jsonl');
  const grade = (position: number, given: number | null, was: number | null = null, query = 0) =>
    session.judgements.grade({ query, position, grade: given, was });
  return { folder, profile, source, session, file, grade, text: () => readFileSync(file, 'utf8') };
}

describe('grades', () => {
  test('are written as JSON Lines, also with ids such as __proto__, and evaluate measures them to the bit', async () => {
    const { folder, profile, session, file, grade, text } = await open();
    for (const [position, given] of [3, 1, 0, 2].entries()) await grade(position, given);
    expect(text()).toBe(
      [
        '{"query":"all","id":"__proto__","grade":3}',
        '{"query":"all","id":"constructor","grade":1}',
        '{"query":"all","id":"r2","grade":0}',
        '{"query":"all","id":"r3","grade":2}',
        '',
      ].join('\n'),
    );
    const model = await StudioModel.open(await session.data());
    model.regrade(withGiven(model.data, (await session.judgements.grades()).given, 0).grades);
    const rows = folder.write('items.json', JSON.stringify(items));
    const measures = ['nDCG@10', 'AP', 'RR'];
    for (const option of ['grades', 'judgements']) {
      const { queries } = await readDataset(rows, { [option]: file });
      const { profiles } = await evaluateProfiles({ shop: await createPipeline(profile) }, queries, { measures });
      for (const measure of measures) {
        expect(model.qualityOf(model.shown).get(measure)).toBe(profiles[0]!.means[measure]);
      }
    }
  });

  test('of several queries beside grades of the data: null removes one; the mean equals that of evaluate to the bit', async () => {
    const folder = newFolder();
    const profile = folder.write('shop.yaml', YAML);
    const rows = ['x', 'y', 'z'].flatMap((query, q) =>
      items.map((item, k) => ({ ...item, query, b: (k * 3 + q) % 7, ...(q < 2 && { old: (k + q) % 3 }) })),
    );
    const file = folder.write('rows.json', JSON.stringify(rows));
    const options = { group: 'query', label: 'old' };
    const { queries } = await readDataset(file, { ...options, unjudged: true });
    const session = await StudioSession.open({ profile, queries, label: 'old' });
    const data = await session.data();
    const several = new SeveralQueries(data, await session.allQueries(), undefined);
    const mean = async () => (await several.measure(NOTHING_SET, () => true))!;
    expect((await mean()).judgedQueries).toBe(2);
    const grade = (query: number, position: number, given: number | null, was: number | null) =>
      session.judgements.grade({ query, position, grade: given, was });
    await grade(0, 0, null, 0);
    await grade(1, 0, 2, 1);
    await grade(2, 4, 1, null);
    const { given } = await session.judgements.grade({ query: 2, position: 5, grade: 0, was: null });
    for (const query of [0, 1, 2]) several.regrade(query, withGiven(several.dataOf(query), given, query).grades);
    const written = join(folder.path, 'shop.grades.jsonl');
    expect(readFileSync(written, 'utf8')).toContain('{"query":"x","id":"__proto__","grade":null}\n');
    const dataset = await readDataset(file, { ...options, grades: written });
    const evaluation = await evaluateProfiles({ shop: await createPipeline(profile) }, dataset.queries, {
      measures: ['nDCG@10', 'AP', 'RR'],
    });
    expect(Object.fromEntries((await mean()).means)).toEqual(evaluation.profiles[0]!.means);
    expect((await mean()).judgedQueries).toBe(3);
    expect(dataset.queries.map(({ grades }) => grades[0])).toEqual([undefined, 2, undefined]);
  });

  test('are merged: other lines, unknown fields and items that are not candidates stay', async () => {
    const { file, grade, text } = await open();
    const old = '{"query":"all","id":"gone","grade":2,"by":"Ada"}\n\n{"by": "Bob", "id":"r3","query":"all","grade":1}';
    writeFileSync(file, old);
    await grade(3, 0, 1);
    await grade(4, 2);
    expect(text()).toBe(
      `${old.replace('{"by": "Bob", "id":"r3","query":"all","grade":1}', '{"by":"Bob","id":"r3","query":"all","grade":0}')}\n{"query":"all","id":"r4","grade":2}\n`,
    );
    await grade(4, null, 2);
    await grade(3, null, 0);
    expect(text()).toBe(`${old.split('\n')[0]}\n\n{"by":"Bob","id":"r3","query":"all","grade":null}\n`);
  });

  test('a change on disk: other items are kept, and a different grade of the same item is reported', async () => {
    const { session, file, grade, text } = await open();
    const { version } = await grade(0, 3);
    writeFileSync(file, `${text().replace('"grade":3', '"grade":1')}{"query":"all","id":"r5","grade":2}\n`);
    const state = await session.changed((await session.data()).filesVersion!, new AbortController().signal, version);
    expect(state.gradesVersion).not.toBe(version);
    const reply = await grade(0, 0, 3);
    expect(reply).toMatchObject({ conflict: '__proto__ was graded 1 in shop.grades.jsonl meanwhile' });
    expect(reply.given).toEqual([
      [0, 0, 1],
      [0, 5, 2],
    ]);
    expect((await grade(0, 0, 1)).given[0]).toEqual([0, 0, 0]);
    expect((await session.data()).judging?.given).toHaveLength(2);
  });

  test('concurrent grades of two sessions are all written', async () => {
    const first = await open();
    const second = await StudioSession.open(first.source);
    await Promise.all(
      items.map((_, position) =>
        position % 2 === 0
          ? first.grade(position, 1)
          : second.judgements.grade({ query: 0, position, grade: 2, was: null }),
      ),
    );
    expect([...(await readJudgements(first.file, {})).get('all')!]).toHaveLength(items.length);
  });

  test('a lock of a process that ended does not block', async () => {
    const { file, grade, text } = await open();
    const old = new Date(Date.now() - 60_000);
    writeFileSync(`${file}.lock`, '');
    utimesSync(`${file}.lock`, old, old);
    await grade(0, 1);
    expect(text()).toContain('"grade":1');
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test.each([
    ['{"query":"all","id":"r2","grade":"good"}', 'shop.grades.jsonl:1: the grade is not a number or null'],
    ['{"query":"all","grade":1}', 'shop.grades.jsonl:1: the id is not a text or a number'],
    ['\n[1]', 'shop.grades.jsonl:2: expected a map'],
    ['{"id":"a","grade":1}\n{"id":"a","grade":2}', 'shop.grades.jsonl:2: a is graded in line 1 too'],
    ['query,id,grade\nall,r2,1', 'shop.grades.jsonl:1: expected a map'],
  ])('a file with %j is reported, and not changed', async (content, message) => {
    const { session, file, grade, text } = await open();
    writeFileSync(file, content);
    expect((await session.data()).judging?.problem).toContain(message);
    await expect(grade(0, 1)).rejects.toThrow(message);
    expect(text()).toBe(content);
  });

  test('a huge file, a folder and a dangling link are reported, and not changed', async () => {
    const { session, file, grade } = await open();
    writeFileSync(file, ' '.repeat((33 << 20) + 1));
    expect((await session.data()).judging?.problem).toBe(
      'shop.grades.jsonl has 33 MB, and at most 32 MB are read: name another file',
    );
    await expect(grade(0, 1)).rejects.toThrow('at most 32 MB');
    const other = await open();
    mkdirSync(other.file);
    await expect(other.grade(0, 1)).rejects.toThrow('shop.grades.jsonl cannot be read: EISDIR');
    const third = await open();
    symlinkSync(join(third.folder.path, 'nowhere'), third.file);
    await expect(third.grade(0, 1)).rejects.toThrow('shop.grades.jsonl');
  });

  test('a read-only file is reported, and not changed', async () => {
    const { file, grade, text } = await open();
    await grade(0, 1);
    chmodSync(file, 0o444);
    await expect(grade(0, 2, 1)).rejects.toThrow('shop.grades.jsonl is read-only');
    chmodSync(file, 0o644);
    expect(text()).toContain('"grade":1');
  });

  test.skipIf(process.getuid?.() === 0)('a read-only folder is reported', async () => {
    const { folder, file, grade } = await open();
    chmodSync(folder.path, 0o555);
    await expect(grade(0, 1)).rejects.toThrow('shop.grades.jsonl cannot be written: EACCES');
    chmodSync(folder.path, 0o755);
    expect(existsSync(file)).toBe(false);
  });

  test('a folder that does not exist is reported', async () => {
    const { grade } = await open({ gradesFile: '/nowhere/at/all/grades.jsonl' });
    await expect(grade(0, 1)).rejects.toThrow('grades.jsonl cannot be written: ENOENT');
  });

  test('items without ids, or with equal ids, cannot be graded, and the page says why', async () => {
    const { session, grade } = await open({ candidates: [{ a: 1 }, { id: 'x', a: 2 }], context: {} });
    expect((await session.data()).judging?.problem).toMatch(/^1 of 2 items has no id, .* start the studio with --id/);
    await expect(grade(0, 1)).rejects.toThrow('1 of 2 items has no id');
    const twice = await open({ candidates: [{ id: 'x' }, { id: 'x' }], context: {} });
    expect((await twice.session.data()).judging?.problem).toMatch(/^1 items? ha(?:s|ve) the id of another item/);
    const named = await open({ candidates: [{ name: 'x' }, { name: 'y' }], context: {}, id: 'name' });
    expect((await named.grade(1, 2)).given).toEqual([[0, 1, 2]]);
  });

  test('an exported page includes them, and a profile that reads the grade is refused', async () => {
    const { folder, profile, source, grade } = await open();
    await grade(2, 3);
    const page = readFileSync(await exportStudio(source, join(folder.path, 'out')), 'utf8');
    expect(page).toContain('"grades":[null,null,3,null,null,null]');
    expect(page).not.toContain('"judging"');
    const session = await StudioSession.open({ ...source, label: 'stars' });
    const seen = (await session.data()).filesVersion!;
    writeFileSync(profile, YAML.replace('candidate.a / 10', 'candidate.stars'));
    const state = await session.changed(seen, new AbortController().signal);
    expect(state.problem).toContain('a reads stars, but the profile is measured by stars');
    const edits = [{ path: ['tier2_scorers', { id: 'b' }, 'expr'], value: 'candidate.stars' }];
    await expect(session.draft(edits, 0)).rejects.toThrow('ASZ540');
  });
});

test('choices are appended as tune reads them; ids that could be mistaken for a and b are clear', async () => {
  const candidates = ['b', 'a', 'c'].map((id, k) => ({ id, a: k, b: 3 - k }));
  const { folder, session } = await open({ candidates, context: {} });
  const file = folder.write('shop.answers.jsonl', '{"a":"c","b":"b","winner":"tie","by":"Ada"}');
  await session.judgements.addAnswer(0, { a: 0, b: 1, choice: 'a' });
  await session.judgements.addAnswer(0, { a: 2, b: 1, choice: 'same' });
  expect(readFileSync(file, 'utf8')).toContain('"by":"Ada"}\n{"a":"b","b":"a","winner":"b"}\n');
  expect((await readPairs(file)).map(({ winner }) => winner)).toEqual(['same', 'a', 'same']);
  expect(await session.judgements.answers(0)).toEqual([
    { a: 2, b: 0, choice: 'same' },
    { a: 0, b: 1, choice: 'a' },
    { a: 2, b: 1, choice: 'same' },
  ]);
  writeFileSync(file, '{"a":"c"}\n');
  await expect(session.judgements.answers(0)).rejects.toThrow('shop.answers.jsonl:1: expected a pair');
});

describe('the server', () => {
  const studios: Studio[] = [];
  afterAll(() => Promise.all(studios.map((studio) => studio.close())));

  test('rejects grades of unknown queries and items, other values, and requests without the token', async () => {
    const { source, file } = await open();
    const studio = await openStudio(source, { port: 0 });
    studios.push(studio);
    const [origin, token] = studio.url.split('/#token=') as [string, string];
    const post = async (body: unknown, bearer = token): Promise<readonly [number, string]> => {
      const headers = { authorization: `Bearer ${bearer}` };
      const response = await fetch(`${origin}/api/grade`, { method: 'POST', headers, body: JSON.stringify(body) });
      return [response.status, await response.text()];
    };
    expect(await post({ query: 0, position: 99, grade: 1, was: null })).toEqual([
      409,
      expect.stringContaining('query 0 has no item at position 99'),
    ]);
    expect((await post({ query: 7, position: 0, grade: 1, was: null }))[0]).toBe(409);
    for (const wrong of [
      { grade: '1' },
      { position: -1 },
      { position: '__proto__' },
      { query: '__proto__' },
      { was: {} },
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect((await post({ query: 0, position: 0, grade: 1, was: null, ...wrong }))[0]).toBe(400);
    }
    expect((await post('x'.repeat(2 << 20)))[0]).toBe(413);
    expect((await post({ query: 0, position: 0, grade: 1, was: null }, 'wrong'))[0]).toBe(401);
    expect(existsSync(file)).toBe(false);
    expect((await post({ query: 0, position: 0, grade: 1, was: null }))[0]).toBe(200);
  });
});
