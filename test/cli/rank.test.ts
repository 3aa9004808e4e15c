import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from './run-here.js';

inFolder({
  'team.yaml': TEAM,
  'repos.json': JSON.stringify(REPOS),
  'repos.jsonl': REPOS.map((repo) => JSON.stringify(repo)).join('\n'),
  'strict.yaml': 'context: { turn: { type: int, required: true } }\ntier2_scorers: [{ id: one, expr: 1.0 + 0.0 }]',
  'turn.yaml': 'mood: fine\nturn: early\n',
  'turn.json': '{ "turn": 3 }',
  'list.yaml': '- 1\n',
  'failing.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.stars, on_error: fail }]',
  'strategies.yaml':
    'strategies: [{ id: ask, depth: 3 }, { id: close, depth: 1 }]\ntier2_scorers: [{ id: depth, expr: candidate.strategy.depth }]',
});

const team = ['rank', '--profile', './team.yaml', '--now', '2026-01-01'];

describe('assize rank', () => {
  it('prints the selected, and summarises the others', async () => {
    const { code, out, err } = await assize([...team, 'repos.json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "team: 5 candidates, 3 selected, 1 not selected, 1 refused

      #  id                                                score  scorers  popularity  freshness
                                                                                ×0.75      ×0.25
      ──────────────────────────────────────────────────────────────────────────────────────────
      1  alpha                                             0.925                0.900      1.000
      2  beta                                              0.400   1 of 2       0.400          –
      3  a-repository-with-a-name…er-than-any-table-likes  0.215                0.120      0.500

      Refused
        archived: 1
          gamma: candidate.archived

      Not selected
        below the top: 1
      "
    `);
  });

  it('fits the width of a terminal, and is not truncated otherwise', async () => {
    const narrow = await assize([...team, 'repos.json'], { terminal: 60, env: { NO_COLOR: '1' } });
    const lines = narrow.out.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    const wide = await assize([...team, 'repos.json']);
    expect(wide.out).toContain('popularity');
    expect(narrow.out).not.toContain('popularity');
  });

  it('selects the number of the best that the command line states', async () => {
    const { out } = await assize([...team, 'repos.jsonl', '--top', '1']);
    expect(out).toMatchInlineSnapshot(`
      "team: 5 candidates, 1 selected, 3 not selected, 1 refused

      #  id     score  popularity  freshness
                            ×0.75      ×0.25
      ──────────────────────────────────────
      1  alpha  0.925       0.900          1

      Refused
        archived: 1
          gamma: candidate.archived

      Not selected
        below the top: 3
      "
    `);
  });

  it('draws bars on a terminal, and uses colours unless NO_COLOR is set', async () => {
    const plain = await assize([...team, 'repos.json'], { terminal: 100, env: { NO_COLOR: '1' } });
    expect(plain.out).toMatchInlineSnapshot(`
      "team: 5 candidates, 3 selected, 1 not selected, 1 refused

      #  id                                                score            scorers  popularity  freshness
                                                                                          ×0.75      ×0.25
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      1  alpha                                             0.925 ████████▍                0.900      1.000
      2  beta                                              0.400 ███▋        1 of 2       0.400          –
      3  a-repository-with-a-name…er-than-any-table-likes  0.215 █▉                       0.120      0.500

      Refused
        archived: 1
          gamma: candidate.archived

      Not selected
        below the top: 1
      "
    `);
    const coloured = await assize([...team, 'repos.json'], { terminal: 100 });
    expect(coloured.out).toContain('\u001b[1mteam\u001b[22m: 5 candidates');
    expect(stripVTControlCharacters(coloured.out)).toBe(plain.out);
  });

  it('obeys FORCE_COLOR', async () => {
    const forced = await assize([...team, 'repos.json'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(forced.out).toContain('\u001b[');
    const refused = await assize([...team, 'repos.json'], { env: { FORCE_COLOR: '0' }, terminal: 100 });
    expect(refused.out).not.toContain('\u001b[');
  });

  it('prints warnings on standard error, after a complete ranking', async () => {
    const { code, out, err } = await assize([...team, '-'], {
      stdin: '{"name":"x","stars":1}\n{"name":"x","stars":2}',
    });
    expect(code).toBe(0);
    expect(out).toContain('2 selected');
    expect(err).toMatchInlineSnapshot(`
      "
      Warnings
        2 candidates have the id x: @0, @1 (ASZ711)
        archived: no candidate has archived (ASZ712)
        freshness: no candidate has pushed_at (ASZ712)
      "
    `);
  });

  it('explains above the table why nothing is ranked', async () => {
    const stdin = '{"name":"x","stars":1,"pushed_at":"2001/01/01 06:55"}\n{"name":"y","pushed_at":"2001/01/02"}';
    const { code, out, err } = await assize([...team, '-'], { stdin });
    expect(code).toBe(0);
    expect(out).toContain('2 candidates, 0 selected, 2 refused');
    expect(err).toMatchInlineSnapshot(`
      "team.yaml:5:5 warning ASZ721 nothing is ranked: freshness fails on 2 of 2 candidates, and refuses them; x: expected a time (milliseconds since 1970, ISO 8601 such as 2026-01-31T12:00:00Z, a Date), found the string "2001/01/01 06:55"; its format is "yyyy/MM/dd HH:mm", for date(x, format) or a param format
        5 |   - id: freshness
          |     ^
        fix the values that it reads, or set on_error: skip to ignore freshness, or a number to use instead

      Degraded
        freshness failed in score on 2 candidates; refused: expected a time
          (milliseconds since 1970, ISO 8601 such as 2026-01-31T12:00:00Z, a Date),
          found the string "2001/01/01 06:55"; its format is "yyyy/MM/dd HH:mm", for
          date(x, format) or a param format (1); expected a time (milliseconds since
          1970, ISO 8601 such as 2026-01-31T12:00:00Z, a Date), found the string
          "2001/01/02"; its format is "yyyy/MM/dd", for date(x, format) or a param
          format (1)

      Warnings
        archived: no candidate has archived (ASZ712)
      "
    `);
    const { warnings } = JSON.parse((await assize([...team, '-', '-f', 'json'], { stdin })).out) as {
      warnings: readonly { code: string }[];
    };
    expect(warnings[0]?.code).toBe('ASZ721');
  });

  it('generates candidates if none are given', async () => {
    const { code, out } = await assize(['rank', '-p', './strategies.yaml']);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "strategies: 2 candidates, 2 selected

      #  id           score  depth
      ────────────────────────────
      1  ask/ask          3      3
      2  close/close      1      1
      "
    `);
    const generated = await assize(['rank', '-p', './strategies.yaml', '--generate'], { stdin: '' });
    expect(generated.out).toBe(out);
    const silent = await assize(['rank', '-p', './strategies.yaml'], { stdin: '' });
    expect(silent.out).toBe(out);
    const none = await assize(['rank', '-p', './strategies.yaml'], { stdin: '[]' });
    expect(none.out).toContain('strategies: 0 candidates');
  });

  it('reads the context, and reports its mistakes with places', async () => {
    const strict = ['rank', '--profile', './strict.yaml', 'repos.json', '--context'];
    expect((await assize([...strict, 'turn.json'])).code).toBe(0);
    const wrong = await assize([...strict, 'turn.yaml']);
    expect(wrong).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "turn.yaml:2:7 error ASZ104 the context's turn is the string "early"; expected int
        2 | turn: early
          |       ^
        profile strict declares this field
      ",
        "out": "",
      }
    `);
    expect((await assize([...strict, 'list.yaml'])).err).toMatchInlineSnapshot(`
      "list.yaml:1:1 error ASZ104 the context is a list; expected a map
        1 | - 1
          | ^
      "
    `);
    expect((await assize(strict.slice(0, -1))).err).toMatchInlineSnapshot(`
      "context.turn error ASZ104 the context's turn is missing; expected int
        profile strict declares this field; pass the context with --context FILE
      "
    `);
  });

  it('reports a failed run, without a stack', async () => {
    const args = ['rank', '--profile', './failing.yaml', '-'];
    const stdin = '{"id":"a","stars":1}\n{"id":"b","stars":"many"}';
    expect(await assize(args, { stdin })).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "failing.yaml:1:17 error ASZ501 the score entry stars failed on b: expected a finite number as the score, found the string "many"
        1 | tier2_scorers: [{ id: stars, expr: candidate.stars, on_error: fail }]
          |                 ^
        to continue the run, set its on_error
      ",
        "out": "",
      }
    `);
    const { err } = await assize(args, { stdin, env: { ASSIZE_DEBUG: '1' } });
    expect(err).toMatch(/^ {4}at /m);
  });
});

describe('wrong usage of assize rank', () => {
  it.each([
    ['nothing', []],
    ['an unknown verb', ['rnak']],
    ['an unknown option', ['rank', '--porfile', 'x']],
    ['no profile', ['rank', 'repos.json']],
    ['no candidates', team],
    ['NaN', [...team, 'repos.json', '--top', 'NaN']],
    ['zero', [...team, 'repos.json', '--top', '0']],
    ['an invalid time', [...team, 'repos.json', '--now', 'yesterday']],
    ['a year in place of milliseconds', [...team, 'repos.json', '--now', '2026']],
    ['an unknown format', [...team, 'repos.json', '--format', 'xml']],
    ['two files', [...team, 'repos.json', 'repos.jsonl']],
    ['two sources', ['rank', '-p', './strategies.yaml', 'repos.json', '--generate']],
  ])('%s', async (_, args) => {
    const { code, out, err } = await assize(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatchSnapshot();
  });
});
