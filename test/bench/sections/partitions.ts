import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { createPipeline, type Pipeline, type ProfileInput } from 'assize';
import { stringify } from 'yaml';
import { runCommandLine } from '../../../src/cli/program.js';
import { measure, type Subject } from '../measure.js';
import type { Result } from '../result.js';
import type { Effort, Section } from '../section.js';

/** `ASSIZE_BENCH_GROUPS=1000000 npm run bench -- partitions` measures ten times as many. */
const GROUPS = Number(process.env['ASSIZE_BENCH_GROUPS'] ?? 100_000);
const PER_GROUP = 10;
const TOP = 3;

interface Row {
  readonly query_id: string;
  readonly id: string;
  readonly stars: number;
  readonly price: number;
  readonly archived: boolean;
}

const PROFILE: ProfileInput = {
  name: 'partitions',
  tier1_scorers: [{ id: 'archived', expr: 'candidate.archived' }],
  tier2_scorers: [
    { id: 'popularity', expr: 'min(candidate.stars / 1000, 1)', weight: 3 },
    { id: 'cheap', expr: '1 - candidate.price / 100' },
  ],
  select: { top: TOP },
};

const rowAt = (row: number): Row => ({
  query_id: `q${Math.floor(row / PER_GROUP)}`,
  id: `d${row}`,
  stars: (row * 7919) % 1003,
  price: (row * 31) % 97,
  archived: row % 13 === 0,
});

/** The score as the engine computes it. */
const scoreOf = ({ stars, price }: Row): number => Math.min(stars / 1000, 1) * 0.75 + (1 - price / 100) * 0.25;

/** A sum over everything that was selected, so that subjects can be compared. */
class Selection {
  rows = 0;
  sum = 0;

  add(id: string, rank: number, score: number): void {
    this.rows += 1;
    this.sum += score * rank + Number(id.slice(1)) * 1e-7;
  }

  get text(): string {
    return `${this.rows} ${this.sum.toFixed(4)}`;
  }
}

async function byPartitions(pipeline: Pipeline<Row>, rows: Iterable<Row>): Promise<string> {
  const found = new Selection();
  for await (const { ranking } of pipeline.rankPartitions(rows, {}, { by: 'query_id' }))
    for (const { id, rank = 0, score = 0 } of ranking.selected) found.add(id, rank, score);
  return found.text;
}

/** Collects a group, and ranks it when the next begins. */
function inLoop(rows: Iterable<Row>, best: (group: readonly Row[], found: Selection) => void): string {
  const found = new Selection();
  let group: Row[] = [];
  for (const row of rows) {
    if (group.length > 0 && row.query_id !== group[0]!.query_id) {
      best(group, found);
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) best(group, found);
  return found.text;
}

function bestByHand(group: readonly Row[], found: Selection): void {
  const scored = group.filter(({ archived }) => !archived).map((row) => ({ row, score: scoreOf(row) }));
  scored.sort((a, b) => b.score - a.score);
  for (const [k, { row, score }] of scored.slice(0, TOP).entries()) found.add(row.id, k + 1, score);
}

/** @throws Error if the answers differ */
async function checkAgree(subjects: readonly Subject[]): Promise<void> {
  const answers: unknown[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
  for (const { pass } of subjects) answers.push(await pass());
  if (new Set(answers).size > 1) throw new Error(`they select different rows: ${answers.join('; ')}`);
}

async function* inMemory(effort: Effort): AsyncGenerator<Result> {
  const groups = effort.of(10_000);
  const rows = Array.from({ length: groups * PER_GROUP }, (_, row) => rowAt(row));
  const [partitioned, pipeline] = [await createPipeline<Row>(PROFILE), await createPipeline<Row>(PROFILE)];
  const subjects: readonly Subject[] = [
    { name: 'rankPartitions', per: groups, pass: () => byPartitions(partitioned, rows) },
    {
      name: 'rankSync of each group',
      per: groups,
      pass: () =>
        inLoop(rows, (group, found) => {
          for (const { id, rank = 0, score = 0 } of pipeline.rankSync(group).selected) found.add(id, rank, score);
        }),
    },
    { name: 'by hand', per: groups, pass: () => inLoop(rows, bestByHand) },
  ];
  await checkAgree(subjects);
  const times = await measure(subjects, effort);
  const work = `${groups.toLocaleString('en-US')} groups of ${PER_GROUP} objects, the best ${TOP} of each`;
  yield { ...times.result(work, 'rankPartitions', 'group', 'rankSync of each group'), goal: { atMost: 1.5 } };
  yield times.result(work, 'rankPartitions', 'group', 'by hand');
  yield times.result(work, 'by hand', 'group');
}

/** The best rows of each group by a window function. */
const windowQuery = (input: string, output: string): string => `COPY (
  SELECT query_id, id, rank, score, popularity AS score_popularity, cheap AS score_cheap,
    popularity * 0.75::DOUBLE AS contribution_popularity, cheap * 0.25::DOUBLE AS contribution_cheap
  FROM (
    SELECT *, row_number() OVER (PARTITION BY query_id ORDER BY score DESC, file_row_number) AS rank
    FROM (
      SELECT *, popularity * 0.75::DOUBLE + cheap * 0.25::DOUBLE AS score
      FROM (
        SELECT query_id, id, file_row_number, least(stars / 1000::DOUBLE, 1) AS popularity, 1 - price / 100::DOUBLE AS cheap
        FROM read_parquet('${input}', file_row_number = true) WHERE NOT archived)))
  WHERE rank <= ${TOP}) TO '${output}' (FORMAT parquet)`;

async function* ofFiles(effort: Effort): AsyncGenerator<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const file = (name: string): string => join(folder, name);
  try {
    const groups = effort.of(GROUPS);
    const rows = `SELECT 'q' || (r // ${PER_GROUP}) AS query_id, 'd' || r AS id, ((r * 7919) % 1003)::INTEGER AS stars, ((r * 31) % 97)::DOUBLE AS price, r % 13 = 0 AS archived FROM range(${groups * PER_GROUP}) t(r)`;
    await connection.run(`COPY (${rows}) TO '${file('rows.parquet')}' (FORMAT parquet)`);
    writeFileSync(file('profile.yaml'), stringify(PROFILE));
    const summed = async (name: string): Promise<string> => {
      const sum = `SELECT count(*) || ' ' || round(sum(score * rank + substr(id, 2)::BIGINT * 1e-7), 4) FROM '${file(name)}'`;
      return String((await connection.runAndReadAll(sum)).getRows()[0]![0]);
    };
    const subjects: readonly Subject[] = [
      { name: 'assize rank --partition-by', per: groups, pass: () => rankFile(file) },
      {
        name: 'DuckDB by hand',
        per: groups,
        pass: () => connection.run(windowQuery(file('rows.parquet'), file('hand.parquet'))),
      },
    ];
    for (const { pass } of subjects) await pass(); // oxlint-disable-line no-await-in-loop -- one after another
    const answers = [await summed('ranked.parquet'), await summed('hand.parquet')];
    if (answers[0] !== answers[1]) throw new Error(`they select different rows: ${answers.join('; ')}`);
    const times = await measure(subjects, { ...effort, rounds: Math.min(effort.rounds, 5) });
    const work = `${groups.toLocaleString('en-US')} groups of ${PER_GROUP} rows, Parquet to Parquet, the best ${TOP} of each`;
    yield times.result(work, 'assize rank --partition-by', 'group', 'DuckDB by hand');
    yield times.result(work, 'DuckDB by hand', 'group');
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  }
}

/** Runs the command in this process. */
async function rankFile(file: (name: string) => string): Promise<void> {
  const output = {
    write: () => {},
    drained: () => Promise.resolve(),
    columns: 80,
    limit: 80,
    colour: false,
    bars: false,
    terminal: false,
  };
  const options = ['--partition-by', 'query_id', '--output', file('ranked.parquet'), '--replace'];
  const code = await runCommandLine(['rank', '-p', file('profile.yaml'), file('rows.parquet'), ...options], {
    stdin: (async function* (): AsyncGenerator<string> {})(),
    interactive: false,
    out: output,
    err: output,
    env: {},
    folder: process.cwd(),
  });
  if (code !== 0) throw new Error(`assize rank ended with ${code}`);
}

export const partitions: Section = {
  name: 'partitions',
  title: 'The best of each group',
  about: `Groups of ten rows, ranked one by one. Objects in memory: \`rankPartitions\`, \`rankSync\` of each group, and a loop that has the same
arithmetic and sorts each group. From Parquet to Parquet: the command, which writes ranks, scores and contributions, and a window
query for DuckDB that writes the same, in one thread. All select the same rows.`,
  packages: ['@duckdb/node-api', 'hyparquet-writer'],
  patience: 10 * 60_000 * Math.max(1, GROUPS / 100_000),
  async *run(effort) {
    yield* inMemory(effort);
    yield* ofFiles(effort);
  },
};
