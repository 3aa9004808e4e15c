import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { blocksOf } from '../reference/documents.js';

/** The examples import the built package, as a user does. */
const EXAMPLES = join(packageRoot(), 'config', 'examples');
const isBuilt = existsSync(join(packageRoot(), 'dist', 'bundle', 'index.js'));

const env = { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined, NO_COLOR: '1', PORT: '0' };

/** What a README shows in its first block of a language. */
function shown(name: string, language: string): string {
  const blocks = blocksOf(readFileSync(join(EXAMPLES, name, 'README.md'), 'utf8'));
  return blocks.find((block) => block.language === language)?.text ?? '';
}

describe.skipIf(!isBuilt)('the example', () => {
  test.each([
    ['express-tenants', 'server-test.js'],
    ['rag-ai-sdk', 'answer-test.js'],
  ])('%s passes its tests', (name, file) => {
    const args = ['--test', '--test-reporter=tap', file];
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: join(EXAMPLES, name), encoding: 'utf8', env });
    expect(stdout).toMatch(/^# pass 4$/m);
    expect(status).toBe(0);
  });

  test('rag-ai-sdk prints what its README shows', () => {
    const { stdout, status } = spawnSync(process.execPath, ['answer.js'], {
      cwd: join(EXAMPLES, 'rag-ai-sdk'),
      encoding: 'utf8',
      env,
    });
    expect({ stdout, status }).toEqual({ stdout: shown('rag-ai-sdk', 'text'), status: 0 });
  });

  test('express-tenants answers the request of its README', async () => {
    const server = spawn(process.execPath, ['server.js'], { cwd: join(EXAMPLES, 'express-tenants'), env });
    onTestFinished(() => {
      server.kill();
    });
    const address = await new Promise<string>((resolve, reject) => {
      server.stdout.on('data', (text: Buffer) => {
        resolve(/http:\S+/.exec(String(text))?.[0] ?? '');
      });
      server.once('exit', () => {
        reject(new Error('the server has ended'));
      });
    });
    const readme = readFileSync(join(EXAMPLES, 'express-tenants', 'README.md'), 'utf8');
    const response = await fetch(`${address}/acme/rank`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: / -d '([^']+)'/.exec(readme)?.[1] ?? '',
    });
    expect(`${await response.text()}\n`).toBe(shown('express-tenants', 'json'));
  });
});
