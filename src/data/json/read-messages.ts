import { locate, type Problem, type SourceFile } from '../../base/index.js';
import type { CellOptions, RowProblems } from '../candidate-reader.js';

/**
 * Reads messages of a language model: a candidate for each.
 *
 * @param given the format; without it, the value has messages only if that is certain
 * @returns undefined if the value has no messages
 */
export async function readMessages(
  data: unknown,
  given: string | undefined,
  source: SourceFile,
  problems: RowProblems,
  { warn }: CellOptions,
): Promise<readonly object[] | undefined> {
  // Loaded only when a file has messages.
  const codecs = await import('../../../plugins/agents/messages/index.js');
  const { candidatesFromMessages, detectMessageFormat, MESSAGE_FORMATS } = codecs;
  const format = given === undefined ? detectMessageFormat(data) : MESSAGE_FORMATS.find((one) => one === given);
  if (format === undefined) return undefined;
  const { candidates, unmapped } = candidatesFromMessages(data, { format });
  const others = unmapped.filter(({ kept }) => !kept);
  if (others.length > 0) {
    const { parseJsonWithPlaces } = await import('./parse-json-with-places.js');
    const { data: placed } = parseJsonWithPlaces(source);
    const list = Array.isArray(data) ? [] : [format === 'openai-responses' ? 'input' : 'messages'];
    for (const { index = 0, type } of others) {
      const path = [...list, index];
      const place = locate(placed, path);
      const message = `found ${type}, expected a message of the format ${format}`;
      problems.add(source, 0, () => ({ message, path: `${list.join('')}[${index}]`, ...(place && { place }) }));
    }
  }
  const types = new Map<string, number>();
  for (const { type, kept } of unmapped) if (kept) types.set(type, (types.get(type) ?? 0) + 1);
  for (const [type, times] of types) warn?.(unknownPart(source.name, type, times));
  return candidates;
}

const unknownPart = (name: string, type: string, times: number): Problem => ({
  code: 'ASZ728',
  message: `${name} has ${times} ${times === 1 ? 'part' : 'parts'} of the unknown type ${type}`,
  hint: 'they stay in their messages, and cost as much as their JSON',
});
