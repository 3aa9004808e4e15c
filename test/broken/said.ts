import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assize } from '../cli/run-here.js';

/** Something broken: the files there are, and what is typed. */
export interface Broken {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** What follows `assize`. */
  readonly typed: string;
  readonly stdin?: string;
}

/** Broken things by what is broken. A text alone is a profile that is checked. */
export type Cases = Readonly<Record<string, string | Broken>>;

/** A profile that is checked, beside other files. */
export const checked = (profile: string | Uint8Array, files: Broken['files'] = {}): Broken => ({
  files: { 'p.yaml': profile, ...files },
  typed: 'check ./p.yaml',
});

/** Candidates that a good profile ranks, or another one. */
export const ranked = (
  candidates: string | Uint8Array,
  { name = 'c.jsonl', profile = GOOD, files = {}, more = '' } = {},
): Broken => ({
  files: { 'p.yaml': profile, [name]: candidates, ...files },
  typed: `rank --profile ./p.yaml ${name}${more && ` ${more}`}`,
});

const GOOD = 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n';

/** What a file looks like in a snapshot: short ones are shown, of others their size. */
function shown([name, content]: readonly [string, string | Uint8Array]): string {
  if (content === GOOD) return '';
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const plain = typeof content === 'string' && text.length < 1500 && !/[^\n\t\u0020-\uffff]|\ufeff/.test(text);
  const body = plain ? text.replace(/\n?$/, '\n') : `(${content.length} bytes)\n`;
  return `── ${name}\n${text === '' ? '(empty)\n' : body}`;
}

/** Whatever differs from machine to machine and from version to version. */
const told = (text: string, folder: string): string =>
  text
    .replaceAll(`${folder}/`, '')
    .replaceAll(folder, '.')
    .replaceAll(/file:\/\/\S*broken-\w+\//g, '')
    .replaceAll(/presets: [^;]+;/g, 'presets: …;')
    .replaceAll(/no pack that ships \([^)]+\)/g, 'no pack that ships (…)');

/**
 * Tests a table of cases: each one's whole output is held to a file beside this one, which shows what was typed, the
 * files there were, and what was said. Whatever goes wrong, there is a code, a place or a name, and no stack.
 */
export function saysWell(group: string, cases: Cases): void {
  let folder = '';
  const before = process.cwd();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'broken-'));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });
  describe(`what is said of broken ${group}`, () => {
    test('each has a file of its own', () => {
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
      const said = told(`${out}${err}`, folder);
      expect(said).not.toMatch(/^ +at .*:\d+\)?$|\bfunction \w+\(/m);
      if (code !== 0) expect(said).toMatch(/error ASZ\d{3} /);
      const document = [...Object.entries(files).map(shown), `── assize ${typed}\n${said}(exit code ${code})\n`].join(
        '',
      );
      await expect(document).toMatchFileSnapshot(`./said/${group}/${fileName(name)}.txt`);
    });
  });
}

const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-|-$/g, '');
