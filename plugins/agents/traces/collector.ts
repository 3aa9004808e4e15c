import type { AgentTrace, TraceFormat, TraceReading } from './agent-trace.js';
import { Counts } from './agent-trace.js';
import type { TraceBuilder } from './trace-builder.js';

/** Reads the records of a log and makes traces of them. */
export abstract class TraceCollector {
  readonly unmapped = new Counts();
  readonly lost = new Counts();
  protected records = 0;

  constructor(protected readonly format: TraceFormat) {}

  /** Adds a value of the log: a line, or a document that may have many records. */
  abstract add(value: unknown): void;

  /** Makes the traces, in the order in which they begin in the log. */
  protected abstract build(): Iterable<TraceBuilder>;

  finish(): TraceReading {
    const traces: AgentTrace[] = [];
    const withoutSteps: string[] = [];
    for (const builder of this.build()) {
      const trace = builder.finish();
      if (trace) traces.push(trace);
      else {
        withoutSteps.push(builder.id);
        this.unmapped.add('in a trace without steps', builder.records);
      }
    }
    const { format, records } = this;
    return { format, traces, records, unmapped: this.unmapped.all, lost: this.lost.all, withoutSteps };
  }
}
