import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from './run-here.js';

const jsonl = REPOS.map((repo) => JSON.stringify(repo)).join('\n');
const trace = { id: 'trace-7', steps: [{ type: 'thought' }, { type: 'thought' }], outcome: { confidence: 1 } };

inFolder({
  'team.yaml': TEAM,
  'my-profile.yaml': TEAM,
  'movies.yaml': 'candidate: { id: Title }\ntier2_scorers: [{ id: rating, expr: candidate.rating / 10 }]\n',
  'movies.json': '[{"Title":"Toy Story","rating":8.3},{"Title":"Heat","rating":8.2}]',
  'repos.json': JSON.stringify(REPOS),
  'repos.jsonl': jsonl,
  'traces.jsonl': [trace, { ...trace, id: 'trace-9' }].map((one) => JSON.stringify(one)).join('\n'),
  'items.jsonl': JSON.stringify({ id: 'm1', kind: 'Message', content: 'Where is my order?', timestamp: 1, tokens: 5 }),
});

/** These do not end: test/serve runs them. */
const SERVERS = /^assize (?:mcp|serve) /;

/** What the help says of each verb, with the examples in it. */
async function examples(): Promise<string[]> {
  const { out } = await assize(['--help']);
  const verbs = [...out.slice(out.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, verb = '']) => verb);
  const helps = await Promise.all(
    verbs.filter((verb) => verb !== 'help').map(async (verb) => (await assize([verb, '--help'])).out),
  );
  return helps.flatMap((help) => {
    const found = help.slice(help.indexOf('Examples:')).match(/^ {2}assize .*$/gm) ?? [];
    expect(found.length, help).toBeGreaterThan(0);
    return found.map((line) => line.trim());
  });
}

/** Runs a line as a shell would, as far as the examples need one. */
async function shell(line: string): Promise<{ code: number; err: string; out: string }> {
  const [command = ''] = line.split(' | '); // what reads it sees the same
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
    mkdirSync('packs', { recursive: true });
    const lines = (await examples()).filter((line) => !SERVERS.test(line));
    expect(lines.length).toBeGreaterThan(15);
    for (const line of lines) {
      // oxlint-disable-next-line no-await-in-loop -- some write what others read
      const { code, out, err } = await shell(line);
      expect({ line, code, wrong: /error ASZ/.exec(err)?.[0] }).toEqual({ line, code: 0, wrong: undefined });
      expect(out, line).not.toBe('');
    }
  });
});
