import { createPipeline, type Pipeline } from 'assize';
import { LANGUAGE_MODELS, type LanguageModels } from 'assize/sdk';
import type { JudgedQuery } from '../../src/judged-query.js';
import type { JudgeAspect, JudgeMeasure, JudgeReport } from '../../src/judge/judge-report.js';

/** A candidate whose text has its true grade, and filler. */
export interface Essay {
  readonly id: string;
  readonly text: string;
}

/** The grade that a text states. */
export const gradeIn = (text: string): number => Number(/grade (\d)/.exec(text)?.[1]);

interface Material {
  readonly candidate: string;
  readonly first: string;
  readonly second: string;
}

/** A model that answers by a function, and counts its calls. */
export function fakeModels(answer: (material: Material) => object): LanguageModels & { calls: number } {
  const models = {
    calls: 0,
    open: ({ name }: { readonly name: string }) => ({
      ask: async ({ material }: { readonly material: unknown }) => {
        models.calls += 1;
        return { value: answer(material as Material), model: name, tokens: 10 };
      },
    }),
  };
  return models;
}

/** A pipeline with a judge of the class. */
export const judgedBy = (
  name: 'RubricScorer' | 'PairwiseRubricScorer',
  models: LanguageModels,
  params: object = {},
): Promise<Pipeline<Essay>> =>
  createPipeline<Essay>(
    {
      name: 'judged',
      plugins: ['rerank'],
      tier2_scorers: [
        { id: 'length', expr: 'size(candidate.text)' },
        {
          id: 'quality',
          class: name,
          params: { model: 'fake', rubric: 'Be strict.', text: 'text', retries: 0, ...params },
        },
      ],
    },
    { services: [{ token: LANGUAGE_MODELS, value: models }] },
  );

/** Queries with essays of grades 0 to 4, each grade twice: a short one and a long one. */
export const essays = (queries: number, grades: readonly number[] = [0, 1, 2, 3, 4]): readonly JudgedQuery<Essay>[] =>
  Array.from({ length: queries }, (_, q) => {
    const all = grades.flatMap((grade) => [0, 1].map((long) => ({ grade, long })));
    return {
      id: `query ${q}`,
      candidates: all.map(({ grade, long }) => ({
        id: `${grade}${long}`,
        text: `grade ${grade}, essay ${q}${' and so on'.repeat(long * (30 + q))}`,
      })),
      grades: all.map(({ grade }) => grade),
    };
  });

/** A measure of the only judge, by aspect and the beginning of its name. */
export function measureOf({ judges }: JudgeReport, aspect: JudgeAspect, name: string): JudgeMeasure {
  const found = judges[0]!.measures.find((one) => one.aspect === aspect && one.name.startsWith(name));
  if (!found) throw new Error(`no measure ${aspect}, ${name}`);
  return found;
}
