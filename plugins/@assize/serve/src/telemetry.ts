/**
 * What runs tell others: spans and metrics of OpenTelemetry, or a function of one's own.
 *
 * @module
 */

export type { MeterProvider, TracerProvider } from '@opentelemetry/api';
export { instrument, type Providers } from './telemetry/instrument.js';
export {
  type EvaluatedWork,
  type EvaluationEvent,
  type EvaluationLogger,
  type EvaluationOptions,
  reportEvaluations,
} from './telemetry/evaluations.js';
export { type Follower, followWork } from 'assize';
export type {
  ModelMessage,
  PrepareMessage,
  RunMessage,
  StageMessage,
  TracedCall,
  TracedOutcome,
  TracedStage,
  TraceMessages,
} from 'assize';
