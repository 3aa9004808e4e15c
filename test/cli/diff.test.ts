import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from './run-here.js';

inFolder({
  'team.yaml': TEAM,
  'fresher.yaml': `extends: [./team.yaml]
tier1_scorers: [{ id: tiny, expr: candidate.stars < 50 }, { id: archived, enabled: false }]
tier2_scorers: [{ id: freshness, weight: 6, params: { null_timestamp_score: 0.1 } }]
`,
  'repos.json': JSON.stringify(REPOS),
  'context.yaml': 'mode: all\n',
  'wrong.yaml': 'tier2_scorers: [{ id: x, class: DecyScorer }]',
});

const profiles = ['diff', './team.yaml', './fresher.yaml'];
const now = ['--now', '2026-01-01'];

describe('assize diff', () => {
  it('shows the moved candidates, and the reasons', async () => {
    const { code, out, err } = await assize([...profiles, ...now, 'repos.json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "team → fresher: of 5 candidates, 2 moved, 1 entered the selection, 1 left it, 1
      newly refused, 1 no longer refused

        id                        rank           score
        gamma                     refused → 3rd
          selected now
        delta                     4th → refused
          tiny (veto): candidate.stars < 50
        beta                      2nd → 4th      0.4 → 0.2
          popularity −0.2667 (weight 1 → 0.3333)
          freshness +0.06667 (weight – → 0.6667)
          no longer selected: below the top
        a-repository…table-likes  3rd → 2nd      0.215 → 0.3733
          freshness +0.2083 (weight 0.25 → 0.6667)
          popularity −0.05 (weight 0.75 → 0.3333)
      "
    `);
  });

  it('reports that no candidate moved', async () => {
    const { out } = await assize(['diff', './team.yaml', './team.yaml', ...now, 'repos.json']);
    expect(out).toBe('team → team: 5 candidates, and none of them moved\n');
  });

  it('lists the requested number, and prints the tree as JSON', async () => {
    const args = [...profiles, '--context', 'context.yaml', '--top', '1'];
    const { out } = await assize([...args, 'repos.json']);
    expect(out).toContain('and 4 more');
    const json = await assize([...args, '--format', 'json', '-'], { stdin: JSON.stringify(REPOS) });
    expect(JSON.parse(json.out)).toMatchObject({
      before: { profile: 'team', refused: 1 },
      after: { profile: 'fresher' },
      counts: { given: 5, refused: 1, admitted: 1 },
      moves: [{}],
    });
  });

  it('uses colours on a terminal', async () => {
    const { out } = await assize([...profiles, ...now, 'repos.json'], { terminal: 80 });
    expect(out).toContain('\u001b[1mteam → fresher: ');
  });

  it.each([
    ['a profile is wrong', ['diff', './team.yaml', './wrong.yaml', 'repos.json'], 1, 'did you mean DecayScorer?'],
    ['there is one profile', ['diff', './team.yaml'], 2, 'ASZ601'],
    ['there are no candidates', ['diff', './team.yaml', './fresher.yaml'], 2, 'there are no candidates'],
    ['--top is 0', [...profiles, '--top', '0', 'repos.json'], 2, 'at least 1'],
  ])('reports that %s', async (_, args, code, message) => {
    const said = await assize(args);
    expect(said).toMatchObject({ code, out: '' });
    expect(said.err).toContain(message);
  });
});
