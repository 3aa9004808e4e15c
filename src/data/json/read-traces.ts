import type { Problem } from '../../base/index.js';
import {
  type CandidateReader,
  type LineBlock,
  lineBlocks,
  type RowProblems,
  splitLines,
  type TextInput,
} from '../candidate-reader.js';
import { tryParseJson } from '../parsed-document.js';
import { readJson } from './read-json.js';
import { readJsonLines } from './json-lines.js';

/** The codecs of logs, which are loaded when a file is a log. */
const loadCodecs = () => import('../../../plugins/agents/traces/index.js');

type Codecs = Awaited<ReturnType<typeof loadCodecs>>;
type TraceReading = ReturnType<Codecs['readTraces']>;

/** Reads a log of agents: each trace is a candidate. The whole log is read first, since its records are in any order. */
export const traceReader = (format: Codecs['TRACE_FORMATS'][number]): CandidateReader =>
  async function* readLog(input, name, problems, { warn }) {
    const { traceCollector } = await loadCodecs();
    const collector = traceCollector(format);
    for await (const records of readRecords(input, name, problems)) {
      for (const record of records) collector.add(record);
    }
    const reading = collector.finish();
    if (warn) for (const warning of warningsOf(reading, name)) warn(warning);
    yield reading.traces;
  };

/** Reads JSON Lines, or JSON: a list of records, or one record. */
async function* readRecords(
  input: TextInput,
  name: string,
  problems: RowProblems,
): AsyncGenerator<readonly object[], void> {
  const blocks = lineBlocks(input);
  const { value: first = '' } = await blocks.next();
  const all = (async function* (): AsyncGenerator<LineBlock> {
    yield first || '';
    yield* blocks;
  })();
  if (startsWithJsonLine(first || '')) yield* readJsonLines(all, name, problems);
  else yield* readJson(all, name, problems);
}

/** Whether the first line is an object, or the beginning of a line that is none yet looks like one. */
function startsWithJsonLine(block: LineBlock): boolean {
  for (const line of splitLines(block)) {
    const text = line
      .toString()
      .replace(/^\uFEFF/, '')
      .trim();
    if (text === '') continue;
    const parsed = tryParseJson(text);
    // A line such as {"type":"user", that is cut or damaged; pretty JSON has its first key on the next line.
    return parsed ? !Array.isArray(parsed.data) : /^\{./.test(text);
  }
  return true;
}

/** The most kinds that a warning names. */
const MOST_NAMED = 20;

/** Warnings of records and parts of records that are not in the traces (ASZ744). */
function warningsOf({ records, unmapped, lost, withoutSteps }: TraceReading, name: string): readonly Problem[] {
  const sum = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  const warnings: Problem[] = [];
  const apart = sum(unmapped);
  if (apart > 0) {
    const hint =
      withoutSteps.length === 0
        ? undefined
        : `${countOf(withoutSteps.length, 'trace')} without steps ${withoutSteps.length === 1 ? 'is' : 'are'} not a candidate: ${firstOf(withoutSteps)}`;
    const message = `${name}: ${apart} of ${countOf(records, 'record')} ${apart === 1 ? 'is' : 'are'} in no trace: ${kindsOf(unmapped)}`;
    warnings.push({ code: 'ASZ744', message, ...(hint !== undefined && { hint }) });
  }
  if (sum(lost) > 0) {
    const message = `${name}: the traces lack ${countOf(sum(lost), 'part')} of their records: ${kindsOf(lost)}`;
    warnings.push({ code: 'ASZ744', message });
  }
  return warnings;
}

const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

function kindsOf(counts: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(counts);
  const named = kinds.slice(0, MOST_NAMED).map(([kind, count]) => `${kind} (${count})`);
  const more = kinds.length - named.length;
  return [...named, ...(more > 0 ? [countOf(more, 'more kind')] : [])].join(', ');
}

const firstOf = (ids: readonly string[]): string => {
  const more = ids.length - MOST_NAMED;
  return [...ids.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
};
