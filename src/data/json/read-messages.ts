import { locate, type Problem, type SourceFile } from '../../base/index.js';
import type { CandidateReader, CellOptions, RowProblems } from '../candidate-reader.js';
import { tryParseJson } from '../parsed-document.js';
import { addProblems, readWhole } from './whole-text.js';

/** The codecs of messages, which are loaded when a file has messages. */
const loadCodecs = () => import('../../../plugins/agents/messages/index.js');

type Codecs = Awaited<ReturnType<typeof loadCodecs>>;
type MessageFormat = Codecs['MESSAGE_FORMATS'][number];

/** Reads the messages of a format: a JSON list, or a request. */
export function messageReader(format: string): CandidateReader {
  return async function* read(input, name, problems, cells) {
    const source = await readWhole(input, name, problems);
    if (!source) return;
    const data = tryParseJson(source.text)?.data;
    if (typeof data !== 'object' || data === null) {
      await addProblems(source, data, problems);
      return;
    }
    const codecs = await loadCodecs();
    const known = codecs.MESSAGE_FORMATS.find((one) => one === format);
    if (known !== undefined) yield await readMessages(codecs, data, known, source, problems, cells);
  };
}

/** Reads messages if it is certain that the value has messages, and which. */
export async function readDetectedMessages(
  data: unknown,
  source: SourceFile,
  problems: RowProblems,
  cells: CellOptions,
): Promise<readonly object[] | undefined> {
  const codecs = await loadCodecs();
  const format = codecs.detectMessageFormat(data);
  return format && readMessages(codecs, data, format, source, problems, cells);
}

async function readMessages(
  codecs: Codecs,
  data: unknown,
  format: MessageFormat,
  source: SourceFile,
  problems: RowProblems,
  { warn }: CellOptions,
): Promise<readonly object[]> {
  const { candidates, unmapped } = codecs.candidatesFromMessages(data, { format });
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
