/** The grades that keys give, from 0, with their words. */
export interface Scale {
  /** The highest grade. */
  readonly most: number;
  readonly words: readonly string[];
}

const WORDS: Readonly<Record<number, readonly string[]>> = {
  1: ['bad', 'good'],
  2: ['bad', 'fair', 'good'],
  3: ['bad', 'fair', 'good', 'perfect'],
  4: ['bad', 'fair', 'good', 'very good', 'perfect'],
};

/** The scales that a person can choose. */
export const SCALES: readonly number[] = [1, 2, 3, 4];

/** Each grade has one key. */
const MOST_KEY = 9;
const USUAL = 3;

export const scaleTo = (most: number): Scale => ({
  most,
  words: WORDS[most] ?? Array.from({ length: most + 1 }, (_, grade) => String(grade)),
});

/**
 * The scale of grades; undefined if one key cannot give each of them.
 *
 * @param isOfData whether some grades are of the data, so that their highest one is the top of the scale
 */
export function scaleOf(grades: readonly number[], isOfData: boolean): Scale | undefined {
  let most = isOfData ? 1 : USUAL;
  for (const grade of grades) {
    if (!Number.isInteger(grade) || grade < 0 || grade > MOST_KEY) return undefined;
    if (grade > most) most = grade;
  }
  return scaleTo(most);
}

/** `good`; `2.5` of a grade that is not on the scale. */
export const gradeWord = (grade: number, scale: Scale | undefined): string => scale?.words[grade] ?? String(grade);
