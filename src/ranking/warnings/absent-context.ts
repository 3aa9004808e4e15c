import { closestName, type Problem } from '../../diagnostics/index.js';
import type { PathReader } from '../../expression/index.js';
import { type ContextRead, contextReads, type Profile } from '../../profile/index.js';
import { warningAbout } from './warning.js';

/**
 * A warning for each variable that a profile reads and the context of a run lacks: most probably a typo, or not passed.
 * Without it a scorer abstains on every candidate, and a veto refuses none. A condition that reads a missing variable
 * does not hold, which is often intended: it is a warning only if the context has a variable of nearly that name.
 *
 * @param gaveNothing whether an entry gave a number to no candidate: a param may name a variable that its unit can do
 *   without
 */
export function absentContextWarnings(
  profile: Profile,
  context: Readonly<Record<string, unknown>>,
  gaveNothing: (id: string, path: string | undefined) => boolean,
): Problem[] {
  const reads = contextReads(profile);
  const known = new Set(reads.map(({ variable }) => variable.source));
  const warnings = reads.flatMap((read) => {
    if (read.optional && !isDeclared(profile, read)) return [];
    if (read.variable(context) !== undefined) return [];
    const near = nearName(read.variable, context, known);
    const matters =
      near !== undefined ||
      (!read.optional && !read.conditional && read.as === 'value') ||
      (!read.optional && read.as === 'param' && gaveNothing(read.by, read.path));
    return matters ? [warningOf(read, near)] : [];
  });
  return [...new Map(warnings.map((warning) => [warning.message, warning])).values()];
}

/** A variable that the profile declares may be missing, but is hardly misspelt on purpose. */
const isDeclared = ({ context }: Profile, { variable }: ContextRead): boolean => {
  const [first] = variable.steps;
  return first?.kind === 'key' && context.has(first.key);
};

/** The variable of the context that was probably meant: one that the profile does not read itself. */
function nearName(
  { steps, source }: PathReader,
  context: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): string | undefined {
  let at: unknown = context;
  for (const step of steps) {
    if (step.kind !== 'key' || typeof at !== 'object' || at === null) return undefined;
    if (!Object.hasOwn(at, step.key)) {
      const near = closestName(step.key, Object.keys(at));
      const meant = near === undefined ? undefined : source.replace(step.key, near);
      return meant === undefined || known.has(meant) ? undefined : meant;
    }
    at = Reflect.get(at, step.key);
  }
  return undefined;
}

function warningOf({ by, variable: { source }, as, path, place }: ContextRead, near: string | undefined): Problem {
  const otherwise =
    as === 'value'
      ? `pass it in the context; if it may be missing, write ${optionalForm(source)}.orValue(…)`
      : 'pass it in the context';
  const hint = near === undefined ? otherwise : `did you mean ${near}?`;
  return warningAbout({ path, place }, 'ASZ723', `${by}: the context has no ${source}`, hint);
}

const optionalForm = (source: string): string =>
  source.startsWith('[') ? `context${source.replace('[', '[?')}` : `context.?${source}`;
