import type { ProfileInput } from 'assize';
import {
  defineReport,
  defineScorer,
  defineSignal,
  defineVeto,
  type ReportResult,
  type ReportRun,
  type RunFacts,
  type Score,
  z,
} from 'assize/sdk';
import type { Data } from './vectors.js';

const READINGS = ['uncertainty', 'reasoning', 'emotional', 'contradiction', 'knowledge_ceiling', 'concept_depth'];

/** A reading of the answers from the case, in place of the language model's. */
export class GivenReading {
  static readonly meta = defineSignal({ summary: 'As given.', params: z.strictObject({ name: z.string() }) });
  prepare({ name }: { name: string }, { context }: RunFacts): unknown {
    return (context['qualitative_signals'] as Data)[name] ?? undefined;
  }
}

export const givenReadings: NonNullable<ProfileInput['signals']> = READINGS.map((name) => ({
  id: name,
  class: 'GivenReading',
  params: { name },
  on_error: 'fail',
}));

/** The signals of the run, as its report. */
export class AllSignals {
  static readonly meta = defineReport({ summary: 'All signals.', params: z.strictObject({}) });
  prepare(_params: object, { signals }: ReportRun): ReportResult {
    return { value: signals };
  }
}

const boom = (): never => {
  throw new Error('boom');
};

/** A veto with the verdict of a case, which records its calls. */
export const stubVeto = (stub: { id: string; veto?: boolean; throws?: boolean }, asked: Set<string>) =>
  class {
    static readonly meta = defineVeto({ summary: stub.id, params: z.strictObject({}) });
    compile(): Score<unknown, boolean> {
      return () => {
        asked.add(stub.id);
        return stub.throws === true ? boom() : stub.veto === true;
      };
    }
  };

/** The same for a scorer. */
export const stubScorer = (stub: { id: string; raw?: number; throws?: boolean }, asked: Set<string>) =>
  class {
    static readonly meta = defineScorer({ summary: stub.id, params: z.strictObject({}), range: [0, 2] });
    compile(): Score<unknown> {
      return () => {
        asked.add(stub.id);
        return stub.throws === true ? boom() : stub.raw;
      };
    }
  };
