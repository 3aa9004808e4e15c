import type { Section } from '../section.js';
import { again } from './again.js';
import { columns } from './columns.js';
import { engines } from './engines.js';
import { evaluation } from './evaluation.js';
import { explain } from './explain.js';
import { fairness } from './fairness.js';
import { growth } from './growth.js';
import { page } from './page.js';
import { partitions } from './partitions.js';
import { preparedColumn } from './prepared.js';
import { profiles } from './profiles.js';
import { pruned } from './pruned.js';
import { queue } from './queue.js';
import { relative } from './relative.js';
import { serve } from './serve.js';
import { single } from './single.js';
import { sql } from './sql.js';
import { start } from './start.js';
import { studio } from './studio.js';
import { telemetry } from './telemetry.js';
import { tools } from './tools.js';
import { tuning } from './tuning.js';
import { vectors } from './vectors.js';
import { weighing } from './weighing.js';
import { workers } from './workers.js';

/** The parts of the report, in its order. */
export const SECTIONS: readonly Section[] = [
  engines,
  preparedColumn,
  growth,
  relative,
  explain,
  weighing,
  evaluation,
  tuning,
  single,
  profiles,
  pruned,
  again,
  vectors,
  start,
  workers,
  telemetry,
  columns,
  partitions,
  sql,
  queue,
  serve,
  fairness,
  tools,
  page,
  studio,
];
