import type { Problem, ProblemCode } from '../contract/index.js';
import { compilePath, type PathReader } from '../expression/path.js';
import { suggest } from '../expression/suggest.js';
import type { Expression } from '../expression/expression.js';
import type { Entry, Profile, Use } from '../profile/profile.js';
import { leavesRange } from '../stages/settle.js';
import type { Plan } from './compile.js';
import { idOf, quietly } from './ids.js';
import type { Outcome } from './run.js';

/** The candidate's fields that a use reads, whose absence it does not provide for. */
function fieldsOf(use: Use): readonly PathReader[] {
  if (use.kind === 'expr') return fieldsOfExpression(use.expression);
  return [...use.paths, ...[...use.children.values()].flatMap((child) => fieldsOf(child.use))];
}

const fieldsOfExpression = (expression: Expression): readonly PathReader[] =>
  expression.candidatePaths.filter((path) => !expression.optionalPaths.includes(path)).map(compilePath);

/** The keys that stand where a path's first missing step was looked for, over a sample of the candidates. */
function* keysWhereMissing(
  candidates: readonly unknown[],
  { steps }: PathReader,
): Generator<[step: string, key: string]> {
  for (const candidate of candidates.slice(0, 100)) {
    let at: unknown = candidate;
    for (const step of steps) {
      if (step.kind !== 'key' || typeof at !== 'object' || at === null) break;
      if (!Object.hasOwn(at, step.key)) {
        for (const key of Object.keys(at)) yield [step.key, key];
        break;
      }
      at = Reflect.get(at, step.key);
    }
  }
}

/** Who reads a path: what messages call it, and where it stands. */
type Reader = Pick<Entry, 'id'> & Partial<Pick<Entry, 'path' | 'place'>>;

/** A typo in a path is no load error, because candidates are untyped: but no candidate has it. */
function absentPath(reader: Reader, path: PathReader, candidates: readonly unknown[]): Problem | undefined {
  if (candidates.some((candidate) => quietly(() => path(candidate)) !== undefined)) return undefined;
  const missing = [...keysWhereMissing(candidates, path)];
  const near = missing[0] && suggest(missing[0][0], new Set(missing.map(([, key]) => key)));
  const hint = near && missing[0] ? `did you mean ${path.source.replace(missing[0][0], near)}?` : undefined;
  return about(reader, 'ASZ712', `${reader.id}: no candidate has ${path.source}`, hint);
}

const about = ({ path, place }: Omit<Reader, 'id'>, code: ProblemCode, message: string, hint?: string): Problem =>
  Object.freeze({ code, message, ...(path !== undefined && { path }), ...(place && { place }), ...(hint && { hint }) });

/** Every expression of a profile that reads candidates, besides those of its entries, by what it is called. */
function expressionsOf({ candidate, weights, combine, adjustments, select }: Profile): [string, unknown][] {
  const rules = adjustments.flatMap(({ id, when, set, add, multiply, min, max }): [string, unknown][] => {
    const by = typeof multiply === 'object' && 'by' in multiply ? multiply.by : [multiply];
    return [when, set, add, ...by, min, max].map((part) => [id, part]);
  });
  const ties = (select.ties ?? []).map((tie): [string, unknown] => ['ties', tie]);
  return [
    ['pinned', candidate.pinned],
    ['weights', weights?.by],
    ['combine', typeof combine === 'string' ? undefined : combine.formula],
    ...rules,
    ['duplicates', select.duplicates],
    ...ties,
  ];
}

const isExpression = (part: unknown): part is Expression =>
  typeof part === 'object' && part !== null && 'candidatePaths' in part;

function absentPaths({ profile }: Plan, candidates: readonly unknown[]): Problem[] {
  if (candidates.length === 0) return [];
  const entries: readonly Entry[] = [...profile.vetoes, ...profile.measures, ...profile.scorers];
  const ofEntries = entries.flatMap((entry) => fieldsOf(entry.use).map((path): [Reader, PathReader] => [entry, path]));
  const ofRest = expressionsOf(profile).flatMap(([id, part]) =>
    isExpression(part) ? fieldsOfExpression(part).map((path): [Reader, PathReader] => [{ id }, path]) : [],
  );
  const ofId: [Reader, PathReader][] = profile.candidate.id ? [[{ id: 'candidate.id' }, profile.candidate.id]] : [];
  const found = [...ofId, ...ofEntries, ...ofRest].flatMap(
    ([reader, path]) => absentPath(reader, path, candidates) ?? [],
  );
  return [...new Map(found.map((warning) => [warning.message, warning])).values()];
}

function duplicateIds(plan: Plan, candidates: readonly unknown[]): Problem[] {
  const seen = new Map<string, number>();
  for (const [index, candidate] of candidates.entries()) {
    const id = idOf(plan.profile, candidate, index);
    seen.set(id, (seen.get(id) ?? 0) + 1);
  }
  return [...seen]
    .filter(([, count]) => count > 1)
    .map(([id, count]) => about({}, 'ASZ711', `${count} candidates have the id ${id}`));
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function outOfRange(plan: Plan, { scored, kept, candidates, state }: Outcome): Problem[] {
  plan.cell.state = state;
  return scored.scoring.runs.flatMap((run) => {
    const { id, range, outOfRange: policy } = run.entry;
    if (!range || policy !== 'warn' || run.failed) return [];
    let count = 0;
    let first: string | undefined;
    for (let row = 0; row < kept.length; row++) {
      const position = kept[row]!;
      const value = valueOf(() => run.raw(candidates[position], row));
      if (value === undefined || !leavesRange(range, value)) continue;
      count += 1;
      first ??= `${value} for ${idOf(plan.profile, candidates[position], position)}`;
    }
    if (first === undefined) return [];
    const message = `${id} left its range of ${range[0]} to ${range[1]} ${times(count)}: ${first}`;
    return [about(run.entry, 'ASZ713', message, 'out_of_range: clamp bounds it')];
  });
}

/** Whether a use looks at the candidates at all: what a signal says is rightly the same for all of them. */
const looksAtCandidates = (use: Use): boolean =>
  use.kind === 'class' ||
  use.expression.readsCandidate ||
  use.expression.reads.some((name) => /^measures\b/.test(name));

/** A scorer that tells nobody apart decides nothing, whatever it weighs. */
function alike(plan: Plan, { scored, kept, candidates, state }: Outcome): Problem[] {
  if (kept.length < 2) return [];
  plan.cell.state = state;
  return scored.scoring.runs.flatMap((run) => {
    if (run.failed || !looksAtCandidates(run.entry.use)) return [];
    const valueAt = (row: number): number | undefined => valueOf(() => run.raw(candidates[kept[row]!], row));
    const first = valueAt(0);
    if (!Number.isFinite(first)) return [];
    for (let row = 1; row < kept.length; row++) if (valueAt(row) !== first) return [];
    const message = `${run.entry.id} gave all ${kept.length} candidates the same: ${Number(first?.toPrecision(4))}`;
    return [about(run.entry, 'ASZ714', message)];
  });
}

function valueOf(ask: () => number | undefined): number | undefined {
  try {
    return ask();
  } catch {
    return undefined; // settled and listed as degraded already
  }
}

/** What is legal and surely a mistake. Found when somebody reads it: a run pays nothing for it. */
export function warningsOf(plan: Plan, outcome: Outcome): readonly Problem[] {
  const { candidates } = outcome;
  const absent = absentPaths(plan, candidates);
  // Who reads what nobody has is told so; that it cannot tell them apart follows.
  const blind = new Set(absent.map(({ path }) => path));
  return [
    ...duplicateIds(plan, candidates),
    ...absent,
    ...outOfRange(plan, outcome),
    ...alike(plan, outcome).filter(({ path }) => !blind.has(path)),
    ...outcome.reports.warnings.map((message) => about({}, 'ASZ715', message)),
  ];
}
