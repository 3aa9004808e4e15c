import { type PathReader, z } from '../../../src/sdk.js';

/**
 * A param that is a map whose keys are paths: a list of what `make` gives for each. An issue of a path stands on its
 * key.
 *
 * @param record the map as it is written
 * @param path   parses a key: `path()` or `itemPath()`
 */
export const pathRecord = <V, R>(
  record: z.ZodType<Readonly<Record<string, V>>, Readonly<Record<string, V>>>,
  path: z.ZodType<PathReader, string>,
  make: (read: PathReader, value: V) => R,
) =>
  record.transform((entries, ctx): readonly R[] =>
    Object.entries(entries).flatMap(([key, value]) => {
      const read = path.safeParse(key);
      if (read.success) return [make(read.data, value)];
      for (const issue of read.error.issues) ctx.issues.push({ ...issue, code: 'custom', input: entries, path: [key] });
      return [];
    }),
  );
