import type { TracedOutcome } from '../../sdk/index.js';
import { followWork } from '../../services/node.js';
import { type Attributes, errorType, type Meter } from './open-telemetry.js';

/** The bounds of durations, in seconds: a run takes microseconds where all is compiled, and seconds where models answer. */
const BOUNDS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** OpenTelemetry's number for counters of whole numbers. */
const INT = 0;

/**
 * Measures every piece of work. Labels have few values: the profile's name, the call, the stage, an entry's id, and the
 * kind of error. A candidate's id is never one.
 *
 * @returns stops
 */
export function followMetrics(meter: Meter): () => void {
  const duration = (name: string, description: string) => {
    const options = { description, unit: 's', advice: { explicitBucketBoundaries: BOUNDS } };
    const histogram = meter.createHistogram(name, options);
    return (message: TracedOutcome, milliseconds: number, labels: Attributes): void =>
      histogram.record(milliseconds / 1000, { ...labels, ...errorLabel(message) });
  };
  const counter = (name: string, description: string) =>
    meter.createCounter(name, { description, unit: '{candidate}', valueType: INT });

  const runs = duration('assize.run.duration', 'From the call of a method to its result.');
  const stages = duration('assize.stage.duration', 'One stage of a run.');
  const entries = duration(
    'assize.scorer.duration',
    'Preparing one entry for a run; one that compiles is not measured.',
  );
  const candidates = counter('assize.candidates', 'Candidates that runs were given, or generated.');
  const refused = counter('assize.refused', 'Candidates that a veto, a scorer or a rule refused.');
  const pruned = counter('assize.pruned', 'Candidates that an expensive scorer was not asked about.');
  const degraded = counter('assize.degraded', 'Failures that did not fail their run, by entry.');

  const stops = [
    followWork('run', {
      end(message, milliseconds) {
        const { profile, call } = message;
        runs(message, milliseconds, { 'assize.profile': profile, 'assize.call': call });
        const labels = { 'assize.profile': profile };
        candidates.add(message.candidates ?? 0, labels);
        refused.add(message.refused ?? 0, labels);
        pruned.add(message.pruned ?? 0, labels);
        for (const { entry, stage, count } of message.degraded ?? []) {
          degraded.add(count, { ...labels, 'assize.stage': stage, 'assize.entry': entry });
        }
      },
    }),
    followWork('stage', {
      end: (message, milliseconds) =>
        stages(message, milliseconds, { 'assize.profile': message.profile, 'assize.stage': message.stage }),
    }),
    followWork('prepare', {
      end: (message, milliseconds) =>
        entries(message, milliseconds, {
          'assize.profile': message.profile,
          'assize.stage': message.stage,
          'assize.entry': message.entry,
        }),
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const errorLabel = (message: TracedOutcome): Attributes =>
  'error' in message ? { 'error.type': errorType(message.error) } : {};
