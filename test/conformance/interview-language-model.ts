import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAnswer } from '../../plugins/interview/conversation-reading.js';
import {
  QUALITATIVE_SIGNAL_NAMES,
  type QualitativeSignalName,
  sentimentOf,
} from '../../plugins/interview/qualitative-signals.js';
import { parseAnswerJson } from '../../src/services/language-model/chat-completion.js';
import type { Family } from './family.js';
import type { Difference, Tally } from './tally.js';

/** The signals of a model's reply, with its mistakes: `name: …` each. */
type Parsed = { readonly [K in QualitativeSignalName]: unknown } & { readonly extraction_errors: readonly string[] };

interface Vectors {
  readonly llmParseVectors: readonly {
    readonly id: string;
    readonly raw: Readonly<Record<string, unknown>>;
    readonly expected: Parsed;
  }[];
  readonly llmTextVectors: readonly {
    readonly id: string;
    readonly text: string;
    readonly expected: unknown;
    readonly error?: string;
  }[];
  readonly sentimentVectors: readonly { readonly intensity: string; readonly expected: number | null }[];
}

/** Types and ranges are strict here; the reference accepted a 7 for a confidence, and "false" for true. */
const STRICT: Readonly<Record<string, Partial<Parsed>>> = {
  'lp-12': {
    uncertainty: null,
    knowledge_ceiling: null,
    extraction_errors: ['uncertainty: out of range', 'knowledge_ceiling: no boolean'],
  },
};

/** The compared parts of a reply: the signals, and which of them were invalid. */
const comparable = (parsed: Parsed): object => ({
  ...Object.fromEntries(QUALITATIVE_SIGNAL_NAMES.map((name) => [name, parsed[name]])),
  wrong: parsed.extraction_errors.map((error) => error.split(':')[0]),
});

const parsedBy = (raw: Readonly<Record<string, unknown>>): Parsed => {
  const { errors, ...qualities } = parseAnswer(raw);
  return { ...qualities, extraction_errors: Object.entries(errors).map(([name, error]) => `${name}: ${error}`) };
};

function jsonOf(text: string): unknown {
  try {
    return parseAnswerJson(text);
  } catch {
    return 'no JSON';
  }
}

/** The cases of a file about answers of language models. */
export async function answers(file: string): Promise<Tally> {
  const { llmParseVectors, llmTextVectors, sentimentVectors } = JSON.parse(await readFile(file, 'utf8')) as Vectors;
  const cases: readonly (readonly [name: string, expected: unknown, found: unknown])[] = [
    ...llmParseVectors.map(
      ({ id, raw, expected }) => [id, comparable({ ...expected, ...STRICT[id] }), comparable(parsedBy(raw))] as const,
    ),
    ...llmTextVectors.map(
      ({ id, text, expected, error }) => [id, error === undefined ? expected : 'no JSON', jsonOf(text)] as const,
    ),
    ...sentimentVectors.map(
      ({ intensity, expected }) => [`sentiment of ${intensity}`, expected, sentimentOf(intensity)] as const,
    ),
  ];
  const failed = cases.flatMap(([name, expected, found]): Difference[] =>
    isDeepStrictEqual(expected, found)
      ? []
      : [{ name, expected: JSON.stringify(expected), found: JSON.stringify(found) }],
  );
  return { passed: cases.length - failed.length, failed, skipped: [] };
}

const VECTORS = 'vectors/interview.json';

/** How the adaptive interview system reads the answers of a language model. */
export const interviewLanguageModel: Family = {
  name: 'interview language model',
  checks: [{ file: VECTORS, run: (folder) => answers(join(folder, VECTORS)) }],
};
