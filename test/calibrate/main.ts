import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Counts, Result } from './evaluate-cases.js';
import { SETTINGS } from './settings.js';

/**
 * `npm run calibrate`: how often intervals contain the true value, and how often verdicts are wrong, over simulated
 * data sets. Writes `calibration.md` next to the sources. Options: `--repetitions 1000`, `--only TEXT` (prints only),
 * `--out FILE`, `--workers 2`, and `--keep FILE`, which stores the results of settings, so that an interrupted run can
 * continue.
 * `--report` runs nothing. It reports the stored results, and names the missing settings.
 */

interface Task {
  readonly setting: number;
  readonly repetitions: number;
}

interface Done extends Task {
  readonly result: Result;
  /** The processor time since the last setting. */
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    repetitions: { type: 'string', default: '1000' },
    only: { type: 'string' },
    workers: { type: 'string', default: '2' },
    out: { type: 'string' },
    keep: { type: 'string' },
    report: { type: 'boolean', default: false },
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

/** Reports a share that is not compatible with 93 to 99 %: the intervals are too narrow or too wide. */
function sideOf(name: string, count: number, of: number): readonly string[] {
  const [low, high] = monteCarlo(count, of);
  return high < 93 ? [`${name}: narrow`] : low > 99 ? [`${name}: wide`] : [];
}

type Method = keyof Result;
/** By method: the headers of its columns. */
const LABELS: Readonly<Record<Method, string>> = { before: ', old', reference: ', reference', after: '' };

interface Column {
  readonly head: string;
  readonly cell: (done: Done) => string;
}

/** One column per method of a call. */
const byMethod = (call: string, head: string, cell: (counts: Counts, repetitions: number) => string): Column[] =>
  (['before', ...(call === 'tune' ? (['reference'] as const) : []), 'after'] as const).map((method) => ({
    head: `${head}${LABELS[method]}`,
    cell: ({ result }) => {
      const counts = result[method];
      return counts ? cell(counts, counts.repetitions) : '';
    },
  }));

const covered = (counts: Counts, repetitions: number): string => percent(counts.covered, repetitions - counts.unsaid);

function columnsOf(call: string): readonly Column[] {
  const verdicts =
    call === 'ask'
      ? []
      : [
          ...byMethod(call, 'better', ({ better }, repetitions) => percent(better, repetitions)),
          ...byMethod(call, 'worse', ({ worse }, repetitions) => percent(worse, repetitions)),
        ];
  return [
    { head: 'setting', cell: ({ setting }) => SETTINGS[setting]!.name },
    { head: 'repetitions', cell: ({ repetitions }) => String(repetitions) },
    ...(call === 'interleaving' ? [] : byMethod(call, 'covered', covered)),
    ...(call.startsWith('evaluate')
      ? byMethod(call, 'value covered', ({ valueCovered }, repetitions) => percent(valueCovered, repetitions))
      : []),
    ...verdicts,
    { head: 'too few', cell: ({ result, repetitions }) => percent(result.after.unsaid, repetitions) },
    { head: 'outside', cell: outside },
  ];
}

function outside({ setting, repetitions, result: { after } }: Done): string {
  const { isNull, call } = SETTINGS[setting]!;
  const said = repetitions - after.unsaid;
  const isMeasured = call !== 'interleaving' && call !== 'ask' && said > 0;
  const most = 2.5 + 200 * Math.sqrt((0.025 * 0.975) / repetitions);
  return [
    ...(isMeasured ? sideOf('covered', after.covered, said) : []),
    ...(call.startsWith('evaluate') ? sideOf('value', after.valueCovered, repetitions) : []),
    ...(isNull && (100 * after.better) / repetitions > most ? ['better'] : []),
  ].join(', ');
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const row = (done: Done): string => lineOf(columnsOf(SETTINGS[done.setting]!.call).map(({ cell }) => cell(done)));

function tableOf(call: string, rows: readonly Done[]): string {
  const heads = columnsOf(call).map(({ head }) => head);
  return [`\n## ${call}\n`, lineOf(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(row)].join('\n');
}

async function main(): Promise<void> {
  const repetitions = Number(values.repetitions);
  const wanted = SETTINGS.map((setting, k) => ({ setting, k })).filter(
    ({ setting }) => values.only === undefined || `${setting.call} ${setting.name}`.includes(values.only),
  );
  const all: Task[] = wanted.map(({ setting, k }) => ({
    setting: k,
    repetitions: Math.max(1, Math.round(repetitions * setting.share)),
  }));
  const done: Done[] = values.report
    ? lastOfEach(kept())
    : kept().filter((one) => all.some((task) => isSame(task, one)));
  const tasks = (values.report ? [] : all)
    .filter((task) => !done.some((one) => isSame(task, one)))
    .toSorted((a, b) => Number(SETTINGS[b.setting]!.call === 'tune') - Number(SETTINGS[a.setting]!.call === 'tune'));
  let spent = secondsSpent();
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
        const [before, now] = [spent, secondsSpent()];
        spent = now;
        const one = { ...task, result, seconds: now - before };
        done.push(one);
        if (values.keep !== undefined) appendFileSync(values.keep, `${JSON.stringify({ ...one, ...nameOf(one) })}\n`);
        console.log(row(one));
      }
      await worker.terminate();
    }),
  );
  const report = reportOf(done.toSorted((a, b) => a.setting - b.setting));
  if (values.only === undefined || values.out !== undefined)
    writeFileSync(values.out ?? new URL('../../../test/calibrate/calibration.md', import.meta.url), report);
}

const secondsSpent = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;

/** The last result of each setting. */
const lastOfEach = (results: readonly Done[]): Done[] => [
  ...new Map(results.map((one) => [one.setting, one])).values(),
];

const nameOf = ({ setting }: Task) => ({ call: SETTINGS[setting]!.call, name: SETTINGS[setting]!.name });

const isSame = (a: Task, b: Task): boolean => a.setting === b.setting && a.repetitions === b.repetitions;

/** The results of an interrupted run whose settings are unchanged. */
function kept(): readonly Done[] {
  const { keep } = values;
  if (keep === undefined || !existsSync(keep)) return [];
  const lines = readFileSync(keep, 'utf8').split('\n').filter(Boolean);
  return lines
    .map((line): Done & ReturnType<typeof nameOf> => JSON.parse(line))
    .filter(({ setting, call, name }) => SETTINGS[setting]?.call === call && SETTINGS[setting].name === name);
}

function reportOf(done: readonly Done[]): string {
  const minutes = done.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
  const calls = [...new Set(done.map(({ setting }) => SETTINGS[setting]!.call))];
  const tables = calls.map((call) =>
    tableOf(
      call,
      done.filter(({ setting }) => SETTINGS[setting]!.call === call),
    ),
  );
  const missing = SETTINGS.filter((_, k) => !done.some(({ setting }) => setting === k));
  return `# Calibration of intervals and verdicts

Look up here how often intervals and verdicts of \`evaluate\` and \`tune\` are wrong. Written by \`npm run calibrate -- --repetitions ${values.repetitions}\` in ${minutes.toFixed(0)} minutes of processor time. Each row is a simulation with a known truth. All shares are percentages of its repetitions:

- **covered**: the 95 % interval of the difference (with several comparisons, each of them) contains the true difference.
- **value covered**: the same for the value of one profile.
- **better**, **worse**: the verdict. Without a gain or a signal, each is wrong.
- **too few**: no interval is printed.
- **outside**: not compatible with 93 to 99 % (narrow or wide intervals), or with at most 2.5 % plus two standard errors (better).
- **old** (of at most 200 repetitions): the percentile bootstrap, and tests that ignore groups and shared training data.
- **reference**: the old interval of \`tune\`, whose variance is multiplied by the constant (1.55; 1 for AUC) with which it covers 95 % in noise.
${missing.length > 0 ? `\nNot run:\n\n${missing.map(({ call, name }) => `- ${call}: ${name}`).join('\n')}\n` : ''}${tables.join('\n')}
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
