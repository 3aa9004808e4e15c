import { type PathReader, path, paths, z } from '../../../src/sdk.js';
import { pathRecord } from '../fields/path-record.js';

/** A text field of a candidate, and the weight of each word in it. */
export interface WeightedField {
  readonly read: PathReader;
  readonly weight: number;
}

const weightsByPath = pathRecord(
  z
    .record(z.string(), z.number().positive())
    .refine((fields) => Object.keys(fields).length > 0, 'expected at least one path'),
  path(),
  (read, weight): WeightedField => ({ read, weight }),
);

const equalWeights = paths().transform((readers): readonly WeightedField[] =>
  readers.map((read) => ({ read, weight: 1 })),
);

/** A param that names text fields: a path, a list of paths, or a map of paths with their weights. */
export const weightedFields = () => z.union([equalWeights, weightsByPath]);
