import { type PathReader, path, paths, z } from '../../src/sdk.js';

/** A text field of a candidate, with how often each word in it counts. */
export interface WeightedField {
  readonly read: PathReader;
  readonly weight: number;
}

const weightsByPath = z
  .record(z.string(), z.number().positive())
  .refine((fields) => Object.keys(fields).length > 0, 'expected at least one path')
  .transform((fields, ctx): readonly WeightedField[] =>
    Object.entries(fields).flatMap(([key, weight]) => {
      const read = path().safeParse(key);
      if (read.success) return [{ read: read.data, weight }];
      for (const issue of read.error.issues) ctx.issues.push({ ...issue, code: 'custom', input: fields, path: [key] });
      return [];
    }),
  );

const equalWeights = paths().transform((readers): readonly WeightedField[] =>
  readers.map((read) => ({ read, weight: 1 })),
);

/** A param that names text fields: a path, a list of paths, or a map of paths with their weights. */
export const weightedFields = () => z.union([equalWeights, weightsByPath]);
