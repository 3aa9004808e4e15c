import type { UnitClass } from '../sdk/index.js';
import type { Place, Problem } from '../base/index.js';
import { compilePath, type PathReader, type Expression, isExpression, parsePath } from '../expression/index.js';
import type {
  Adjustment,
  BudgetSpec,
  Entry,
  Profile,
  ProfileLocation,
  SelectSpec,
  StatisticEntry,
  Use,
} from './profile.js';

/** Whether a use, or an entry inside it, keeps a memory. */
export const hasMemory = (use: Use): boolean =>
  use.kind === 'class' &&
  (use.unit.meta.memory !== undefined || [...use.children.values()].some((child) => hasMemory(child.use)));

/** Whether a use, or an entry inside it, has `prepare`. Only `prepare` can time out. */
export const isPrepared = (use: Use): boolean =>
  use.kind === 'class' &&
  ('prepare' in use.unit.prototype || [...use.children.values()].some((child) => isPrepared(child.use)));

/** Whether the effect of a rule depends on scores, of the candidate or of others. */
export function readsScores({ group, when, set, add, multiply, min, max }: Adjustment): boolean {
  if (group) return true;
  const factors = typeof multiply === 'object' && 'by' in multiply ? multiply.by : [multiply];
  const expressions = [when, set, add, ...factors, min, max].filter((part): part is Expression => isExpression(part));
  return expressions.some(({ reads }) => reads.some((name) => /^scores?\b/.test(name)));
}

/** The classes that a profile uses, including those inside other entries. */
export function unitsOf(profile: Profile): readonly UnitClass[] {
  const { signals, strategies, vetoes, measures, scorers, select, reports } = profile;
  const { diversify, pack, place } = select;
  const entries = [...signals, ...vetoes, ...measures, ...scorers, ...reports, diversify, pack, place];
  const uses = [...entries, ...strategies.map(({ focus }) => focus)].flatMap((entry) => entry?.use ?? []);
  return uses.flatMap(unitsOfUse);
}

const unitsOfUse = (use: Use): readonly UnitClass[] =>
  use.kind === 'expr' ? [] : [use.unit, ...[...use.children.values()].flatMap((child) => unitsOfUse(child.use))];

/**
 * The problem of a budget that reserves more than its maximum: nothing would fit, not even pinned candidates.
 *
 * @returns undefined if the reserves fit
 */
export function budgetReserveExcess({ outputReserve, reservedSlots }: BudgetSpec, max: number): string | undefined {
  if (outputReserve > max) return `the output_reserve of ${outputReserve} is more than the max of ${max}`;
  if (outputReserve + reservedSlots <= max) return undefined;
  const reserve = outputReserve > 0 ? ` and the output_reserve of ${outputReserve}` : '';
  return `the reserved_slots of ${reservedSlots} together${reserve} are more than the max of ${max}`;
}

/** The ids of a profile's entries, by kind, in the order of a run; `names` are those of `let`. */
export interface ProfileDescription {
  readonly names: readonly string[];
  readonly signals: readonly string[];
  readonly strategies: readonly string[];
  readonly vetoes: readonly string[];
  readonly measures: readonly string[];
  readonly statistics: readonly string[];
  readonly scorers: readonly string[];
  readonly rules: readonly string[];
  readonly reports: readonly string[];
}

const idsOf = (entries: readonly { readonly id: string }[]): readonly string[] => entries.map(({ id }) => id);

/** The ids of a profile's entries. */
export function describeProfile(profile: Profile): ProfileDescription {
  const { lets, signals, strategies, vetoes, measures, stats, scorers, adjustments, reports } = profile;
  return {
    names: lets.map(({ name }) => name),
    signals: idsOf(signals),
    strategies: idsOf(strategies),
    vetoes: idsOf(vetoes),
    measures: idsOf(measures),
    statistics: stats.map(({ name }) => name),
    scorers: idsOf(scorers),
    rules: idsOf(adjustments),
    reports: idsOf(reports),
  };
}

/** The scorers that skip candidates that can no longer be selected. */
export interface PruningFacts {
  /** Their ids, the cheapest first. */
  readonly scorers: readonly string[];
  /** Why nothing is pruned; undefined if pruning is on. */
  readonly off: string | undefined;
}

export const pruningFacts = ({ pruning: { scorers, disabledReason } }: Profile): PruningFacts => ({
  scorers: idsOf(scorers),
  off: disabledReason,
});

/**
 * The entries that need all candidates together. Scorers of a rerank do, because they run on the best. If the list is
 * empty, candidates can be evaluated in parts.
 */
export function entriesNeedingAll({ vetoes, measures, stats, scorers, rerank }: Profile): readonly Entry[] {
  const alone = ({ id, scopes, use }: Entry): boolean =>
    scopes.size === 1 && scopes.has('candidate') && !hasMemory(use) && !rerank?.ask.includes(id);
  return [...vetoes, ...measures, ...stats, ...scorers].filter((entry) => !alone(entry));
}

/**
 * The entries that cannot evaluate candidates part by part, in their order. An entry with a memory can: the memory contains
 * all that the candidates of earlier parts change.
 */
export const entriesNeedingWhole = (profile: Profile): readonly Entry[] =>
  entriesNeedingAll(profile).filter(
    ({ id, scopes, use }) =>
      scopes.has('set') ||
      use.kind === 'expr' ||
      use.unit.meta.memory === undefined ||
      use.children.size > 0 ||
      profile.rerank?.ask.includes(id),
  );

export const idsNeedingAll = (profile: Profile): readonly string[] => idsOf(entriesNeedingAll(profile));

/** A candidate field that a part of a profile reads. */
export interface CandidateRead {
  /** The id of the entry or rule that reads it, or the key of another part: `weights.by`. */
  readonly by: string;
  /** `price`, `metadata.author`, `steps[].tool`, including everything inside it. Undefined: the whole candidate. */
  readonly field: string | undefined;
  /** Whether the reader handles candidates without the field. */
  readonly optional: boolean;
  /** The path of an entry: `tier2_scorers[0]`. */
  readonly path: string | undefined;
  /** The file and position of the reader, if it is in a file. */
  readonly place: Place | undefined;
}

type Field = Pick<CandidateRead, 'field' | 'optional'>;

/**
 * Every candidate field that a profile reads, in the order of the stages. This needs no run: a unit whose class declares
 * `reads: 'params'` reads the fields that its params name; any other unit may read the whole candidate.
 */
export function candidateReads(profile: Profile): readonly CandidateRead[] {
  const { candidate, vetoes, measures, stats, scorers, weights, combine, adjustments, select, reports } = profile;
  const id = { field: candidate.id?.source ?? 'id', optional: candidate.id?.optional ?? true };
  return [
    { by: 'candidate.id', ...id, path: undefined, place: undefined },
    ...readsOf('candidate.pinned', candidate.pinned),
    ...[...vetoes, ...measures].flatMap((entry) => readsOfEntry(entry.id, entry)),
    ...stats.flatMap((entry) => expressionsOfStatistic(entry).flatMap((part) => readsOf(entry.id, part))),
    ...scorers.flatMap((entry) => readsOfEntry(entry.id, entry)),
    ...readsOf('weights.by', weights?.by),
    ...readsOf('combine', typeof combine === 'string' ? undefined : combine.formula),
    ...adjustments.flatMap((rule) => expressionsOf(rule).flatMap((part) => readsOf(rule.id, part))),
    ...readsOfSelect(select),
    ...reports.flatMap((report) => readsOfEntry(report.id, report)),
  ];
}

/** The ids of the entries and the keys of the profile that may read a candidate field or a part of it. */
export const readersOf = (profile: Profile, field: string): readonly string[] => [
  ...new Set(
    candidateReads(profile)
      .filter((read) => read.field === undefined || pathsOverlap(read.field, field))
      .map(({ by }) => by),
  ),
];

/** Whether one of two paths is the other or leads into it. */
export function pathsOverlap(one: string, other: string): boolean {
  const [a, b] = [keysOf(one), keysOf(other)];
  return a.slice(0, b.length).every((key, k) => key === b[k]);
}

const keysOf = (path: string): readonly string[] => parsePath(path).map((step) => JSON.stringify(step));

/**
 * Problems of expressions when the schema of a table declares these candidate fields as dates. A date never equals a
 * text that it is compared with (ASZ402).
 */
export function problemsWithDates(profile: Profile, dates: ReadonlySet<string>): readonly Problem[] {
  return expressionsOfCandidates(profile).flatMap(({ by, path, expression }) =>
    expression.problemsWithDates(dates).map(({ message, hint }): Problem => {
      const { source, place } = expression;
      return {
        code: 'ASZ402',
        message: `${by}: ${message}: ${source}`,
        hint,
        place,
        ...(path !== undefined && { path }),
      };
    }),
  );
}

/** Expressions that mean something else in standard CEL (ASZ729). */
export function expressionWarnings(profile: Profile): readonly Problem[] {
  const { signals, vetoes, measures, scorers, adjustments, reports } = profile;
  const conditions = [...signals, ...vetoes, ...measures, ...scorers, ...adjustments, ...reports].flatMap(
    ({ id, when }): readonly LocatedExpression[] => (when ? [{ by: id, path: undefined, expression: when }] : []),
  );
  return [...conditions, ...expressionsOfCandidates(profile)].flatMap(({ by, path, expression }) =>
    expression.warnings.map(({ message, hint }): Problem => {
      const where = path === undefined ? {} : { path };
      return { code: 'ASZ729', message: `${by}: ${message}`, hint, place: expression.place, ...where };
    }),
  );
}

interface LocatedExpression {
  readonly by: string;
  readonly path: string | undefined;
  readonly expression: Expression;
}

/** The expressions of a statistic. */
export const expressionsOfStatistic = ({ use, by, filter }: StatisticEntry): readonly Expression[] =>
  [...expressionsOfUse(use), by, filter].filter((part) => part !== undefined);

/** The statistics that an expression reads, by name. */
export const statisticNames = ({ reads }: Expression): readonly string[] =>
  reads.flatMap((read) => /^stats\.(\w+)\./.exec(read)?.[1] ?? []);

/** Every expression of a profile that may read a candidate. */
export function expressionsOfCandidates(profile: Omit<Profile, 'lets' | 'pruning'>): readonly LocatedExpression[] {
  const { candidate, vetoes, measures, stats, scorers, weights, combine, adjustments, select, reports } = profile;
  const { duplicates, per, ties, diversify, pack, place } = select;
  const parts: readonly (readonly [by: string, part: unknown])[] = [
    ['candidate.pinned', candidate.pinned],
    ['weights.by', weights?.by],
    ['combine', typeof combine === 'string' ? undefined : combine.formula],
    ...adjustments.flatMap((rule) => expressionsOf(rule).map((part) => [rule.id, part] as const)),
    ['select.duplicates', duplicates],
    ['select.per', per?.by],
    ...(ties ?? []).map((tie) => ['select.ties', tie] as const),
    ['select.pack.cost', pack?.cost],
    ...contractsOf(pack).map(([key, part]) => [key, part] as const),
  ];
  const entries = [
    ...[...vetoes, ...measures, ...scorers, ...reports].map((entry) => [entry.id, entry] as const),
    ...Object.entries({ diversify, pack, place }).flatMap(([key, use]) =>
      use ? [[`select.${key}`, use] as const] : [],
    ),
  ];
  return [
    ...entries.flatMap(([by, { use, path }]) => expressionsOfUse(use).map((expression) => ({ by, path, expression }))),
    ...stats.flatMap((entry) =>
      expressionsOfStatistic(entry).map((expression) => ({ by: entry.id, path: entry.path, expression })),
    ),
    ...parts.flatMap(([by, part]) => (isExpression(part) ? [{ by, path: undefined, expression: part }] : [])),
  ];
}

/** The expressions of `select.pack` besides the cost, by path. */
const contractsOf = (pack: SelectSpec['pack']): readonly (readonly [path: string, expression: Expression])[] => {
  const { keepTogether, requires, variants, order } = pack ?? {};
  const by = typeof order === 'object' ? order.expression : undefined;
  const parts = { keep_together: keepTogether, requires, variants, order: by };
  return Object.entries(parts).flatMap(([key, part]) => (part ? [[`select.pack.${key}`, part] as const] : []));
};

/** The expressions of a use, and of the entries inside it. */
export const expressionsOfUse = (use: Use): readonly Expression[] =>
  use.kind === 'expr'
    ? [use.expression]
    : [...use.expressions, ...[...use.children.values()].flatMap((child) => expressionsOfUse(child.use))];

const readsOfSelect = ({ duplicates, per, ties, diversify, pack, place }: SelectSpec): readonly CandidateRead[] => [
  ...readsOf('select.duplicates', duplicates),
  ...readsOf('select.per', per?.by),
  ...(ties ?? []).flatMap((tie) => readsOf('select.ties', tie)),
  ...(diversify ? readsOfEntry('select.diversify', diversify) : []),
  ...(pack ? [...readsOf('select.pack.cost', pack.cost), ...readsOfEntry('select.pack', pack)] : []),
  ...contractsOf(pack).flatMap(([key, part]) => readsOf(key, part)),
  ...(place ? readsOfEntry('select.place', place) : []),
];

function expressionsOf({ group, when, set, add, multiply, min, max }: Adjustment): readonly unknown[] {
  const factors = typeof multiply === 'object' && 'by' in multiply ? multiply.by : [multiply];
  return [group, when, set, add, ...factors, min, max];
}

const readsOf = (by: string, part: unknown): readonly CandidateRead[] =>
  isExpression(part) ? fieldsOf(part).map((field) => ({ by, ...field, path: undefined, place: part.place })) : [];

const readsOfEntry = (by: string, { use, path, place }: ProfileLocation & { readonly use: Use }): CandidateRead[] =>
  fieldsOfUse(use).map((field) => ({ by, ...field, path, place }));

/** The whole candidate. */
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

/** A context variable that a part of a profile reads. */
export interface ContextRead {
  /** The same as in `CandidateRead`. */
  readonly by: string;
  readonly variable: PathReader;
  /**
   * The effect of a missing variable. `value`: the expression's value is absent. `param`: the unit whose param names the
   * variable decides. `condition`: a condition is false, a limit is not set.
   */
  readonly as: 'value' | 'param' | 'condition';
  /** Whether the reader handles its absence, or the profile declares it as not required. */
  readonly optional: boolean;
  /** Whether the reader runs only under a condition. */
  readonly conditional: boolean;
  readonly path: string | undefined;
  readonly place: Place | undefined;
}

type ContextReader = Pick<ContextRead, 'by' | 'conditional' | 'path' | 'place'>;

/** Every context variable that a profile reads by name, in the order of the stages. */
export function contextReads(profile: Profile): readonly ContextRead[] {
  const {
    candidate,
    signals,
    vetoes,
    measures,
    stats,
    scorers,
    weights,
    combine,
    adjustments,
    select,
    fallback,
    phases,
    strategies,
  } = profile;
  const entries = [...signals, ...vetoes, ...measures, ...scorers];
  const reads = [
    ...entries.flatMap((entry) => {
      const { id: by, path, place, when, use } = entry;
      const reader = { by, path, place, conditional: when !== undefined };
      return [...variablesOfUse(reader, use), ...variablesOf(reader, when, 'condition')];
    }),
    ...stats.flatMap((entry) =>
      expressionsOfStatistic(entry).flatMap((one) => variablesOf(partOf(entry.id), one, 'value')),
    ),
    ...variablesOf(partOf('combine'), typeof combine === 'string' ? undefined : combine.formula, 'value'),
    ...[weights?.by, ...scorers.map(({ weight }) => weight)].flatMap((one) =>
      variablesOf(partOf('weights'), one, 'condition'),
    ),
    ...adjustments.flatMap((rule) =>
      expressionsOf(rule).flatMap((one) => variablesOf(partOf(rule.id), one, 'condition')),
    ),
    ...[select.top, select.minScore, select.seed].flatMap((limit) =>
      typeof limit === 'object' ? variablesOf(partOf('select'), limit.expression, 'condition') : [],
    ),
    ...[
      candidate.pinned,
      select.duplicates,
      select.per?.by,
      ...(select.ties ?? []),
      select.pack?.cost,
      ...contractsOf(select.pack).map(([, part]) => part),
    ].flatMap((one) => variablesOf(partOf('select'), one, 'condition')),
    ...fallback.flatMap(({ when }) => variablesOf(partOf('fallback'), when, 'condition')),
    ...phases.flatMap(({ name, when }) => variablesOf(partOf(name), when, 'condition')),
    ...strategies.flatMap(({ id, focus }) => variablesOf(partOf(id), focus?.when, 'condition')),
  ];
  const mayBeMissing = ({ steps: [first] }: PathReader): boolean =>
    first?.kind === 'key' && profile.context.get(first.key)?.required === false;
  return reads.map((read) => ({ ...read, optional: read.optional || mayBeMissing(read.variable) }));
}

const partOf = (by: string): ContextReader => ({ by, conditional: false, path: undefined, place: undefined });

function variablesOfUse(reader: ContextReader, use: Use): readonly ContextRead[] {
  if (use.kind === 'expr') return variablesOf(reader, use.expression, 'value');
  return [
    ...use.contextPaths.map((variable) => ({ ...reader, variable, as: 'param' as const, optional: variable.optional })),
    ...use.expressions.flatMap((one) => variablesOf(reader, one, 'value')),
    ...[...use.children.values()].flatMap((child) => variablesOfUse(reader, child.use)),
  ];
}

const VARIABLE = /^context(?:\.|(?=\[))/;

const variablesOf = (reader: ContextReader, part: unknown, as: ContextRead['as']): readonly ContextRead[] =>
  isExpression(part)
    ? part.reads
        .filter((read) => VARIABLE.test(read))
        .map((read) => {
          const variable = compilePath(read.replace(VARIABLE, ''));
          const place = reader.place ?? part.place;
          return { ...reader, variable, as, optional: part.optionalReads.includes(read), place };
        })
    : [];
