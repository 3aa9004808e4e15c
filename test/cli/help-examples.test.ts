import { mkdirSync, readFileSync, writeFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from './run-here.js';

const jsonl = REPOS.map((repo) => JSON.stringify(repo)).join('\n');
const trace = { id: 'trace-7', steps: [{ type: 'thought' }, { type: 'thought' }], outcome: { confidence: 1 } };

const films = [1, 2, 3, 4, 5, 6].map((id) => ({
  id,
  query: `q${id % 2}`,
  stars: id,
  clicks: id > 3 ? 1 : 0,
  task: 'a',
  metadata: { success: id > 1 },
}));
const runs = Array.from({ length: 24 }, (_, k) => ({
  id: `run ${k}`,
  stars: k,
  task: `task ${k % 6}`,
  metadata: { success: k % 4 > 1 },
}));
const queries = [{ id: 'q', candidates: films, judgements: { 1: 1, 2: 0 } }];
const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
const byStars = 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n';

const rules = ['too_young', 'bonus'].map((type) => ({
  conditions: { all: [{ fact: 'age', operator: 'lessThan', value: 18 }] },
  event: { type },
}));

inFolder({
  'rules.json': JSON.stringify(rules),
  'search.json': '{"query":{"function_score":{"query":{"match_all":{}},"field_value_factor":{"field":"stars"}}}}',
  'mine.yaml': byStars,
  'old.yaml': byStars,
  'new.yaml': 'tier2_scorers: [{ id: stars, expr: -candidate.stars }]\n',
  'films.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.stars }, { id: few, expr: 1 - candidate.stars }]\n',
  // No model answers at this address, which the report says.
  'judged.yaml':
    "plugins: [rerank]\ntier2_scorers: [{ id: good, class: RubricScorer, params: { model: { name: tiny, base_url: 'http://127.0.0.1:1/' }, rubric: Be strict., text: text, retries: 0 } }]\n",
  'graded.jsonl': lines([{ id: 'a', text: 'It costs 3 euros.', grade: 4 }]),
  'repos.yaml': TEAM,
  'golden.yaml': 'expect: [alpha above beta, gamma refused by archived]\n',
  'films.csv': `id,query,stars,clicks\n${films.map(({ id, query, stars, clicks }) => [id, query, stars, clicks].join(',')).join('\n')}\n`,
  'candidates.jsonl': lines(films),
  'runs.jsonl': lines(runs),
  'queries.jsonl': lines(queries),
  'qrels.txt': 'q1 0 1 1\nq1 0 3 0\nq0 0 2 1\n',
  'team.yaml': TEAM,
  'my-profile.yaml': TEAM,
  'export.csv': 'id,price\na,3\nb,N/A\nc,5\n',
  'movies.yaml': 'candidate: { id: Title }\ntier2_scorers: [{ id: rating, expr: candidate.rating / 10 }]\n',
  'movies.json': '[{"Title":"Toy Story","rating":8.3},{"Title":"Heat","rating":8.2}]',
  'repos.json': JSON.stringify(REPOS),
  'repos.jsonl': jsonl,
  'traces.jsonl': [trace, { ...trace, id: 'trace-9' }].map((one) => JSON.stringify(one)).join('\n'),
  'conversation.json': '[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is my order?"}]',
  'items.jsonl': JSON.stringify({ id: 'm1', kind: 'Message', content: 'Where is my order?', timestamp: 1, tokens: 5 }),
});

/** These do not end: the tests of their packages run them. */
const SERVERS = /^assize (?:lsp|mcp|serve|studio)\b/;

/** The examples in the help of each command. */
async function examples(): Promise<string[]> {
  const { out } = await assize(['--help']);
  const verbs = [...out.slice(out.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, verb = '']) => verb);
  const others = ['help', 'jobs']; // those of jobs need a Redis: plugins/@assize/jobs/test runs them
  const helps = await Promise.all(
    verbs.filter((verb) => !others.includes(verb)).map(async (verb) => (await assize([verb, '--help'])).out),
  );
  return helps.flatMap((help) => {
    const found = help.slice(help.indexOf('Examples:')).match(/^ {2}assize .*$/gm) ?? [];
    expect(found.length, help).toBeGreaterThan(0);
    return found.map((line) => line.trim());
  });
}

/** Runs a line as a shell would, with the few features that the examples use. */
async function shell(line: string): Promise<{ code: number; err: string; out: string }> {
  const [command = ''] = line.split(' | '); // the reader of the pipe sees the same output
  const input = / < (\S+)/.exec(command)?.[1];
  const output = / > (\S+)/.exec(command)?.[1];
  const words = command.replace(/ [<>] \S+/g, '').match(/'[^']*'|\S+/g) ?? [];
  const args = words.slice(1).map((word) => word.replace(/^'(.*)'$/, '$1'));
  const said = await assize(args, input === undefined ? {} : { stdin: readFileSync(input, 'utf8') });
  if (output !== undefined) writeFileSync(output, said.out);
  return said;
}

describe('the examples of the help', () => {
  it('all run', async () => {
    for (const folder of ['packs', 'profiles']) mkdirSync(folder, { recursive: true });
    const commands = (await examples()).filter((line) => !SERVERS.test(line));
    expect(commands.length).toBeGreaterThan(15);
    for (const line of commands) {
      // oxlint-disable-next-line no-await-in-loop -- some write files that others read
      if (line.startsWith('assize init ')) rmSync('films.yaml', { force: true }); // an example of new writes it, too
      const { code, out, err } = await shell(line);
      const fine = /^assize (?:tune|ask) /.test(line) ? [0, 3] : [0]; // six films show no gain
      const wrong = fine.includes(code) ? /error ASZ.*/.exec(err)?.[0] : err;
      expect({ line, wrong }).toEqual({ line, wrong: undefined });
      expect(out, line).not.toBe('');
    }
  });
});
