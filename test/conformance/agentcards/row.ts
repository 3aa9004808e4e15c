import { ask, type Case, weightsOf } from './case.js';

/** One case of a family, as in the file: null is absent. */
export type Row = Readonly<Record<string, unknown>>;

export type Checks = (row: Row) => readonly Omit<Case, 'name'>[];

export const number = (row: Row, key: string): number => Number(row[key]);
export const numbers = (row: Row, key: string): readonly number[] => row[key] as readonly number[];
export const expected = (row: Row, key: string): Case['expected'] => (row[key] as Case['expected']) ?? null;

/** The cap of the pipeline does not apply to the final score. */
export const UNCAPPED = { adjustments: [{ id: 'cap', enabled: false }] };
export const plugins = ['agentcards'];

/** The final score of one candidate. */
export const total =
  (key: string, profile: object, context: object = {}): Checks =>
  (row) => [{ expected: expected(row, key), found: async () => (await ask(profile, [row], context)).score() }];

/** The final score of one candidate by a preset with given scores: the ids, with the keys that contain them. */
export const byPreset =
  (preset: string, scores: Readonly<Record<string, string>>, more: object = {}, context: object = {}): Checks =>
  (row) => [
    {
      expected: expected(row, 'combined' in row ? 'combined' : 'score'),
      found: async () => {
        const weight = await weightsOf(preset);
        const scorers = Object.entries(scores).map(([id, key]) => ({
          id,
          expr: `candidate.${key}`,
          weight: weight(id),
        }));
        return (await ask({ extends: [preset], tier2_scorers: scorers, ...UNCAPPED, ...more }, [row], context)).score();
      },
    },
  ];

export const given = (...ids: readonly (readonly [id: string, key: string])[]) =>
  ids.map(([id, key]) => ({ id, expr: `candidate.${key}` }));
