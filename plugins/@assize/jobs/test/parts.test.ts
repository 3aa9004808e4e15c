import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { AssizeError, createPipeline, type ProfileInput, rankFile, type TopRanking } from 'assize';
import { type ByteInput, createJob, httpInput, type Job, jobText, openJob, readJob } from '@assize/jobs';
import { RowProblems } from '../../../../src/data/candidate-reader.js';
import { readJsonLines } from '../../../../src/data/json/json-lines.js';
import { newFolder } from '../../../../test/scale/threads/folder.js';
import { brokenLines, jsonLines } from '../../../../test/scale/threads/json-lines.js';

const folder = newFolder();

const RUNS = process.env['FUZZ'] ? 400 : 20;

const PROFILE: ProfileInput = {
  name: 'repos',
  candidate: { pinned: 'candidate.?keep.orValue(false)' },
  signals: [
    { id: 'one', class: 'ExpressionSignal', params: { value: '1 + 1' } },
    { id: 'none', class: 'ExpressionSignal', params: { value: 'context.nothing.here' }, on_error: 'skip' },
  ],
  tier1_scorers: [{ id: 'archived', expr: 'candidate.archived' }],
  measures: [{ id: 'half', expr: 'candidate.stars / 2' }],
  tier2_scorers: [
    { id: 'stars', expr: 'candidate.stars / 3', on_absent: 'refuse', on_error: 0.25 },
    { id: 'forks', expr: 'ln(candidate.forks + 1.0) - 0.0' },
    { id: 'halves', expr: 'measures.half + signals.one' },
    { id: 'rare', expr: 'candidate.raer', weight: 2 },
  ],
  adjustments: [{ id: 'third', when: 'candidate.stars == 3', add: 1 }],
  select: { top: 4, min_score: 0.2, ties: ['candidate.odd', 'candidate.forks', 'candidate.?id.orValue("")'] },
};

/** Everything that a ranking of many reports. */
const said = (found: TopRanking<object>): unknown => ({
  ...(JSON.parse(JSON.stringify(found)) as object),
  now: found.now,
  extent: found.extent(),
  explained: found.selected.map(({ index }) => found.explain({ index })),
});

const inMemory = (text: string, etag?: string): ByteInput => {
  const bytes = Buffer.from(text);
  return { name: 'rows.jsonl', size: bytes.length, etag, read: async (from, to) => bytes.subarray(from, to) };
};

/** The order in which parts arrive, some more than once; and after which of them the merge is saved and resumed. */
const arrival = fc.record({
  picks: fc.array(fc.nat(), { maxLength: 20 }),
  saved: fc.array(fc.boolean(), { maxLength: 20 }),
});

/** Ranks by parts, which arrive in any order and more than once, with the job and the merge serialised in between. */
async function inParts(
  job: Job,
  input: ByteInput | undefined,
  { picks, saved }: { readonly picks: readonly number[]; readonly saved: readonly boolean[] },
  rows: readonly (readonly object[])[] = [],
): Promise<TopRanking<object>> {
  const coordinator = await openJob(readJob(jobText(job)), { input });
  const worker = await openJob(readJob(jobText(job)), { input });
  const order = [...picks.map((pick) => pick % Math.max(1, worker.parts)), ...Array(worker.parts).keys()];
  let merge = coordinator.merge();
  for (const [turn, index] of order.entries()) {
    if (worker.parts === 0) break;
    const isNew = !merge.has(index);
    // oxlint-disable-next-line no-await-in-loop -- in this order
    expect(merge.take(index, await worker.partial(index, rows[index]))).toBe(isNew);
    if (saved[turn]) merge = coordinator.merge(merge.state);
  }
  expect(merge.missing).toEqual([]);
  const first = said(await merge.end());
  expect(said(await coordinator.merge(merge.state).end())).toEqual(first); // ending it again changes nothing
  return merge.end();
}

const linesOf = (text: string): object[] =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as object);

describe('merged parts equal the ranking of one machine', () => {
  test('for any split of the input, in any order, with repeated parts', async () => {
    const pipeline = await createPipeline<object>(PROFILE);
    await fc.assert(
      fc.asyncProperty(
        jsonLines,
        fc.integer({ min: 8, max: 300 }),
        arrival,
        fc.boolean(),
        async (text, size, how, tagged) => {
          const input = inMemory(text, tagged ? '"v1"' : undefined);
          const job = await createJob(PROFILE, input, { now: 0 }, { shardBytes: size });
          const whole = await pipeline.rankStream(linesOf(text), { now: 0 });
          expect(said(await inParts(job, input, how))).toEqual(said(whole));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('with given candidates, including values that JSON cannot hold', async () => {
    const pipeline = await createPipeline<object>(PROFILE);
    const number = fc.constantFrom(1, 2, 3, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e-320, undefined);
    const row = fc.record({
      id: fc.constantFrom('a', 'b', '$'),
      stars: number,
      forks: number,
      odd: number,
      $: number,
      keep: fc.constantFrom(false, false, true),
    });
    const parts = fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(parts, arrival, async (rows, how) => {
        const job = await createJob(PROFILE, { parts: rows.length }, { now: 0 });
        const found = await inParts(job, undefined, how, rows);
        const whole = await pipeline.rankStream(rows.flat(), { now: 0 });
        expect(said(found)).toEqual(said(whole));
        expect(found.selected.map(({ candidate }) => candidate)).toEqual(
          whole.selected.map(({ candidate }) => candidate),
        );
      }),
      { numRuns: RUNS },
    );
  });
});

async function errorOf(work: Promise<unknown>): Promise<AssizeError> {
  const error = await work.then(
    () => expect.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof AssizeError) return error;
  throw error;
}

const problemsOf = async (work: Promise<unknown>): Promise<readonly string[]> =>
  (await errorOf(work)).problems.map(({ code, message }) => `${code} ${message}`);

test('reports lines that cannot be read with their places, and ranks the others', async () => {
  const pipeline = await createPipeline<object>(PROFILE);
  await fc.assert(
    fc.asyncProperty(brokenLines, fc.integer({ min: 8, max: 200 }), async (text, size) => {
      const file = folder.write('broken.jsonl', text);
      const job = await createJob(PROFILE, file, { now: 0 }, { shardBytes: size });
      const opened = await openJob(job);
      const merge = opened.merge();
      for (let index = opened.parts - 1; index >= 0; index--) merge.take(index, await opened.partial(index));
      const readable: object[] = [];
      for await (const rows of readJsonLines([Buffer.from(text)], file, new RowProblems())) readable.push(...rows);
      const whole = await pipeline.rankStream(readable, { now: 0 });
      expect(said(await merge.end({ skipUnreadable: true }))).toEqual(said(whole));
      const alone = await errorOf(rankFile(PROFILE, file, { now: 0 }, { workers: 1 }));
      expect((await errorOf(merge.end())).problems).toEqual(alone.problems);
      expect(await merge.unreadable()).toEqual(alone.problems);
    }),
    { numRuns: RUNS / 2 },
  );
});

describe('parts that do not belong to the job are rejected', () => {
  const text = Array.from({ length: 9 }, (_, k) => `{"id":"r${k}","stars":${k},"forks":1}\n`).join('');

  test('invalid parts, parts of another job, or at another position', async () => {
    const input = inMemory(text);
    const job = await createJob(PROFILE, input, { now: 0 }, { shardBytes: 64 });
    const other = await openJob(await createJob(PROFILE, input, { now: 1 }, { shardBytes: 64 }), { input });
    const opened = await openJob(job, { input });
    const merge = opened.merge();
    const part = await opened.partial(1);
    const take = async (index: number, given: string): Promise<unknown> => merge.take(index, given);
    expect(await problemsOf(take(0, ''))).toEqual([
      expect.stringContaining('ASZ575 the text is not a part of this version'),
    ]);
    expect(await problemsOf(take(0, '[]'))).toEqual([
      'ASZ575 the text is not a part of this version: it is not an object',
    ]);
    expect(await problemsOf(take(0, part.slice(0, -9)))).toEqual([expect.stringContaining('ASZ575')]);
    expect(await problemsOf(take(0, part.replace('"format":1', '"format":2')))).toEqual([
      'ASZ575 the text is not a part of this version: its format is 2; expected 1',
    ]);
    expect(await problemsOf(take(0, part))).toEqual(['ASZ578 the text is part 1; expected part 0']);
    expect(await problemsOf(take(99, part))).toEqual([
      `ASZ578 there is no part 99: the job has ${opened.parts} parts, numbered from 0`,
    ]);
    expect(await problemsOf(take(1, await other.partial(1)))).toEqual([
      `ASZ578 the part belongs to job ${other.job.id}; expected job ${job.id}`,
    ]);
    expect(await problemsOf(merge.end())).toEqual([
      `ASZ579 ${opened.parts} of ${opened.parts} parts are missing: ${merge.missing.join(', ')}`,
    ]);
    expect(() => opened.merge(other.merge().state)).toThrow('the state belongs to job');
    expect(() => readJob(jobText(job).replace('"shardBytes":64', '"shardBytes":65'))).toThrow(
      'it was modified after it was written',
    );
  });

  test('a machine with another profile, plugin or version, and a changed input', async () => {
    const units = folder.write('units.mjs', "export const S = { meta: { kind: 'scorer' } }; ");
    folder.write('units.mjs', "import { scorer } from 'assize/sdk'; export const Stars = scorer((c) => c.stars);");
    folder.write('p.yaml', 'plugins: [./units.mjs]\ntier2_scorers: [{ id: s, class: Stars }]\nselect: { top: 2 }\n');
    folder.write('rows.jsonl', text);
    const job = await createJob('./p.yaml', 'rows.jsonl', {}, { folder: folder.path, shardBytes: 64 });
    const open = (changed: Job = job) => openJob(changed, { folder: folder.path });
    const merge = (await open()).merge();
    const opened = await open();
    for (let index = 0; index < opened.parts; index++) merge.take(index, await opened.partial(index));
    expect((await merge.end()).selected.map(({ id }) => id)).toEqual(['r8', 'r7']);

    const older = { ...job, fingerprint: { ...job.fingerprint, assize: '0.0.1', node: '1' } };
    expect(await problemsOf(open(older))).toEqual([
      expect.stringMatching(/^ASZ576 Assize is .* here, but 0\.0\.1 where the job was created$/),
      expect.stringMatching(/^ASZ576 Node is .* here, but 1 where the job was created$/),
    ]);
    folder.write('rows.jsonl', text.replace('"stars":8', '"stars":0'));
    expect(await problemsOf(opened.partial(opened.parts - 1))).toEqual([
      expect.stringMatching(/^ASZ577 rows\.jsonl has changed: the lines that start between/),
    ]);
    expect(await problemsOf(merge.end())).toEqual([expect.stringContaining('ASZ577')]);
    folder.write('rows.jsonl', `${text}\n`);
    expect(await problemsOf(open())).toEqual([
      `ASZ577 rows.jsonl has changed: it has ${text.length + 1} bytes, before ${text.length}`,
    ]);
    folder.write('units.mjs', "import { scorer } from 'assize/sdk'; export const Stars = scorer((c) => -c.stars);");
    folder.write('p.yaml', 'plugins: [./units.mjs]\ntier2_scorers: [{ id: s, class: Stars }]\nselect: { top: 3 }\n');
    expect(await problemsOf(open())).toEqual([
      'ASZ576 the profile differs from the one where the job was created',
      'ASZ576 the plugin ./units.mjs differs from the one where the job was created',
    ]);
    expect(units).toContain('units.mjs');
  });

  test('profiles that need all candidates, formats without lines, and data that is not plain', async () => {
    const novelty = {
      tier2_scorers: [{ id: 'rank', class: 'RankScorer', params: { field: 'stars' } }],
      select: { top: 1 },
    };
    expect(
      await problemsOf(createJob({ tier2_scorers: [{ id: 's', expr: 'candidate.stars' }] }, inMemory(text))),
    ).toEqual([expect.stringContaining('ASZ518')]);
    expect(await problemsOf(createJob(novelty, inMemory(text)))).not.toEqual([]);
    const csv = folder.write('few.csv', 'id,stars\na,1\n');
    expect(await problemsOf(createJob(PROFILE, csv))).toEqual([`ASZ581 ${csv} is CSV, and a job needs JSON Lines`]);
    const parquet = folder.write('few.parquet', 'PAR1');
    await expect(createJob(PROFILE, parquet)).rejects.toThrow('assize rank --workers');
    expect(await problemsOf(createJob(PROFILE, folder.path))).toEqual([expect.stringContaining('ASZ101')]);
    expect(await problemsOf(createJob(PROFILE, '/nowhere/x.jsonl'))).toEqual([expect.stringContaining('no such file')]);
    expect(await problemsOf(createJob(PROFILE, inMemory(text), { f: () => 1 }))).toEqual([
      'ASZ580 run.context.f is a function, which cannot be sent to another machine; expected plain data',
    ]);
  });

  test('a part that fails, with the position of its candidate in the input', async () => {
    const failing: ProfileInput = {
      tier2_scorers: [{ id: 's', expr: '1 / int(candidate.stars - 7.0)', on_error: 'fail' }],
      select: { top: 2 },
    };
    const input = inMemory(text);
    const opened = await openJob(await createJob(failing, input, {}, { shardBytes: 64 }), { input });
    const merge = opened.merge();
    const failures: unknown[] = [];
    for (let index = opened.parts - 1; index >= 0; index--) {
      merge.take(
        index,
        await opened.partial(index).catch((error: unknown) => {
          failures.push(error);
          return opened.failedPart(index, error);
        }),
      );
    }
    const pipeline = await createPipeline<object>(failing);
    const alone = await problemsOf(pipeline.rankStream(linesOf(text), {}));
    expect(failures).toHaveLength(1);
    expect(await problemsOf(merge.end())).toEqual(alone);
    expect(await problemsOf(opened.merge(merge.state).end())).toEqual(alone);
  });
});

describe('an object behind HTTP', () => {
  let content = Array.from({ length: 50 }, (_, k) => `{"id":"r${k}","stars":${(k * 7) % 50},"forks":1}\n`).join('');
  let failures = 0;
  let breaks = 0;
  let stalls = 0;
  const server = createServer((request, response) => {
    if (request.url === '/plain.jsonl') return response.end(content);
    if (failures-- > 0) return response.writeHead(503).end();
    const etag = `"${content.length}-${content.at(-3)}"`;
    if (request.headers['if-match'] !== undefined && request.headers['if-match'] !== etag)
      return response.writeHead(412).end();
    const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = Buffer.from(content).subarray(Number(from), Number(to) + 1);
    if (part.length > 1 && breaks-- > 0) {
      response.writeHead(206, { etag, 'content-length': part.length }).write(part.subarray(0, 1));
      return setTimeout(() => response.destroy(), 20);
    }
    if (part.length > 1 && stalls-- > 0) {
      return response.writeHead(206, { etag, 'content-length': part.length }).write(part.subarray(0, 1));
    }
    return response.writeHead(206, { etag, 'content-range': `bytes ${from}-${to}/${content.length}` }).end(part);
  });
  const listening = new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
  afterAll(() => void server.close());

  test('is read by ranges of one version, and retried if the server fails', async () => {
    const url = `${await listening}/rows.jsonl`;
    const profile = { tier2_scorers: [{ id: 's', expr: 'candidate.stars' }], select: { top: 3 } };
    const job = await createJob(profile, url, { now: 0 }, { shardBytes: 200 });
    expect(job.input).toMatchObject({ size: content.length, digests: [] });
    failures = 1;
    const ranking = await inParts(job, await httpInput(url), { picks: [3, 1], saved: [true] });
    const whole = await rankFile(profile, folder.write('same.jsonl', content), { now: 0 });
    expect(ranking.selected).toEqual(whole.selected);
    const opened = await openJob(job);
    const part = await opened.partial(0);
    breaks = 1;
    expect(await opened.partial(0)).toBe(part);
    breaks = 3;
    expect(await problemsOf(opened.partial(0))).toEqual([
      expect.stringContaining(`ASZ101 cannot read ${url}, bytes 0 to 199: `),
    ]);
    breaks = 0;
    content = content.replace('"stars":0', '"stars":9').replace(/1\}\n$/, '2}\n');
    expect(await problemsOf(opened.partial(0))).toEqual([
      `ASZ577 ${url} has changed: its server has another version (status 412)`,
    ]);
    expect(await problemsOf(openJob(job))).toEqual([expect.stringContaining('ASZ577')]);
  });

  test('is retried three times if its server stops sending, then an error names the place', async () => {
    const url = `${await listening}/rows.jsonl`;
    const input = await httpInput(url, { timeout: 300 });
    const start = Buffer.from(content).subarray(0, 30);
    stalls = 1;
    expect(Buffer.from(await input.read(0, 30))).toEqual(start);
    stalls = 3;
    await expect(input.read(0, 30)).rejects.toMatchObject({
      problems: [
        {
          code: 'ASZ101',
          message: `cannot read ${url}, bytes 0 to 29: its server did not respond for 0.3 s`,
          hint: 'tried 3 times',
        },
      ],
    });
    expect(stalls).toBe(0);
    expect(await problemsOf(httpInput(url, { timeout: 0 }))).toEqual([
      'ASZ533 the option timeout of httpInput is the number 0; expected a whole number of at least 1',
    ]);
  });

  test('is read only up to the end of the request', async () => {
    const endless = createServer((request, response) => {
      const isFirst = request.headers.range === 'bytes=0-0';
      response.writeHead(206, { 'content-range': 'bytes 0-0/1000', etag: '"1"' });
      if (isFirst) return response.end('x');
      const more = (): void => void (response.writableEnded || response.write('x'.repeat(65_536), more));
      return more();
    });
    endless.listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const input = await httpInput(`http://127.0.0.1:${(endless.address() as AddressInfo).port}/`);
    expect((await input.read(0, 10)).byteLength).toBeGreaterThan(10); // which is an error of the caller
    endless.closeAllConnections();
    endless.close();
  });

  test('is named in errors without secrets of its URL', async () => {
    const url = `${await listening}/rows.jsonl`;
    const withPassword = url.replace('//', '//user:secret@');
    expect(await problemsOf(createJob(PROFILE, `${withPassword}?signature=secret`))).toEqual([
      `ASZ101 cannot read ${url}: its URL contains a user or a password`,
    ]);
    expect(await problemsOf(createJob(PROFILE, 'https://'))).toEqual(['ASZ101 cannot read https://: it is not a URL']);
    const job = await createJob(PROFILE, `${url}?signature=secret`, {}, { shardBytes: 200 });
    const input = await httpInput(url);
    const changed = { ...input, size: input.size + 1 };
    expect(await problemsOf(openJob(job, { input: changed }))).toEqual([
      expect.stringContaining(`ASZ577 ${url} has changed: `),
    ]);
  });

  test('must support ranges', async () => {
    const url = `${await listening}/plain.jsonl`;
    expect(await problemsOf(httpInput(url))).toEqual([
      `ASZ581 ${url} can only be read from the start: its server does not support range requests`,
    ]);
    expect(await problemsOf(httpInput('http://127.0.0.1:1/x.jsonl'))).toEqual([
      expect.stringContaining('ASZ101 cannot read http://127.0.0.1:1/x.jsonl'),
    ]);
  });
});
