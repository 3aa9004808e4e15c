import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/input/package-root.js';
import { LARGE_FILES, LARGE_JSON, LARGE_PROFILES } from './large-inputs.js';

const MAIN = join(packageRoot(), 'dist', 'test', 'bounds', 'load-large.js');

/** Only a hang takes as long. */
const WATCHDOG = 50_000;

/** Loads an input in a process with little memory: what it says, or that it was killed. */
async function load(kind: string, name: string): Promise<string> {
  const child = spawn(process.execPath, ['--max-old-space-size=256', MAIN, kind, name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WATCHDOG,
    killSignal: 'SIGKILL',
  });
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return code === 0 ? out : `${name} ended with ${String(code ?? signal)}: ${err.slice(0, 500)}`;
}

/** Those that took long or much before there were limits; `npm run fuzz` loads all. */
const SOME: ReadonlySet<string> = new Set([
  'many keys',
  'many lines',
  'many keys of one line',
  'one key many times',
  'long class names',
  'many open quotes',
  'many anchors and as many wrong aliases',
  'wrong YAML on each line',
  'many scorers',
  'many measures that read the one before',
  'many vetoes of nested macros',
  'many wrong names near many right ones',
  'many entries before unknown ones',
  'a large table of phases',
  'many files that are not there',
  'many params',
  'empty columns',
  'an open quote',
  'maps in maps',
]);
const named = (inputs: object): readonly string[] =>
  Object.keys(inputs).filter((name) => process.env['FUZZ'] === '1' || SOME.has(name));

describe.skipIf(!existsSync(MAIN))('a megabyte loads or fails, in 256 MB', () => {
  test.each([
    ...named(LARGE_PROFILES).map((name) => ['profile', name] as const),
    ...named(LARGE_JSON).map((name) => ['json', name] as const),
    ...named(LARGE_FILES).map((name) => ['file', name] as const),
  ])('%s: %s', async (kind, name) => {
    const said = await load(kind, name);
    expect(said).toMatch(/^(?:loads with \d+ warnings|\d+ candidates|\d+ problems, \d+ characters: )/);
    const [, problems, characters] = /^(\d+) problems, (\d+) characters/.exec(said) ?? [];
    expect(Number(problems ?? 0)).toBeLessThanOrEqual(101);
    expect(Number(characters ?? 0)).toBeLessThan(500_000);
  });
});
