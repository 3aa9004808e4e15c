import type { StageMessage, TraceMessages } from '../../sdk/index.js';
import { followWork } from '../../services/node.js';
import { count, escapeInvisible, type TableColumn, tableText } from '../../base/index.js';
import { createStyler } from '../terminal/styler.js';
import type { Io, OutputStyle } from '../terminal/io.js';

type Kind = keyof TraceMessages;

/** How a kind of work is listed. Work with the same name shares a line. */
interface Listed<Message> {
  readonly depth: number;
  readonly name: (message: Message) => string;
  /** The number of candidates, when the work ended. */
  readonly candidates: (message: Message) => number | undefined;
}

const LISTED: { readonly [K in Kind]: Listed<TraceMessages[K]> } = {
  run: { depth: 0, name: ({ call }) => call, candidates: ({ candidates }) => candidates },
  stage: {
    depth: 1,
    name: (message) => stageName(message),
    candidates: ({ candidates }) => candidates,
  },
  prepare: { depth: 2, name: ({ entry }) => `prepare ${entry}`, candidates: ({ candidates }) => candidates },
  model: { depth: 3, name: ({ kind, model }) => `${kind} ${model}`, candidates: () => undefined },
};

/** `score`, or the stages of one loop: `fused (veto, score, combine)`. */
const stageName = ({ stage, stages }: StageMessage): string =>
  stage === 'fused' ? `fused (${stages.join(', ')})` : stage;

interface Line {
  readonly depth: number;
  readonly name: string;
  times: number;
  candidates: number | undefined;
  milliseconds: number;
}

/** The durations of the runs of this thread and of their parts. */
class Timings {
  /** In the order in which they first began, so that a part follows the work that contains it. */
  readonly #lines = new Map<string, Line>();
  readonly #stops = [this.#follow('run'), this.#follow('stage'), this.#follow('prepare'), this.#follow('model')];

  #follow<K extends Kind>(kind: K): () => void {
    const listed = LISTED[kind];
    const lineOf = (message: TraceMessages[K]): Line => {
      const name = listed.name(message);
      const line = this.#lines.get(`${kind} ${name}`) ?? {
        depth: listed.depth,
        name,
        times: 0,
        candidates: undefined,
        milliseconds: 0,
      };
      this.#lines.set(`${kind} ${name}`, line);
      return line;
    };
    return followWork(kind, {
      start: lineOf,
      end: (message, milliseconds) => {
        const line = lineOf(message);
        const candidates = listed.candidates(message);
        line.times += 1;
        line.milliseconds += milliseconds;
        if (candidates !== undefined) line.candidates = (line.candidates ?? 0) + candidates;
      },
    });
  }

  /** Whether no work began, because the verb failed before it. */
  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** A table. The shares of concurrent work can add up to more than 100%. */
  text({ colour }: OutputStyle): string {
    const lines = [...this.#lines.values()];
    const total = lines.reduce((sum, { depth, milliseconds }) => sum + (depth === 0 ? milliseconds : 0), 0);
    const right = (head: string, cell: (line: Line) => string): TableColumn => ({
      head,
      align: 'right',
      cells: lines.map(cell),
    });
    const columns: TableColumn[] = [
      {
        head: 'timings',
        align: 'left',
        cells: lines.map(({ depth, name }) => '  '.repeat(depth) + escapeInvisible(name)),
      },
      right('times', ({ times }) => count(times)),
      right('candidates', ({ candidates }) => (candidates === undefined ? '' : count(candidates))),
      right('ms', ({ milliseconds }) => milliseconds.toFixed(2)),
      right('share', ({ milliseconds }) => (total > 0 ? `${Math.round((100 * milliseconds) / total)}%` : '')),
    ];
    return tableText(columns, createStyler(colour));
  }
}

/** Runs a verb, and writes the duration of each part to standard error, even if the verb fails. */
export async function withTimings(io: Io, work: () => Promise<void>): Promise<void> {
  const timings = new Timings();
  try {
    await work();
  } finally {
    timings.stop();
    if (!timings.isEmpty) io.err.write(`\n${timings.text(io.err)}`);
  }
}
