import { closestName, type Problem, type SourceFile } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import { profileSchema } from '../schema/profile-schema.js';
import { SCORING_KEY } from './raw-profile.js';

/** Keys that many kinds of files have. */
const COMMON_KEYS = ['name', 'description', 'context'];

/** The keys by which a profile is told from any other file. */
const TELLING_KEYS = [...Object.keys(profileSchema.shape), SCORING_KEY].filter((key) => !COMMON_KEYS.includes(key));

/** One of them as YAML or JSON writes a key, in a text that cannot be parsed. In linear time: no line end is skipped. */
const TELLING_KEY = new RegExp(`(?:^|[{,])[ \\t]*["']?(?:${TELLING_KEYS.join('|')})["']?[ \\t]*:`, 'm');

/** Whether a file is meant as a profile: it has a key of one, or nearly. One that has not may hold anything. */
export function looksLikeProfile({ source, data }: { readonly source: SourceFile; readonly data: unknown }): boolean {
  if (!isMap(data)) return TELLING_KEY.test(source.text);
  return Object.keys(data).some((key) => TELLING_KEYS.includes(key) || closestName(key, TELLING_KEYS) !== undefined);
}

/**
 * Replaces what is wrong with a file that is no profile by that: problems show what is written, and a path may lead to
 * a file that holds secrets.
 */
export function hideForeignFiles(problems: readonly Problem[], foreign: ReadonlySet<string>): readonly Problem[] {
  const told = new Set<string>();
  return problems.flatMap((problem): readonly Problem[] => {
    const { place } = problem;
    if (place === undefined || !foreign.has(place.file)) return [problem];
    if (told.has(place.file)) return [];
    told.add(place.file);
    return [
      {
        code: problem.code,
        message: 'this is no profile: it has none of its keys',
        place: startOf(place.file),
        hint: HINT,
      },
    ];
  });
}

const startOf = (file: string) => ({ file, line: 1, column: 1 });

const HINT = 'a profile looks like: tier2_scorers: [{ id: stars, expr: candidate.stars }]';
