import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AssizeError } from '../../../src/index.js';
import { acquireLock } from '../../../src/services/memory-file/file-lock.js';
import { decodeEnvelope, encodeEnvelope } from '../../../src/services/memory-file/memory-envelope.js';
import { MemoryFile, replaceMemoryFiles } from '../../../src/services/memory-file/memory-file.js';
import { VectorMemory } from '../../../src/services/vector-memory/vector-memory.js';

const owner = { unit: 'core/NoveltyScorer', version: 1, madeWith: 'lexical:512' };
const bytes = (...list: number[]): Uint8Array => Uint8Array.from(list);

describe('the envelope of a memory', () => {
  it('gives back what was wrapped', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (memory) => {
        expect(decodeEnvelope(encodeEnvelope(owner, memory), owner)).toEqual({ memory: Buffer.from(memory) });
      }),
    );
  });

  it('is refused wherever it was cut off', () => {
    const whole = encodeEnvelope(
      owner,
      Uint8Array.from({ length: 500 }, (_, i) => i),
    );
    for (let length = 0; length < whole.length; length++)
      expect(decodeEnvelope(whole.subarray(0, length), owner), `${length}`).toMatchObject({ code: 'ASZ107' });
  });

  it('is refused where one bit of it was changed, or something was added', () => {
    const whole = encodeEnvelope(
      owner,
      Uint8Array.from({ length: 500 }, (_, i) => i),
    );
    fc.assert(
      fc.property(fc.nat(whole.length * 8 - 1), (bit) => {
        const changed = Buffer.from(whole);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        expect(decodeEnvelope(changed, owner)).toMatchObject({ code: expect.stringMatching(/ASZ107|ASZ108/) });
      }),
      { numRuns: 500 },
    );
    expect(decodeEnvelope(Buffer.concat([whole, bytes(0)]), owner)).toMatchObject({ code: 'ASZ107' });
  });

  it.each([
    [
      'unit',
      { ...owner, unit: 'core/SimilarityVeto' },
      "the memory of a core/SimilarityVeto, and a core/NoveltyScorer's",
    ],
    [
      'model',
      { ...owner, madeWith: 'lexical:64' },
      'it was made with lexical:64, and this entry works with lexical:512',
    ],
    ['version', { ...owner, version: 2 }, 'its layout is version 2, and this core/NoveltyScorer reads version 1'],
  ])('says whose it is where its %s is another', (_, other, message) => {
    const told = decodeEnvelope(encodeEnvelope(other, bytes(1)), owner);
    expect(told).toMatchObject({ code: 'ASZ108', message: expect.stringContaining(message) });
  });

  it('is told from any other file', () => {
    expect(decodeEnvelope(Buffer.from('tier2_scorers: []\n'), owner)).toMatchObject({ code: 'ASZ108' });
  });
});

describe('the bytes of a memory of vectors', () => {
  const floats = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 3 });
  const limits = fc.record({
    maxElements: fc.integer({ min: 1, max: 20 }),
    ttlMs: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
  });

  it('make one that answers as the stored one did, and goes on as it would have', () => {
    const steps = fc.array(fc.tuple(floats, fc.nat(9)), { maxLength: 40 });
    fc.assert(
      fc.property(limits, steps, floats, (bounds, list, query) => {
        let [memory, now] = [VectorMemory.empty(bounds), 1e12];
        for (const [vector, later] of list) memory = memory.add(vector, (now += later));
        const restored = VectorMemory.fromBytes(memory.toBytes(), bounds);
        const answers = (one: VectorMemory) => [one.size(), one.size(now), one.maxCosineSimilarity(query, now)];
        expect(answers(restored)).toEqual(answers(memory));
        expect(answers(restored.add(query, now))).toEqual(answers(memory.add(query, now)));
      }),
    );
  });

  it('leave the oldest out where there may be fewer now', () => {
    let memory = VectorMemory.empty({ maxElements: 9 });
    for (let i = 0; i < 9; i++) memory = memory.add([i, 1], i);
    const fewer = VectorMemory.fromBytes(memory.toBytes(), { maxElements: 2 });
    expect(fewer.size()).toBe(2);
    expect(fewer.maxCosineSimilarity([8, 1], 9)).toBeCloseTo(1, 12);
    expect(fewer.maxCosineSimilarity([0, 1], 9)).toBeCloseTo(1 / Math.sqrt(50), 12);
  });

  it('are refused where they are none, or of other dimensions', () => {
    const stored = VectorMemory.empty({ maxElements: 9 }).add([1, 2], 0).toBytes();
    const restore = (given: Uint8Array, dimensions?: number) =>
      VectorMemory.fromBytes(given, { maxElements: 9, dimensions });
    expect(() => restore(stored, 3)).toThrow('it holds vectors of 2 dimensions, and 3 are expected');
    for (let length = 0; length < stored.length; length++)
      expect(() => restore(stored.subarray(0, length))).toThrow('no list of vectors');
    expect(restore(VectorMemory.empty({ maxElements: 9 }).toBytes(), 3).size()).toBe(0);
  });
});

describe('the file of a memory', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'memory-'))));
  beforeEach(() => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true }));

  const place = { file: 'p.yaml', line: 3, column: 9 };
  const open = (name = 'seen.bin'): MemoryFile => new MemoryFile(join(folder, name), owner, { place });
  const replace = (file: MemoryFile, memory: Uint8Array) => replaceMemoryFiles([{ file, memory }], 100);
  /** What somebody is told, without the folder. */
  const told = async (work: Promise<unknown>): Promise<unknown> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof AssizeError)) return error;
    const { code, message, hint } = error.problems[0]!;
    expect(error.problems[0]).toMatchObject({ place });
    return [code, message, hint].map((part) => part?.replaceAll(`${folder}/`, ''));
  };

  it('is empty where there is none, and then what was put there', async () => {
    const file = open();
    expect(await file.read()).toBe('empty');
    expect(await file.read()).toBeUndefined();
    await replace(file, bytes(1, 2));
    expect(await file.read()).toBeUndefined();
    expect(await open().read()).toEqual(Buffer.from([1, 2]));
    expect(readdirSync(folder)).toEqual(['seen.bin']);
  });

  it('is read anew when another one has replaced it', async () => {
    const [mine, theirs] = [open(), open()];
    await Promise.all([mine.read(), theirs.read()]);
    await replace(theirs, bytes(7));
    expect(await mine.read()).toEqual(Buffer.from([7]));
    await replace(mine, bytes(8));
    expect(await theirs.read()).toEqual(Buffer.from([8]));
    rmSync(join(folder, 'seen.bin'));
    expect(await mine.read()).toBe('empty');
  });

  it('never overwrites what it has not read', async () => {
    const [mine, theirs] = [open(), open()];
    await Promise.all([mine.read(), theirs.read()]);
    await replace(theirs, bytes(7));
    expect(await told(replace(mine, bytes(9)))).toEqual([
      'ASZ109',
      'another process has changed seen.bin since it was read; this run does not update it',
      'rank again: the next run reads the changed memory',
    ]);
    expect(await mine.read()).toEqual(Buffer.from([7]));
    await replace(mine, bytes(9));
    expect(await open().read()).toEqual(Buffer.from([9]));
    expect(readdirSync(folder)).toEqual(['seen.bin']);
  });

  it('of several, none is replaced when one was changed', async () => {
    const [one, two, theirs] = [open('one.bin'), open('two.bin'), open('two.bin')];
    await Promise.all([one.read(), two.read(), theirs.read()]);
    await replace(theirs, bytes(7));
    const both = [one, two].map((file) => ({ file, memory: bytes(1) }));
    await expect(replaceMemoryFiles(both)).rejects.toThrow('two.bin');
    expect(readdirSync(folder)).toEqual(['two.bin']);
  });

  it('takes one writer at a time, whichever of them comes first', async () => {
    const files = Array.from({ length: 8 }, () => open());
    await Promise.all(files.map((file) => file.read()));
    const outcomes = await Promise.allSettled(files.map((file, i) => replaceMemoryFiles([{ file, memory: bytes(i) }])));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['seen.bin']);
  });

  it('says who has locked it, and what to do when that process has ended', async () => {
    const file = open();
    await file.read();
    const lock = join(folder, 'seen.bin.lock');
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(lock, JSON.stringify({ pid, host: hostname() }));
    const dead = `seen.bin is locked by process ${pid} on ${hostname()}, which has ended without unlocking it`;
    expect(await told(replace(file, bytes(1)))).toEqual(['ASZ109', dead, 'delete seen.bin.lock']);
    for (const [said, who] of [
      [JSON.stringify({ pid: process.pid, host: hostname() }), `process ${process.pid} on ${hostname()}`],
      [JSON.stringify({ pid: 1, host: 'elsewhere' }), 'process 1 on elsewhere'],
      ['', 'a process that does not say its name'],
    ] as const) {
      writeFileSync(lock, said);
      const hint = 'wait for it; if that process is no more, delete seen.bin.lock';
      expect(await told(replace(file, bytes(1)))).toEqual(['ASZ109', `seen.bin is locked by ${who}`, hint]);
    }
    expect(readdirSync(folder)).toEqual(['seen.bin.lock']);
  });

  it('waits for a lock that is given back', async () => {
    const file = open();
    await file.read();
    const lock = await acquireLock(file.path, 0);
    const written = replaceMemoryFiles([{ file, memory: bytes(5) }]);
    if ('release' in lock) await lock.release();
    await written;
    expect(await open().read()).toEqual(Buffer.from([5]));
  });

  it('that cannot be one says why', async () => {
    mkdirSync(join(folder, 'seen.bin'));
    expect(await told(open().read())).toEqual([
      'ASZ106',
      'cannot read seen.bin: it is a directory, expected a file',
      'name a file in it',
    ]);
    const away = open('none/seen.bin');
    expect(await away.read()).toBe('empty');
    expect(await told(away.checkWritable())).toEqual([
      'ASZ106',
      'cannot write none/seen.bin: its folder does not exist',
      'make the folder, or name another file',
    ]);
    writeFileSync(join(folder, 'torn.bin'), encodeEnvelope(owner, bytes(1, 2, 3)).subarray(0, 70));
    expect(await told(open('torn.bin').read())).toEqual([
      'ASZ107',
      'the memory file torn.bin cannot be used: it was cut off or changed by something else',
      'put a copy in its place, or delete it to start with an empty memory',
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('says so where writing is not permitted', async () => {
    await replace(open(), bytes(1)).catch(() => {});
    chmodSync(folder, 0o500);
    expect(await told(open().checkWritable())).toMatchObject([
      'ASZ106',
      'cannot write seen.bin: that is not permitted',
    ]);
    chmodSync(folder, 0o700);
  });

  it('that is torn stays as it is', async () => {
    const torn = encodeEnvelope(owner, bytes(1, 2, 3)).subarray(0, 70);
    writeFileSync(join(folder, 'seen.bin'), torn);
    const file = open();
    await expect(file.read()).rejects.toThrow('cut off');
    await expect(replace(file, bytes(1))).rejects.toThrow('another process has changed');
    expect(readFileSync(join(folder, 'seen.bin'))).toEqual(torn);
  });
});
