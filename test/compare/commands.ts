import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../fuzz/random.js';
import { NOW, randomCandidates, randomProfile } from './random-profile.js';

const PRESETS = ['chat', 'context', 'interview', 'knowledgepulse', 'rag', 'tool-use'];
const ID = ['c0', 'c1', 'c2', 'nosuch'];

/** Writes the files that the command lines read: profiles that are valid, one that is not, and candidates in each format. */
export function writeFiles(folder: string, seed: number): void {
  const random = new Random(seed);
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (let i = 0; i < 12; i++) {
    let candidates = randomCandidates(random);
    while (candidates.length < 4) candidates = randomCandidates(random);
    write(`p${i}.json`, JSON.stringify(randomProfile(random)));
    write(`c${i}.json`, JSON.stringify(candidates));
    write(`c${i}.jsonl`, candidates.map((candidate) => JSON.stringify(candidate)).join('\n'));
    write(
      `c${i}.csv`,
      `id,f0,f1,f2,f3,kind\n${Array.from({ length: 8 }, (_, k) => `c${k},${k},${k / 2},${9 - k},0.${k},${'xyz'[k % 3]}`).join('\n')}\n`,
    );
  }
  write('bad.yaml', 'tier2_scorers:\n  - { id: a, expr: candidate.f0 +, weight: x }\n  - { id: a, clas: Nope }\n');
  write('bad.json', '[{ "id": 1 },\n { "id": ]');
  write(
    'judgements.jsonl',
    Array.from({ length: 8 }, (_, k) => JSON.stringify({ query: `q${k % 2}`, id: `c${k}`, grade: k % 3 })).join('\n'),
  );
}

/** A command line; the files of `writeFiles` are in the working directory. */
export function commandOf(seed: number, n: number): readonly string[] {
  const random = new Random(seed + Math.imul(n, 7919));
  const profile = (): string =>
    random.chance(0.08) ? './bad.yaml' : random.chance(0.02) ? './nosuch.yaml' : `./p${random.below(12)}.json`;
  const candidates = (): string =>
    random.chance(0.05)
      ? 'bad.json'
      : random.chance(0.02)
        ? 'nosuch.json'
        : `c${random.below(12)}.${random.pick(['json', 'jsonl', 'csv'])}`;
  const context = [
    '--context',
    '{"query":"red socks","limit":2,"strict":false,"turn_count":1}',
    '--now',
    new Date(NOW).toISOString(),
  ];
  const format = (): readonly string[] => (random.chance(0.7) ? ['--format', 'json'] : []);
  const limits = (): readonly string[] =>
    random.pick([[], ['--top', '3'], ['--min-score', '0.2'], ['--weight', 's0=2'], ['--top', 'x']]);
  return random.pick<() => readonly string[]>([
    () => ['rank', '--profile', profile(), candidates(), ...context, ...limits(), ...format()],
    () => ['rank', '--profile', profile(), candidates(), ...context, ...limits(), ...format()],
    () => ['score', '--profile', profile(), candidates(), ...context, ...format()],
    () => ['explain', '--profile', profile(), random.pick(ID), candidates(), ...context, ...format()],
    () => ['compare', '--profile', profile(), random.pick(ID), random.pick(ID), candidates(), ...context, ...format()],
    () => ['diff', profile(), profile(), candidates(), ...context, ...format()],
    () => ['check', profile(), ...random.pick([[], ['--format', 'json'], ['--format', 'github']])],
    () => ['list', ...random.pick([[], ['units'], ['codes'], ['DecayScorer'], ['Nope']]), ...format()],
    () => ['show', random.pick([...PRESETS, 'nosuch']), ...random.pick([[], ['--format', 'json']])],
    () => ['rank', '--profile', random.pick(PRESETS), candidates(), '--now', new Date(NOW).toISOString(), ...format()],
    () => ['evaluate', '--profile', profile(), candidates(), '--judgements', 'judgements.jsonl', ...format()],
    () => [
      random.pick(['rank', 'explain', 'frobnicate', 'tune', 'sql']),
      ...random.pick([['--nosuch'], ['--help'], []]),
    ],
  ])();
}

/** What a command line did: its exit status, the codes and places of its problems, and the numbers that it printed. */
export interface CommandOutcome {
  readonly status: number | null;
  readonly problems: readonly string[];
  readonly numbers: readonly string[];
}

const CODE = /ASZ\d{3}/g;
const PLACE = /[\w./-]+\.(?:json|jsonl|csv|yaml):\d+(?::\d+)?/g;
const NUMBER = /-?\d+\.\d+(?:e[+-]?\d+)?/gi;

/** Runs a command line with the build in `folder`. Help texts are prose, so only their exit status counts. */
export async function runCommand(build: string, folder: string, args: readonly string[]): Promise<CommandOutcome> {
  const child = spawn(process.execPath, [join(build, 'dist/bundle/cli.js'), ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const status = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  // A build may print a number twice.
  const found = (pattern: RegExp, text: string): readonly string[] => [...new Set(text.match(pattern))].sort();
  if (args.includes('--help') || (args[0] === 'list' && status === 0)) return { status, problems: [], numbers: [] };
  return { status, problems: [...found(CODE, stderr), ...found(PLACE, stderr)], numbers: found(NUMBER, stdout) };
}
