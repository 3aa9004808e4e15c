import type { Attributes, Meter, ValueType } from '@opentelemetry/api';
import { followWork, type TracedOutcome } from 'assize';
import { errorType } from './open-telemetry.js';

/** The bounds of durations, in seconds: a compiled run takes microseconds, and a run with models takes seconds. */
const BOUNDS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Measures all work. Labels have few values: the name of the profile, the call, the stage, the id of an entry, and the
 * kind of error, but never the id of a candidate.
 *
 * @param int the type of whole numbers
 * @returns a function that stops it
 */
export function followMetrics(meter: Meter, int: ValueType): () => void {
  const duration = (name: string, description: string) => {
    const options = { description, unit: 's', advice: { explicitBucketBoundaries: BOUNDS } };
    const histogram = meter.createHistogram(name, options);
    return (message: TracedOutcome, milliseconds: number, labels: Attributes): void =>
      histogram.record(milliseconds / 1000, { ...labels, ...errorLabel(message) });
  };
  const counter = (name: string, description: string) =>
    meter.createCounter(name, { description, unit: '{candidate}', valueType: int });

  const runs = duration('assize.run.duration', 'Duration from the call of a method to its result.');
  const stages = duration('assize.stage.duration', 'Duration of a stage of a run.');
  const entries = duration(
    'assize.scorer.duration',
    'Duration of preparing an entry for a run; entries that compile are not measured.',
  );
  const candidates = counter('assize.candidates', 'Given or generated candidates of runs.');
  const refused = counter('assize.refused', 'Candidates refused by a veto, a scorer or a rule.');
  const pruned = counter('assize.pruned', 'Candidates on which an expensive scorer did not run.');
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
