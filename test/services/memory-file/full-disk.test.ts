/* A memory on a disk that is full, broken or read-only, at every point of a write. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { createPipeline } from 'assize';
import { messageOf } from '../../properties/ranked.js';
import { mountSmallDisk, type SmallDisk } from './small-disk.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { rememberingIn, storedVectors } from './stored-vectors.js';

const probe = mountSmallDisk(1);
probe?.unmount();

/** The error of a run; undefined if it succeeds. */
const failureOf = (run: Promise<unknown>): Promise<string | undefined> =>
  run.then(
    () => undefined,
    (error: unknown) => String(error),
  );

/** Vectors of 4 kB: each takes a page of the disk. */
const vectors = (count: number, first = 0): { v: number[] }[] =>
  Array.from({ length: count }, (_, i) => ({
    v: Array.from({ length: 1024 }, (_one, k) => (k === first + i ? 1 : 0)),
  }));

describe.skipIf(!probe)('a memory on a small disk (mounting one needs root)', () => {
  let disk: SmallDisk;
  beforeEach(() => void (disk = mountSmallDisk(40, ',nr_inodes=16')!));
  afterEach(() => disk.unmount());
  const files = (): string[] => readdirSync(disk.folder).filter((name) => name.startsWith('seen'));

  it('is the old one, and the run fails, with any amount of space', async () => {
    const file = join(disk.folder, 'seen.bin');
    const pipeline = await createPipeline<object>(rememberingIn(file));
    await pipeline.rank(vectors(4));
    let [known, failed] = [4, 0];
    for (let free = 0; free < 9; free++) {
      disk.leaveFree(free);
      const before = readFileSync(file);
      const outcome = await failureOf(pipeline.rank(vectors(1, known)));
      expect(files()).toEqual(['seen.bin']);
      if (outcome === undefined) known += 1;
      else {
        failed += 1;
        expect(outcome).toContain(`ASZ106 cannot write ${file}: its disk is full`);
        expect(outcome).toContain('free some space; the memory was not updated');
        expect(readFileSync(file)).toEqual(before);
      }
      expect(storedVectors(file)).toBe(known);
    }
    expect(failed).toBeGreaterThan(0);
    disk.leaveFree(30);
    await pipeline.rank(vectors(1, known));
    expect(storedVectors(file)).toBe(known + 1);
  });

  it('is the old one if no other file can be created', async () => {
    const file = join(disk.folder, 'seen.bin');
    const pipeline = await createPipeline<object>(rememberingIn(file));
    await pipeline.rank(vectors(1));
    const fillers: string[] = [];
    const fill = (): boolean => {
      const name = join(disk.folder, `inode-${fillers.length}`);
      try {
        writeFileSync(name, '');
        return fillers.push(name) > 0;
      } catch {
        return false;
      }
    };
    while (fill());
    let failed = 0;
    for (;;) {
      const outcome = await failureOf(pipeline.rank(vectors(1, 1)));
      expect(files()).toEqual(['seen.bin']);
      if (outcome === undefined) break;
      expect(outcome).toContain('its disk is full');
      expect(storedVectors(file)).toBe(1);
      failed += 1;
      rmSync(fillers.pop()!);
    }
    expect(failed).toBe(3); // the folder of the write, its process, its content
    expect(storedVectors(file)).toBe(2);
  });

  it('is read, and not written, if the disk is read-only', async () => {
    const file = join(disk.folder, 'seen.bin');
    const pipeline = await createPipeline<object>(rememberingIn(file));
    await pipeline.rank(vectors(1));
    disk.remount('ro');
    expect(await messageOf(pipeline.rank(vectors(1)))).toContain(`ASZ106 cannot write ${file}: its disk is read-only`);
    expect((await pipeline.rank(vectors(1), {}, { updateMemory: false })).ranked[0]?.score).toBeCloseTo(0, 12);
    disk.remount('rw');
    await pipeline.rank(vectors(1, 1));
    expect(storedVectors(file)).toBe(2);
  });
});

const BUNDLE = join(packageRoot(), 'dist', 'bundle', 'index.js');
const hasLimits = spawnSync('prlimit', ['--version']).status === 0;

/** Writes a memory under every limit of the file size: at the limit the system writes what fits, and then nothing. */
const UNDER_EACH_LIMIT = `
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createPipeline } from ${JSON.stringify(BUNDLE)};
process.on('SIGXFSZ', () => {}); // so that the write fails instead
const limit = (bytes) => execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':']);
const pipeline = await createPipeline(JSON.parse(process.argv[2]));
await pipeline.rank([{ v: [1, 0] }]);
const old = readFileSync('seen.bin');
const said = new Set();
let failed = 0;
for (let bytes = 0; ; bytes++) {
  limit(bytes);
  try {
    await pipeline.rank([{ v: [0, 1] }]);
    break;
  } catch (error) {
    failed += 1;
    said.add(error.problems?.map(({ code, message }) => code + ' ' + message).join() ?? error.stack);
  }
  if (!readFileSync('seen.bin').equals(old)) said.add('changed at ' + bytes);
  if (readdirSync('.').join() !== 'child.mjs,seen.bin') said.add('left at ' + bytes + ': ' + readdirSync('.'));
}
console.log(JSON.stringify({ failed, size: readFileSync('seen.bin').length, said: [...said] }));
`;

describe.skipIf(!hasLimits || !existsSync(BUNDLE))('a memory with a limit on the written bytes', () => {
  const folder = temporaryFolder('short-writes-');

  it('is the old one at every limit', () => {
    writeFileSync(join(folder, 'child.mjs'), UNDER_EACH_LIMIT);
    const file = join(folder, 'seen.bin');
    const { stdout, stderr } = spawnSync(process.execPath, ['child.mjs', JSON.stringify(rememberingIn(file))], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const { failed, size, said } = JSON.parse(stdout) as { failed: number; size: number; said: string[] };
    expect(failed).toBe(size); // every limit below the full size
    expect(said).toEqual([`ASZ106 cannot write ${file}: it would exceed the file size limit of this process`]);
    expect(storedVectors(file)).toBe(2);
  });
});
