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

/** A typo in a path is no load error, because candidates are untyped: but no candidate has it. */
function absentPath(entry: string, path: PathReader, candidates: readonly unknown[]): string | undefined {
  if (candidates.some((candidate) => quietly(() => path(candidate)) !== undefined)) return undefined;
  const missing = [...keysWhereMissing(candidates, path)];
  const near = missing[0] && suggest(missing[0][0], new Set(missing.map(([, key]) => key)));
  const hint = near && missing[0] ? `; did you mean ${path.source.replace(missing[0][0], near)}?` : '';
  return `${entry}: no candidate has ${path.source}${hint}`;
}

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
    ['cost', select.pack?.cost],
    ...ties,
  ];
}

const isExpression = (part: unknown): part is Expression =>
  typeof part === 'object' && part !== null && 'candidatePaths' in part;

function absentPaths({ profile }: Plan, candidates: readonly unknown[]): string[] {
  if (candidates.length === 0) return [];
  const entries: readonly Entry[] = [...profile.vetoes, ...profile.measures, ...profile.scorers];
  const ofEntries = entries.flatMap(({ id, use }) => fieldsOf(use).map((path): [string, PathReader] => [id, path]));
  const ofRest = expressionsOf(profile).flatMap(([name, part]) =>
    isExpression(part) ? fieldsOfExpression(part).map((path): [string, PathReader] => [name, path]) : [],
  );
  const ofId = profile.candidate.id ? [['candidate.id', profile.candidate.id] as const] : [];
  const found = [...ofId, ...ofEntries, ...ofRest].flatMap(([name, path]) => absentPath(name, path, candidates) ?? []);
  return [...new Set(found)];
}

function duplicateIds(plan: Plan, candidates: readonly unknown[]): string[] {
  const seen = new Map<string, number>();
  for (const [index, candidate] of candidates.entries()) {
    const id = idOf(plan.profile, candidate, index);
    seen.set(id, (seen.get(id) ?? 0) + 1);
  }
  return [...seen].filter(([, count]) => count > 1).map(([id, count]) => `${count} candidates have the id ${id}`);
}

function outOfRange(plan: Plan, { scored, kept, candidates, state }: Outcome): string[] {
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
    return first === undefined ? [] : [`${id} left its range of ${range[0]} to ${range[1]} ${count} times: ${first}`];
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
export function warningsOf(plan: Plan, outcome: Outcome): readonly string[] {
  const { candidates } = outcome;
  return [
    ...duplicateIds(plan, candidates),
    ...absentPaths(plan, candidates),
    ...outOfRange(plan, outcome),
    ...(outcome.arranged?.warnings ?? []).map((warning) => `pack: ${warning}`),
    ...outcome.reports.warnings,
  ];
}
