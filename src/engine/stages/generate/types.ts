import type { Focus } from '../../../contract/index.js';
import type { RunContext } from '../../entries/run-context.js';

/** A strategy, compiled: it makes a candidate for each focus. */
export interface CompiledStrategy {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether it is in the current run. */
  readonly available: () => boolean;
  /** Undefined: a single open focus, named after the strategy. */
  readonly focuses:
    | ((context: RunContext, abort: AbortSignal) => readonly Focus[] | Promise<readonly Focus[]>)
    | undefined;
}

/** A candidate that a strategy made. Its id is `strategy/focus key`. */
export interface GeneratedCandidate {
  readonly id: string;
  readonly strategy: Readonly<Record<string, unknown>>;
  readonly focus: Focus;
}
