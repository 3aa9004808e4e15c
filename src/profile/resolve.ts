import type { Problem } from '../contract/index.js';
import { PathError, compilePath } from '../expression/path.js';
import type { PathReader } from '../expression/path.js';
import type { Origins, Raw } from './merge.js';
import { isMap } from './merge.js';
import type { Adjustment, Combine, ContextField, Fallback, Phase, Profile, Selection, TableFactor } from './profile.js';
import { adjustment as adjustmentSchema } from './entry-schemas.js';
import {
  resolveMeasures,
  resolveReports,
  resolveScorers,
  resolveSignals,
  resolveStrategies,
  resolveVetoes,
} from './resolve-entries.js';
import { type Path, Resolver } from './resolver.js';
import { profileSchema, type ProfileData } from './schema.js';
import { Scopes } from './scopes.js';
import { checkWeights, resolveWeights } from './weights.js';

/** A part of the profile with its defaults; the defaults alone where the part is malformed, which is reported. */
function part<K extends keyof ProfileData>(root: Raw, key: K): ProfileData[K] {
  const schema = profileSchema.shape[key];
  const parsed = schema.safeParse(root[key]);
  return (parsed.success ? parsed.data : schema.parse(undefined)) as ProfileData[K];
}

/** The ids of a list, also of entries that are malformed otherwise: what refers to them is not wrong for that. */
const idsOf = (list: unknown): string[] =>
  (Array.isArray(list) ? list : []).flatMap((entry: unknown) =>
    isMap(entry) && typeof entry['id'] === 'string' && entry['enabled'] !== false ? [entry['id']] : [],
  );

/** From data that was merged from all its files to a profile that is valid, or every problem that it has. */
export function resolveProfile(
  root: Raw,
  origins: Origins,
  name: string,
  folder: string,
): { profile: Profile; problems: Problem[] } {
  const resolver = new Resolver(root, origins, folder);
  resolver.check(profileSchema, root, []);
  const phases = Object.entries(part(root, 'phases') ?? {});
  const signalIds: string[] = [];
  const measureIds: string[] = [];
  const scorerIds = idsOf(root['tier2_scorers']);
  const scopes = new Scopes(signalIds, measureIds, scorerIds);
  const signals = resolveSignals(resolver, scopes, signalIds);
  if (phases.length > 0) signalIds.push('phase');
  const candidate = part(root, 'candidate');
  const measures = resolveMeasures(resolver, scopes, measureIds);
  const scorers = resolveScorers(resolver, scopes);
  const combine = resolveCombine(resolver, part(root, 'combine'), scopes);
  const weights = resolveWeights(resolver, part(root, 'weights'), scorerIds, scopes);
  checkWeights(resolver, combine, scorers, weights);
  const profile: Profile = {
    name: part(root, 'name') ?? name,
    description: part(root, 'description'),
    candidate: {
      id: idPath(resolver, candidate.id),
      pinned: resolver.expression(candidate.pinned, scopes.veto(), 'bool', ['candidate', 'pinned']),
    },
    context: new Map(
      Object.entries(part(root, 'context') ?? {}).map(([key, field]): [string, ContextField] => [
        key,
        { type: field.type, required: field.required },
      ]),
    ),
    phases: phases.map(
      ([phase, { n_turns, when }]): Phase => ({
        name: phase,
        turns: n_turns,
        when: resolver.expression(when, scopes.run(), 'bool', ['phases', phase, 'when']),
      }),
    ),
    signals,
    strategies: resolveStrategies(resolver, scopes),
    vetoOnFirst: part(root, 'veto_on_first'),
    vetoes: resolveVetoes(resolver, scopes),
    measures,
    scorers,
    combine,
    weights,
    adjustments: resolveAdjustments(resolver, scopes),
    select: resolveSelection(resolver, part(root, 'select'), scopes),
    fallback: part(root, 'fallback').map(
      ({ when, use }, index): Fallback => ({
        when: resolver.expression(when, scopes.fallback(), 'bool', ['fallback', index, 'when']),
        use,
      }),
    ),
    reports: resolveReports(resolver, scopes),
  };
  return { profile, problems: resolver.problems };
}

function idPath(resolver: Resolver, path: string | undefined): PathReader | undefined {
  if (path === undefined) return undefined;
  try {
    return compilePath(path);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    resolver.report('ASZ202', error.message, ['candidate', 'id']);
    return undefined;
  }
}

function resolveCombine(resolver: Resolver, combine: ProfileData['combine'], scopes: Scopes): Combine {
  if (typeof combine === 'string') return combine;
  const formula = resolver.expression(combine.formula, scopes.formula(), 'number', ['combine', 'formula']);
  return formula ? { formula } : 'weighted_mean';
}

function resolveSelection(resolver: Resolver, select: ProfileData['select'], scopes: Scopes): Selection {
  return {
    duplicates: resolver.expression(select.duplicates, scopes.scored(), 'any', ['select', 'duplicates']),
    minScore: select.min_score,
    ties: select.ties?.map((tie, index) =>
      tie === 'input' ? undefined : resolver.expression(tie, scopes.scored(), 'any', ['select', 'ties', index]),
    ),
    top: select.top,
  };
}

const mapOf = (table: Raw): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(table).map(([key, value]) => [key, isMap(value) ? mapOf(value) : value]));

/** The seed's word for one rule: factors by phase and strategy, before all other rules. */
function phaseRule(resolver: Resolver, scopes: Scopes): Adjustment[] {
  const table = part(resolver.root, 'phase_profiles');
  if (!table) return [];
  const phases = part(resolver.root, 'phases');
  for (const phase of Object.keys(table)) {
    if (phases && !Object.hasOwn(phases, phase)) {
      resolver.report(
        'ASZ205',
        `there is no phase ${phase}`,
        ['phase_profiles', phase],
        `phases: ${Object.keys(phases).join(', ')}`,
        'key',
      );
    }
  }
  const at: Path = ['phase_profiles'];
  const by = phases
    ? [
        resolver.expression('signals.phase', scopes.scorer(), 'any', at),
        resolver.expression('candidate.strategy.id', scopes.scorer(), 'any', at),
      ]
    : [];
  if (!phases)
    resolver.report(
      'ASZ205',
      'phase_profiles needs phases',
      at,
      'declare phases: { early: { n_turns: 4 }, late: {} }',
      'key',
    );
  const multiply: TableFactor = {
    table: mapOf(table),
    by: by.filter((key) => key !== undefined),
    missing: 1,
    zero: 'score',
  };
  return [{ id: 'phase', when: undefined, set: undefined, add: undefined, multiply, min: undefined, max: undefined }];
}

function resolveAdjustments(resolver: Resolver, scopes: Scopes): Adjustment[] {
  const scored = scopes.scored();
  const list = resolver.root['adjustments'];
  const rules = (Array.isArray(list) ? list : []).flatMap((raw, index): Adjustment[] => {
    const parsed = adjustmentSchema.safeParse(raw);
    if (!parsed.success || !parsed.data.enabled) return [];
    const { id, when, set, add, multiply, min, max } = parsed.data;
    const path: Path = ['adjustments', index];
    const factor = (): Adjustment['multiply'] => {
      if (typeof multiply !== 'object') return resolver.amount(multiply, scored, [...path, 'multiply']);
      const by = multiply.by.map((key, level) =>
        resolver.expression(key, scopes.scorer(), 'any', [...path, 'multiply', 'by', level]),
      );
      return {
        table: mapOf(multiply.table),
        by: by.filter((key) => key !== undefined),
        missing: multiply.missing,
        zero: multiply.zero,
      };
    };
    return [
      {
        id,
        when: resolver.expression(when, scored, 'bool', [...path, 'when']),
        set: resolver.amount(set, scored, [...path, 'set']),
        add: resolver.amount(add, scored, [...path, 'add']),
        multiply: factor(),
        min: resolver.amount(min, scored, [...path, 'min']),
        max: resolver.amount(max, scored, [...path, 'max']),
      },
    ];
  });
  return [...phaseRule(resolver, scopes), ...rules];
}
