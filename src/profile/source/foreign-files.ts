import { closestName, type Problem, type SourceFile } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import { profileSchema } from '../schema/profile-schema.js';
import { MEANT } from '../schema/schema-problems.js';
import { SCORING_KEY } from './raw-profile.js';

/** Every key of a profile. */
const KEYS = [...Object.keys(profileSchema.shape), SCORING_KEY];

/** The keys that distinguish a profile from any other file: the others are those of many kinds of files. */
const DISTINCTIVE_KEYS = [
  ...KEYS.filter((key) => !['name', 'description', 'context'].includes(key)),
  ...Object.keys(MEANT),
];

/** A key as YAML or JSON writes it, in a text that cannot be parsed. In linear time: no line end is skipped. */
const WRITTEN_KEY = /(?:^|[{,])[ \t]*["']?([\w-]+)["']?[ \t]*:/gm;
/** The same at the start of a line. */
const TOP_KEY = /^["']?([\w-]+)["']?[ \t]*:/gm;

/**
 * Whether a file is meant as a profile: it has a key that distinguishes one, or nearly, or nothing but keys of one. Any other
 * may hold anything.
 */
export function looksLikeProfile({ source, data }: { readonly source: SourceFile; readonly data: unknown }): boolean {
  if (isMap(data)) return Object.keys(data).some(isNear(DISTINCTIVE_KEYS)) || areAllNear(Object.keys(data));
  const distinctive = new Set(DISTINCTIVE_KEYS);
  return (
    keysIn(source.text, WRITTEN_KEY).some((key) => distinctive.has(key)) || areAllNear(keysIn(source.text, TOP_KEY))
  );
}

const isNear =
  (known: readonly string[]) =>
  (key: string): boolean =>
    known.includes(key) || closestName(key, known) !== undefined;

const areAllNear = (keys: readonly string[]): boolean => keys.length > 0 && keys.every(isNear(KEYS));

const keysIn = (text: string, pattern: RegExp): readonly string[] =>
  Array.from(text.matchAll(pattern), ([, key = '']) => key);

/**
 * Replaces what is wrong with a file that is no profile by that: problems show what is written, and a path may lead to
 * a file that holds secrets.
 */
export function hideForeignFiles(problems: readonly Problem[], foreign: ReadonlySet<string>): readonly Problem[] {
  const reported = new Set<string>();
  return problems.flatMap((problem): readonly Problem[] => {
    const { place } = problem;
    if (place === undefined || !foreign.has(place.file)) return [problem];
    if (reported.has(place.file)) return [];
    reported.add(place.file);
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
