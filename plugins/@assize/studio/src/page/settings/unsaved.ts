import { isSameParam, type ParamValue, type StudioData } from '../../data/studio-data.js';
import { casesOf, type Entry, entriesOf, isOn, LISTS, type Settings } from './settings.js';
import { weighedScorers, weightIn } from './weighed-scorers.js';

type Values<V extends ParamValue = number> = Readonly<Record<string, V>>;

/**
 * All that is set, and all that the profile writes: so that it can be gone back to when the profile says something else.
 */
export function inFull(data: StudioData, settings: Settings): Settings {
  const weights = (inCase?: string): Values =>
    Object.fromEntries(
      weighedScorers(data)
        .map(({ id }) => [id, weightIn(data, settings, id, inCase)] as const)
        .filter((pair): pair is readonly [string, number] => typeof pair[1] === 'number'),
    );
  const params = [...new Set([...Object.keys(data.controls), ...Object.keys(data.curves)])].map(
    (id) => [id, { ...Object.fromEntries(writtenParams(data, id)), ...settings.params[id] }] as const,
  );
  const { top, min_score: minScore } = limitsOf(data);
  const [on, off] = [true, false].map((wanted) => idsOf(data, (entry) => isOn(settings, entry) === wanted));
  return {
    ...(top !== undefined && { top }),
    ...(minScore !== undefined && { minScore }),
    ...settings,
    on: on!,
    off: off!,
    weights: weights(),
    cases: Object.fromEntries(Object.keys(casesOf(data.profile)).map((name) => [name, weights(name)])),
    params: Object.fromEntries(params),
  };
}

/**
 * The settings that differ from a profile: none after they were saved, and none for entries that it does not have.
 *
 * @param data of the profile with the structural edits of the settings
 */
export function unsaved(data: StudioData, settings: Settings): Settings {
  const { profile } = data;
  const weights = new Map(weighedScorers(data).map(({ id, weight }) => [id, weight]));
  const cases = Object.entries(casesOf(profile)).map(([name, own]) => {
    const said = (id: string) => (weights.has(id) ? (own[id] ?? settings.weights[id] ?? weights.get(id)) : undefined);
    return [name, differing(settings.cases[name] ?? {}, said)] as const;
  });
  const params = Object.entries(settings.params).map(([id, own]) => {
    const said = writtenParams(data, id);
    return [id, differing(own, (name) => said.get(name))] as const;
  });
  const { top, min_score: least } = limitsOf(data);
  return {
    edits: settings.edits,
    weights: differing(settings.weights, (id) => weights.get(id)),
    cases: withoutEmpty(cases),
    params: withoutEmpty(params),
    off: idsOf(data, ({ id, enabled }) => enabled !== false && settings.off.includes(String(id))),
    on: idsOf(data, ({ id, enabled }) => enabled === false && settings.on.includes(String(id))),
    ...(settings.top !== undefined && settings.top !== top && { top: settings.top }),
    ...(settings.minScore !== undefined && settings.minScore !== least && { minScore: settings.minScore }),
  };
}

/** The ids of some entries, in the order of the profile. */
const idsOf = ({ profile }: StudioData, isWanted: (entry: Entry) => boolean): readonly string[] =>
  LISTS.flatMap((list) => entriesOf(profile, list).filter(isWanted)).map(({ id }) => String(id));

/** The params of an entry that can be set in the page, as the profile says them. */
function writtenParams({ controls, curves }: StudioData, id: string): ReadonlyMap<string, ParamValue> {
  const numbers = (controls[id] ?? []).map(({ name, value }) => [name, value] as const);
  const curve = curves[id];
  return new Map<string, ParamValue>(curve ? [...numbers, ['points', curve.points]] : numbers);
}

/** What differs from what is said, of that of which something is; an expression is not said by a number. */
const differing = <V extends ParamValue>(own: Values<V>, said: (id: string) => V | string | undefined): Values<V> =>
  Object.fromEntries(
    Object.entries(own).filter(([id, value]) => {
      const written = said(id);
      return written !== undefined && (typeof written === 'string' || !isSameParam(value, written));
    }),
  );

const withoutEmpty = <V extends ParamValue>(
  parts: readonly (readonly [string, Values<V>])[],
): Readonly<Record<string, Values<V>>> => Object.fromEntries(parts.filter(([, own]) => Object.keys(own).length > 0));

const limitsOf = ({ profile }: StudioData): { readonly top?: number; readonly min_score?: number } =>
  (profile.select ?? {}) as { readonly top?: number; readonly min_score?: number };

/** Whether two settings of one profile are the same, as `unsaved` gives them. */
export const isSameSettings = (a: Settings, b: Settings): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
