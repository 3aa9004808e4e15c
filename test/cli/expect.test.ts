import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from './run-here.js';

inFolder({
  'team.yaml': TEAM,
  'repos.json': JSON.stringify([...REPOS, { name: 'the old map', stars: 1 }]),
  'good.yaml': `expect:
  - alpha above beta
  - gamma refused by archived
  - gamma refused
  - delta below alpha
  - alpha above gamma
  - alpha in top 1
  - beta not in top 1
  - alpha scores at least 0.5
  - delta scores at most 0.5
  - alpha selected
  - '"the old map" not selected'
  - alpha not refused
`,
  'bad.yaml': `context: { now: 2026-02-01 }
expect:
  - beta above alpha
  - gamma above alpha
  - delta in top 2
  - alpha not in top 3
  - alpha refused by archive
  - alpha scores at least 0.99
  - gamma scores at most 1
  - delta selected
  - alpha not selected
  - gamma not refused
  - alpah above beta
cases:
  - name: other repositories
    candidates: [{ name: one, stars: 10 }, { name: two, stars: 2 }]
    expect: [two above one, one above two]
`,
  'broken.yaml': `expect:
  - alpha over beta
  - alpha in top 0
  - alpha scores at least much
  - 5
exepct: []
cases: [{ name: x }]
`,
  'empty.yaml': 'expect: []\n',
  'none.yaml': '',
  'alone.yaml': 'cases: [{ candidates: [{ name: one, stars: 1 }], expect: [one in top 1] }]\n',
});

const NOW = ['--now', '2026-02-01'];

describe('assize expect', () => {
  it('reports success if all expectations hold', async () => {
    expect(await assize(['expect', 'good.yaml', './team.yaml', 'repos.json', ...NOW])).toEqual({
      code: 0,
      out: 'team: 12 of 12 expectations hold\n',
      err: '',
    });
  });

  it('reports failed expectations, with their places and the reasons', async () => {
    const { code, out, err } = await assize(['expect', 'bad.yaml', './team.yaml', 'repos.json']);
    expect(code).toBe(1);
    expect(out).toBe('team: 1 of 13 expectations hold\n');
    expect(err).toMatchSnapshot();
  });

  it('prints failures for GitHub workflows, and as JSON', async () => {
    const github = await assize(['expect', 'bad.yaml', './team.yaml', 'repos.json', '-f', 'github']);
    expect(github.code).toBe(1);
    expect(github.out.split('\n')[0]).toMatch(
      /^::error file=bad.yaml,line=3,col=5,title=ASZ543::expected beta above alpha; beta is 2nd with 0.4, alpha is 1st with .*%0A/,
    );
    const json = await assize(['expect', 'bad.yaml', './team.yaml', 'repos.json', '-f', 'json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      profile: 'team',
      checked: 13,
      failed: 12,
      failures: [
        { code: 'ASZ543', place: { file: 'bad.yaml', line: 3, column: 5 } },
        ...Array.from({ length: 11 }, () => ({})),
      ],
    });
  });

  it('needs no candidates if the file contains them', async () => {
    expect(await assize(['expect', 'alone.yaml', './team.yaml'], { stdin: '' })).toMatchObject({ code: 0 });
  });

  it.each([
    ['broken.yaml', ['./team.yaml', 'repos.json']],
    ['empty.yaml', ['./team.yaml', 'repos.json']],
    ['none.yaml', ['./team.yaml', 'repos.json']],
    ['nowhere.yaml', ['./team.yaml', 'repos.json']],
    ['good.yaml', ['./team.yaml']],
  ])('%s with %j is a reported mistake', async (file, args) => {
    const { code, err, out } = await assize(['expect', file, ...args]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.replaceAll(process.cwd(), 'HERE')).toMatchSnapshot();
  });
});
