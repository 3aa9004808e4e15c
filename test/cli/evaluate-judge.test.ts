/* assize evaluate --judge, with a model behind a real endpoint. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Reply, saysJson, serve } from '../services/language-model/chat-server.js';
import { assize, inFolder } from './run-here.js';

const rows = Array.from({ length: 20 }, (_, k) => ({
  q: `query ${k % 5}`,
  id: `a${k}`,
  text: `grade ${k % 4}`,
  grade: k % 4,
}));

inFolder({
  'rows.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
  'ungraded.jsonl': rows.map(({ id, text }) => JSON.stringify({ id, text })).join('\n'),
  'plain.yaml': 'tier2_scorers: [{ id: x, expr: "1" }]\n',
});

/** Grades a text by the number in it. */
const grades: Reply = (response, seen) => {
  const grade = Number(/grade (\d)/.exec(seen.body.messages.at(-1)!.content)?.[1]);
  saysJson({ grade, reason: 'it says so' })(response, seen);
};

/** Writes a profile with a judge at the address. */
function writeJudge(url: string): void {
  const model = `{ name: tiny, base_url: '${url}' }`;
  const params = `{ model: ${model}, rubric: 'Be strict.', text: text, price: 0.5, cache_folder: ./answers }`;
  writeFileSync(
    'judged.yaml',
    `plugins: [rerank]\ntier2_scorers:\n  - id: judged\n    class: RubricScorer\n    params: ${params}\n`,
  );
}

interface Printed {
  readonly judges: readonly { readonly cost: object; readonly measures: readonly { readonly aspect: string }[] }[];
}

describe('assize evaluate --judge', () => {
  it('measures a judge behind an endpoint, without the cache of the profile', async () => {
    const { url, seen } = await serve(grades);
    writeJudge(url);
    const args = ['evaluate', '--judge', './judged.yaml', '-g', 'q', '-l', 'grade', 'rows.jsonl', '-f', 'json'];
    const { code, out, err } = await assize(args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { judges } = JSON.parse(out) as Printed;
    expect(seen).toHaveLength(60);
    expect(judges[0]).toMatchObject({ id: 'judged', asked: 20, failed: 0, cost: { calls: 60, spend: 30 } });
    expect(judges[0]!.measures).toContainEqual(
      expect.objectContaining({ aspect: 'agreement', name: 'kappa', value: 1 }),
    );
  });

  it('without grades, says what is not measured', async () => {
    const { url } = await serve(grades);
    writeJudge(url);
    const { code, out } = await assize(['evaluate', '--judge', './judged.yaml', '--repeats', '3', 'ungraded.jsonl']);
    expect(code).toBe(0);
    expect(out).toMatch(/asked 3 times about 20 candidates/);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /Not measured: agreement: no candidate has a human grade \(same grade; kappa;/,
    );
    expect(out).toMatch(/Cost: 80 calls/);
  });

  it.each([
    [['--judge', './plain.yaml', 'rows.jsonl'], /ASZ556 .*has no judge/],
    [['--judge', './plain.yaml', './judged.yaml', 'rows.jsonl'], /--judge measures one profile/],
    [['--judge', '-m', 'AP', './plain.yaml', 'rows.jsonl'], /--judge cannot be combined with --measure/],
    [['--repeats', '2', './plain.yaml', 'rows.jsonl'], /--repeats needs --judge/],
  ])('rejects %j', async (args, message) => {
    const { code, err } = await assize(['evaluate', ...args]);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatch(message);
  });
});
