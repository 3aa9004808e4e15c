import { setTimeout as wait } from 'node:timers/promises';
import {
  type Context,
  defineGenerator,
  defineReport,
  defineScorer,
  defineSignal,
  type Live,
  type ReportRun,
  type Run,
  type RunFacts,
  type Score,
  z,
} from 'assize/sdk';

const none = z.strictObject({});

export interface Item {
  readonly id: string;
  readonly at: number;
  readonly n: number;
}

/** Reads the run through `live` on every call. */
export class LiveScorer {
  static readonly meta = defineScorer({ summary: 'Reads the context, the signals and the time.', params: none });
  compile(_params: object, live: Live): Score<Item> {
    return ({ n }) =>
      n * Number(live.context()['factor']) + Number(live.signals()['slow']) + (live.now() % 1000) / 1000;
  }
}

let waits = 0;

/** Waits for a number of milliseconds below five, in a sequence that is the same in each test run. */
const aWhile = (): Promise<void> => wait((waits++ * 7) % 5);

/** Waits before and while it reads its run. */
export class SlowScorer {
  static readonly meta = defineScorer({ summary: 'Waits.', scope: 'set', params: none });
  async prepare(_params: object, run: Run<Item>): Promise<Score<Item>> {
    await aWhile();
    const factor = Number(run.context['factor']);
    await aWhile();
    return ({ n }) => n * factor + (run.now % 1000);
  }
}

/** A signal with the context's factor, after a wait. */
export class SlowSignal {
  static readonly meta = defineSignal({ summary: 'Waits.', params: none });
  async prepare(_params: object, { context }: RunFacts): Promise<unknown> {
    await aWhile();
    return context['factor'];
  }
}

/** The sum of the ranked scores, after a wait. */
export class SlowReport {
  static readonly meta = defineReport({ summary: 'Waits.', params: none });
  async prepare(_params: object, run: ReportRun): Promise<{ value: number }> {
    await aWhile();
    return { value: run.ranked.reduce((sum, { score }) => sum + score, 0) };
  }
}

/** One focus for each topic of the context. */
export class Topics {
  static readonly meta = defineGenerator({ summary: 'Topics.', params: none });
  prepare(_params: object, { context }: { context: Context }): { key: string; topic: string }[] {
    return (context['topics'] as string[]).map((topic) => ({ key: topic, topic }));
  }
}

/** A promise that is settled from outside. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A set of all seen candidates as a memory; `hold` determines when prepare ends. */
export const rememberer = (hold: (run: Run<Item>) => Promise<void> | void = () => {}) =>
  class {
    static readonly meta = defineScorer({
      summary: 'How many were seen before.',
      scope: 'sequence',
      params: none,
      memory: { empty: () => [] as readonly string[] },
    });
    async prepare(_params: object, run: Run<Item>, memory: readonly string[]) {
      await hold(run);
      const score: Score<Item> = () => memory.length;
      return { score, memory: [...memory, ...run.candidates.map(({ id }) => id)] };
    }
  };
