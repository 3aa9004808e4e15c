import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { runCommandLine } from '../../src/cli/program.js';
import { createOutput } from '../../src/cli/terminal/io.js';
import { temporaryFolder } from '../temporary-folder.js';

interface CommandInput {
  /** The standard input; an interactive terminal if not given. */
  readonly stdin?: string | readonly (string | Uint8Array)[];
  readonly env?: Readonly<Record<string, string>>;
  /** Makes the output a terminal with this number of columns. */
  readonly terminal?: number;
}

interface CommandOutput {
  readonly code: number;
  /** Bytes are Latin-1. */
  readonly out: string;
  readonly err: string;
}

/** Runs `assize` in this process. */
export async function assize(
  args: readonly string[],
  { stdin, env = {}, terminal }: CommandInput = {},
): Promise<CommandOutput> {
  const output = { out: '', err: '' };
  const stream = (name: keyof typeof output) => ({
    write: (text: string | Uint8Array) => {
      output[name] += typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
    },
    ...(terminal !== undefined && { isTTY: true, columns: terminal }),
  });
  const code = await runCommandLine(args, {
    stdin: parts(typeof stdin === 'string' ? [stdin] : (stdin ?? [])),
    interactive: stdin === undefined,
    out: createOutput(stream('out'), env),
    err: createOutput(stream('err'), env),
    env,
    folder: process.cwd(),
  });
  if (code === undefined) throw new Error('another copy of Assize has taken over');
  return { code, ...output };
}

async function* parts<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}

/** Runs the tests of a file in their own folder, so that printed paths are short and constant. */
export function inFolder(files: Readonly<Record<string, string>>): void {
  const before = process.cwd();
  const folder = temporaryFolder('assize-cli-');
  beforeAll(() => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    process.chdir(folder);
  });
  afterAll(() => {
    process.chdir(before);
  });
}

/** Repositories, some with missing fields. */
export const REPOS = [
  { name: 'alpha', stars: 900, pushed_at: '2026-01-01', archived: false },
  { name: 'beta', stars: 400, archived: false },
  { name: 'gamma', stars: 5000, pushed_at: '2025-06-01', archived: true },
  { name: 'a-repository-with-a-name-that-is-longer-than-any-table-likes', stars: 120, pushed_at: '2025-12-02' },
  { name: 'delta', stars: 30, pushed_at: '2025-01-01' },
];

/** The profile that ranks them. */
export const TEAM = `candidate: { id: name }
tier1_scorers: [{ id: archived, expr: candidate.archived }]
tier2_scorers:
  - { id: popularity, expr: 'min(candidate.stars / 1000, 1)', weight: 3 }
  - id: freshness
    class: DecayScorer
    params: { field: pushed_at, curve: { type: exponential, half_life: 30d }, null_timestamp_score: abstain }
select: { top: 3 }
`;
