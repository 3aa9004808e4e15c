import { closestName, type Problem } from '../../diagnostics/index.js';
import { keyText, type Plan, type RunResult } from '../../engine/index.js';
import { type WarningSubject, warningAbout } from './warning.js';

/** How many different values that are no key are searched for what a key may have meant. */
const MAX_UNLISTED = 100;

/** Two shorter keys are easily alike, as the codes of countries are. */
const MIN_TYPO_LENGTH = 4;

/** How many keys or values a message names. */
const MAX_NAMED = 5;

/** What a profile looks up by a value of the candidate: the cases of its weights, a level of a rule's table. */
interface KeyLookup {
  readonly subject: WarningSubject;
  readonly noun: 'case' | 'row';
  /** The expression whose value is the key. */
  readonly source: string;
  readonly keys: ReadonlySet<string>;
  readonly keyOf: (candidate: unknown, row: number) => unknown;
}

/**
 * A warning where candidates have values that are no key, and a key that none of them has is nearly one of these, or no
 * case applies to any of them: most probably a typo, which loading cannot find. Keys that merely do not occur in a run are none.
 */
export function unmetKeyWarnings(plan: Plan, result: RunResult): Problem[] {
  return plan.current.enter(result.context, () =>
    lookupsOf(plan).flatMap((lookup) => warningsAbout(lookup, valuesOf(lookup, result))),
  );
}

function lookupsOf({ profile, score, rules }: Plan): readonly KeyLookup[] {
  const { cases } = score;
  const ofWeights: readonly KeyLookup[] =
    cases && cases.by.readsCandidate
      ? [
          {
            subject: { id: 'weights' },
            noun: 'case',
            source: cases.by.source,
            keys: new Set(cases.cases.keys()),
            keyOf: cases.evaluate,
          },
        ]
      : [];
  const ofTables = profile.adjustments.flatMap(({ id, multiply }, k): readonly KeyLookup[] => {
    if (typeof multiply !== 'object' || !('table' in multiply)) return [];
    const keysOf = rules[k]?.multiply?.keys ?? [];
    return multiply.by.flatMap((by, level) => {
      const keyOf = keysOf[level];
      if (!by.readsCandidate || !keyOf) return [];
      const keys = new Set(keysAtLevel(multiply.table, level));
      return [{ subject: { id }, noun: 'row', source: by.source, keys, keyOf }];
    });
  });
  return [...ofWeights, ...ofTables];
}

function keysAtLevel(table: ReadonlyMap<string, unknown>, level: number): readonly string[] {
  if (level === 0) return [...table.keys()];
  return [...table.values()].flatMap((part) => (part instanceof Map ? keysAtLevel(part, level - 1) : []));
}

/** The keys that no candidate has, and the values that are no key: those of the first candidates. */
function valuesOf({ keys, keyOf }: KeyLookup, { candidates, kept }: RunResult) {
  const unmet = new Set(keys);
  const unlisted = new Set<string>();
  for (let row = 0; row < kept.length && (unmet.size > 0 || unlisted.size < MAX_UNLISTED); row++) {
    const value = tryKey(keyOf, candidates[kept[row]!], row);
    if (value === undefined) continue;
    if (keys.has(value)) unmet.delete(value);
    else if (unlisted.size < MAX_UNLISTED) unlisted.add(value);
  }
  return { unmet, unlisted };
}

/** The key of a candidate; undefined where it is absent or fails. */
function tryKey(keyOf: KeyLookup['keyOf'], candidate: unknown, row: number): string | undefined {
  try {
    const key = keyOf(candidate, row);
    return key === undefined ? undefined : keyText(key);
  } catch {
    return undefined; // a failure, which the run has listed already
  }
}

function warningsAbout(
  { subject, noun, source, keys }: KeyLookup,
  { unmet, unlisted }: ReturnType<typeof valuesOf>,
): Problem[] {
  if (unlisted.size === 0 || unmet.size === 0) return [];
  // A table may well have rows for what should never come; cases of which none applies are no cases.
  if (noun === 'case' && unmet.size === keys.size) {
    const message = `${subject.id}: no candidate meets the ${noun}${keys.size > 1 ? 's' : ''} ${listed(keys)}`;
    const [key, ...others] = keys;
    const near = key === undefined || others.length > 0 ? undefined : closestName(key, unlisted);
    const hint = near === undefined ? `${source} is ${listed(unlisted)}` : `did you mean ${near}?`;
    return [warningAbout({}, 'ASZ706', message, hint)];
  }
  return [...unmet].flatMap((key) => {
    const near = key.length < MIN_TYPO_LENGTH ? undefined : closestName(key, unlisted);
    if (near === undefined) return [];
    const message = `${subject.id}: no candidate meets the ${noun} ${key}`;
    return [warningAbout({}, 'ASZ706', message, `did you mean ${near}?`)];
  });
}

const listed = (texts: ReadonlySet<string>): string =>
  [...texts].slice(0, MAX_NAMED).join(', ') + (texts.size > MAX_NAMED ? ' …' : '');
