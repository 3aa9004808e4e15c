import { locate, type Place, type Problem, type SourceFile } from '../../base/index.js';
import { ownValue } from '../../expression/index.js';
import type { CellOptions, RowProblems } from '../candidate-reader.js';

/** A parsed text: JSON, or lines of JSON. */
export interface ParsedText {
  readonly source: SourceFile;
  readonly data: unknown;
  /** Whether each line is an entry. */
  readonly isLines: boolean;
}

/**
 * Reads messages of a language model: a candidate for each.
 *
 * @param given the format; without it, the value has messages only if that is certain
 * @returns undefined if the value has no messages
 */
export async function readMessages(
  { source, data, isLines }: ParsedText,
  given: string | undefined,
  problems: RowProblems,
  { warn }: CellOptions,
): Promise<readonly object[] | undefined> {
  // Loaded only when a file has messages.
  const codecs = await import('../../../plugins/agents/messages/index.js');
  const { candidatesFromMessages, detectMessageFormat, MESSAGE_FORMATS, undetectedReason, describeOtherEntry } = codecs;
  const format = given === undefined ? detectMessageFormat(data) : MESSAGE_FORMATS.find((one) => one === given);
  if (format === undefined) {
    const reason = undetectedReason(data);
    if (reason !== undefined) warn?.(notDetected(source.name, reason));
    return undefined;
  }
  const { candidates, unmapped } = candidatesFromMessages(data, { format });
  const others = unmapped.filter(({ kept }) => !kept);
  if (others.length > 0) {
    const list = Array.isArray(data) ? [] : [format === 'openai-responses' ? 'input' : 'messages'];
    const placeOf = isLines ? linePlaces(source) : await jsonPlaces(source, list);
    for (const { index = 0 } of others) {
      const entry = list.reduce<unknown>(ownValue, data);
      const message = describeOtherEntry(Array.isArray(entry) ? entry[index] : undefined, format);
      const place = placeOf(index);
      problems.add(source, 0, () => ({ message, path: `${list.join('')}[${index}]`, ...(place && { place }) }));
    }
  }
  const types = new Map<string, number>();
  for (const { type, kept } of unmapped) if (kept) types.set(type, (types.get(type) ?? 0) + 1);
  for (const [type, times] of types) warn?.(unknownPart(source.name, type, times));
  return candidates;
}

/** Finds the entries of lines: only lines that are not blank have one. */
function linePlaces(source: SourceFile): (index: number) => Place | undefined {
  const starts = [...source.text.matchAll(/^.*\S/gm)].map((match) => match.index);
  return (index) => source.placeAt(starts[index] ?? 0);
}

async function jsonPlaces(source: SourceFile, list: readonly string[]): Promise<(index: number) => Place | undefined> {
  const { parseJsonWithPlaces } = await import('./parse-json-with-places.js');
  const { data } = parseJsonWithPlaces(source);
  return (index) => locate(data, [...list, index]);
}

const notDetected = (name: string, reason: string): Problem => ({
  code: 'ASZ728',
  message: `${name} looks like messages, but their format cannot be detected: ${reason}`,
  hint: 'each entry is a plain candidate; to read messages, correct the entry or pass the format: --input openai-chat',
});

const unknownPart = (name: string, type: string, times: number): Problem => ({
  code: 'ASZ728',
  message: type.startsWith('field ')
    ? `${name}: ${times === 1 ? '1 message has' : `${times} messages have`} the unknown ${type}`
    : `${name} has ${times} ${times === 1 ? 'part' : 'parts'} of the unknown type ${type}`,
  hint: 'they stay in their messages, and cost as much as their JSON',
});
