import type { Child, Context, Live, Note, NoteData, Run, Score, UnitMeta, z } from 'assize/sdk';

/** Replaces the engine in a test of one unit: `score` scores each child. */
export interface Stage {
  readonly now?: number;
  readonly context?: Context;
  readonly children?: (child: Child) => Score<unknown>;
}

interface Compiling<S extends z.ZodType, V> {
  readonly meta: UnitMeta<S>;
  new (): { compile(params: z.output<S>, live: Live): Score<unknown, V> };
}

interface Preparing<S extends z.ZodType> {
  readonly meta: UnitMeta<S>;
  new (): { prepare(params: z.output<S>, run: Run): Score<unknown> };
}

const noChild = (): never => {
  throw new Error('this test has no children');
};

const noExpression = (): never => {
  throw new Error('this test has no expressions');
};

/** A unit's score, with params as in a profile. */
export function compiled<S extends z.ZodType, V>(
  Unit: Compiling<S, V>,
  params: unknown,
  { now = 0, context = {}, children = noChild }: Stage = {},
): Score<unknown, V> {
  const live: Live = {
    now: () => now,
    context: () => context,
    signals: () => ({}),
    child: children,
    expression: noExpression,
  };
  return new Unit().compile(Unit.meta.params.parse(params), live);
}

/** A batch unit's scores for candidates, with params as in a profile. */
export function prepared<S extends z.ZodType>(
  Unit: Preparing<S>,
  params: unknown,
  candidates: readonly unknown[],
  { now = 0, context = {}, children = noChild }: Stage = {},
): Score<unknown> {
  const { signal } = new AbortController();
  const run: Run = {
    candidates,
    now,
    abort: signal,
    context,
    signals: {},
    measures: {},
    child: children,
    expression: noExpression,
    idOf: () => undefined,
    partial: () => {},
  };
  return new Unit().prepare(Unit.meta.params.parse(params), run);
}

/** The notes of a scoring, with the score. */
export function explained<V>(
  score: Score<unknown, V>,
  candidate: unknown,
  index = 0,
): { value: V | undefined; notes: [string, NoteData?][] } {
  const notes: [string, NoteData?][] = [];
  const note: Note = (reason, data) => notes.push(data === undefined ? [reason] : [reason, data]);
  return { value: score(candidate, index, note), notes };
}

/** The problems of params, each as `path: message`. */
export function problems(Unit: { readonly meta: UnitMeta }, params: unknown): string[] {
  const issues = Unit.meta.params.safeParse(params).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}
