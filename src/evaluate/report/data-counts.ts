import type { Dataset } from '../dataset/dataset.js';
import type { EvaluationReport } from './report.js';

/** What the data has. */
export function countsOf(
  { queries }: Dataset,
  file: string,
  relevantFrom = 1,
): Omit<EvaluationReport['data'], 'queries'> {
  const grades = queries.flatMap((query) => query.grades.filter((grade) => grade !== undefined && grade >= 0));
  const groups = queries.flatMap(
    ({ group, candidateGroups }) => candidateGroups ?? (group === undefined ? [] : [group]),
  );
  return {
    file,
    candidates: queries.reduce((sum, { candidates }) => sum + candidates.length, 0),
    judged: grades.length,
    relevant: grades.filter((grade) => grade !== undefined && grade >= relevantFrom).length,
    ...(groups.length > 0 && { groups: new Set(groups).size }),
  };
}
