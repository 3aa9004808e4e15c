import { describeValue } from '../../diagnostics/index.js';
import { ownValue } from '../../expression/index.js';
import { readSourceFile } from '../../input/index.js';
import type { CandidateSource } from '../../input/read-candidates.js';
import type { Judgements } from '../judgements.js';
import { readQrels } from '../trec/read-trec.js';
import { gradeOf, nameOf } from './data-path.js';
import { RowFile } from './row-file.js';

/** Four columns, the last of which is a whole number. */
const QRELS = /^(?:\s*(?:#.*)?\n)*[ \t]*[^\s,{["]+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+[ \t]*(?:\r?\n|$)/;

/** The names that each column may have. */
const COLUMNS = {
  query: ['query', 'query_id', 'qid', 'topic'],
  id: ['id', 'docid', 'doc_id', 'document', 'candidate', 'item'],
  grade: ['grade', 'label', 'relevance', 'rel', 'judgement', 'judgment'],
} as const;

/**
 * Judgements from a file: TREC qrels, or rows of JSON, JSON Lines, CSV, TSV or LIBSVM with a query, an id and a grade.
 *
 * @throws AssizeError (ASZ103) with the place of each row that is none
 */
export async function readJudgements(file: string, source: CandidateSource): Promise<Judgements> {
  const { text } = file === '-' ? { text: '' } : await readSourceFile(file);
  if (QRELS.test(text)) return readQrels(text, file);
  const rows = await RowFile.read(file, source);
  const judgements = new Map<string, Map<string, number>>();
  for (const [row, judgement] of rows.rows.entries()) {
    const wrong = addJudgement(judgement, judgements);
    if (wrong !== undefined) rows.refuse(row, ...wrong);
  }
  await rows.throwIfAny();
  return judgements;
}

/** Adds one judgement; what is wrong with it, and what to do, where it is none. */
function addJudgement(
  row: object,
  judgements: Map<string, Map<string, number>>,
): [message: string, hint?: string] | undefined {
  const query = nameOf(column(row, 'query'));
  const id = nameOf(column(row, 'id'));
  const grade = gradeOf(column(row, 'grade'));
  for (const [name, value] of Object.entries({ query, id, grade })) {
    if (value !== undefined && value !== null) continue;
    const found = describeValue(column(row, name === 'query' ? name : name === 'id' ? name : 'grade'));
    const names = `the fields of a judgement are query, id and grade; found ${Object.keys(row).join(', ')}`;
    return [`the ${name} of this judgement is ${found}`, names];
  }
  const ofQuery = judgements.get(query!) ?? new Map<string, number>();
  judgements.set(query!, ofQuery);
  if (ofQuery.has(id!)) return [`${id} is judged twice for query ${query}`];
  ofQuery.set(id!, grade!);
  return undefined;
}

const keyOf = (row: object, name: keyof typeof COLUMNS): string | undefined =>
  COLUMNS[name].find((one) => Object.hasOwn(row, one));

function column(row: object, name: keyof typeof COLUMNS): unknown {
  const key = keyOf(row, name);
  return key === undefined ? undefined : ownValue(row, key);
}

/** The field of a row that names its query as a judgement would; undefined where it has none. */
export const queryKeyOf = (row: object | undefined): string | undefined =>
  row === undefined || nameOf(column(row, 'query')) === undefined ? undefined : keyOf(row, 'query');
