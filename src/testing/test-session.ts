import { createPipeline } from '../container.js';
import type { BatchScope, Context, SelectorLimits, ServiceBinding, UnitClass, UnitKind } from '../contract/index.js';
import type { CandidateRead, ProfileInput } from '../profile/index.js';
import type { Ranking } from '../ranking/index.js';
import { probeUnit, type RecordedCall, scoreOf } from './unit-probe.js';
import { resultOf, type UnitResult } from './unit-results.js';

/** The input of `checkUnit`. */
export interface UnitExample {
  /** Realistic ones and edge cases: an empty list, an absent field. Ten or so are enough. */
  readonly candidates: readonly object[];
  /** As a profile writes them. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The context of every run; `now` is a fixed time by default. */
  readonly context?: Context;
  /** Services that the unit has injected, in place of those that ship. */
  readonly services?: readonly ServiceBinding[];
  /** Other units that the params or the profile name, by class name. */
  readonly units?: Readonly<Record<string, unknown>>;
  /** The rest of the profile: signals and measures that the unit reads. It must not refuse any candidate. */
  readonly profile?: ProfileInput;
  /** With children among the params, the widest scope of them all; the unit's own by default. */
  readonly scope?: BatchScope;
  /** Whether it may fail on some candidates, which are malformed on purpose. */
  readonly mayFail?: boolean;
  /** For a selector: the score and cost of each candidate, by position, the pinned first. */
  readonly rows?: readonly RowExample[];
  /** For a selector: its limits; none by default, as for one that places. */
  readonly limits?: SelectorLimits;
  /** For a selector: whether it, or one among its params, may keep more than the limits; that of its meta by default. */
  readonly overflows?: boolean;
}

/** A row of a selector's example. */
export interface RowExample {
  readonly score: number;
  readonly cost: number;
  readonly pinned?: boolean;
}

/** The id and the class name of the unit's entry. */
const ENTRY = 'unit_under_test';
const CLASS = 'UnitUnderTest';

/** One run of the unit. */
export interface UnitRun {
  readonly call: RecordedCall;
  /** By candidate: the values of the unit's score, called directly. */
  readonly results: readonly UnitResult[];
  /** Undefined where a selector failed the run. */
  readonly ranking: Ranking<object> | undefined;
}

/** A pipeline with the unit in it. Runs of one session share the unit's memory. */
export interface TestSession {
  /** What the unit reads of candidates, as its params say and its class declares. */
  readonly reads: readonly CandidateRead[];
  run(candidates: readonly object[] | undefined): Promise<UnitRun>;
}

const now = '2026-01-01T00:00:00Z';

/** The budget of a selector under test: rules pass it the example's rows, and the run only prepares it. */
const AMPLE_PACK = { cost: '1.0 + 0.0', budget: 1e6, overflow: 'proceed' } as const;

/** A profile with the unit in it. A scorer is a measure, since no value of a measure refuses a candidate. */
function profileOf(unit: UnitClass, example: UnitExample, params: UnitExample['params']): ProfileInput {
  const around = example.profile ?? {};
  const entry = { id: ENTRY, class: CLASS, ...(params && { params }) };
  switch (unit.meta.kind) {
    case 'veto':
      return { ...around, tier1_scorers: [entry] };
    case 'signal':
      return { ...around, signals: [...(around.signals ?? []), { ...entry, on_error: 'fail' }] };
    case 'generator':
      return { ...around, strategies: [{ id: ENTRY, focus: { class: CLASS, ...(params && { params }) } }] };
    case 'report':
      return { ...around, report: [entry] };
    case 'selector':
      return { ...around, select: { pack: { ...AMPLE_PACK, class: CLASS, ...(params && { params }) } } };
    default:
      return { ...around, measures: [...(around.measures ?? []), entry] };
  }
}

/**
 * Loads a profile with the unit as its one entry.
 *
 * @throws AssizeError where the params do not match the unit's schema
 */
export async function openTestSession(
  unit: UnitClass,
  example: UnitExample,
  params: UnitExample['params'] = example.params,
): Promise<TestSession> {
  const { unit: probed, calls } = probeUnit(unit);
  const pipeline = await createPipeline<object>(profileOf(unit, example, params), {
    units: { ...(unit.name && { [unit.name]: unit }), ...example.units, [CLASS]: probed },
    ...(example.services && { services: example.services }),
  });
  const context = { now, ...example.context };
  return {
    reads: pipeline.candidateReads,
    async run(candidates) {
      const before = 'prepare' in unit.prototype ? calls.length : 0;
      const ranking = await pipeline.rank(candidates, context).catch((error: unknown) => {
        if (unit.meta.kind !== 'selector' || calls.length === before) throw error;
        return undefined; // it was prepared: the rules call it
      });
      const call = calls.at(-1);
      if (!call || calls.length === before) {
        throw new Error(ranking?.degraded.find(({ entry }) => entry === ENTRY)?.cause ?? 'the engine never called it');
      }
      const score = unit.meta.kind === 'selector' ? undefined : scoreOf(call.result);
      const results = score ? (candidates ?? []).map((candidate, i) => resultOf(() => score(candidate, i))) : [];
      return { call, results, ranking };
    },
  };
}

/** The results of the unit as the engine read them in a run. */
export function resultsInRanking(kind: UnitKind, { ranking, results }: UnitRun): readonly UnitResult[] {
  if (!ranking) return results;
  if (kind === 'veto') {
    const refused = new Set(ranking.refused.filter((one) => one.kind === 'veto').map(({ index }) => index));
    return results.map((result, i) =>
      'value' in result && result.value !== undefined ? { value: refused.has(i) } : result,
    );
  }
  const { values } = ranking.matrix.column(ENTRY);
  return results.map((result, i) =>
    'value' in result && Number.isFinite(result.value) ? { value: values[i] } : result,
  );
}

/** The subject of a rule: the unit, its example, and one run of it. */
export interface RuleSubject {
  readonly unit: UnitClass;
  readonly example: UnitExample;
  readonly first: UnitRun;
}

/** A rule: gives a sentence for each violation. */
export type RuleCheck = (subject: RuleSubject) => Iterable<string> | Promise<Iterable<string>>;

/** The candidates to run a unit on; undefined for a generator, which makes its own. */
export const candidatesForKind = (kind: UnitKind, candidates: readonly object[]): readonly object[] | undefined =>
  kind === 'generator' ? undefined : candidates;

/** A value of a meta, or of the function of params that it declares instead. */
export const resolvedForParams = <V>(
  value: V | ((params: never) => V) | undefined,
  { params }: RecordedCall,
): V | undefined => (typeof value === 'function' ? (value as (params: unknown) => V)(params) : value);
