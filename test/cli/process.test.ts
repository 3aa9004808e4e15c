import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/input/package-root.js';
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

/** The command as a shell runs it. `npm test` has built it. */
const assize = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, [MAIN, ...args], {
    input,
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, NO_COLOR: '', FORCE_COLOR: undefined },
  });

describe.skipIf(!existsSync(MAIN))('the process', () => {
  it('ranks what is piped in', () => {
    const { status, stdout, stderr } = assize(['rank', '-p', './team.yaml', '--top', '2'], JSON.stringify(REPOS));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('team: 5 candidates, 4 selected, 1 refused\n');
    expect(stdout).not.toContain('\u001b[');
  });

  it('exits with 1 for problems and with 2 for wrong usage, and prints no stack', () => {
    const problems = assize(['rank', '-p', './team.yaml', 'nowhere.json']);
    expect(problems).toMatchObject({ status: 1, stdout: '' });
    const misused = assize(['rank', '-p', './team.yaml', '--top', 'NaN']);
    expect(misused).toMatchObject({ status: 2, stdout: '' });
    for (const { stderr } of [problems, misused]) expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('says so when nothing is left to wait for, and exits with 1', () => {
    const { status, stdout, stderr } = assize(['rank', '-p', './never.yaml'], JSON.stringify(REPOS));
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error ASZ501 nothing is left to wait for, and the run has not finished: /);
    expect(stderr).toContain('give the entry a timeout: timeout: 5s');
    expect(stderr.match(/ASZ501/g)).toHaveLength(1);
  });

  it('exits with 0 where help is asked for', () => {
    expect(assize(['help', 'rank'])).toMatchObject({ status: 0, stderr: '' });
  });

  it('writes all of a long output into a pipe', () => {
    const { status, stdout } = assize(['rank', '-p', './team.yaml', '--format', 'jsonl', 'many.jsonl']);
    expect(status).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(20_000);
  });

  it('is silent when its reader has seen enough', async () => {
    const child = spawn(process.execPath, [MAIN, 'rank', '-p', './team.yaml', '--format', 'jsonl', 'many.jsonl']);
    const said = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect([await once(child, 'close'), await said]).toEqual([[0, null], '']);
  });
});
