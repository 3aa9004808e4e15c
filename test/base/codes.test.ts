import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadPlugins } from '../../src/pipeline/create-pipeline.js';
import { isWarning, PROBLEM_CODES, type ProblemCode } from '../../src/base/codes.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The codes that the files of a folder write as literals. */
function codesIn(folder: string): ReadonlySet<string> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('codes.ts'));
  const matches = sources.flatMap((file) => [
    ...readFileSync(join(root, folder, file), 'utf8').matchAll(/'([A-Z]{2,}\d{3})'/g),
  ]);
  return new Set(matches.map(([, code = '']) => code));
}

// The type of a code is open, so that the compiler finds no typo.
test('declares every code that the core or a plugin raises', async () => {
  const core: readonly string[] = Object.keys(PROBLEM_CODES);
  expect([...codesIn('src')].filter((code) => !core.includes(code))).toEqual([]);
  for (const { name, codes } of await loadPlugins(undefined)) {
    const raised = [...codesIn(`plugins/${name}`)];
    expect(raised.filter((code) => !core.includes(code) && !Object.hasOwn(codes, code))).toEqual([]);
    expect(Object.keys(codes).filter((code) => !raised.includes(code))).toEqual([]);
  }
});

test.each<[ProblemCode, boolean]>([
  ['ASZ701', true],
  ['ASZ501', false],
  ['ASZ799', false],
  ['ACME701', false],
])('%s: a warning is %s', (code, warning) => {
  expect(isWarning(code)).toBe(warning);
});
