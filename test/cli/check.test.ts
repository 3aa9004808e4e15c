import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assize, inFolder, TEAM } from './run-here.js';

inFolder({
  'team.yaml': TEAM,
  'empty.yaml': '',
  'broken.yaml': `tier1_scorers: [{ id: old, class: TresholdVeto }]
tier2_scorers:
  - { id: stars, expr: 'min(candidate.stars / 1000, ', wieght: 3 }
`,
  'warned.yaml':
    'tier2_scorers:\n  - { id: stars, expr: candidate.stars, weight: 0 }\n  - { id: age, expr: candidate.age }\n',
  'named.yaml': `let: { free: candidate.size - used, used: candidate.used }
stats: { free: free }
tier2_scorers: [{ id: room, expr: free / stats.free.max }]
`,
  'tab.yaml': 'select:\n\ttop: 3\n',
});

describe('assize check', () => {
  it('summarises a valid profile', async () => {
    expect(await assize(['check', 'knowledgepulse'])).toEqual({
      code: 0,
      out: 'knowledgepulse: fine (2 measures, 4 scorers, 3 rules)\n',
      err: '',
    });
    expect((await assize(['check', 'team.yaml'])).out).toBe('team: fine (1 veto, 2 scorers)\n');
    expect((await assize(['check', 'named.yaml'])).out).toBe('named: fine (2 names, 1 statistic, 1 scorer)\n');
  });

  it.each(['broken.yaml', 'tab.yaml', 'empty.yaml', 'knowledgepluse', 'nowhere.yaml'])('%s', async (profile) => {
    const { code, out, err } = await assize(['check', profile]);
    const report = (out + err).replaceAll(process.cwd(), 'HERE');
    expect(`${report}exit code ${code}`).toMatchSnapshot();
  });
});

describe('assize check --format', () => {
  it.each(['json', 'github'])('%s reports the problems and their places', async (format) => {
    for (const profile of ['broken.yaml', 'warned.yaml', 'nowhere.yaml']) {
      const { code, out, err } = await assize(['check', profile, '--format', format]);
      expect({ profile, code, err }).toEqual({ profile, code: profile === 'warned.yaml' ? 0 : 1, err: '' });
      expect(out.replaceAll(process.cwd(), 'HERE')).toMatchSnapshot(profile);
    }
  });

  it('json lists the entries of a valid profile', async () => {
    const { code, out } = await assize(['check', 'team.yaml', '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      profile: 'team',
      valid: true,
      problems: [],
      entries: { vetoes: ['archived'] },
    });
    const named = await assize(['check', 'named.yaml', '--format', 'json']);
    expect(JSON.parse(named.out)).toMatchObject({ entries: { names: ['free', 'used'], statistics: ['free'] } });
  });

  it('json lists the fields that a profile reads, if it is known', async () => {
    writeFileSync('whole.yaml', 'tier2_scorers: [{ id: size, expr: size(candidate) }]');
    const reads = async (profile: string): Promise<unknown> => {
      const { out } = await assize(['check', profile, '--format', 'json']);
      return Reflect.get(JSON.parse(out) as object, 'reads');
    };
    expect(await reads('named.yaml')).toEqual(['id', 'size', 'used']);
    expect(await reads('./whole.yaml')).toBeUndefined();
  });

  it('github prints nothing for a valid profile', async () => {
    expect(await assize(['check', 'team.yaml', '--format', 'github'])).toEqual({ code: 0, out: '', err: '' });
  });

  it('github escapes line breaks and commas', async () => {
    writeFileSync('a,b%.yaml', 'tier2_scorers: [{ id: stars, exrp: candidate.stars }]\n');
    const { out } = await assize(['check', './a,b%.yaml', '--format', 'github']);
    for (const line of out.trimEnd().split('\n'))
      expect(line).toMatch(/^::error file=a%2Cb%25\.yaml,line=1,col=\d+,title=ASZ\d{3}::/);
  });
});

describe('the help', () => {
  it.each([
    ['--help'],
    ['rank', '--help'],
    ['score', '--help'],
    ['check', '--help'],
    ['show', '--help'],
    ['list', '--help'],
  ])('%s %s', async (...args) => {
    const { code, out, err } = await assize(args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchSnapshot();
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('shows the version', async () => {
    expect((await assize(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('assize check --data', () => {
  it('adds what the scores of candidates show', async () => {
    writeFileSync('same.json', '[{ "id": "a", "stars": 5 }, { "id": "b", "stars": 5 }]');
    writeFileSync('stars.yaml', 'tier2_scorers: [{ id: stars, expr: candidate.stars }]');
    const { code, out, err } = await assize(['check', './stars.yaml', '--data', 'same.json']);
    expect({ code, out }).toEqual({ code: 0, out: 'stars: fine, with 1 warning (1 scorer)\n' });
    expect(err).toContain('ASZ714 stars gave all 2 candidates the same number: 5');
    const json = await assize(['check', './stars.yaml', '--data', 'same.json', '--format', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ valid: true, problems: [{ code: 'ASZ714' }] });
  });
});
