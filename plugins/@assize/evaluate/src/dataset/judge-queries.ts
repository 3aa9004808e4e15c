import { type CandidateSource, type Problem, toAssizeError } from 'assize';
import { describeValue, readSourceFile, RowFile } from 'assize/internal';
import type { PathReader } from 'assize/sdk';
import type { JudgedQuery, Judgements } from '../judged-query.js';
import { readQrels } from '../trec.js';
import { ALL, type QueryDraft } from './query-drafts.js';
import { gradeOf, isAbsent, keysOf, nameOf, otherFields, withoutField } from './row-fields.js';
import { ownValue } from '../values.js';

/** A query's candidates with their grades. */
export type JudgedDraft = QueryDraft & Pick<JudgedQuery<object>, 'grades' | 'missing'>;

/** Reads grades from a field of the candidates and removes the field. */
export function judgeByLabel(
  drafts: readonly QueryDraft[],
  label: PathReader,
  option: string,
  file: RowFile,
): readonly JudgedDraft[] {
  const keys = keysOf(option, label);
  if (drafts.length > 0 && drafts.every(({ candidates }) => isAbsent(label, candidates))) {
    const message = `nothing is judged: no candidate has ${label.source}`;
    throw toAssizeError([{ code: 'ASZ541', message, hint: otherFields(label, drafts[0]?.candidates ?? []) }]);
  }
  return drafts.map((draft) => {
    const grades = draft.candidates.map((candidate, k) => {
      const grade = gradeOf(label(candidate));
      if (grade !== null) return grade;
      const found = describeValue(label(candidate));
      file.refuse(draft.rows[k]!, `the label ${label.source} is ${found}; expected a number, true or false`);
      return undefined;
    });
    const strip = (one: object): object => Object(withoutField(one, keys));
    return { ...draft, grades, candidates: draft.candidates.map(strip), described: draft.described.map(strip) };
  });
}

/** Assigns grades by candidate id, or by position if the line of the query has a list of grades. */
export function judgeById(
  drafts: readonly QueryDraft[],
  judgements: Judgements | undefined,
  id: PathReader,
  file: RowFile,
): readonly JudgedDraft[] {
  let found = 0;
  const judged = drafts.map((draft): JudgedDraft => {
    const own = judgements?.get(draft.id) ?? draft.judged ?? new Map<string, number>();
    if (!('get' in own)) {
      found += 1;
      return { ...draft, grades: own };
    }
    const left = new Map(own);
    const seen = new Set<string>();
    const grades = draft.candidates.map((candidate, k) => {
      const name = nameOf(id(candidate));
      if (name === undefined) return undefined;
      if (seen.has(name) && own.has(name)) {
        file.refuse(draft.rows[k]!, `query ${draft.id} has two candidates with the judged id ${name}`);
      }
      seen.add(name);
      left.delete(name);
      return own.get(name);
    });
    found += own.size - left.size;
    return { ...draft, grades, missing: [...left.values()] };
  });
  if (found === 0 && drafts.length > 0) throw noneFound(drafts, judgements, id);
  return judged;
}

/** The error if no judged id matches a candidate. Usually `id` or `group` names the wrong field. */
function noneFound(drafts: readonly QueryDraft[], judgements: Judgements | undefined, id: PathReader): Error {
  const first = drafts[0]!;
  const own = judgements ?? (first.judged && 'get' in first.judged ? new Map([[first.id, first.judged]]) : undefined);
  const [query, ids] = own ? ([...own].find(([, of]) => of.size > 0) ?? []) : [];
  const problem: Problem =
    query === undefined || ids === undefined
      ? {
          code: 'ASZ541',
          message: 'nothing is judged',
          hint: 'give a file of judgements, the field with the grade (label), or judgements in the lines of queries',
        }
      : {
          code: 'ASZ541',
          message: `no judgement matches a candidate: the judgements of query ${query} are about ${[...ids.keys()].slice(0, 3).join(', ')}; the first candidate, of query ${first.id}, has ${describeValue(id(first.candidates[0]))} as ${id.source}`,
          hint:
            first.id === ALL
              ? 'the candidates name no query: pass --group PATH, or --queries FILE if each query ranks all candidates; --id PATH is the id of a candidate'
              : 'pass the paths of the candidate id (--id) and of the query id (--group); or, if each query ranks all candidates, --queries FILE instead of --group',
        };
  return toAssizeError([problem]);
}

/** Matches qrels: four columns, the last one an integer. */
const QRELS = /^(?:\s*(?:#.*)?\n)*[ \t]*[^\s,{["]+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+[ \t]*(?:\r?\n|$)/;

/** The accepted names of each column. */
const COLUMNS = {
  query: ['query', 'query_id', 'qid', 'topic'],
  id: ['id', 'docid', 'doc_id', 'document', 'candidate', 'item'],
  grade: ['grade', 'label', 'relevance', 'rel', 'judgement', 'judgment'],
} as const;

/**
 * Judgements from a file: TREC qrels, or rows of JSON, JSON Lines, CSV, TSV or LIBSVM with a query, an id and a grade.
 *
 * @throws AssizeError (ASZ103) with the place of each invalid row
 */
export async function readJudgements(file: string, source: CandidateSource): Promise<Judgements> {
  const { text } = file === '-' ? { text: '' } : await readSourceFile(file);
  if (QRELS.test(text)) return readQrels(text, file);
  const rows = await RowFile.readBeside(file, source);
  const judgements = new Map<string, Map<string, number>>();
  for (const [row, judgement] of rows.rows.entries()) {
    const wrong = addJudgement(judgement, judgements);
    if (wrong !== undefined) rows.refuse(row, ...wrong);
  }
  await rows.throwIfAny();
  return judgements;
}

const ONE_QUERY = 'For data without queries, put the grades into the candidates, and name their field: --label grade';

/** Adds one judgement; returns a message and a hint if it is invalid. */
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
    const fields = `the fields of a judgement are query, id and grade; found ${Object.keys(row).join(', ')}`;
    const names = name === 'query' ? `${fields}. ${ONE_QUERY}` : fields;
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

/** The name of the field that holds the query of a row, as in judgements; undefined if it does not exist. */
export const queryKeyOf = (row: object | undefined): string | undefined =>
  row === undefined || nameOf(column(row, 'query')) === undefined ? undefined : keyOf(row, 'query');
