import { describe, expect, test } from 'vitest';
import type { PageSpec, SiteSection } from '../../plugins/site/build/page.js';
import { contributorPages, withUnlisted } from '../../plugins/site/build/unlisted.js';

const page = (route: string, ...parts: readonly string[]): PageSpec => ({ route, title: route, parts });

const SECTIONS: readonly SiteSection[] = [
  { title: 'Guide', folder: 'guide', groups: [{ title: 'Start', pages: [page('guide/a', 'config/howto/a.md#One')] }] },
  { title: 'Concepts', folder: 'concepts', groups: [] },
  {
    title: 'Reference',
    folder: 'reference',
    groups: [
      { title: 'Packages', pages: [{ ...page('reference/keys', '@keys.md'), replaces: ['config/concepts/k.md'] }] },
    ],
  },
  { title: 'Systems', folder: 'systems', groups: [] },
  {
    title: 'Contribute',
    folder: 'contribute',
    groups: [{ title: 'Start', pages: [page('contribute/b', 'src/b.md')] }],
  },
];

/** The pages of all groups, as `section / group / route: title`. */
const listed = (sections: readonly SiteSection[]): readonly string[] =>
  sections.flatMap(({ title, groups }) =>
    groups.flatMap((group) =>
      group.pages.map(({ route, title: name }) => `${title} / ${group.title} / ${route}: ${name}`),
    ),
  );

describe('a page that the table does not name', () => {
  test.each([
    ['config/howto/b-c.md', 'Guide / More guides / guide/b-c'],
    ['config/skills/write/SKILL.md', 'Guide / Skills for coding agents / guide/write'],
    ['config/examples/server/README.md', 'Guide / Examples / guide/server'],
    ['config/concepts/time.md', 'Concepts / More concepts / concepts/time'],
    ['plugins/@assize/lint/README.md', 'Reference / Packages / reference/assize-lint'],
    ['plugins/cupel/more.md', 'Systems / More about these systems / systems/cupel-more'],
    ['src/engine/README.md', 'Contribute / Folders of code / contribute/engine'],
  ])('%s is appended to its section by its own title', (path, place) => {
    const text = '---\nname: x\n---\n\n# Do this\n\nText.\n';
    const added = listed(withUnlisted(SECTIONS, [{ path, text }]));
    expect(added.filter((one) => !listed(SECTIONS).includes(one))).toEqual([`${place}: Do this`]);
  });

  test('is one that no page shows or replaces, even in part', () => {
    const shown = ['config/howto/a.md', 'config/concepts/k.md', 'src/b.md'].map((path) => ({
      path,
      text: '# Shown\n',
    }));
    expect(listed(withUnlisted(SECTIONS, shown))).toEqual(listed(SECTIONS));
  });
});

test("the contributors' sections of a README for users have a page of their own", () => {
  const path = 'src/data/README.md';
  const text = '# Data\n\nText.\n\n## Use it\n\n## In this folder\n\n## Add a format\n';
  const users = withUnlisted(
    [{ title: 'Guide', folder: 'guide', groups: [{ title: 'Data', pages: [page('guide/data', path)] }] }, SECTIONS[4]!],
    [],
  );
  const { sections, files } = contributorPages(users, [{ path, text }]);
  expect(sections.at(-1)?.groups.at(-1)?.pages).toEqual([
    {
      route: 'contribute/src/data',
      title: 'data',
      parts: ['@contribute/src/data.md', `${path}#In this folder`, `${path}#Add a format`],
    },
  ]);
  expect(files.get('@contribute/src/data.md')).toMatch(/^# src\/data\n/);
});
