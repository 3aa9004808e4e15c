import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AssizeError, createPipeline, type TopRanking } from 'assize';
import { createJob, openJob } from '@assize/jobs';
import { decodeVectors, encodeVectors, keyOf } from '../src/vector-folder.js';
import { topOfRanking } from '../../../../src/pipeline/top-ranking.js';
import { newFolder } from '../../../../test/scale/threads/folder.js';

const folder = newFolder();

// An embedder of letters that counts its texts, and an expensive scorer that counts its calls.
folder.write(
  'units.mjs',
  `import { defineScorer, embedderToken, z } from 'assize/sdk';
export const services = [{ token: embedderToken('letters'), value: { open: () => embedder } }];
globalThis.embeddedTexts = [];
globalThis.askedDear = 0;
const embedder = {
  name: 'letters:26',
  get unusable() {
    return globalThis.modelIsAway;
  },
  async embed(texts) {
    globalThis.embeddedTexts.push(...texts);
    return texts.map((text) => {
      const vector = new Float32Array(26);
      for (const letter of text) vector[letter.charCodeAt(0) - 97] += 1;
      return vector;
    });
  },
};
export class Dear {
  static meta = defineScorer({ summary: 'Dear.', params: z.strictObject({}), scope: 'candidate', range: [0, 1] });
  async prepare(_, { candidates }) {
    globalThis.askedDear += candidates.length;
    return () => 0.5;
  }
}
`,
);
folder.write(
  'novel.yaml',
  `plugins: [./units.mjs]
tier1_scorers:
  - { id: gone, expr: candidate.gone }
  - { id: copied, class: SimilarityVeto, params: { text: text, embedder: letters, threshold: 0.99 } }
tier2_scorers:
  - { id: novelty, class: NoveltyScorer, weight: 2, on_absent: 1, params: { text: text, embedder: letters } }
  - { id: meaning, class: SemanticSimilarityScorer, on_absent: 0, params: { text: title, embedder: letters } }
  - { id: dear, class: Dear }
select: { top: 7 }
`,
);
const CONTEXT = { query: 'banana', now: 0 };
const seen = globalThis as unknown as { embeddedTexts: string[]; askedDear: number; modelIsAway?: Error };
const texts = (): number => seen.embeddedTexts.splice(0).length;

const rowsOf = (picks: readonly number[]): readonly object[] =>
  picks.map((pick, k) => ({
    id: `r${k}`,
    text: WORDS[pick % 30],
    title: WORDS[(pick * 7) % 23],
    gone: pick % 11 === 0,
  }));
const WORDS = Array.from({ length: 30 }, (_, k) => {
  const letters = Array.from({ length: 1 + (k % 5) }, (__, j) => String.fromCharCode(97 + ((k * (j + 3)) % 26)));
  return k === 13 ? undefined : letters.join('');
});

const answerOf = (ranking: TopRanking<object>): unknown => JSON.parse(JSON.stringify(ranking)) as unknown;

async function inOneProcess(rows: readonly object[]): Promise<unknown> {
  const pipeline = await createPipeline<object>('./novel.yaml', { folder: folder.path });
  return answerOf(topOfRanking(await pipeline.rank(rows, CONTEXT)));
}

async function inParts(shardBytes: number): Promise<TopRanking<object>> {
  const job = await createJob('./novel.yaml', 'rows.jsonl', CONTEXT, { folder: folder.path, shardBytes });
  expect(job.work).toBe('embed');
  const [worker, coordinator] = await Promise.all([job, job].map((one) => openJob(one, { folder: folder.path })));
  let merge = coordinator!.merge();
  for (let index = worker!.parts - 1; index >= 0; index--) {
    const part = await worker!.partial(index);
    expect([merge.take(index, part), merge.take(index, part)]).toEqual([true, false]);
    merge = coordinator!.merge(merge.state);
  }
  return merge.end();
}

const problem = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (thrown: unknown) => {
      if (thrown instanceof AssizeError)
        return thrown.problems.map(({ code, message }) => `${code} ${message}`).join('\n');
      throw thrown;
    },
  );

const vectorsFolder = join(folder.path, 'rows.jsonl.vectors');
const write = (rows: readonly object[]): void => {
  rmSync(vectorsFolder, { recursive: true, force: true });
  folder.write('rows.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
};

describe('scorers that compare candidates by their texts', () => {
  test('rank in one process by vectors from workers: the result is equal, and a second run embeds nothing', async () => {
    const picks = fc.array(fc.nat({ max: 200 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(picks, fc.integer({ min: 200, max: 2000 }), async (some, shardBytes) => {
        const rows = rowsOf(some);
        const whole = await inOneProcess(rows);
        write(rows);
        texts();
        seen.askedDear = 0;
        expect(answerOf(await inParts(shardBytes))).toEqual(whole);
        expect(seen.askedDear).toBeLessThanOrEqual(rows.length); // by the one process alone
        texts();
        const again = await inParts(shardBytes);
        expect([answerOf(again), texts()]).toEqual([whole, 0]);
        expect(again.notices.join()).toContain('workers embedded 0 and this process 0');
      }),
      { numRuns: process.env['FUZZ'] ? 100 : 3 },
    );
  });

  test('a worker recreates a truncated file of vectors; a missing file is an error, not a guess', async () => {
    const rows = rowsOf(Array.from({ length: 40 }, (_, k) => k * 3 + 1));
    write(rows);
    const whole = await inOneProcess(rows);
    await inParts(1e6);
    const [file = ''] = readdirSync(vectorsFolder).filter((name) => name !== 'rest.vectors');
    const path = join(vectorsFolder, file);
    const bytes = readFileSync(path);
    truncateSync(path, bytes.length - 5);
    expect(answerOf(await inParts(1e6))).toEqual(whole);
    expect(readFileSync(path)).toEqual(bytes);

    const job = await createJob('./novel.yaml', 'rows.jsonl', CONTEXT, { folder: folder.path });
    const opened = await openJob(job, { folder: folder.path });
    const part = await opened.partial(0);
    const end = (): Promise<unknown> => {
      const merge = opened.merge();
      merge.take(0, part);
      return merge.end();
    };
    rmSync(path);
    expect(await problem(end())).toBe(`ASZ586 the vectors of part 0 are not in ${vectorsFolder}`);
    writeFileSync(path, bytes.subarray(0, -5));
    expect(await problem(end())).toBe(
      `ASZ586 the vectors in ${path} cannot be used: they were changed since they were written`,
    );
    const failed = opened.merge();
    rmSync(path);
    texts();
    failed.take(0, opened.failedPart(0, new Error('the model is away')));
    expect(answerOf(await failed.end())).toEqual(whole); // texts that no worker could embed are embedded here
    expect(texts()).toBeGreaterThan(0);
  });

  test('a part whose texts cannot be embedded fails, and does not count as one without texts', async () => {
    write(rowsOf([1, 2, 3]));
    const job = await createJob('./novel.yaml', 'rows.jsonl', CONTEXT, { folder: folder.path });
    const opened = await openJob(job, { folder: folder.path });
    seen.modelIsAway = new Error('the model is away');
    await expect(opened.partial(0)).rejects.toThrow('the texts cannot be embedded: the model is away');
    delete seen.modelIsAway;
    expect(await opened.partial(0)).toContain('"texts":');
  });

  test('reports lines that cannot be read, and ranks the others', async () => {
    const rows = rowsOf([1, 2, 3, 4, 5, 6, 7, 8]);
    const lines = rows.map((row) => JSON.stringify(row));
    write(rows);
    folder.write('rows.jsonl', lines.toSpliced(3, 0, '{"id": "brok').join('\n'));
    const job = await createJob('./novel.yaml', 'rows.jsonl', CONTEXT, { folder: folder.path, shardBytes: 90 });
    const opened = await openJob(job, { folder: folder.path });
    const merge = opened.merge();
    for (let index = 0; index < opened.parts; index++) merge.take(index, await opened.partial(index));
    expect((await merge.unreadable()).map(({ code, place }) => [code, place?.line])).toEqual([['ASZ103', 4]]);
    expect(await problem(merge.end())).toMatch(/^ASZ103/);
    expect(answerOf(await merge.end({ skipUnreadable: true }))).toEqual(await inOneProcess(rows));
  });

  test('needs a folder, and texts', async () => {
    write(rowsOf([1, 2]));
    const bytes = { name: 'rows.jsonl', size: 1, etag: '"1"', read: async () => Buffer.from('\n') };
    const job = await createJob('./novel.yaml', bytes, CONTEXT, { folder: folder.path });
    expect(await problem(openJob(job, { folder: folder.path, input: bytes }))).toBe(
      'ASZ587 the vectors of rows.jsonl cannot be stored next to it, because it is not a file of this machine',
    );
    const scaled = { tier2_scorers: [{ id: 'a', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.a' } } }] };
    expect(await problem(createJob(scaled, 'rows.jsonl', {}, { folder: folder.path, top: 1 }))).toMatch(
      /^ASZ518 .*a needs all candidates at once/,
    );
  });
});

test('vectors round-trip to the bit, and a changed file is rejected', () => {
  const vector = fc.float32Array({ minLength: 1, maxLength: 5, noNaN: true });
  const some = fc.array(fc.tuple(fc.constantFrom('a b', 'c\n"', 'd'), fc.string(), vector), { maxLength: 8 });
  fc.assert(
    fc.property(some, fc.nat(), (all, at) => {
      const vectors = new Map(all.map(([embedder, text, one]) => [keyOf(embedder, text), one]));
      const bytes = encodeVectors(vectors);
      expect(Object.fromEntries(decodeVectors(bytes))).toEqual(Object.fromEntries(vectors));
      const changed = bytes.slice(0, at % bytes.length);
      expect(() => decodeVectors(changed)).toThrow(SyntaxError);
    }),
    { numRuns: 100 },
  );
});
