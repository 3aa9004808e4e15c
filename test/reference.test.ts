import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { unitParams } from '../src/cli/list/unit-text.js';
import { readPlugin } from '../src/profile/registry/read-plugin.js';
import { withBlock } from './reference/blocks.js';
import { codesTable, faultsTable } from './reference/codes.js';
import { presetTextsModule } from './reference/preset-texts.js';
import { paramsTable, sharedParams, sharedParamsTable, unitsTable } from './reference/units.js';

/**
 * The tables of codes, units and params in documents equal those generated from the code. `npm run generate` writes
 * them.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

/** A document as it is, and with its tables generated. A missing one starts with `start`. */
function regenerate(
  file: string,
  generate: (document: string) => string,
  start = '',
): { actual: string; expected: string } {
  const actual = existsSync(file) ? readFileSync(file, 'utf8') : start;
  const expected = generate(actual);
  if (!process.env['UPDATE_README']) return { actual, expected };
  writeFileSync(file, expected);
  return { actual: expected, expected };
}

test('the README of base has every code', async () => {
  const table = await codesTable();
  const { actual, expected } = regenerate(`${root}src/base/README.md`, (document) =>
    withBlock(withBlock(document, 'faults', faultsTable(), '## Whose fault'), 'codes', table, '## Error codes'),
  );
  expect(actual).toBe(expected);
});

test('the code has the text of every preset', () => {
  const { actual, expected } = regenerate(`${root}src/profile/preset-texts.ts`, presetTextsModule);
  expect(actual).toBe(expected);
});

const plugins = readdirSync(`${root}plugins`).filter((name) => existsSync(`${root}plugins/${name}/index.ts`));

describe.each(plugins)('the plugin %s', async (name) => {
  const module = (await import(pathToFileURL(`${root}plugins/${name}/index.ts`).href)) as Record<string, unknown>;
  const units = [...readPlugin(name, module, 'module').units].toSorted(([a], [b]) => (a < b ? -1 : 1));

  const folder = `${root}plugins/${name}`;
  const pages = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const texts = new Map(pages.map((page) => [page, readFileSync(`${folder}/${page}`, 'utf8')]));
  /** The page with the markers of a block; without markers, the reference if there is one. */
  const pageOf = (block: string): string =>
    pages.find((page) => texts.get(page)?.includes(`<!-- ${block} -->`)) ??
    (texts.has('reference.md') ? 'reference.md' : 'README.md');
  const table = pageOf('units');

  test.skipIf(units.length === 0).each(pages.length > 0 ? pages : ['README.md'])(
    'has its units and their params in %s',
    (page) => {
      const pageOfUnit = (unit: string): string => pageOf(`params of ${unit}`);
      const linkTo = (unit: string): string => (pageOfUnit(unit) === page ? '' : pageOfUnit(unit));
      const here = units.filter(([unit]) => pageOfUnit(unit) === page);
      const shared = texts.get(page)?.includes('<!-- shared params -->') ? sharedParams(here) : [];
      const head = (document: string): string => {
        const text = page === table ? withBlock(document, 'units', unitsTable(units, linkTo), '## Units') : document;
        return shared.length > 0
          ? withBlock(text, 'shared params', sharedParamsTable(shared), '## Shared params')
          : text;
      };
      const { actual, expected } = regenerate(
        `${folder}/${page}`,
        (document) =>
          here.reduce(
            (text, [unit, made]) => withBlock(text, `params of ${unit}`, paramsTable(made, shared), `## ${unit}`),
            head(document),
          ),
        `# The plugin \`${name}\`\n`,
      );
      expect(actual).toBe(expected);
    },
  );

  test('describes every param', () => {
    const bare = units.flatMap(([unit, made]) =>
      unitParams(made).flatMap(({ key, description }) => (description ? [] : [`${unit}.${key}`])),
    );
    expect(bare).toEqual([]);
  });
});
