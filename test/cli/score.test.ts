import { describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/program.js';
import { createOutput } from '../../src/cli/terminal/io.js';
import { PATIENCE_MS } from '../patience.js';
import { assize, inFolder, REPOS, TEAM } from './run-here.js';

inFolder({
  'team.yaml': TEAM,
  'repos.json': JSON.stringify(REPOS),
  'repos.jsonl': REPOS.map((repo) => JSON.stringify(repo)).join('\n'),
  'repos.csv': 'name,stars,pushed_at\nalpha,900,2026-01-01\nbeta,400,\n',
  'bad.jsonl': '{"name":"a","stars":1}\n{"name":\n{"name":"b","stars":2}\n[1]\n',
  'scaled.yaml': `candidate: { id: name, pinned: candidate.?stars.orValue(0) > 4000 }
tier2_scorers: [{ id: scaled, class: ScaledScorer, params: { scorer: { expr: candidate.stars } } }]`,
  'failing.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.stars, on_error: fail }]',
  'seen.yaml': `tier2_scorers:
  - { id: novelty, class: NoveltyScorer, params: { vector: v, max_elements: 10 }, memory: ./seen.bin, on_absent: 1 }`,
  'typo.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.strs }]',
});

const team = ['score', '--profile', './team.yaml', '--now', '2026-01-01'];

describe('assize score', () => {
  it('prints a row for each candidate, in the order of the input', async () => {
    const { code, out, err } = await assize([...team, 'repos.json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "team: 5 candidates, 1 refused

      id                                        score
      ─────────────────────────────────────────────────────────────────────────────
      alpha                                     0.925
      beta                                      0.400  on 1 of 2 scorers
      gamma                                         –  archived: candidate.archived
      a-repository-with-a-…han-any-table-likes  0.215
      delta                                     0.023
      "
    `);
  });

  it('prints the rows as JSON, and one row per line', async () => {
    const json = await assize([...team, 'repos.jsonl', '--format', 'json']);
    expect(json.out).toMatchInlineSnapshot(`
      "[
      {"id":"alpha","index":0,"score":0.925,"scores":{"popularity":0.9,"freshness":1},"weights":{"popularity":0.75,"freshness":0.25},"contributions":{"popularity":0.675,"freshness":0.25}},
      {"id":"beta","index":1,"score":0.4,"partial":{"present":1,"of":2},"scores":{"popularity":0.4,"freshness":null},"states":{"freshness":"absent"},"weights":{"popularity":1,"freshness":null},"contributions":{"popularity":0.4,"freshness":null}},
      {"id":"gamma","index":2,"score":null,"kind":"veto","by":"archived","reason":"candidate.archived"},
      {"id":"a-repository-with-a-name-that-is-longer-than-any-table-likes","index":3,"score":0.215,"scores":{"popularity":0.12,"freshness":0.5},"weights":{"popularity":0.75,"freshness":0.25},"contributions":{"popularity":0.09,"freshness":0.125}},
      {"id":"delta","index":4,"score":0.02255437614246462,"scores":{"popularity":0.03,"freshness":0.00021750456985848138},"weights":{"popularity":0.75,"freshness":0.25},"contributions":{"popularity":0.0225,"freshness":0.000054376142464620344}}
      ]
      "
    `);
    const lines = await assize([...team, 'repos.jsonl', '--format', 'jsonl']);
    expect(
      lines.out
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual(JSON.parse(json.out));
    const whole = await assize([...team, 'repos.jsonl', '--format', 'jsonl', '--candidates']);
    expect(JSON.parse(whole.out.split('\n')[2] ?? '')).toMatchObject({ id: 'gamma', candidate: REPOS[2] });
  });

  it('reads CSV, and standard input', async () => {
    const csv = await assize([...team, 'repos.csv', '--format', 'jsonl']);
    expect(csv.out).toMatchInlineSnapshot(`
      "{"id":"alpha","index":0,"score":0.925,"scores":{"popularity":0.9,"freshness":1},"weights":{"popularity":0.75,"freshness":0.25},"contributions":{"popularity":0.675,"freshness":0.25}}
      {"id":"beta","index":1,"score":0.4,"partial":{"present":1,"of":2},"scores":{"popularity":0.4,"freshness":null},"states":{"freshness":"absent"},"weights":{"popularity":1,"freshness":null},"contributions":{"popularity":0.4,"freshness":null}}
      "
    `);
    expect((await assize([...team, '--format', 'json'], { stdin: '' })).out).toBe('[]\n');
  });

  it.each(['table', 'json', 'jsonl'])('scores the valid lines, and reports the invalid ones: %s', async (format) => {
    expect(await assize([...team, 'bad.jsonl', '--format', format])).toMatchSnapshot();
  });

  it('reads all candidates if an entry needs all of them', async () => {
    const args = ['score', '-p', './scaled.yaml', '--format', 'jsonl'];
    const { out } = await assize([...args, 'repos.json']);
    expect(out).toMatchInlineSnapshot(`
      "{"id":"alpha","index":0,"score":1,"scores":{"scaled":1},"weights":{"scaled":1},"contributions":{"scaled":1}}
      {"id":"beta","index":1,"score":0.42528735632183906,"scores":{"scaled":0.42528735632183906},"weights":{"scaled":1},"contributions":{"scaled":0.42528735632183906}}
      {"id":"gamma","index":2,"score":null,"because":"pinned"}
      {"id":"a-repository-with-a-name-that-is-longer-than-any-table-likes","index":3,"score":0.10344827586206896,"scores":{"scaled":0.10344827586206896},"weights":{"scaled":1},"contributions":{"scaled":0.10344827586206896}}
      {"id":"delta","index":4,"score":0,"scores":{"scaled":0},"weights":{"scaled":1},"contributions":{"scaled":0}}
      "
    `);
    const bad = await assize([...args, 'bad.jsonl']);
    expect(bad).toMatchObject({ code: 1, out: '' });
    expect(bad.err).toContain('2 problems');
  });

  it('reports failures, and fields that no candidate has', async () => {
    expect(await assize(['score', '-p', './typo.yaml', 'repos.json', '--format', 'jsonl'])).toMatchSnapshot('absent');
    const stdin = '{"id":"a","stars":1}\n{"id":"b","stars":"many"}';
    expect(await assize(['score', '-p', './failing.yaml', '--format', 'jsonl'], { stdin })).toMatchSnapshot('failed');
  });

  it('with a memory writes rows while the input is read, and compares each with the ones before it', async () => {
    let out = '';
    const output = { write: (text: string) => void (out += text) };
    async function* stdin(): AsyncGenerator<string> {
      yield '{"id":"a","v":[1,0]}\n{"id":"b","v":[0,1]}\n';
      await vi.waitUntil(() => out.includes('"b"'), { timeout: PATIENCE_MS }); // fails if all of the input is read first
      yield '{"id":"c","v":[1,0]}\n';
    }
    const err = createOutput({ write: () => {} }, {});
    const io = {
      stdin: stdin(),
      interactive: false,
      out: createOutput(output, {}),
      err,
      env: {},
      folder: process.cwd(),
    };
    const args = ['score', '-p', './seen.yaml', '--format', 'jsonl', '--input', 'jsonl'];
    expect(await runCommandLine(args, io)).toBe(0);
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; score: number });
    expect(rows.map(({ id, score }) => [id, score])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 0],
    ]);
    const again = await assize(args, { stdin: '{"id":"d","v":[0,1]}' });
    expect(JSON.parse(again.out)).toMatchObject({ id: 'd', score: 0 });
  });

  it('respects back-pressure: reads no faster than its output is read', async () => {
    let read = 0;
    async function* stdin(): AsyncGenerator<string> {
      const part = `${JSON.stringify({ name: 'x'.repeat(900), stars: 1 })}\n`.repeat(64);
      for (; read < 400; read++) yield part;
    }
    let drain: (() => void) | undefined;
    let written = 0;
    const out = {
      writableNeedDrain: false,
      write(text: string) {
        written += text.length;
        out.writableNeedDrain = true;
      },
      once(_event: 'drain', listener: () => void) {
        drain = listener;
      },
    };
    const err = createOutput({ write: () => {} }, {});
    const io = { stdin: stdin(), interactive: false, out: createOutput(out, {}), err, env: {}, folder: process.cwd() };
    const running = runCommandLine([...team, '--format', 'jsonl', '--input', 'jsonl'], io);
    const until = async (holds: () => boolean): Promise<void> => {
      while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
    };
    await until(() => drain !== undefined);
    const stood = read;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(read).toBe(stood);
    expect(read).toBeLessThan(100);
    const pump = setInterval(() => {
      out.writableNeedDrain = false;
      drain?.();
    }, 0);
    expect(await running).toBe(0);
    clearInterval(pump);
    expect(read).toBe(400);
    expect(written).toBeGreaterThan(400 * 64 * 900);
  });
});

describe('wrong usage of assize score', () => {
  it.each([
    ['no profile', ['score', 'repos.json']],
    ['no candidates', team],
    ['an unknown format', [...team, 'repos.json', '--format', 'csv']],
    ['a missing file', [...team, 'nowhere.jsonl']],
    ['a missing file, as JSON', [...team, 'nowhere.jsonl', '--format', 'json']],
  ])('%s', async (_, args) => {
    const { code, out, err } = await assize(args);
    expect({ code, out }).toEqual({ code: args.includes('nowhere.jsonl') ? 1 : 2, out: '' });
    expect(err.replaceAll(process.cwd(), 'HERE')).toMatchSnapshot();
  });
});
