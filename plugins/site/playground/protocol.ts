import type { Completion, Hover, TextRange } from '@assize/lsp/service';
import type { CandidateFormat } from './share/fragment.js';

export type { CandidateFormat };

/** What a run reads besides the candidates. */
export interface RunSource {
  /** The YAML text of the profile. */
  readonly profile: string;
  /** The context as JSON; empty for none. */
  readonly context: string;
  /** The time of the run, as ISO 8601; empty for the current time. */
  readonly now: string;
}

/** A problem with its place in one of the texts. */
export interface ShownProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  /** `profile.yaml:3:7`; missing if the problem has no place. */
  readonly where?: string | undefined;
  /** The part of the profile to underline. */
  readonly range?: TextRange | undefined;
}

/** The weight of a scorer, as its slider shows it. */
export interface WeightSetting {
  readonly scorer: string;
  readonly name: string;
  /** Undefined if the weight is an expression. */
  readonly value: number | undefined;
  readonly expression?: string | undefined;
}

/** The part of a scorer in a score. */
export interface Term {
  readonly scorer: string;
  /** Its raw score; null if it has none. */
  readonly score: number | null;
  /** Its part in the combined score; undefined if the combine method has no parts. */
  readonly contribution?: number | undefined;
}

export interface ShownRow {
  readonly index: number;
  readonly name: string;
  readonly score: number | undefined;
  readonly rank: number | undefined;
  readonly terms: readonly Term[];
  /** Why it is where it is, or why it was refused or not selected. */
  readonly text?: string | undefined;
}

/** The part of a ranking that the page shows. */
export interface ShownRanking {
  readonly counts: {
    readonly given: number;
    readonly selected: number;
    readonly notSelected: number;
    readonly refused: number;
  };
  readonly scorers: readonly { readonly id: string; readonly name: string }[];
  /** The first rows of each list. */
  readonly selected: readonly ShownRow[];
  readonly notSelected: readonly ShownRow[];
  readonly refused: readonly ShownRow[];
  readonly took: number;
}

export interface ReadCandidates {
  readonly count: number;
  readonly problems: readonly ShownProblem[];
}

export interface RunResult {
  readonly problems: readonly ShownProblem[];
  readonly weights: readonly WeightSetting[];
  /** Undefined if the profile, the context or the candidates have errors. */
  readonly ranking: ShownRanking | undefined;
}

/** What the worker does for the page. */
export interface PlaygroundCalls {
  /** Parses the candidates that the next runs rank. */
  read(text: string, format: CandidateFormat): Promise<ReadCandidates>;
  run(source: RunSource): Promise<RunResult>;
  /** Explains a candidate of the last ranking as text. */
  explain(index: number): Promise<string>;
  /** The last ranking as `assize rank --format json` writes it. */
  rankingJson(): Promise<string>;
  /** The profile with another weight. Everything else in the text stays. */
  withWeight(profile: string, scorer: string, weight: number): Promise<string>;
  complete(profile: string, offset: number): Promise<readonly Completion[]>;
  hover(profile: string, offset: number): Promise<Hover | undefined>;
}

export interface CallMessage {
  readonly call: number;
  readonly method: keyof PlaygroundCalls;
  readonly args: readonly unknown[];
}

export interface ReplyMessage {
  readonly call: number;
  readonly result?: unknown;
  readonly error?: string;
}
