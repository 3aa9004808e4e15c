import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { PATIENCE_MS } from '../patience.js';
import { LARGE_FILES, LARGE_JSON, LARGE_PROFILES } from './large-inputs.js';

const MAIN = join(packageRoot(), 'dist', 'test', 'fuzz', 'load-large.js');

/** Loads inputs in a process with little memory, and returns its report of each. */
async function load(inputs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const child = spawn(process.execPath, ['--max-old-space-size=256', MAIN, ...inputs], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const watchdog = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS); // only a hang of one input takes this long
  child.stdout.on('data', () => watchdog.refresh());
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  clearTimeout(watchdog);
  const lines = out.split('\n').slice(0, -1);
  const said = lines.map((line) => JSON.parse(line) as { readonly input: string; readonly said: string });
  const found = new Map(said.map((one) => [one.input, one.said]));
  if (code !== 0) found.set(inputs[lines.length]!, `ended with ${String(code ?? signal)}: ${err.slice(0, 500)}`);
  return found;
}

/** The inputs that took long or much memory before there were limits; `npm run fuzz` loads all. */
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

const INPUTS = [
  ...named(LARGE_PROFILES).map((name) => `profile: ${name}`),
  ...named(LARGE_JSON).map((name) => `json: ${name}`),
  ...named(LARGE_FILES).map((name) => `file: ${name}`),
];

describe.skipIf(!existsSync(MAIN))('a megabyte loads or fails, in 256 MB', () => {
  let endings: ReadonlyMap<string, string>;
  beforeAll(async () => {
    endings = await load(INPUTS);
  }, INPUTS.length * PATIENCE_MS);

  test.each(INPUTS)('%s', (input) => {
    const said = endings.get(input) ?? 'the process ended before';
    expect(said).toMatch(/^(?:loads with \d+ warnings|\d+ candidates|\d+ problems, \d+ characters: )/);
    const [, problems, characters] = /^(\d+) problems, (\d+) characters/.exec(said) ?? [];
    expect(Number(problems ?? 0)).toBeLessThanOrEqual(101);
    expect(Number(characters ?? 0)).toBeLessThan(500_000);
  });
});
