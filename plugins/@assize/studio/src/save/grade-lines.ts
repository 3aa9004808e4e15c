import { isMap } from '../data/studio-data.js';
import { NotSavedError } from './save-file.js';

/** A grade in a file; null if a person removed it. */
export interface GradeLine {
  readonly query: string;
  readonly id: string;
  readonly grade: number | null;
}

/** The query of lines that name none, as in `assize evaluate`. */
export const ONLY_QUERY = 'all';

/** Grades by query and id. Maps, because an id may be `__proto__`. */
export type Grades = ReadonlyMap<string, ReadonlyMap<string, number | null>>;

const keyOf = (query: string, id: string): string => JSON.stringify([query, id]);

/** A text or a number as a text, as ids are compared. */
const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

/** The lines of a file of grades, each with its place and its fields. */
interface ReadLine extends GradeLine {
  readonly at: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Reads JSON Lines with `query`, `id` and `grade`.
 *
 * @param file the name of the file in messages
 * @throws NotSavedError with the place of the first invalid line
 */
export function readGradeLines(text: string, file: string): Grades {
  const grades = new Map<string, Map<string, number | null>>();
  for (const { query, id, grade } of readLines(text, file)) {
    const ofQuery = grades.get(query) ?? new Map<string, number | null>();
    grades.set(query, ofQuery);
    ofQuery.set(id, grade);
  }
  return grades;
}

/**
 * Sets one grade in the text of a file. Other lines stay as they are, and the changed line keeps its other fields.
 *
 * @param grade undefined removes the line; if it has other fields, its grade becomes null
 * @throws NotSavedError with the place of the first invalid line
 */
export function withGradeLine(
  text: string,
  file: string,
  { query, id, grade }: Pick<GradeLine, 'query' | 'id'> & { readonly grade: number | null | undefined },
): string {
  const old = readLines(text, file).find((one) => one.query === query && one.id === id);
  const lines = text.split('\n');
  if (old) {
    const hasMore = Object.keys(old.fields).some((key) => !['query', 'id', 'grade'].includes(key));
    if (grade === undefined && !hasMore) lines.splice(old.at, 1);
    else {
      const line = JSON.stringify({ ...old.fields, grade: grade ?? null });
      lines[old.at] = `${line}${lines[old.at]!.endsWith('\r') ? '\r' : ''}`;
    }
    return lines.join('\n');
  }
  if (grade === undefined) return text;
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${before}${JSON.stringify({ query, id, grade })}\n`;
}

function readLines(text: string, file: string): readonly ReadLine[] {
  const seen = new Map<string, number>();
  return text.split('\n').flatMap((line, at): ReadLine[] => {
    if (line.trim() === '' || line.trim() === '\uFEFF') return [];
    const refuse = (found: string): never => {
      throw new NotSavedError(`${file}:${at + 1}: ${found}; correct or remove this line`);
    };
    const fields = parsed(line) ?? refuse('expected a map such as { "query": "lamp", "id": "a1", "grade": 2 }');
    const query = fields['query'] === undefined ? ONLY_QUERY : nameOf(fields['query']);
    const [id, grade] = [nameOf(fields['id']), gradeOf(fields['grade'])];
    if (query === undefined) return refuse('the query is not a text or a number');
    if (id === undefined) return refuse('the id is not a text or a number');
    if (grade === undefined) return refuse('the grade is not a number or null');
    const key = keyOf(query, id);
    if (seen.has(key)) return refuse(`${id} is graded in line ${seen.get(key)!} too`);
    seen.set(key, at + 1);
    return [{ query, id, grade, at, fields }];
  });
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line.replace(/^\uFEFF/, ''));
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function gradeOf(value: unknown): number | null | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === null || (typeof value === 'number' && Number.isFinite(value)) ? value : undefined;
}
