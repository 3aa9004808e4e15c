import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import { byEsbuild } from '../../bundling/bundlers.js';
import { CHROMIUM, inPage } from '../../bundling/chromium.js';
import { pageSize } from '../../bundling/page-size.js';
import type { Reweighings } from '../page/reweighing.js';
import type { Result } from '../result.js';
import type { Effort, Section } from '../section.js';
import { spread } from '../statistics.js';

const ROWS = 10_000;
const NANOS = 1_000_000;
/** Sixty times a second. */
const FRAME = (1000 / 60) * NANOS;

const size = (subject: string, bytes: number): Result => ({
  work: 'Loading `assize/browser`, minified and gzipped',
  subject,
  amount: spread([bytes]),
  unit: 'bytes',
  per: 'page',
});

/** Reweighs in Chromium, where generated code is forbidden. */
async function* reweigh(effort: Effort): AsyncIterable<Result> {
  const { rounds, millis } = effort;
  const rows = effort.of(ROWS);
  const program = `import { reweighings } from ${JSON.stringify(join(packageRoot(), 'test/bench/page/reweighing.ts'))};
globalThis.answer = reweighings(${rows}, ${rounds}, ${millis});`;
  const { code } = await byEsbuild(program, { project: packageRoot(), platform: 'browser', minify: true });
  const times = await inPage(code, undefined, (page) => page.evaluate<Reweighings>('globalThis.answer'));
  const work = `Reweighing ${rows.toLocaleString('en')} rows × 8 scorers and selecting ten, in Chromium without \`unsafe-eval\``;
  const amount = (millisOf: readonly number[]) => spread(millisOf.map((one) => one * NANOS));
  yield { work, subject: 'by hand', amount: amount(times.byHand), unit: 'ns', per: 'reweighing' };
  const ratio = { to: 'by hand', times: spread(times.ours.map((ours, k) => ours / (times.byHand[k] ?? Number.NaN))) };
  const goal = { of: 'amount', atMost: FRAME } as const;
  yield { work, subject: '`ranking.reweigh`', amount: amount(times.ours), unit: 'ns', per: 'reweighing', ratio, goal };
}

export const page: Section = {
  name: 'page',
  title: 'In a page',
  about: `\`assize/browser\` as esbuild bundles it: the size before the first pipeline, with it, with the first YAML profile, and with every
shipped plugin. And a slider: each step reweights a ranking and selects.`,
  packages: ['esbuild', 'playwright-core'],
  async *run(effort) {
    const { start, pipeline, yaml, all, oneFile } = await pageSize();
    yield size('before the first pipeline', start);
    yield size('and the engine', start + pipeline);
    yield size('and what reads YAML', start + pipeline + yaml);
    yield size('and every plugin', all);
    yield size('all in one file', oneFile);
    if (CHROMIUM !== undefined) yield* reweigh(effort);
  },
};
