/**
 * Reports the scores of a ranking as evaluations of OpenTelemetry.
 *
 * @module
 */
import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { explanationParts, type Ranking, type ScorerNode } from 'assize';

/** The name of the event in OpenTelemetry's conventions for generative AI. */
const EVENT = 'gen_ai.evaluation.result';

/** An evaluation as a log record of OpenTelemetry. */
export interface EvaluationEvent {
  readonly eventName: typeof EVENT;
  /** The time of the run, in milliseconds since 1970. */
  readonly timestamp: number;
  /** The context of the evaluated span; the active context if the candidate does not name a span. */
  readonly context: Context;
  readonly attributes: Attributes;
}

/** A logger of OpenTelemetry, such as `logs.getLogger('assize')` of `@opentelemetry/api-logs`. */
export interface EvaluationLogger {
  emit(event: EvaluationEvent): void;
}

/** The work that a candidate records. */
export interface EvaluatedWork {
  /** Its span: ids in hexadecimal, as OTLP has them. */
  readonly span?: { readonly trace_id: string; readonly span_id: string } | undefined;
  /** The provider's id of the response. */
  readonly response_id?: string | undefined;
}

/** The options of `reportEvaluations`. */
export interface EvaluationOptions<T> {
  readonly logger: EvaluationLogger;
  /** The candidates: those that were ranked or refused (`all`, the default), or the selected ones. */
  readonly candidates?: 'all' | 'selected' | undefined;
  /** The scores: one event for the score of a candidate (`total`, the default), or also one for each of its scorers. */
  readonly scores?: 'total' | 'scorers' | undefined;
  /** The work that a candidate records; by default `candidate.source`, as `readTraces` of `assize/agents` writes it. */
  readonly workOf?: ((candidate: T) => EvaluatedWork | undefined) | undefined;
}

/**
 * Reports the scores of a ranking as events `gen_ai.evaluation.result`, each in the context of the span that its
 * candidate records.
 *
 * ```ts
 * const ranking = await pipeline.rank(readTraces(records).traces);
 * reportEvaluations(ranking, { logger: logs.getLogger('assize') });
 * ```
 *
 * @returns the number of events
 */
export function reportEvaluations<T>(
  ranking: Ranking<T>,
  { logger, candidates = 'all', scores = 'total', workOf = sourceOf }: EvaluationOptions<T>,
): number {
  let count = 0;
  const selected = new Set(ranking.selected.map(({ index }) => index));
  const rows = candidates === 'selected' ? ranking.selected : [...ranking.ranked, ...ranking.refused];
  for (const row of rows) {
    if (row.index < 0) continue; // a fallback made it: there is nothing to evaluate
    const { span, response_id: response } = workOf(row.candidate) ?? {};
    const { text, outcome, details } = ranking.explain({ index: row.index });
    const emit = (attributes: Attributes): void => {
      count += 1;
      logger.emit({
        eventName: EVENT,
        timestamp: ranking.now,
        context: contextOf(span),
        attributes: {
          ...attributes,
          ...(response !== undefined && { 'gen_ai.response.id': response }),
          'assize.profile': ranking.profile,
          'assize.candidate': row.id,
        },
      });
    };
    const score = outcome.kind === 'ranked' ? outcome.score : undefined;
    emit({
      'gen_ai.evaluation.name': ranking.profile,
      ...(score !== undefined && { 'gen_ai.evaluation.score.value': score }),
      'gen_ai.evaluation.score.label':
        outcome.kind === 'refused' ? 'refused' : selected.has(row.index) ? 'selected' : 'not_selected',
      'gen_ai.evaluation.explanation': outcome.kind === 'refused' ? `${text}: ${outcome.reason}` : text,
      ...(outcome.kind === 'refused' && outcome.refusal === 'error' && { 'error.type': SCORER_ERROR }),
    });
    if (scores !== 'scorers') continue;
    for (const scorer of explanationParts({ details }).scorers) {
      if (scorer.state !== 'not_evaluated') emit(scorerAttributes(ranking.profile, scorer));
    }
  }
  return count;
}

/** The convention wants few values, and the message of a scorer's error is in the explanation. */
const SCORER_ERROR = 'scorer_error';

/** The number that counts in the score, and a label if the scorer did not return one. */
const scorerAttributes = (profile: string, { id, state, value, text, error, details }: ScorerNode): Attributes => {
  const inside = details.filter(({ kind }) => kind === 'entry').map((entry) => entry.text);
  const why = error ?? [text, ...inside].filter((part) => part !== '').join('; ');
  return {
    'gen_ai.evaluation.name': `${profile}.${id}`,
    ...(value !== undefined && { 'gen_ai.evaluation.score.value': value }),
    ...(state !== 'scored' && { 'gen_ai.evaluation.score.label': state }),
    ...(why !== '' && { 'gen_ai.evaluation.explanation': why }),
    ...(error !== undefined && { 'error.type': SCORER_ERROR }),
  };
};

/** The context of a span of another process. The active one if its ids are not those of a span. */
function contextOf(span: EvaluatedWork['span']): Context {
  const evaluated = span && { traceId: span.trace_id, spanId: span.span_id, traceFlags: TraceFlags.SAMPLED };
  if (evaluated === undefined || !isSpanContextValid(evaluated)) return context.active();
  return trace.setSpanContext(ROOT_CONTEXT, { ...evaluated, isRemote: true });
}

/** The source of a trace, as `readTraces` writes it. Other candidates may have any value there. */
function sourceOf(candidate: unknown): EvaluatedWork | undefined {
  const source = isMap(candidate) ? candidate['source'] : undefined;
  if (!isMap(source)) return undefined;
  const { span, response_id: response } = source;
  return {
    span:
      isMap(span) && typeof span['trace_id'] === 'string' && typeof span['span_id'] === 'string'
        ? { trace_id: span['trace_id'], span_id: span['span_id'] }
        : undefined,
    response_id: typeof response === 'string' ? response : undefined,
  };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
