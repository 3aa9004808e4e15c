import { describe, expect, it } from 'vitest';
import { assize, inFolder, TEAM } from './run-here.js';

inFolder({
  'team.yaml': TEAM,
  'empty.yaml': '',
  'broken.yaml': `tier1_scorers: [{ id: old, class: TresholdVeto }]
tier2_scorers:
  - { id: stars, expr: 'min(candidate.stars / 1000, ', wieght: 3 }
`,
  'tab.yaml': 'select:\n\ttop: 3\n',
});

describe('assize check', () => {
  it('says what a good profile has', async () => {
    expect(await assize(['check', 'knowledgepulse'])).toEqual({
      code: 0,
      out: 'knowledgepulse: fine (2 measures, 4 scorers, 3 rules)\n',
      err: '',
    });
    expect((await assize(['check', 'team.yaml'])).out).toBe('team: fine (1 veto, 2 scorers)\n');
  });

  it.each(['broken.yaml', 'tab.yaml', 'empty.yaml', 'knowledgepluse', 'nowhere.yaml'])('%s', async (profile) => {
    const { code, out, err } = await assize(['check', profile]);
    const report = (out + err).replaceAll(process.cwd(), 'HERE');
    expect(`${report}exit code ${code}`).toMatchSnapshot();
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

  it('has the version', async () => {
    expect((await assize(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
