import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { fuzz } from './fuzz.js';
import { KINDS } from './kinds.js';

const isFuzzing = process.env['FUZZ'] === '1';

/** The number of inputs of a kind. `FUZZ_COUNT=10000 npm run fuzz` sets it for each. */
const countOf = (kind: string): number =>
  Number(process.env['FUZZ_COUNT'] ?? (isFuzzing ? (COUNTS[kind] ?? 2000) : 50));

/** Kinds of which a campaign has more. */
const COUNTS: Readonly<Record<string, number>> = { sets: 20_000 };

/** The first seed: new ones with `npm run fuzz`, unless `FUZZ_SEED` is set. */
const SEED = Number(process.env['FUZZ_SEED'] ?? (isFuzzing ? Math.floor(Math.random() * 2 ** 31) : 1));

const built = existsSync(join(packageRoot(), 'dist', 'test', 'fuzz', 'child.js'));

describe.skipIf(!built)(
  `no input crashes, hangs, causes an internal error, or makes calls differ (seeds from ${SEED})`,
  () => {
    test.each(Object.keys(KINDS))(
      '%s',
      async (kind) => {
        const findings = await fuzz(kind, SEED, countOf(kind));
        const said = findings.map(({ seed, what }) => `FUZZ_SEED=${seed} FUZZ_COUNT=1, ${kind}: ${what}`);
        expect(said).toEqual([]);
      },
      isFuzzing ? 3_600_000 : undefined,
    );
  },
);
