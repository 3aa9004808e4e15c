import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open as openFile, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AssizeError } from 'assize';
import { FileLock, LOCK_EXPIRY_MS } from '../../../src/services/memory-file/file-lock.js';
import { decodeSnapshot, encodeSnapshot } from '../../../src/services/memory-file/memory-envelope.js';
import { MemoryFile } from '../../../src/services/memory-file/memory-file.js';
import { MemoryLock } from '../../../src/services/memory-file/memory-lock.js';
import { decodeRecords, encodeRecord } from '../../../src/services/memory-file/memory-log.js';
import { VectorMemory } from '../../../src/services/vector-memory/vector-memory.js';
import { temporaryFolder } from '../../temporary-folder.js';

const owner = { unit: 'core/NoveltyScorer', version: 1, madeWith: 'lexical:512' };
const bytes = (...list: number[]): Uint8Array => Uint8Array.from(list);
const encodeEnvelope = (by: typeof owner, memory: Uint8Array): Buffer => encodeSnapshot(by, memory).bytes;
const decodeEnvelope = (file: Uint8Array, by: typeof owner) => decodeSnapshot(Buffer.from(file), by);
/** A file of the first version of the format. */
function encodeOld(by: typeof owner, memory: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(`assize-memory 1\n${JSON.stringify(by)}\n`), memory]);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

describe('the envelope of a memory', () => {
  it('returns the wrapped bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (memory) => {
        expect(decodeEnvelope(encodeEnvelope(owner, memory), owner)).toMatchObject({ memory: Buffer.from(memory) });
        expect(decodeEnvelope(encodeOld(owner, memory), owner)).toMatchObject({ memory: Buffer.from(memory) });
      }),
    );
  });

  it('is rejected if truncated anywhere', () => {
    const whole = encodeEnvelope(
      owner,
      Uint8Array.from({ length: 500 }, (_, i) => i),
    );
    for (let length = 0; length < whole.length; length++)
      expect(decodeEnvelope(whole.subarray(0, length), owner), `${length}`).toMatchObject({ code: 'ASZ107' });
  });

  it('is rejected if one bit is changed', () => {
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
  });

  it.each([
    [
      'unit',
      { ...owner, unit: 'core/SimilarityVeto' },
      'the memory of a core/SimilarityVeto, expected that of a core/NoveltyScorer',
    ],
    ['model', { ...owner, madeWith: 'lexical:64' }, 'it was made with lexical:64, but this entry uses lexical:512'],
    ['version', { ...owner, version: 2 }, 'its layout is version 2, but this core/NoveltyScorer reads version 1'],
  ])('names the owner if its %s differs', (_, other, message) => {
    const told = decodeEnvelope(encodeEnvelope(other, bytes(1)), owner);
    expect(told).toMatchObject({ code: 'ASZ108', message: expect.stringContaining(message) });
  });

  it('is rejected if its header was forged', () => {
    for (const header of ['', 'null', '[]', '5', '{}', '{"unit":1}', '{', JSON.stringify({ ...owner, unit: null })]) {
      for (const end of ['', '\n']) {
        for (const version of end === '' ? [1] : [1, 2]) {
          const body = Buffer.from(`assize-memory ${version}\n${header}${end}`);
          const file = Buffer.concat([body, createHash('sha256').update(body).digest()]);
          expect(decodeEnvelope(file, owner), header).toMatchObject({ code: 'ASZ108' });
        }
      }
    }
    const escapes = encodeEnvelope({ ...owner, unit: '\u001b[31m'.repeat(1000) }, bytes(1));
    expect(decodeEnvelope(escapes, owner)).toMatchObject({
      message: 'it is the memory of a something else, expected that of a core/NoveltyScorer',
    });
  });

  it('is distinguished from any other file', () => {
    expect(decodeEnvelope(Buffer.from('tier2_scorers: []\n'), owner)).toMatchObject({ code: 'ASZ108' });
  });
});

describe('the bytes of a memory of vectors', () => {
  const floats = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 3 });
  const limits = fc.record({
    maxElements: fc.integer({ min: 1, max: 20 }),
    ttlMs: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
  });

  it('restore a memory that answers like the stored one, and continues like it', () => {
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

  it('skip the oldest if the limit is lower now', () => {
    let memory = VectorMemory.empty({ maxElements: 9 });
    for (let i = 0; i < 9; i++) memory = memory.add([i, 1], i);
    const fewer = VectorMemory.fromBytes(memory.toBytes(), { maxElements: 2 });
    expect(fewer.size()).toBe(2);
    expect(fewer.maxCosineSimilarity([8, 1], 9)).toBeCloseTo(1, 12);
    expect(fewer.maxCosineSimilarity([0, 1], 9)).toBeCloseTo(1 / Math.sqrt(50), 12);
  });

  it('are rejected if invalid, or of other dimensions', () => {
    const stored = VectorMemory.empty({ maxElements: 9 }).add([1, 2], 0).toBytes();
    const restore = (given: Uint8Array, dimensions?: number) =>
      VectorMemory.fromBytes(given, { maxElements: 9, dimensions });
    expect(() => restore(stored, 3)).toThrow('it holds vectors of 2 dimensions, and 3 are expected');
    const withoutMarks = 8 + 8 + 2 * 4; // The layout of version 1.
    for (let length = 0; length < stored.length; length++)
      if (length !== withoutMarks) expect(() => restore(stored.subarray(0, length))).toThrow('not a list of vectors');
    expect(restore(stored.subarray(0, withoutMarks)).maxCosineSimilarity([1, 2], 0)).toBeCloseTo(1, 12);
    expect(restore(Buffer.from([255, 255, 255, 255, 0, 0, 0, 0])).size()).toBe(0); // and does not allocate 16 GB
    expect(restore(VectorMemory.empty({ maxElements: 9 }).toBytes(), 3).size()).toBe(0);
  });
});

interface Replacement {
  readonly file: MemoryFile;
  readonly memory: Uint8Array;
  readonly changes?: Uint8Array | undefined;
}

/** Writes memories, unless another process has changed a file. */
async function replaceAll(all: readonly Replacement[], timeoutMs = 5000): Promise<void> {
  const lock = await MemoryLock.acquire(
    all.map(({ file }) => file),
    { timeoutMs },
  );
  try {
    if (!(await lock.areUnchanged())) throw new Error('another process has changed it');
    await lock.write(all.map(({ file, memory, changes }) => ({ file, changes, whole: () => memory })));
  } finally {
    await lock.end();
  }
}

/** The whole memory, as another process reads it. */
async function readAll(file: MemoryFile): Promise<unknown> {
  const read = await file.read();
  if (read?.snapshot === undefined || read.snapshot === 'empty') return read?.snapshot;
  return Buffer.concat([read.snapshot.memory, ...read.records]);
}

describe('the file of a memory', () => {
  let folder = '';
  beforeAll(() => void (folder = temporaryFolder('memory-')));
  beforeEach(() => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  });

  const place = { file: 'p.yaml', line: 3, column: 9 };
  const open = (name = 'seen.bin'): MemoryFile => new MemoryFile(join(folder, name), owner, { place });
  /** Writes a memory, unless another process has changed the file. */
  const replace = (file: MemoryFile, memory: Uint8Array, changes?: Uint8Array) =>
    replaceAll([{ file, memory, changes }], 100);
  /** The message, without the folder. */
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

  it('is empty if it does not exist, and then has the written bytes', async () => {
    const file = open();
    expect(await readAll(file)).toBe('empty');
    expect(await file.read()).toBeUndefined();
    await replace(file, bytes(1, 2));
    expect(await file.read()).toBeUndefined();
    expect(await readAll(open())).toEqual(Buffer.from([1, 2]));
    expect(readdirSync(folder)).toEqual(['seen.bin']);
  });

  it('is read again when another process has replaced it', async () => {
    const [mine, theirs] = [open(), open()];
    await Promise.all([mine.read(), theirs.read()]);
    await replace(theirs, bytes(7));
    expect(await readAll(mine)).toEqual(Buffer.from([7]));
    await replace(mine, bytes(8));
    expect(await readAll(theirs)).toEqual(Buffer.from([8]));
    rmSync(join(folder, 'seen.bin'));
    expect(await readAll(mine)).toBe('empty');
  });

  it('has unread changes of other processes, which a writer detects under the lock', async () => {
    const [mine, theirs] = [open(), open()];
    await Promise.all([mine.read(), theirs.read()]);
    await replace(theirs, bytes(7));
    await expect(replace(mine, bytes(9))).rejects.toThrow('another process has changed it');
    expect(await readAll(mine)).toEqual(Buffer.from([7]));
    await replace(mine, bytes(9));
    expect(await readAll(open())).toEqual(Buffer.from([9]));
    expect(readdirSync(folder)).toEqual(['seen.bin']);
  });

  it('of several, none is replaced if one was changed', async () => {
    const [one, two, theirs] = [open('one.bin'), open('two.bin'), open('two.bin')];
    await Promise.all([one.read(), two.read(), theirs.read()]);
    await replace(theirs, bytes(7));
    await expect(replaceAll([one, two].map((file) => ({ file, memory: bytes(1) })))).rejects.toThrow('has changed it');
    expect(readdirSync(folder)).toEqual(['two.bin']);
  });

  it('accepts one writer at a time, in any order', async () => {
    const files = Array.from({ length: 8 }, () => open());
    await Promise.all(files.map((file) => file.read()));
    const outcomes = await Promise.allSettled(files.map((file, i) => replaceAll([{ file, memory: bytes(i) }])));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['seen.bin']);
  });

  it('grows by records, of which another reader reads only the new ones', async () => {
    const [mine, theirs] = [open(), open()];
    await mine.read();
    await replace(mine, bytes(1));
    await theirs.read();
    for (const k of [2, 3]) await replace(mine, bytes(0), bytes(k));
    expect(await theirs.read()).toEqual({ snapshot: undefined, records: [Buffer.from([2]), Buffer.from([3])] });
    await replace(theirs, bytes(0), bytes(4));
    expect(await mine.read()).toEqual({ snapshot: undefined, records: [Buffer.from([4])] });
    expect(await readAll(open())).toEqual(Buffer.from([1, 2, 3, 4]));
  });

  it('is compacted when the log would be larger than the snapshot', async () => {
    const file = open();
    await file.read();
    const size = 100_000;
    await replace(file, new Uint8Array(size));
    const sizes: number[] = [];
    for (let k = 0; k < 30; k++) {
      await replace(file, new Uint8Array(size), new Uint8Array(20_000));
      sizes.push(statSync(join(folder, 'seen.bin')).size);
    }
    expect(Math.max(...sizes)).toBeLessThan(2 * size + 1000);
    expect(sizes.filter((one) => one < size + 1000)).toHaveLength(5); // it begins again after 5 records
  });

  it('of the first version is read, and replaced by the next write', async () => {
    const path = join(folder, 'seen.bin');
    writeFileSync(path, encodeOld(owner, bytes(1)));
    const file = open();
    expect(await readAll(file)).toEqual(Buffer.from([1]));
    await replace(file, bytes(1, 2), bytes(2));
    expect(readFileSync(path, 'latin1')).toMatch(/^assize-memory 2\n/);
    expect(await readAll(open())).toEqual(Buffer.from([1, 2]));
  });

  it('with an older layout is read if the unit can, and replaced by the next write', async () => {
    const path = join(folder, 'seen.bin');
    writeFileSync(path, encodeEnvelope(owner, bytes(1)));
    const file = new MemoryFile(path, { ...owner, version: 2 }, { place }, [1]);
    expect((await file.read())?.snapshot).toMatchObject({ version: 1 });
    await replace(file, bytes(1, 2), bytes(2));
    expect(await told(open().read())).toMatchObject([
      'ASZ108',
      expect.stringContaining('its layout is version 2'),
      expect.anything(),
    ]);
  });

  describe('with an interrupted write', () => {
    const whole = encodeSnapshot(owner, bytes(1));
    const first = encodeRecord(whole.digest, bytes(2, 2));
    const second = encodeRecord(first.link, bytes(3, 3, 3)).bytes;
    const path = (): string => join(folder, 'seen.bin');

    it('at any byte of the last record, has the records before it, and the next write drops the rest', async () => {
      for (let length = 0; length <= second.length; length++) {
        writeFileSync(path(), Buffer.concat([whole.bytes, first.bytes, second.subarray(0, length)]));
        const file = open();
        const known = length === second.length ? [1, 2, 2, 3, 3, 3] : [1, 2, 2];
        expect(await readAll(file)).toEqual(Buffer.from(known));
        expect(file.takeWarnings()).toEqual([]); // another process may still be writing it
        await replace(file, bytes(), bytes(4));
        expect(await readAll(open())).toEqual(Buffer.from([...known, 4]));
        const message = `the last record of the memory file ${path()} was not written completely; its ${length} bytes are dropped`;
        const torn = length > 0 && length < second.length;
        expect(file.takeWarnings()).toMatchObject(torn ? [{ code: 'ASZ730', message, place }] : []);
      }
    });

    it.each([
      ['the content', (rest: Buffer) => rest.fill(0, 8)],
      ['the whole record', (rest: Buffer) => rest.fill(0)],
    ])('of which the disk did not write %s, has the records before it', async (_, blank) => {
      writeFileSync(path(), Buffer.concat([whole.bytes, first.bytes, blank(Buffer.from(second))]));
      expect(await readAll(open())).toEqual(Buffer.from([1, 2, 2]));
    });

    it('is dropped by a compaction as well', async () => {
      writeFileSync(path(), Buffer.concat([whole.bytes, first.bytes, second.subarray(0, 9)]));
      const file = open();
      await file.read();
      await replace(file, bytes(5));
      expect(file.takeWarnings()).toMatchObject([{ code: 'ASZ730' }]);
      expect(await readAll(open())).toEqual(Buffer.from([5]));
    });

    it('is not confused with a change: a bit in an earlier record', async () => {
      const log = Buffer.concat([first.bytes, second]);
      for (let bit = 0; bit < first.bytes.length * 8; bit++) {
        const changed = Buffer.from(log);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        expect(decodeRecords(changed, whole.digest), `${bit}`).toMatchObject({ damaged: true, contents: [] });
      }
      log[9]! ^= 1;
      writeFileSync(path(), Buffer.concat([whole.bytes, log]));
      expect(await told(open().read())).toEqual([
        'ASZ107',
        'the memory file seen.bin cannot be used: its log was changed by something else',
        'restore it from a copy, or delete it to start with an empty memory',
      ]);
    });

    it('is undone if the disk fails', async () => {
      writeFileSync(path(), Buffer.concat([whole.bytes, first.bytes]));
      const handle = await openFile(path());
      const methods = Object.getPrototypeOf(handle) as Record<string, (...args: unknown[]) => Promise<unknown>>;
      await handle.close();
      for (const step of ['appendFile', 'datasync'] as const) {
        const file = open();
        await file.read();
        const works = methods[step]!;
        const failing = vi.spyOn(methods, step).mockImplementationOnce(async function (this: unknown, ...args) {
          await works.apply(this, args);
          throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
        });
        const failed = ['ASZ106', 'cannot write seen.bin: its disk has failed', undefined];
        expect([step, await told(replace(file, bytes(), bytes(9)))]).toEqual([step, failed]);
        failing.mockRestore();
        expect(readFileSync(path())).toEqual(Buffer.concat([whole.bytes, first.bytes]));
      }
    });

    it('of two files, undoes the first if the second fails', async () => {
      const files = [open('one.bin'), open('two.bin')];
      for (const file of files) {
        await file.read();
        await replace(file, bytes(1));
      }
      const handle = await openFile(join(folder, 'one.bin'));
      const methods = Object.getPrototypeOf(handle) as Record<string, (...args: unknown[]) => Promise<unknown>>;
      await handle.close();
      const works = methods['appendFile']!;
      const failing = vi
        .spyOn(methods, 'appendFile')
        .mockImplementationOnce(works)
        .mockRejectedValueOnce(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
      const all = files.map((file) => ({ file, memory: bytes(), changes: bytes(2) }));
      expect(await told(replaceAll(all))).toMatchObject([
        'ASZ106',
        'cannot write two.bin: its disk has failed',
        undefined,
      ]);
      failing.mockRestore();
      for (const file of files) expect(await readAll(file)).toEqual(Buffer.from([1]));
    });

    it('of a process whose lock was taken over fails, and does not change the records of the other', async () => {
      writeFileSync(path(), Buffer.concat([whole.bytes, first.bytes]));
      const [slow, quick] = [open(), open()];
      await Promise.all([slow.read(), quick.read()]);
      const slowLock = await FileLock.prepare(slow.realPath);
      await slowLock.acquire();
      const write = await slow.prepareWrite(slowLock, { changes: bytes(7), whole: () => bytes() });
      const [theirs] = readdirSync(join(folder, 'seen.bin.lock')).filter((name) => name.endsWith('.owner'));
      writeFileSync(join(folder, 'seen.bin.lock', theirs!), JSON.stringify(ended()));
      await replace(quick, bytes(), bytes(8));
      expect(await told(write.commit())).toMatchObject([
        'ASZ109',
        expect.stringContaining('took over the lock'),
        expect.anything(),
      ]);
      await slowLock.end();
      expect(await readAll(open())).toEqual(Buffer.from([1, 2, 2, 8]));
      expect(readdirSync(folder)).toEqual(['seen.bin']);
    });
  });

  const HINT = 'a lock is taken over as soon as its process has ended, and where that cannot be seen after 60 s';
  /** A lock left by a process that ended while it held it. */
  function leaveLock(holder: unknown, ageMs = 0, name = 'seen.bin.lock'): void {
    mkdirSync(join(folder, name));
    const then = (Date.now() - ageMs) / 1000;
    for (const [file, content] of Object.entries({ '0123456789abcdef.new': 'new', '0123456789abcdef.owner': holder })) {
      writeFileSync(join(folder, name, file), typeof content === 'string' ? content : JSON.stringify(content));
      utimesSync(join(folder, name, file), then, then);
    }
    utimesSync(join(folder, name), then, then);
  }
  function ended(): { pid: number; host: string } {
    return { pid: spawnSync(process.execPath, ['-e', '']).pid, host: hostname() };
  }
  const BUSY = [
    'ASZ109',
    'seen.bin is still in use by another run of this process after 0.1 s',
    'make runs that share a memory faster, or start fewer at the same time',
  ];

  it('is not blamed on another process if a run of this one has locked it, in this or another thread', async () => {
    const [mine, theirs] = [open(), open()];
    await Promise.all([mine.read(), theirs.read()]);
    const lock = await MemoryLock.acquire([theirs]);
    expect(await told(replace(mine, bytes(1)))).toEqual(BUSY);
    await lock.end();
    const thread = await FileLock.prepare(mine.realPath);
    await thread.acquire();
    expect(await told(replace(mine, bytes(1)))).toEqual(BUSY);
    await thread.end();
    await replace(mine, bytes(1));
    expect(readdirSync(folder)).toEqual(['seen.bin']);
  });

  it('is locked in the order of the calls, and a wait ends with an abort', async () => {
    const files = Array.from({ length: 5 }, () => open());
    await Promise.all(files.map((file) => file.read()));
    const first = await MemoryLock.acquire([files[0]!]);
    const abort = new AbortController();
    const order: number[] = [];
    const waits = files.slice(1).map(async (file, k) => {
      const lock = await MemoryLock.acquire([file], { abort: k === 1 ? abort.signal : undefined });
      order.push(k);
      await lock.end();
    });
    abort.abort(new Error('stop'));
    await expect(waits[1]).rejects.toThrow('stop');
    await first.end();
    await Promise.all([waits[0], waits[2], waits[3]]);
    expect(order).toEqual([0, 2, 3]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('names the process that has locked it', async () => {
    const file = open();
    await file.read();
    const locked = (who: string) => ['ASZ109', `seen.bin is still locked by ${who} after 0.1 s`, HINT];
    for (const [holder, who] of [
      [{ pid: 1, host: 'elsewhere' }, 'process 1 on elsewhere'],
      ['', 'an unknown process'],
      ['null', 'an unknown process'],
      [{ pid: -1, host: hostname() }, 'an unknown process'],
    ] as const) {
      leaveLock(holder);
      expect(await told(replace(file, bytes(1)))).toEqual(locked(who));
      rmSync(join(folder, 'seen.bin.lock'), { recursive: true });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is unlocked if the process has ended, or has held the lock for too long to be checked', async () => {
    const other = { pid: process.pid, host: hostname(), started: 'another boot 1' }; // our own pid, of an earlier process
    for (const [holder, ageMs] of [
      [ended(), 0],
      [other, 0],
      [{ pid: 1, host: 'elsewhere' }, LOCK_EXPIRY_MS + 5000],
      ['', LOCK_EXPIRY_MS + 5000],
    ] as const) {
      leaveLock(holder, ageMs);
      const file = open();
      await file.read();
      await replace(file, bytes(5));
      expect(readdirSync(folder)).toEqual(['seen.bin']);
    }
  });

  it.runIf(process.platform === 'linux')('is not unlocked while a process runs, for any time', async () => {
    const file = open();
    await file.read();
    const theirs = await FileLock.prepare(file.realPath);
    await theirs.acquire();
    const long = (Date.now() - 10 * LOCK_EXPIRY_MS) / 1000;
    for (const name of readdirSync(join(folder, 'seen.bin.lock')))
      utimesSync(join(folder, 'seen.bin.lock', name), long, long);
    utimesSync(join(folder, 'seen.bin.lock'), long, long);
    expect(await told(replace(file, bytes(1)))).toEqual(BUSY);
    await theirs.end();
  });

  it('is not written by a process whose lock was taken over, if it continues', async () => {
    const file = open();
    await file.read();
    const [slow, quick] = [await FileLock.prepare(file.realPath), await FileLock.prepare(file.realPath)];
    expect(await slow.acquire()).toBeUndefined();
    expect(await slow.write(encodeEnvelope(owner, bytes(1)))).toBe(true);
    const lock = join(folder, 'seen.bin.lock');
    const [theirs] = readdirSync(lock).filter((name) => name.endsWith('.owner'));
    writeFileSync(join(lock, theirs!), JSON.stringify(ended()));
    expect(await quick.acquire()).toBeUndefined();
    expect([await slow.isHeld(), await slow.replace(), await slow.write(bytes())]).toEqual([false, false, false]);
    await slow.end();
    expect(await quick.write(encodeEnvelope(owner, bytes(2)))).toBe(true);
    expect(await quick.replace()).toBe(true);
    await quick.end();
    expect(await readAll(open())).toEqual(Buffer.from([2]));
    expect(readdirSync(folder)).toEqual(['seen.bin']);
  });

  it('is unlocked by exactly one of many', async () => {
    for (let round = 0; round < 8; round++) {
      leaveLock(ended());
      const path = await realpath(folder);
      const locks = await Promise.all(Array.from({ length: 8 }, () => FileLock.prepare(join(path, 'seen.bin'))));
      const found = await Promise.all(locks.map((lock) => lock.acquire()));
      expect(found.filter((one) => one === undefined)).toHaveLength(1);
      await Promise.all(locks.map((lock) => lock.end()));
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it('has no leftovers of writes that ended before they had a lock', async () => {
    leaveLock(ended(), 0, 'seen.bin.0123456789abcdef.lock');
    leaveLock({ pid: 1, host: 'elsewhere' }, 0, 'seen.bin.123456789abcdef0.lock');
    mkdirSync(join(folder, 'seen.bin.of-a-user.lock'));
    const file = open();
    await file.read();
    await replace(file, bytes(1));
    const kept = ['seen.bin', 'seen.bin.123456789abcdef0.lock', 'seen.bin.of-a-user.lock'];
    expect(readdirSync(folder).toSorted()).toEqual(kept);
  });

  it('does not remove other files in place of a lock', async () => {
    const file = open();
    await file.read();
    const lock = join(folder, 'seen.bin.lock');
    const refusal = [
      'ASZ109',
      'seen.bin cannot be locked: seen.bin.lock is not a lock file',
      'move seen.bin.lock away',
    ];
    writeFileSync(lock, 'mine');
    expect(await told(replace(file, bytes(1)))).toEqual(refusal);
    rmSync(lock);
    mkdirSync(lock);
    writeFileSync(join(lock, 'mine'), '');
    expect(await told(replace(file, bytes(1)))).toEqual(refusal);
    expect(readdirSync(lock)).toEqual(['mine']);
  });

  it('waits for a lock to be released', async () => {
    const file = open();
    await file.read();
    const theirs = await FileLock.prepare(file.realPath);
    await theirs.acquire();
    const written = replaceAll([{ file, memory: bytes(5) }]);
    await theirs.end();
    await written;
    expect(await readAll(open())).toEqual(Buffer.from([5]));
  });

  it('has one lock, for all paths to it', async () => {
    writeFileSync(join(folder, 'seen.bin'), encodeEnvelope(owner, bytes(1)));
    mkdirSync(join(folder, 'team'));
    symlinkSync('../seen.bin', join(folder, 'team', 'link.bin'));
    symlinkSync('team', join(folder, 'same'));
    const files = ['seen.bin', './team/link.bin', 'same/link.bin'].map((name) => open(name));
    for (const file of files) await file.read();
    expect(new Set(files.map(({ realPath }) => realPath)).size).toBe(1);
    const outcomes = await Promise.allSettled(files.map((file, i) => replace(file, bytes(10 + i))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(folder).toSorted()).toEqual(['same', 'seen.bin', 'team']);
    for (const file of files)
      expect(await file.read()).toEqual(
        outcomes[files.indexOf(file)]?.status === 'rejected' ? expect.anything() : undefined,
      );
  });

  it('must not be a dangling link, and has one name', async () => {
    symlinkSync('gone.bin', join(folder, 'link.bin'));
    expect(await told(open('link.bin').read())).toEqual([
      'ASZ106',
      'cannot use link.bin: it is a link to gone.bin, which does not exist',
      'remove the link, or name the file itself',
    ]);
    symlinkSync('circle.bin', join(folder, 'circle.bin'));
    expect(await told(open('circle.bin').read())).toEqual([
      'ASZ106',
      'cannot read circle.bin: its links form a loop',
      undefined,
    ]);
    const file = open();
    await file.read();
    await replace(file, bytes(1));
    linkSync(join(folder, 'seen.bin'), join(folder, 'other.bin'));
    expect(await readAll(open('other.bin'))).toEqual(Buffer.from([1]));
    const refusal = [
      'ASZ106',
      'cannot write seen.bin: it has 2 names (hard links), and an update would change only one of them',
      'remove the other names, or replace it by a copy',
    ];
    expect(await told(file.checkWritable())).toEqual(refusal);
    expect(await told(replace(file, bytes(2)))).toEqual(refusal);
    expect(await readAll(open('other.bin'))).toEqual(Buffer.from([1]));
  });

  it.skipIf(process.platform === 'win32')('must not be a device, or a pipe without a writer', async () => {
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    for (const [path, name] of [
      ['/dev/zero', '/dev/zero'],
      [join(folder, 'pipe'), 'pipe'],
    ] as const) {
      expect(await told(new MemoryFile(path, owner, { place }).read())).toEqual([
        'ASZ106',
        `cannot read ${name}: it is a device, a pipe or a socket, expected a file`,
        'name another file',
      ]);
    }
  });

  it('keeps its mode', async () => {
    const file = open();
    await file.read();
    await replace(file, bytes(1));
    chmodSync(join(folder, 'seen.bin'), 0o640);
    await file.read();
    await replace(file, bytes(2));
    expect(statSync(join(folder, 'seen.bin')).mode & 0o777).toBe(0o640);
  });

  it('is unchanged if the disk fails at any step, and the next run writes it', async () => {
    const file = open();
    await file.read();
    await replace(file, bytes(1));
    const handle = await openFile(join(folder, 'seen.bin'));
    const methods = Object.getPrototypeOf(handle) as Record<string, (...args: unknown[]) => Promise<unknown>>;
    await handle.close();
    const old = readFileSync(join(folder, 'seen.bin'));
    for (const step of ['writeFile', 'stat', 'chmod', 'sync'] as const) {
      const works = methods[step]!;
      const failing = vi.spyOn(methods, step).mockImplementationOnce(async function (this: unknown, ...args) {
        await works.apply(this, args);
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      });
      const failed = ['ASZ106', 'cannot write seen.bin: its disk has failed', undefined];
      expect([step, await told(replace(file, bytes(9)))]).toEqual([step, failed]);
      failing.mockRestore();
      expect(readdirSync(folder)).toEqual(['seen.bin']);
      expect(readFileSync(join(folder, 'seen.bin'))).toEqual(old);
      expect(await readAll(open())).toEqual(Buffer.from([1]));
      await file.read();
    }
    // After the file has its new name, the disk may still fail to record it: the next run reads what exists.
    const works = methods['sync']!;
    const failing = vi
      .spyOn(methods, 'sync')
      .mockImplementationOnce(works)
      .mockImplementationOnce(async () => {
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      });
    expect(await told(replace(file, bytes(2)))).toMatchObject(['ASZ106', expect.stringContaining('failed'), undefined]);
    failing.mockRestore();
    expect(await readAll(file)).toEqual(Buffer.from([2]));
    expect(readdirSync(folder)).toEqual(['seen.bin']);
    await replace(file, bytes(3));
    expect(await readAll(open())).toEqual(Buffer.from([3]));
  });

  it('that is invalid has an error with the reason', async () => {
    mkdirSync(join(folder, 'seen.bin'));
    expect(await told(open().read())).toEqual([
      'ASZ106',
      'cannot read seen.bin: it is a directory, expected a file',
      'name a file in it',
    ]);
    const away = open('none/seen.bin');
    expect(await readAll(away)).toBe('empty');
    expect(await told(away.checkWritable())).toEqual([
      'ASZ106',
      'cannot write none/seen.bin: its folder does not exist',
      'create the folder, or name another file',
    ]);
    writeFileSync(join(folder, 'torn.bin'), encodeEnvelope(owner, bytes(1, 2, 3)).subarray(0, 70));
    expect(await told(open('torn.bin').read())).toEqual([
      'ASZ107',
      'the memory file torn.bin cannot be used: it was cut off or changed by something else',
      'restore it from a copy, or delete it to start with an empty memory',
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('reports missing permission to write', async () => {
    await replace(open(), bytes(1)).catch(() => {});
    chmodSync(folder, 0o500);
    expect(await told(open().checkWritable())).toMatchObject([
      'ASZ106',
      'cannot write seen.bin: this process has no permission',
    ]);
    chmodSync(folder, 0o700);
  });

  it('that is damaged is not changed', async () => {
    const torn = encodeEnvelope(owner, bytes(1, 2, 3)).subarray(0, 70);
    writeFileSync(join(folder, 'seen.bin'), torn);
    const file = open();
    await expect(file.read()).rejects.toThrow('cut off');
    await expect(replace(file, bytes(1))).rejects.toThrow('another process has changed it');
    expect(readFileSync(join(folder, 'seen.bin'))).toEqual(torn);
  });
});
