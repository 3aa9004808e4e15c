import type { TraceFormat, TraceReading } from './agent-trace.js';
import { ClaudeCodeCollector } from './claude-code.js';
import type { TraceCollector } from './collector.js';
import { ModelLogCollector } from './model-log.js';
import { OtlpCollector } from './otlp.js';
import { at } from './values.js';

/** The options of `readTraces`. */
export interface ReadTracesOptions {
  /** The format of the log. By default it is detected by the first record, which is certain for `otlp` and `claude-code`. */
  readonly from?: TraceFormat;
}

/**
 * Makes traces of the records of a log: the parsed lines of a JSON Lines file, or the documents of OTLP.
 *
 * @throws TypeError without `from` if the first record is neither OTLP nor of Claude Code
 */
export function readTraces(records: Iterable<unknown>, { from }: ReadTracesOptions = {}): TraceReading {
  let collector = from && traceCollector(from);
  for (const record of records) {
    collector ??= traceCollector(formatOf(record));
    collector.add(record);
  }
  return (collector ?? traceCollector('otlp')).finish();
}

function formatOf(record: unknown): TraceFormat {
  const format = detectTraceFormat(record);
  if (format !== undefined) return format;
  throw new TypeError('the first record is neither OTLP nor a line of Claude Code: pass from, such as "openai-log"');
}

/** The format of a record, if it is certain. */
export function detectTraceFormat(record: unknown): TraceFormat | undefined {
  if (Array.isArray(at(record, 'resourceSpans')) || Array.isArray(at(record, 'resourceLogs'))) return 'otlp';
  const isLine = typeof at(record, 'sessionId') === 'string' && typeof at(record, 'uuid') === 'string';
  const isSummary = at(record, 'type') === 'summary' && typeof at(record, 'leafUuid') === 'string';
  const isSnapshot = at(record, 'type') === 'file-history-snapshot' && typeof at(record, 'messageId') === 'string';
  const hasParent = typeof record === 'object' && record !== null && 'parentUuid' in record;
  return (isLine && hasParent) || isSummary || isSnapshot ? 'claude-code' : undefined;
}

/** Collects the records of a log one by one. */
export function traceCollector(format: TraceFormat): TraceCollector {
  switch (format) {
    case 'otlp':
      return new OtlpCollector();
    case 'claude-code':
      return new ClaudeCodeCollector();
    default:
      return new ModelLogCollector(format);
  }
}
