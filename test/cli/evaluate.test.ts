import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { measureRun, parseMeasure, readQrels, readRun } from '@assize/evaluate';
import { assize, inFolder } from './run-here.js';

const QUERIES = 24;
const rows = Array.from({ length: QUERIES }, (_, q) =>
  ['a', 'b', 'c'].map((id, k) => ({
    q: `query ${q}`,
    id: `${id}${q}`,
    text: (k + q) % 3,
    votes: (k * 7 + q) % 5,
    clicks: k === q % 3 ? 3 : k === 2 ? 1 : 0,
    by: `person ${q % 4}`,
  })),
).flat();
const GOOD = 'candidate.id.contains("a") ? 1.0 : 0.0';

inFolder({
  'films.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
  'qrels.txt': rows.map(({ q, id, clicks }) => `${q.replace(' ', '_')} 0 ${id} ${clicks}`).join('\n'),
  'spaced.jsonl': rows.map((row) => JSON.stringify({ ...row, q: row.q.replace(' ', '_') })).join('\n'),
  'text.yaml': 'tier2_scorers: [{ id: text, expr: candidate.text }]\n',
  'votes.yaml':
    'tier1_scorers: [{ id: none, expr: candidate.votes == 0 }]\ntier2_scorers: [{ id: votes, expr: candidate.votes }, { id: text, expr: candidate.text }]\n',
  'cheat.yaml': `tier2_scorers:\n  - { id: cheat, expr: candidate.clicks }\n  - { id: good, expr: '${GOOD}' }\n`,
});

const group = ['--group', 'q'];

describe('assize evaluate', () => {
  it('compares profiles by judgements, and shows what moved', async () => {
    const { code, out, err } = await assize([
      'evaluate',
      'text.yaml',
      './votes.yaml',
      '--judgments',
      'qrels.txt',
      '--group=q',
      '-m',
      'nDCG@2',
      '-m',
      'mrr',
      'spaced.jsonl',
    ]);
    expect(code).toBe(0);
    expect(err).toContain('ASZ750 votes refuses 8 of 40 relevant candidates, and they count as missed: none 8');
    expect(out).toMatchSnapshot();
  });

  it('prints the same as JSON, with every query', async () => {
    const args = [
      'evaluate',
      'text.yaml',
      'votes.yaml',
      'films.jsonl',
      ...group,
      '-l',
      'clicks',
      '-f',
      'json',
      '--ablate',
    ];
    const { code, out } = await assize([...args, '--group-by', 'by', '--samples', '500']);
    const report = JSON.parse(out) as Record<string, never>;
    expect(code).toBe(0);
    expect(Object.keys(report)).toEqual([
      'data',
      'measures',
      'queries',
      'profiles',
      'differences',
      'smallest',
      'warnings',
      'moved',
      'ablations',
    ]);
    expect(report['data']).toEqual({
      file: 'films.jsonl',
      queries: 24,
      candidates: 72,
      judged: 72,
      relevant: 40,
      groups: 4,
    });
    expect(report).toMatchObject({
      measures: ['nDCG@10', 'RR'],
      profiles: [{ profile: 'text' }, { profile: 'votes' }],
    });
    expect(report['queries']).toHaveLength(24);
    expect((await assize([...args, '--group-by', 'by', '--samples', '500'])).out).toBe(out);
  });

  it('writes runs that trec_eval measures the same', async () => {
    const { out } = await assize([
      'evaluate',
      'votes.yaml',
      'spaced.jsonl',
      ...group,
      '-j',
      'qrels.txt',
      '-m',
      'P@1',
      '-f',
      'json',
      '--run-out',
      'runs/here',
    ]);
    const run = readRun(readFileSync('runs/here/votes.run', 'utf8'), 'votes.run');
    const { means } = measureRun(
      run,
      readQrels(readFileSync('qrels.txt', 'utf8'), 'qrels.txt'),
      [parseMeasure('P@1')],
      true,
    );
    const report = JSON.parse(out) as { profiles: { values: { mean: number }[] }[] };
    expect(run.size).toBe(24);
    expect(means['P@1']).toBeCloseTo(report.profiles[0]!.values[0]!.mean, 1);
  });

  it('measures labels without queries', async () => {
    const { code, out } = await assize([
      'evaluate',
      'text.yaml',
      'votes.yaml',
      '-l',
      'clicks',
      '--samples',
      '200',
      'films.jsonl',
    ]);
    expect(code).toBe(0);
    expect(out).toContain('films.jsonl: 72 candidates, 72 judged, 40 positive');
    expect(out).toMatch(/profile +tau +rho/);
  });

  it('rejects a profile that reads the label, with its place', async () => {
    const { code, out, err } = await assize([
      'evaluate',
      'text.yaml',
      'cheat.yaml',
      ...group,
      '-l',
      'clicks',
      'films.jsonl',
    ]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.replaceAll(process.cwd(), 'HERE')).toMatchInlineSnapshot(`
      "cheat.yaml:2:5 error ASZ540 cheat reads clicks, but the profile is measured by clicks
        2 |   - { id: cheat, expr: candidate.clicks }
          |     ^
        a profile that reads its label cannot be evaluated: extend it by extends: [cheat.yaml] and disable { id: cheat, enabled: false }
      "
    `);
  });

  it.each([
    [['votes.yaml'], 2, 'expected one or more profiles, and last the candidates'],
    [[], 2, '<profiles-and-file> is missing'],
    [['votes.yaml', 'votes.yaml', 'films.jsonl'], 2, 'the profile votes.yaml is given twice: remove one'],
    [['votes.yaml', 'text.yaml'], 2, 'text.yaml is YAML, and candidates are'],
    [['votes.yaml', 'films.jsonl', '-g', 'q', '-l', 'clicks', '-m', 'nGCD'], 1, 'did you mean nDCG?'],
    [['votes.yaml', 'films.jsonl', '-g', 'q', '-l', 'clicks', '-m', 'P@0'], 1, 'the cut of P@0 is 0'],
    [['votes.yaml', 'films.jsonl', '-g', 'q'], 1, 'nothing is judged'],
    [['votes.yaml', 'films.jsonl', '-l', 'clicks', '--run-out', 'runs'], 2, '--run-out needs queries'],
    [
      ['votes.yaml', 'films.jsonl', '-g', 'q', '-l', 'clicks', '--run-out', 'text.yaml/x'],
      1,
      'cannot write text.yaml/x',
    ],
    [['votes.yaml', 'films.jsonl', '--relevant-from', 'x'], 2, '--relevant-from: expected a number, found "x"'],
  ])('%j ends with %d', async (args, expected, message) => {
    const { code, err } = await assize(['evaluate', ...args]);
    expect({ code, err }).toEqual({ code: expected, err: expect.stringContaining(message) });
  });

  it('writes a page without external resources', async () => {
    const { code } = await assize([
      'evaluate',
      'text.yaml',
      'votes.yaml',
      ...group,
      '-l',
      'clicks',
      '--ablate',
      '--html',
      'out/report.html',
      'films.jsonl',
    ]);
    expect(code).toBe(0);
    const html = readFileSync('out/report.html', 'utf8');
    expect(html.match(/<svg/g)).toHaveLength(5); // two measures, the queries, two ablations
    expect(html).not.toMatch(/<(?:script|link|img|iframe)|@import|url\(/);
    expect(html.replaceAll('http://www.w3.org/', '')).not.toContain('http');
    expect(existsSync('report.html')).toBe(false);
  });
});
