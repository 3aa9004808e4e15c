/* Processes that are killed while they write a memory, and several that write one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { createPipeline } from 'assize';
import { PATIENCE_MS } from '../../patience.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { rememberingIn, storedMemory, storedVectors } from './stored-vectors.js';

const BUNDLE = join(packageRoot(), 'dist', 'bundle', 'index.js');
/** All of them with `npm run fuzz`; otherwise as many as take seconds. */
const [KILLS, ABORTS, RUNS] = process.env['MODE'] === 'fuzz' ? [500, 1000, 600] : [10, 100, 40];

/**
 * Writes a new vector repeatedly, and reports each write synchronously: `console.log` would buffer unread output and
 * lose it. The process that follows drops a record that was written only in part, with a warning.
 */
const WRITER = `
import { writeSync } from 'node:fs';
import { createPipeline } from ${JSON.stringify(BUNDLE)};
const [, , profile, name, count] = process.argv;
const pipeline = await createPipeline(JSON.parse(profile));
for (let n = 0; n < Number(count); n++) {
  const { warnings } = await pipeline.rank([{ v: [Number(name), n], id: name + '-' + n }]);
  const unexpected = warnings.filter(({ code }) => code !== 'ASZ730');
  if (unexpected.length > 0) throw new Error(JSON.stringify(unexpected));
  writeSync(1, n + '\\n');
}
`;

describe.skipIf(!existsSync(BUNDLE))('a memory', () => {
  const root = temporaryFolder('killed-writers-');
  const script = join(root, 'writer.mjs');
  beforeAll(() => writeFileSync(script, WRITER));

  const newFolder = (name: string): string => {
    mkdirSync(join(root, name));
    return join(root, name);
  };
  const startWriter = (file: string, name: number, count = 1e9): ChildProcess =>
    spawn(process.execPath, [script, JSON.stringify(rememberingIn(file)), String(name), String(count)]);

  it(
    'loses no stored vector, and leaves no lock, whenever its process is killed',
    async () => {
      const folder = newFolder('kills');
      const file = join(folder, 'seen.bin');
      let stored = 0;
      let left = 0;
      for (let k = 0; k < KILLS; k++) {
        const writer = startWriter(file, k);
        const said = text(writer.stderr!);
        let told = 0;
        const lines = createInterface({ input: writer.stdout! }).on('line', () => void (told += 1));
        // It can write, so no lock of the process before blocks it.
        await once(lines, 'line', { signal: AbortSignal.timeout(PATIENCE_MS) });
        await wait((k * 7) % 40);
        writer.kill(k % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
        await once(writer, 'close');
        expect(await said).toBe('');
        const now = storedVectors(file); // throws if it is damaged
        expect(now - stored - told, `kill ${k}`).toBeOneOf([0, 1]); // the last one may be written and not reported
        stored = now;
        left += readdirSync(folder).includes('seen.bin.lock') ? 1 : 0;
      }
      if (KILLS > 100) console.log(`${KILLS} kills among ${stored} writes; ${left} locks were left, and taken over`);
      // A process that was killed before it wrote its name is recognised by age alone.
      for (const name of readdirSync(folder).filter((one) => one !== 'seen.bin')) {
        const inside = readdirSync(join(folder, name)).map((one) => join(folder, name, one));
        for (const path of [...inside, join(folder, name)]) utimesSync(path, 1, 1);
      }
      await (await createPipeline<object>(rememberingIn(file))).rank([{ v: [1, 2] }]);
      expect(storedVectors(file)).toBe(stored + 1);
      expect(readdirSync(folder)).toEqual(['seen.bin']);
    },
    KILLS * 5000 + 60_000,
  );

  it('loses nothing of two processes, and no caller has to try again', async () => {
    const file = join(newFolder('two'), 'seen.bin');
    const writers = [1, 2].map((name) => startWriter(file, name, RUNS));
    const outcomes = writers.map(async (writer) => [await text(writer.stderr!), (await once(writer, 'close'))[0]]);
    for (const writer of writers) writer.stdout?.resume();
    expect(await Promise.all(outcomes)).toEqual([
      ['', 0],
      ['', 0],
    ]);
    const memory = storedMemory(file);
    expect(memory.size()).toBe(2 * RUNS);
    for (const name of [1, 2])
      for (let n = 0; n < RUNS; n++)
        expect(memory.recall(`${name}-${n}`, [name, n], 0)).toMatchObject({ id: `${name}-${n}` });
  });

  it('loses nothing of three processes that write it by two paths', async () => {
    const folder = newFolder('paths');
    mkdirSync(join(folder, 'team'));
    symlinkSync('../seen.bin', join(folder, 'team', 'link.bin'));
    const file = join(folder, 'seen.bin');
    await (await createPipeline<object>(rememberingIn(file))).rank([{ v: [9, 9] }]);
    const paths = [file, join(folder, 'team', 'link.bin'), join(folder, 'team', '..', 'seen.bin')];
    const writers = paths.map((path, i) => startWriter(path, i, 20));
    const outcomes = writers.map(async (writer) => [await text(writer.stderr!), (await once(writer, 'close'))[0]]);
    for (const writer of writers) writer.stdout?.resume();
    expect(await Promise.all(outcomes)).toEqual(paths.map(() => ['', 0]));
    expect(storedVectors(file)).toBe(1 + 3 * 20);
    expect(readdirSync(folder).toSorted()).toEqual(['seen.bin', 'team']);
  });

  it(
    'is not updated by a run whose caller got an abort',
    async () => {
      const file = join(newFolder('aborts'), 'seen.bin');
      const pipeline = await createPipeline<object>(rememberingIn(file));
      let [learnt, aborted] = [0, 0];
      for (let k = 0; k < ABORTS; k++) {
        const abort = new AbortController();
        const run = pipeline.rank([{ v: [1, k] }], {}, { signal: abort.signal });
        const timer = setTimeout(() => abort.abort(new Error('stop')), k % 12);
        await run.then(
          () => (learnt += 1),
          () => (aborted += 1),
        );
        clearTimeout(timer);
        expect(storedVectors(file), `run ${k}`).toBe(learnt);
      }
      await wait(50);
      expect(storedVectors(file)).toBe(learnt);
      expect(learnt + aborted).toBe(ABORTS);
      if (ABORTS > 100) console.log(`${aborted} of ${ABORTS} runs were aborted`);
    },
    ABORTS * 200 + 60_000,
  );
});
