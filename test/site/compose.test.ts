import { expect, test } from 'vitest';
import { Composer } from '../../plugins/site/build/compose.js';
import type { Page, PageSpec } from '../../plugins/site/build/page.js';

const README = `# A profile

Rank a list. Then read [the rules](#rules-and-more), [the select](#select) and [other](docs/other.md#part).

## Rules: and more

\`\`\`yaml rules.yaml
## not a heading, and [no link](nowhere.md)
\`\`\`

### Detail

See [the file](src/code.ts), [\`src/code.ts\`](src/code.ts) and [the web](https://example.org/a.md).

## Select

Text with \`[code](nowhere.md)\` and ![an image](image.png).
`;
const OTHER = '# Other\n\n## Part\n\nBack to [the detail](../README.md#detail).\n';

function compose(specs: readonly PageSpec[], files: Readonly<Record<string, string>> = {}): readonly Page[] {
  const all: Readonly<Record<string, string>> = {
    'README.md': README,
    'docs/other.md': OTHER,
    'src/code.ts': 'code',
    ...files,
  };
  return new Composer({ read: (path) => all[path], image: (path) => `/images/${path}` }).compose(specs);
}

const page = (route: string, ...parts: readonly string[]): PageSpec => ({ route, title: route, parts });

const textOf = (pages: readonly Page[], route: string): string | undefined =>
  pages.find((one) => one.route === route)?.text;

test('a section is a page of its own, and the page of the file leaves it out', () => {
  const pages = compose([
    page('index', 'README.md'),
    page('concepts/rules', 'README.md#Rules: and more'),
    page('other', 'docs/other.md'),
  ]);
  expect(textOf(pages, 'concepts/rules')).toBe(`# Rules: and more

\`\`\`yaml rules.yaml
## not a heading, and [no link](nowhere.md)
\`\`\`

## Detail

See the file (\`src/code.ts\`), \`src/code.ts\` and [the web](https://example.org/a.md).
`);
  expect(textOf(pages, 'index')).toBe(`# A profile

Rank a list. Then read [the rules](./concepts/rules.md), [the select](#select) and [other](./other.md#part).

## Select

Text with \`[code](nowhere.md)\` and ![an image](/images/image.png).
`);
  expect(textOf(pages, 'other')).toContain('[the detail](./concepts/rules.md#detail)');
  expect(pages[0]?.description).toBe('Rank a list.');
});

test('a page of several parts has their sections below its title', () => {
  const pages = compose([page('all', 'README.md#Select', 'docs/other.md', 'src/code.ts'), page('index', 'README.md')]);
  const headings = textOf(pages, 'all')?.match(/^#+ .*$/gm);
  expect(headings).toEqual(['# all', '## Select', '## Other', '### Part', '## The file code.ts']);
  expect(textOf(pages, 'index')).toContain('[the file](./all.md#the-file-codets)');
});

test('a section with the title of its page continues the page', () => {
  const pages = compose([page('part', '@facts.md', 'docs/other.md#Part'), page('other', 'docs/other.md')], {
    '@facts.md': '# Part\n\nFacts.\n',
    'README.md': '# A\n\n## Detail\n',
  });
  expect(textOf(pages, 'part')).toMatch(/^# Part\n\nFacts\.\n\nBack to/);
});

test('a page lists the sections that have a page, if it says so, and a file can be replaced', () => {
  const pages = compose(
    [
      { ...page('index', 'README.md'), listsSections: true },
      page('rules', 'README.md#Rules: and more'),
      { ...page('facts', '@facts.md'), replaces: ['docs/other.md'] },
    ],
    { '@facts.md': '# Facts\n' },
  );
  expect(textOf(pages, 'index')).toContain('- [Rules: and more](./rules.md)\n');
  expect(textOf(pages, 'index')).toContain('[other](./facts.md)');
});

test.each([
  ['a missing file', [page('a', 'README.md'), page('b', 'none.md')], 'b: the file none.md does not exist'],
  [
    'a missing section',
    [page('a', 'README.md'), page('b', 'docs/other.md#Parts')],
    'b: docs/other.md has no section "Parts", only: Part',
  ],
  [
    'a section on two pages',
    [page('a', 'docs/other.md#Part'), page('b', 'docs/other.md#Part')],
    'b: another page has docs/other.md#Part as well',
  ],
  ['a section on no page', [page('a', 'README.md#Select')], 'README.md#Rules: and more is on no page'],
])('reports %s', (_, specs, problem) => {
  expect(() => compose(specs)).toThrow(problem);
});

test('reports a link to a file or a heading that does not exist', () => {
  const dead = '# Dead\n\n[a](none.md) [b](README.md#none) [c](/nowhere)\n';
  expect(() =>
    compose([page('index', 'README.md'), page('dead', 'dead.md'), page('other', 'docs/other.md')], { 'dead.md': dead }),
  ).toThrow(
    /dead\.md: no file for none\.md\n.*dead\.md: no heading for README\.md#none\n.*dead\.md: no page for \/nowhere/,
  );
});
