/** The stages of a run, as messages name them. A `fused` pass runs vetoes, scorers and their combination in one loop. */
export type TracedStage =
  | 'signals'
  | 'generate'
  | 'veto'
  | 'measure'
  | 'score'
  | 'fused'
  | 'adjust'
  | 'select'
  | 'report';

/** The method that started a run. `scoreFile` is `assize score` in several threads; `whatIf` is the method of a ranking. */
export type TracedCall =
  | 'rank'
  | 'rankSync'
  | 'score'
  | 'scoreSync'
  | 'scoreStream'
  | 'rankStream'
  | 'rankPartitions'
  | 'rankFile'
  | 'scoreFile'
  | 'whatIf';

/** The properties that every message has when its work has ended. */
export interface TracedOutcome {
  /** Whether the work had to wait: then `asyncStart` and `asyncEnd` follow `end`. Set before `end`. */
  async?: boolean;
  /** The error that the work failed with. Set before the event `error`. */
  error?: unknown;
  /**
   * When work in another thread began, in milliseconds since 1970, and how many milliseconds it took. Such work is published
   * when it is over.
   */
  readonly elsewhere?: { readonly began: number; readonly milliseconds: number };
}

/** A run, from the call of a method to its result. The message of `tracing:assize:run:*`. */
export interface RunMessage extends TracedOutcome {
  /** The profile's name. */
  readonly profile: string;
  readonly call: TracedCall;
  /** The number of candidates, given or generated. Counts are set when the run has succeeded. */
  candidates?: number;
  /** How many candidates a veto, a scorer or a rule refused. */
  refused?: number;
  /** How many candidates an expensive scorer skipped, because they could no longer be selected. 0 without pruning. */
  pruned?: number;
  /** Failures that did not fail the run, by entry: the number of candidates, or 1 if the entry could not be prepared. */
  degraded?: readonly { readonly entry: string; readonly stage: string; readonly count: number }[];
}

/**
 * A stage of a run. Stages that the profile does not use are not published. In a stream, each chunk of candidates passes
 * through the stages from veto to adjust. The message of `tracing:assize:stage:*`.
 */
export interface StageMessage extends TracedOutcome {
  readonly profile: string;
  readonly stage: TracedStage;
  /** The stages of the profile that run in it, in order: `['veto', 'score', 'combine']` for a fused pass. */
  readonly stages: readonly string[];
  /** The number of input candidates; undefined for signals and generators. */
  readonly candidates: number | undefined;
}

/**
 * A unit's `prepare` for a run, including those of its child entries. A unit with `compile` is not published, because it
 * takes nanoseconds per candidate. The message of `tracing:assize:prepare:*`.
 */
export interface PrepareMessage extends TracedOutcome {
  readonly profile: string;
  readonly stage: TracedStage;
  /** The entry's id. */
  readonly entry: string;
  /** The number of candidates; undefined for signals, generators and reports. */
  readonly candidates: number | undefined;
}

/** A request to a language model or an embedder. The message of `tracing:assize:model:*`. */
export interface ModelMessage extends TracedOutcome {
  readonly kind: 'chat' | 'embeddings';
  /** The model's name in the profile. An embedder's name begins with its provider. */
  readonly model: string;
  /** The number of texts that are embedded. Texts with cached vectors do not count. */
  readonly texts?: number | undefined;
  /** The endpoint's name of the model that answered. Set after the answer. */
  answeredBy?: string;
  /** The tokens of request and answer. Set after the answer. */
  tokens?: number;
}

/** The messages by kind of work. The kind is also the end of a channel's name: `assize:run`. */
export interface TraceMessages {
  readonly run: RunMessage;
  readonly stage: StageMessage;
  readonly prepare: PrepareMessage;
  readonly model: ModelMessage;
}

/** A piece of work that has subscribers. */
export interface TracedWork {
  /** Reports that the synchronous part is done and an asynchronous part follows. Call it at most once, in the synchronous part. */
  wait(): void;
  /** Runs a later part in the work's asynchronous context, so that work that starts there belongs to it. */
  within<R>(part: () => R): R;
  /** Reports the end of the work, and the error if it failed. */
  end(failure?: { readonly error: unknown }): void;
}

/** Publishes work to subscribers. Without subscribers, only `isFollowed` is called. */
export interface Tracer {
  /** Whether this kind of work has a subscriber. Without a kind: whether runs or parts of them have one. */
  isFollowed(kind?: keyof TraceMessages): boolean;
  /**
   * Starts a piece of work, and runs its first part in its own asynchronous context. The caller adds later results to the
   * same message.
   */
  begin<Kind extends keyof TraceMessages, R>(
    kind: Kind,
    message: TraceMessages[Kind],
    first: (work: TracedWork) => R,
  ): R;
}

/** The progress of a slow task. */
export interface ProgressStep {
  /** The task, in one line: `loading Xenova/all-MiniLM-L6-v2`. */
  readonly task: string;
  /** What `done` and `total` count. A statement in a database has no other unit than `percent`. */
  readonly unit: 'bytes' | 'percent' | 'rows' | 'texts' | 'queries' | 'folds' | 'parts';
  /** The number of finished units. */
  readonly done: number;
  /** The number of all units, or undefined while it is unknown. It equals `done` in the last step of a task. */
  readonly total: number | undefined;
}

/** Receives the steps of slow tasks. It is called often and not awaited. */
export type Progress = (step: ProgressStep) => void;
