import { createPipeline } from '../container.js';
import type { BatchScope, Context, SelectorLimits, ServiceBinding, UnitClass } from '../contract/index.js';
import type { ProfileInput } from '../profile/schema/profile-schema.js';
import type { Ranking } from '../ranking/ranking.js';
import { probeUnit, type RecordedCall, scoreOf } from './unit-probe.js';
import { resultOf, type UnitResult } from './unit-results.js';

/** What a unit is tried with. */
export interface UnitExample {
  /** Realistic ones, and the odd ones: an empty list, an absent field. Some ten are enough. */
  readonly candidates: readonly object[];
  /** As a profile writes them. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The context of every run. Its `now` is a fixed time, unless it is given. */
  readonly context?: Context;
  /** Services that the unit has injected, where it can't use those that ship. */
  readonly services?: readonly ServiceBinding[];
  /** Other units that the params or the profile name, by class name. */
  readonly units?: Readonly<Record<string, unknown>>;
  /** The rest of the profile: signals and measures that the unit reads. It must not refuse any candidate. */
  readonly profile?: ProfileInput;
  /** With children among the params, the widest scope of them all; the unit's own when not said. */
  readonly scope?: BatchScope;
  /** Whether it may fail on some of the candidates, because they are malformed on purpose. */
  readonly mayFail?: boolean;
  /** For a selector: what each candidate scored and costs, by position, the pinned first. */
  readonly rows?: readonly RowExample[];
  /** For a selector: the room that there is; no limits, as for one that places, when not said. */
  readonly limits?: SelectorLimits;
  /** For a selector: whether it, or one among its params, may keep more than the limits; what its meta says when not said. */
  readonly overflows?: boolean;
}

/** A row of a selector's example. */
export interface RowExample {
  readonly score: number;
  readonly cost: number;
  readonly pinned?: boolean;
}

/** The id of the entry, and the name of the class, that the unit is tried as. */
const ENTRY = 'unit_under_test';
const CLASS = 'UnitUnderTest';

/** One run of the unit. */
export interface UnitRun {
  readonly call: RecordedCall;
  /** By candidate, asked of the unit's own score. */
  readonly results: readonly UnitResult[];
  /** What came of the run; nothing where a selector broke it. */
  readonly ranking: Ranking<object> | undefined;
}

/** A pipeline with the unit in it. What the unit remembers, it remembers from run to run of one session. */
export interface TestSession {
  run(candidates: readonly object[] | undefined): Promise<UnitRun>;
}

const now = '2026-01-01T00:00:00Z';

/** A selector's own rows come with the example: here it only has to be prepared. */
const AMPLE_PACK = { cost: '1.0 + 0.0', budget: 1e6, overflow: 'proceed' } as const;

/** A scorer is tried as a measure: whatever it gives, no candidate is refused. */
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
 * @throws AssizeError where the params are not what the unit's schema says
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
    async run(candidates) {
      const before = 'prepare' in unit.prototype ? calls.length : 0;
      const ranking = await pipeline.rank(candidates, context).catch((error: unknown) => {
        if (unit.meta.kind !== 'selector' || calls.length === before) throw error;
        return undefined; // it was prepared: what it does is the rules' to judge
      });
      const call = calls.at(-1);
      if (!call || calls.length === before) {
        throw new Error(ranking?.degraded.find(({ entry }) => entry === ENTRY)?.cause ?? 'the engine never asked it');
      }
      const score = unit.meta.kind === 'selector' ? undefined : scoreOf(call.result);
      const results = score ? (candidates ?? []).map((candidate, i) => resultOf(() => score(candidate, i))) : [];
      return { call, results, ranking };
    },
  };
}

/** What a run as a whole says of the unit's candidates: the engine's own reading of the same scores. */
export function resultsInRanking(
  kind: UnitClass['meta']['kind'],
  { ranking, results }: UnitRun,
): readonly UnitResult[] {
  if (!ranking) return results;
  if (kind === 'veto') {
    const refused = new Set(ranking.refused.filter((one) => one.kind === 'veto').map(({ index }) => index));
    return results.map((answer, i) =>
      'value' in answer && answer.value !== undefined ? { value: refused.has(i) } : answer,
    );
  }
  const { values } = ranking.matrix.column(ENTRY);
  return results.map((answer, i) =>
    'value' in answer && Number.isFinite(answer.value) ? { value: values[i] } : answer,
  );
}
