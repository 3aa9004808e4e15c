import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { mountSmallDisk } from '../services/memory-file/small-disk.js';
import { inFolder, REPOS, TEAM } from './run-here.js';

const MAIN = join(packageRoot(), 'dist', 'bundle', 'cli.js');

inFolder({
  'team.yaml': TEAM.replace('top: 3', 'top: 100000'),
  'never.yaml': 'plugins: [./never.mjs]\ntier2_scorers: [{ id: never, class: Never }]\n',
  'never.mjs': `import { defineScorer, z } from 'assize/sdk';
export class Never {
  static meta = defineScorer({ summary: 'Never answers.', params: z.strictObject({}) });
  prepare() { return new Promise(() => {}); }
}
`,
  'many.jsonl': Array.from({ length: 20_000 }, (_, i) => JSON.stringify({ ...REPOS[i % 2], name: `repo-${i}` })).join(
    '\n',
  ),
});

/** The command as a shell runs it. `npm test` builds it first. */
const assize = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, [MAIN, ...args], {
    input,
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, NO_COLOR: '', FORCE_COLOR: undefined },
  });

describe.skipIf(!existsSync(MAIN))('the process', () => {
  it('ranks candidates from standard input', () => {
    const { status, stdout, stderr } = assize(['rank', '-p', './team.yaml', '--top', '2'], JSON.stringify(REPOS));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('team: 5 candidates, 2 selected, 2 not selected, 1 refused\n');
    expect(stdout).not.toContain('\u001b[');
  });

  it('exits with 1 for problems and with 2 for wrong usage, and prints no stack', () => {
    const problems = assize(['rank', '-p', './team.yaml', 'nowhere.json']);
    expect(problems).toMatchObject({ status: 1, stdout: '' });
    const misused = assize(['rank', '-p', './team.yaml', '--top', 'NaN']);
    expect(misused).toMatchObject({ status: 2, stdout: '' });
    for (const { stderr } of [problems, misused]) expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('reports a run that can never finish, and exits with 1', () => {
    const { status, stdout, stderr } = assize(['rank', '-p', './never.yaml'], JSON.stringify(REPOS));
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error ASZ501 the run cannot finish: /);
    expect(stderr).toContain('add a timeout to the entry in the profile, such as timeout: 5s');
    expect(stderr.match(/ASZ501/g)).toHaveLength(1);
  });

  it('exits with 0 for help', () => {
    expect(assize(['help', 'rank'])).toMatchObject({ status: 0, stderr: '' });
  });

  it('writes all of a long output into a pipe', () => {
    const { status, stdout } = assize(['rank', '-p', './team.yaml', '--format', 'jsonl', 'many.jsonl']);
    expect(status).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(20_000);
  });

  const LONG = [MAIN, 'rank', '-p', './team.yaml', '--format', 'jsonl', 'many.jsonl'];
  /** Ranks into a file, under a command that limits it. */
  const rankInto = (file: string, [command = process.execPath, ...args]: readonly string[] = []) => {
    const descriptor = openSync(file, 'w');
    const given = command === process.execPath ? LONG : [...args, process.execPath, ...LONG];
    const { status, stderr } = spawnSync(command, given, { stdio: ['ignore', descriptor, 'pipe'], encoding: 'utf8' });
    closeSync(descriptor);
    return { status, stderr };
  };

  it('writes all of a long output into a file', () => {
    expect(rankInto('ranked.jsonl')).toEqual({ status: 0, stderr: '' });
    expect(readFileSync('ranked.jsonl', 'utf8').trimEnd().split('\n')).toHaveLength(20_000);
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full device, and exits with 1', () => {
    const full = 'assize failed: the output cannot be written: ENOSPC: no space left on device, write\n';
    expect(rankInto('/dev/full')).toEqual({ status: 1, stderr: full });
  });

  it.skipIf(process.platform === 'win32')('reports a partial write, and exits with 1', () => {
    const limited = rankInto('part.jsonl', ['sh', '-c', 'ulimit -f 8; exec "$@"', 'sh']);
    expect(limited).toEqual({ status: 1, stderr: expect.stringContaining('the output cannot be written: EFBIG') });
    expect(statSync('part.jsonl').size).toBeGreaterThan(0);
  });

  it('reports a full disk, and exits with 1 (mounting a small one needs root)', ({ skip }) => {
    const disk = mountSmallDisk(1) ?? skip('mounting is not permitted');
    try {
      const full = 'assize failed: the output cannot be written: ENOSPC: no space left on device, write\n';
      expect(rankInto(join(disk.folder, 'ranked.jsonl'))).toEqual({ status: 1, stderr: full });
      expect(statSync(join(disk.folder, 'ranked.jsonl')).size).toBe(4096);
    } finally {
      disk.unmount();
    }
  });

  it('exits silently when its reader closes the pipe', async () => {
    const child = spawn(process.execPath, [MAIN, 'rank', '-p', './team.yaml', '--format', 'jsonl', 'many.jsonl']);
    const said = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect([await once(child, 'close'), await said]).toEqual([[0, null], '']);
  });
});
