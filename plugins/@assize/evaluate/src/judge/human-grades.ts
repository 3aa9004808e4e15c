import { formatNumber } from 'assize/internal';
import { absentMeasure, alphaMeasures, type Sampling } from './judge-measures.js';
import type { JudgeMeasure } from './judge-report.js';
import type { TextUnit } from './judged-units.js';

export const NO_GRADES = 'no candidate has a human grade';

/** Why kappa and alpha of human grades and those of a judge from 0 to `most` are unknown; undefined if they are not. */
export function gradeProblem(people: readonly number[], most: number): string | undefined {
  const [low, high] = [Math.min(...people), Math.max(...people)];
  if (low === high) return `all human grades are equal (${formatNumber(low)}), so chance explains any agreement`;
  const other = people.find((grade) => !Number.isInteger(grade) || grade < 0 || grade > most);
  if (other === undefined) return undefined;
  return `a human grade is ${formatNumber(other)}, and the judge's are whole numbers from 0 to ${most}: use one scale`;
}

/** The agreement of people with each other, by Krippendorff's alpha: the most that a judge can be expected to reach. */
export function peopleMeasures(units: readonly TextUnit[], sampling: Sampling): readonly JudgeMeasure[] {
  const rated = units.map(({ group, people }) => ({ group, ratings: people }));
  const counts = rated.map(({ ratings }) => ratings.filter((one) => one !== undefined).length);
  const most = Math.max(0, ...counts);
  if (most < 2) {
    const why = most === 0 ? NO_GRADES : 'each candidate has the grade of one person: add others by --rater';
    return [absentMeasure({ aspect: 'people', name: 'alpha' }, why)];
  }
  return alphaMeasures('people', rated, 'all human grades are equal', sampling);
}
