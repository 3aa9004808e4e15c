import { readRows } from '../conformance/read.js';

/** A paragraph as a scorer sees it. */
export interface Paragraph {
  readonly title: string;
  readonly text: string;
  /** Its cost: its characters, and those of its title. */
  readonly characters: number;
}

/** A question with its paragraphs, and the label, which is stored separately. */
export interface Question {
  readonly query: string;
  readonly paragraphs: readonly Paragraph[];
  readonly needed: ReadonlySet<string>;
}

interface Row {
  readonly question: string;
  readonly supporting_facts: { readonly title: readonly string[] };
  readonly context: { readonly title: readonly string[]; readonly sentences: readonly (readonly string[])[] };
}

/** Reads the questions that `test/fixtures/context-ranking/SOURCE.md` describes. */
export async function readQuestions(file: string): Promise<readonly Question[]> {
  const rows = await readRows<Row>(file);
  return rows.map(({ question, supporting_facts, context }) => ({
    query: question,
    paragraphs: context.title.map((title, n) => paragraph(title, (context.sentences[n] ?? []).join(''))),
    needed: new Set(supporting_facts.title),
  }));
}

const paragraph = (title: string, text: string): Paragraph => ({ title, text, characters: title.length + text.length });
