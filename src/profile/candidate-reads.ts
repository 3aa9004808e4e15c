import type { Place } from '../diagnostics/index.js';
import { type Expression, isExpression, parsePath } from '../expression/index.js';
import type { ProfileLocation, Use } from './entries.js';
import type { Adjustment, Profile } from './profile.js';
import type { SelectSpec } from './selection.js';

/** One field that a part of a profile reads of candidates. */
export interface CandidateRead {
  /** The id of the entry or rule that reads it; of another part of the profile its key, such as `weights.by`. */
  readonly by: string;
  /** `price`, `metadata.author`, `steps[].tool`: with all that is in it. Undefined: anything of the candidate. */
  readonly field: string | undefined;
  /** Whether the reader provides for candidates without the field. */
  readonly optional: boolean;
  /** Of an entry: `tier2_scorers[0]`. */
  readonly path: string | undefined;
  /** The file and position of the reader, where it is in a file. */
  readonly place: Place | undefined;
}

type Field = Pick<CandidateRead, 'field' | 'optional'>;

/**
 * Every field that a profile reads of candidates, in the order of the stages. It is found without a run: what a unit
 * reads is what its params name, or anything, unless its class says `reads: 'params'`.
 */
export function candidateReads(profile: Profile): readonly CandidateRead[] {
  const { candidate, vetoes, measures, scorers, weights, combine, adjustments, select, reports } = profile;
  const id = { field: candidate.id?.source ?? 'id', optional: candidate.id?.optional ?? true };
  return [
    { by: 'candidate.id', ...id, path: undefined, place: undefined },
    ...readsOf('candidate.pinned', candidate.pinned),
    ...[...vetoes, ...measures, ...scorers].flatMap((entry) => readsOfEntry(entry.id, entry)),
    ...readsOf('weights.by', weights?.by),
    ...readsOf('combine', typeof combine === 'string' ? undefined : combine.formula),
    ...adjustments.flatMap((rule) => expressionsOf(rule).flatMap((part) => readsOf(rule.id, part))),
    ...readsOfSelect(select),
    ...reports.flatMap((report) => readsOfEntry(report.id, report)),
  ];
}

/** The ids of the entries and the keys of the profile that may read a field of candidates, or a part of it. */
export const readersOf = (profile: Profile, field: string): readonly string[] => [
  ...new Set(
    candidateReads(profile)
      .filter((read) => read.field === undefined || pathsOverlap(read.field, field))
      .map(({ by }) => by),
  ),
];

/** Whether one of two paths leads through the other. */
export function pathsOverlap(one: string, other: string): boolean {
  const [a, b] = [keysOf(one), keysOf(other)];
  return a.slice(0, b.length).every((key, k) => key === b[k]);
}

const keysOf = (path: string): readonly string[] => parsePath(path).map((step) => JSON.stringify(step));

const readsOfSelect = ({ duplicates, per, ties, diversify, pack, place }: SelectSpec): readonly CandidateRead[] => [
  ...readsOf('select.duplicates', duplicates),
  ...readsOf('select.per', per?.by),
  ...(ties ?? []).flatMap((tie) => readsOf('select.ties', tie)),
  ...(diversify ? readsOfEntry('select.diversify', diversify) : []),
  ...(pack ? [...readsOf('select.pack.cost', pack.cost), ...readsOfEntry('select.pack', pack)] : []),
  ...(place ? readsOfEntry('select.place', place) : []),
];

function expressionsOf({ when, set, add, multiply, min, max }: Adjustment): readonly unknown[] {
  const factors = typeof multiply === 'object' && 'by' in multiply ? multiply.by : [multiply];
  return [when, set, add, ...factors, min, max];
}

const readsOf = (by: string, part: unknown): readonly CandidateRead[] =>
  isExpression(part) ? fieldsOf(part).map((field) => ({ by, ...field, path: undefined, place: part.place })) : [];

const readsOfEntry = (by: string, { use, path, place }: ProfileLocation & { readonly use: Use }): CandidateRead[] =>
  fieldsOfUse(use).map((field) => ({ by, ...field, path, place }));

/** Reads of a candidate that have no name. */
const ANYTHING: Field = { field: undefined, optional: true };

const fieldsOf = ({ readsWholeCandidate, candidatePaths, optionalPaths }: Expression): readonly Field[] => [
  ...(readsWholeCandidate ? [ANYTHING] : []),
  ...candidatePaths.map((field) => ({ field, optional: optionalPaths.includes(field) })),
];

function fieldsOfUse(use: Use): readonly Field[] {
  if (use.kind === 'expr') return fieldsOf(use.expression);
  return [
    ...(use.unit.meta.reads === 'params' ? [] : [ANYTHING]),
    ...use.paths.map(({ source, optional }) => ({ field: source, optional })),
    ...use.expressions.flatMap(fieldsOf),
    ...[...use.children.values()].flatMap((child) => fieldsOfUse(child.use)),
  ];
}
