import type { Problem } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import {
  type CandidateReader,
  concatBlocks,
  type LineBlock,
  lineBlocks,
  type RowProblems,
  splitLines,
  type TextInput,
} from '../candidate-reader.js';
import { tryParseJson } from '../parsed-document.js';
import { readJsonRecords } from './read-json.js';
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

/** Reads JSON Lines, or JSON: a list of records, or one record. Only JSON Lines is read without the whole text. */
async function* readRecords(
  input: TextInput,
  name: string,
  problems: RowProblems,
): AsyncGenerator<readonly object[], void> {
  const blocks = lineBlocks(input);
  const first = await blocks.next();
  if (first.done) return;
  if (hasRecordAtStart(first.value, 1)) {
    yield* readJsonLines(resumed(first.value, blocks), name, problems);
    return;
  }
  const parts = [first.value];
  for await (const part of blocks) parts.push(part);
  const whole = concatBlocks(parts);
  const text = whole.toString();
  const isJson = text.trim() !== '' && (tryParseJson(text) !== undefined || !hasRecordAtStart(whole, MOST_DAMAGED));
  yield* (isJson ? readJsonRecords : readJsonLines)([whole], name, problems);
}

async function* resumed(first: LineBlock, rest: AsyncIterable<LineBlock>): AsyncGenerator<LineBlock> {
  yield first;
  yield* rest;
}

/** The first lines of JSON Lines may be damaged. */
const MOST_DAMAGED = 20;

/** Whether one of the first lines is an object by itself. The lines of JSON are indented. */
function hasRecordAtStart(block: LineBlock, most: number): boolean {
  let read = 0;
  for (const line of splitLines(block)) {
    const text = line.toString().replace(/^\uFEFF/, '');
    if (text.trim() === '') continue;
    if (text.startsWith('{') && isMap(tryParseJson(text)?.data)) return true;
    read += 1;
    if (read === most) return false;
  }
  return false;
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
