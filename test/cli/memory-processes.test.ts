import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPipeline } from '../../src/index.js';
import { packageRoot } from '../../src/base/package-root.js';
import { temporaryFolder } from '../temporary-folder.js';

const MAIN = join(packageRoot(), 'dist', 'bundle', 'cli.js');
const root = temporaryFolder('memory-processes-');

const PROFILE = `plugins: [./gate.mjs]
measures: [{ id: gate, class: Gate }]
tier2_scorers:
  - { id: novelty, class: NoveltyScorer, params: { text: id, embedder: lexical }, memory: ./seen.bin, on_absent: 1 }
`;

/** A unit that says that it is asked, and waits until it may go on, where the context says so. */
const GATE = `import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineScorer, z } from 'assize/sdk';
export class Gate {
  static meta = defineScorer({ summary: 'Waits.', params: z.strictObject({}) });
  async prepare(_params, { context }) {
    if (context.waits) {
      writeFileSync('waiting', '');
      while (!existsSync('go')) await wait(5);
    }
    return () => 0;
  }
}
`;

let folders = 0;
function newFolder(): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  const files = {
    'p.yaml': PROFILE,
    'gate.mjs': GATE,
    'waits.yaml': 'waits: true\n',
    'one.json': '[{"id":"one"}]',
    'two.json': '[{"id":"two"}]',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

const start = (cwd: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [MAIN, 'rank', '-p', './p.yaml', '--format', 'jsonl', ...args], { cwd });

/** What a process says once it has ended. */
async function ended(child: ChildProcess): Promise<{ code: unknown; out: string; err: string }> {
  const [out, err, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
  return { code, out, err };
}

/** What this process makes of one candidate; it learns from it, as any other does. */
async function ranked(folder: string, id: string): Promise<number | undefined> {
  const pipeline = await createPipeline<object>(join(folder, 'p.yaml'));
  return (await pipeline.rank([{ id }])).ranked[0]?.score;
}

const scoreOf = ({ out }: { out: string }): unknown => (JSON.parse(out) as { score: unknown }).score;
const waiting = async (folder: string): Promise<void> => {
  while (!existsSync(join(folder, 'waiting'))) await wait(5);
};
const left = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('seen'));

describe.skipIf(!existsSync(MAIN))('a memory file between processes', () => {
  it('is handed on from one to the next', async () => {
    const folder = newFolder();
    expect(scoreOf(await ended(start(folder, 'one.json')))).toBe(1);
    expect(scoreOf(await ended(start(folder, 'one.json')))).toBe(0);
    expect(left(folder)).toEqual(['seen.bin']);
  });

  it('is not overwritten by one that was slower, which says what to do', async () => {
    const folder = newFolder();
    const slow = start(folder, 'one.json', '--context', 'waits.yaml');
    await waiting(folder);
    expect(await ended(start(folder, 'two.json'))).toMatchObject({ code: 0, err: '' });
    const learnt = readFileSync(join(folder, 'seen.bin'));
    writeFileSync(join(folder, 'go'), '');
    const { code, out, err } = await ended(slow);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.replaceAll(`${folder}/`, '')).toMatchInlineSnapshot(`
      "p.yaml:4:91 error ASZ109 another process has changed seen.bin since it was read; this run does not update it
        4 |   - { id: novelty, class: NoveltyScorer, params: { text: id, embedder: lexical }, memory: ./seen.bin, on_absent: 1 }
          |                                                                                           ^
        rank again: the next run reads the changed memory
      "
    `);
    expect(readFileSync(join(folder, 'seen.bin'))).toEqual(learnt);
    expect(await ranked(folder, 'one')).toBe(1);
    expect(left(folder)).toEqual(['seen.bin']);
  });

  it('of many at once none loses what another one learnt', async () => {
    const folder = newFolder();
    const said = await Promise.all(Array.from({ length: 6 }, () => ended(start(folder, 'one.json'))));
    // Each either learnt after all who learnt before it, or was told that it did not.
    const fine = said.filter(({ code }) => code === 0);
    for (const { code, err } of said) if (code !== 0) expect(err).toContain('ASZ109');
    expect(fine.map(scoreOf).filter((score) => score === 1)).toHaveLength(1);
    expect(left(folder)).toEqual(['seen.bin']);
  });

  it('is whole after a process was killed in its run', async () => {
    const folder = newFolder();
    await ranked(folder, 'two');
    const before = readFileSync(join(folder, 'seen.bin'));
    const killed = start(folder, 'one.json', '--context', 'waits.yaml');
    await waiting(folder);
    killed.kill('SIGKILL');
    await ended(killed);
    expect(readFileSync(join(folder, 'seen.bin'))).toEqual(before);
    expect(await ranked(folder, 'two')).toBe(0);
  });

  it('is whole whenever a process is killed', async () => {
    const folder = newFolder();
    await ranked(folder, 'two');
    for (let killings = 0; killings < 4; killings++) {
      writeFileSync(join(folder, 'go'), '');
      rmSync(join(folder, 'waiting'), { force: true });
      const killed = start(folder, 'one.json', '--context', 'waits.yaml');
      await waiting(folder);
      await wait(killings * 4); // somewhere in its writing, or after it
      killed.kill('SIGKILL');
      await ended(killed);
      expect(await ranked(folder, 'two')).toBe(0); // no lock is in the way
    }
  });
});
