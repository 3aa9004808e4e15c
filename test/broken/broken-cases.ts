import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assize } from '../cli/run-here.js';
import { temporaryFolder } from '../temporary-folder.js';

/** A command on invalid input: its files and its arguments. */
export interface BrokenCase {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** The text after `assize`. */
  readonly typed: string;
  readonly stdin?: string;
}

/** Cases by the mistake. A string alone is a profile that is checked. */
export type BrokenCases = Readonly<Record<string, string | BrokenCase>>;

/** A profile to check, with other files. */
export const checked = (profile: string | Uint8Array, files: BrokenCase['files'] = {}): BrokenCase => ({
  files: { 'p.yaml': profile, ...files },
  typed: 'check ./p.yaml',
});

/** Candidates to rank by a valid profile, or by another one. */
export const ranked = (
  candidates: string | Uint8Array,
  { name = 'c.jsonl', profile = GOOD, files = {}, more = '' } = {},
): BrokenCase => ({
  files: { 'p.yaml': profile, [name]: candidates, ...files },
  typed: `rank --profile ./p.yaml ${name}${more && ` ${more}`}`,
});

const GOOD = 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n';

/** A file in a snapshot: its text, or its size if it is long or binary. */
function fileText([name, content]: readonly [string, string | Uint8Array]): string {
  if (content === GOOD) return '';
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const plain = typeof content === 'string' && text.length < 1500 && !/[^\n\t\u0020-\uffff]|\ufeff/.test(text);
  const body = plain ? text.replace(/\n?$/, '\n') : `(${content.length} bytes)\n`;
  return `── ${name}\n${text === '' ? '(empty)\n' : body}`;
}

/** An output without the parts that differ between machines and versions. */
const normalize = (text: string, folder: string): string =>
  text
    .replaceAll(`${folder}/`, '')
    .replaceAll(folder, '.')
    .replaceAll(/file:\/\/\S*broken-\w+\//g, '')
    .replaceAll(/presets: [^;]+;/g, 'presets: …;')
    .replaceAll(/a shipped plugin \([^)]+\)/g, 'a shipped plugin (…)');

/**
 * Tests a table of cases: the whole output of each is compared with a file in `output/`, which also shows the command
 * and its files. An output always has a code, a place or a name, and never a stack.
 */
export function testOutput(group: string, cases: BrokenCases): void {
  let folder = '';
  const before = process.cwd();
  beforeEach(() => {
    folder = temporaryFolder('broken-');
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(before);
  });
  describe(`the output on broken ${group}`, () => {
    test('each has its own file', () => {
      const names = Object.keys(cases).map(fileName);
      expect(names.filter((name, k) => names.indexOf(name) < k)).toEqual([]);
    });

    test.each(Object.entries(cases))('%s', async (name, given) => {
      const { files, typed, stdin } = typeof given === 'string' ? checked(given) : given;
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(join(folder, dirname(path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
      const { code, out, err } = await assize(typed.split(' '), stdin === undefined ? {} : { stdin });
      const output = normalize(`${out}${err}`, folder);
      expect(output).not.toMatch(/^ +at .*:\d+\)?$|\bfunction \w+\(/m);
      if (code !== 0) expect(output).toMatch(/error [A-Z]{2,}\d{3} /);
      const document = [
        ...Object.entries(files).map(fileText),
        `── assize ${typed}\n${output}(exit code ${code})\n`,
      ].join('');
      await expect(document).toMatchFileSnapshot(`./output/${group}/${fileName(name)}.txt`);
    });
  });
}

const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-|-$/g, '');
