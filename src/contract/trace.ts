/** The stages of a run, as its messages name them: a fused pass is vetoes, scorers and their combination in one loop. */
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

/** The method that a run was begun by; `scoreFile` is `assize score` in several threads, and `whatIf` a ranking's. */
export type TracedCall =
  | 'rank'
  | 'rankSync'
  | 'score'
  | 'scoreSync'
  | 'scoreStream'
  | 'rankStream'
  | 'rankFile'
  | 'scoreFile'
  | 'whatIf';

/** What every message has when its work has ended. */
export interface TracedOutcome {
  /** Whether the work had to wait: then `asyncStart` and `asyncEnd` follow `end`. Set before `end`. */
  async?: boolean;
  /** What the work failed with. Set before `error`. */
  error?: unknown;
  /**
   * Of work that another thread has done, which is published here when it is over: when it began, in milliseconds since
   * 1970, and how many it took.
   */
  readonly elsewhere?: { readonly began: number; readonly milliseconds: number };
}

/** A run, from the call of a method to its result. The message of `tracing:assize:run:*`. */
export interface RunMessage extends TracedOutcome {
  /** The profile's name. */
  readonly profile: string;
  readonly call: TracedCall;
  /** How many candidates there were, given or generated. Counts are set when the run has succeeded. */
  candidates?: number;
  /** How many of them a veto, a scorer or a rule refused. */
  refused?: number;
  /** How many an expensive scorer was not asked about, because they could no longer be selected; 0 without pruning. */
  pruned?: number;
  /** What failed without failing the run, by entry: on how many candidates, or 1 where it could not be prepared. */
  degraded?: readonly { readonly entry: string; readonly stage: string; readonly count: number }[];
}

/**
 * A stage of a run; one that the profile has nothing for is not published. In a stream each chunk of candidates goes
 * through the stages from veto to adjust. The message of `tracing:assize:stage:*`.
 */
export interface StageMessage extends TracedOutcome {
  readonly profile: string;
  readonly stage: TracedStage;
  /** The stages of the design that are done in it, in order: `['veto', 'score', 'combine']` for a fused pass. */
  readonly stages: readonly string[];
  /** How many candidates come in; undefined for signals and for generating. */
  readonly candidates: number | undefined;
}

/**
 * An entry that is prepared for a run: a unit's `prepare`, with those of the entries inside it. An entry that compiles is
 * not published: it takes nanoseconds a candidate. The message of `tracing:assize:prepare:*`.
 */
export interface PrepareMessage extends TracedOutcome {
  readonly profile: string;
  readonly stage: TracedStage;
  /** The entry's id. */
  readonly entry: string;
  /** How many candidates it is prepared on; undefined for signals, generators and reports. */
  readonly candidates: number | undefined;
}

/** A question to a language model, or texts that an embedder turns into vectors. The message of `tracing:assize:model:*`. */
export interface ModelMessage extends TracedOutcome {
  readonly kind: 'chat' | 'embeddings';
  /** The model by the name that the profile has for it; an embedder's begins with its provider. */
  readonly model: string;
  /** How many texts are embedded: those whose vectors are not kept. */
  readonly texts?: number | undefined;
  /** The model that answered, by the endpoint's name for it. Set when it has. */
  answeredBy?: string;
  /** The tokens that question and answer used. Set when it has answered. */
  tokens?: number;
}

/** The messages by the kind of work, which is also the end of a channel's name: `assize:run`. */
export interface TraceMessages {
  readonly run: RunMessage;
  readonly stage: StageMessage;
  readonly prepare: PrepareMessage;
  readonly model: ModelMessage;
}

/** A piece of work that is followed. */
export interface TracedWork {
  /** The part that needs no waiting is done, and the rest follows. Called once at most, in that part. */
  wait(): void;
  /** Does a later part in the work's own asynchronous context, so that what is begun there belongs to it. */
  within<R>(part: () => R): R;
  /** It has ended; `failure` has what it failed with. */
  end(failure?: { readonly error: unknown }): void;
}

/** Publishes what is done to subscribers; without any, nothing of it is called but `isFollowed`. */
export interface Tracer {
  /** Whether there is a subscriber to work of this kind; without a kind: to runs, or parts of them. */
  isFollowed(kind?: keyof TraceMessages): boolean;
  /**
   * Begins a piece of work, and does its first part in its own asynchronous context. What is known at its end is written
   * into the same message.
   */
  begin<Kind extends keyof TraceMessages, R>(
    kind: Kind,
    message: TraceMessages[Kind],
    first: (work: TracedWork) => R,
  ): R;
}

/** How far a slow task has got. */
export interface ProgressStep {
  /** The task, in one line: `loading Xenova/all-MiniLM-L6-v2`. */
  readonly task: string;
  /** What `done` and `total` count. `percent`, of 100, is of a statement in a database, whose work has no other unit. */
  readonly unit: 'bytes' | 'percent' | 'rows' | 'texts' | 'queries' | 'folds' | 'parts';
  /** How many so far, from 0. */
  readonly done: number;
  /** How many in all; undefined while that is unknown. The last step of a task has `done` equal to it. */
  readonly total: number | undefined;
}

/** Receives the steps of slow tasks: called often, and not awaited. */
export type Progress = (step: ProgressStep) => void;
