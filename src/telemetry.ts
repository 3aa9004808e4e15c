/**
 * What runs tell others: spans and metrics of OpenTelemetry, or a function of one's own.
 *
 * @module
 */

export { instrument, type Providers, type MeterProvider, type TracerProvider } from './serve/index.js';
export { type Follower, followWork } from './services/node.js';
export type {
  ModelMessage,
  PrepareMessage,
  RunMessage,
  StageMessage,
  TracedCall,
  TracedOutcome,
  TracedStage,
  TraceMessages,
} from './sdk/index.js';
