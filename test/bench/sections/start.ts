import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import { measure, type Subject } from '../measure.js';
import type { Section } from '../section.js';

const MILLISECOND = 1e6;
const root = packageRoot();
export const MAIN = join(root, 'dist', 'bundle', 'cli.js');

/** The first example of the README. */
const REPOS_YAML = `tier1_scorers: [{ id: archived, expr: candidate.archived }]
tier2_scorers:
  - { id: popularity, expr: 'min(candidate.stars / 1000, 1)', weight: 3 }
  - { id: fresh, class: DecayScorer, params: { field: pushed_at, curve: { type: exponential, half_life: 30d } } }
`;
const REPOS_JSON = JSON.stringify([
  { id: 'compass', stars: 850, archived: false, pushed_at: '2026-05-30' },
  { id: 'atlas', stars: 2400, archived: true, pushed_at: '2024-01-09' },
  { id: 'sextant', stars: 310, archived: false, pushed_at: '2026-05-02' },
  { id: 'astrolabe', stars: 1900, archived: false },
]);

const script = (text: string): readonly string[] => ['--input-type=module', '-e', text];
const PIPELINE = `import { createPipeline } from 'assize';
await createPipeline({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });`;

/** A whole process. @throws Error if it fails or its output is not the expected one */
function run(args: readonly string[], cwd: string, expected: string): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (status === 0 && stdout.includes(expected)) return;
  throw new Error(`node ${args.join(' ')} exits with ${status}: ${stderr || stdout}`);
}

export const start: Section = {
  name: 'start',
  title: 'The start of a process',
  about: `Each row is a process, from its start to its end, compared with one of Node that does nothing. Embedders, language models,
worker threads and readers load only if a profile needs them.`,
  async *run(effort) {
    if (!existsSync(MAIN)) throw new Error('there is no dist: npm run build');
    const folder = mkdtempSync(join(tmpdir(), 'assize-'));
    try {
      writeFileSync(join(folder, 'repos.yaml'), REPOS_YAML);
      writeFileSync(join(folder, 'repos.json'), REPOS_JSON);
      const nothing = 'node -e 0';
      const rank = [MAIN, 'rank', '--profile', './repos.yaml', 'repos.json', '--now', '2026-06-01'];
      const subjects: readonly Subject[] = [
        { name: nothing, per: 1, pass: () => run(['-e', '0'], root, '') },
        { name: "import 'assize'", per: 1, pass: () => run(script("import 'assize';"), root, '') },
        { name: 'createPipeline of one scorer', per: 1, pass: () => run(script(PIPELINE), root, '') },
        { name: 'assize --help', per: 1, pass: () => run([MAIN, '--help'], root, 'Usage') },
        { name: 'assize rank, the first example', per: 1, pass: () => run(rank, folder, 'compass') },
      ];
      // A turn is one process: its cold start is what is measured.
      const times = await measure(subjects, { ...effort, rounds: Math.min(effort.rounds, 11), millis: 0 });
      const work = 'A process';
      for (const { name } of subjects) {
        const result = times.result(work, name, 'process', ...(name === nothing ? [] : [nothing]));
        yield name === 'assize --help' ? { ...result, goal: { atMost: 150 * MILLISECOND, of: 'amount' } } : result;
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
