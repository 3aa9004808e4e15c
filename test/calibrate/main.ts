import { writeFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Counts, Result } from './evaluate-cases.js';
import { SETTINGS } from './settings.js';

/**
 * `npm run calibrate`: how often intervals contain the truth, and how often verdicts are wrong, over simulated data sets.
 * Writes `calibration.md` beside the sources. Options: `--repetitions 1000`, `--only TEXT` (prints only), `--out FILE`.
 */

interface Task {
  readonly setting: number;
  readonly repetitions: number;
}

interface Done extends Task {
  readonly result: Result;
}

const { values } = parseArgs({
  options: {
    repetitions: { type: 'string', default: '1000' },
    only: { type: 'string' },
    workers: { type: 'string', default: '2' },
    out: { type: 'string' },
  },
  args: isMainThread ? process.argv.slice(2) : [],
});

/** Wilson's interval of a share, in percent. */
function monteCarlo(count: number, of: number): readonly [number, number] {
  const z2 = 1.96 ** 2;
  const share = count / of;
  const centre = (share + z2 / (2 * of)) / (1 + z2 / of);
  const half = (1.96 / (1 + z2 / of)) * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of));
  return [100 * (centre - half), 100 * (centre + half)];
}

const percent = (count: number, of: number): string => (of > 0 ? ((100 * count) / of).toFixed(1) : '–');

/** Whether a share is compatible with 93 to 99 %. */
const isCalibrated = (count: number, of: number): boolean => {
  const [low, high] = monteCarlo(count, of);
  return high >= 93 && low <= 99;
};

const header = (call: string): string => `
## ${call}

| setting | repetitions | covered, old | covered | value covered, old | value covered | better, old | better | worse, old | worse | too few | outside |
|---|---|---|---|---|---|---|---|---|---|---|---|`;

function row({ setting, repetitions, result: { before, after } }: Done): string {
  const { name, isNull, call } = SETTINGS[setting]!;
  const said = (counts: Counts): number => repetitions - counts.unsaid;
  const hasInterval = call !== 'interleaving';
  const hasValue = call.startsWith('evaluate');
  const most = 2.5 + 200 * Math.sqrt((0.025 * 0.975) / repetitions);
  const outside = [
    ...(hasInterval && call !== 'ask' && said(after) > 0 && !isCalibrated(after.covered, said(after))
      ? ['covered']
      : []),
    ...(hasValue && !isCalibrated(after.valueCovered, repetitions) ? ['value'] : []),
    ...(isNull && (100 * after.better) / repetitions > most ? ['better'] : []),
  ];
  const cells = [
    name,
    repetitions,
    ...(hasInterval ? [percent(before.covered, said(before)), percent(after.covered, said(after))] : ['', '']),
    ...(hasValue ? [percent(before.valueCovered, repetitions), percent(after.valueCovered, repetitions)] : ['', '']),
    ...(call === 'ask'
      ? ['', '', '', '']
      : [before.better, after.better, before.worse, after.worse].map((count) => percent(count, repetitions))),
    percent(after.unsaid, repetitions),
    outside.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

async function main(): Promise<void> {
  const repetitions = Number(values.repetitions);
  const wanted = SETTINGS.map((setting, k) => ({ setting, k })).filter(
    ({ setting }) => values.only === undefined || `${setting.call} ${setting.name}`.includes(values.only),
  );
  const tasks: Task[] = wanted
    .map(({ setting, k }) => ({ setting: k, repetitions: Math.max(1, Math.round(repetitions * setting.share)) }))
    .toSorted((a, b) => Number(SETTINGS[b.setting]!.call === 'tune') - Number(SETTINGS[a.setting]!.call === 'tune'));
  const started = performance.now();
  const done: Done[] = [];
  await Promise.all(
    Array.from({ length: Number(values.workers) }, async () => {
      const worker = new Worker(fileURLToPath(import.meta.url));
      for (let task = tasks.shift(); task; task = tasks.shift()) {
        // oxlint-disable-next-line no-await-in-loop -- a worker has one task at a time
        const result = await new Promise<Result>((resolve, reject) => {
          worker.removeAllListeners();
          worker.once('message', resolve);
          worker.once('error', reject);
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
          worker.postMessage(task);
        });
        done.push({ ...task, result });
        console.log(row(done.at(-1)!));
      }
      await worker.terminate();
    }),
  );
  const minutes = (performance.now() - started) / 60_000;
  const report = reportOf(
    done.toSorted((a, b) => a.setting - b.setting),
    minutes,
  );
  if (values.only === undefined || values.out !== undefined)
    writeFileSync(values.out ?? new URL('../../../test/calibrate/calibration.md', import.meta.url), report);
}

function reportOf(done: readonly Done[], minutes: number): string {
  const calls = [...new Set(done.map(({ setting }) => SETTINGS[setting]!.call))];
  const tables = calls.map((call) =>
    [header(call), ...done.filter(({ setting }) => SETTINGS[setting]!.call === call).map(row)].join('\n'),
  );
  return `# Calibration of intervals and verdicts

Written by \`npm run calibrate -- --repetitions ${values.repetitions}\` in ${minutes.toFixed(0)} minutes. Each row is a simulation with a known truth and fixed seeds. All shares are percentages of its repetitions:

- **covered**: how often the 95 % interval of the difference contains the true difference; with several comparisons, how often all of their intervals do.
- **value covered**: the same for the interval of one profile's own value.
- **better**, **worse**: how often the verdict is given. Without a gain or a signal, each is wrong.
- **too few**: how often no interval is printed.
- **outside**: what is not compatible with 93 to 99 % (covered, value), or with at most 2.5 % plus two standard errors (better).
- **old**: the percentile bootstrap, a permutation test that ignores groups, and Holm over bootstrap tails. For \`tune\`: the same interval without the correction for shared training data.
${tables.join('\n')}
`;
}

if (isMainThread) await main();
else {
  parentPort!.on('message', (task: Task) => {
    void Promise.resolve(SETTINGS[task.setting]!.run(task.repetitions, 1000 + task.setting)).then((result) =>
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      parentPort!.postMessage(result),
    );
  });
}
