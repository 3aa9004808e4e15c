import type { StudioData } from '../data/studio-data.js';
import { casesOf, type Entry, entriesOf, LISTS, type Settings } from './settings.js';
import { weighedScorers, weightIn } from './weighed-scorers.js';

type Numbers = Readonly<Record<string, number>>;

/**
 * All that is set, and all that the profile writes: so that it can be gone back to when the profile says something else.
 */
export function inFull(data: StudioData, settings: Settings): Settings {
  const weights = (inCase?: string): Numbers =>
    Object.fromEntries(
      weighedScorers(data)
        .map(({ id }) => [id, weightIn(data, settings, id, inCase)] as const)
        .filter((pair): pair is readonly [string, number] => typeof pair[1] === 'number'),
    );
  const params = Object.entries(data.controls).map(([id, controls]) => {
    const written = Object.fromEntries(controls.map(({ name, value }) => [name, value]));
    return [id, { ...written, ...settings.params[id] }] as const;
  });
  const { top, min_score: minScore } = limitsOf(data);
  return {
    ...(top !== undefined && { top }),
    ...(minScore !== undefined && { minScore }),
    ...settings,
    weights: weights(),
    cases: Object.fromEntries(Object.keys(casesOf(data.profile)).map((name) => [name, weights(name)])),
    params: Object.fromEntries(params),
  };
}

/** What of settings a profile does not say by now: after they were saved, nothing; nothing of what it does not have. */
export function unsaved(data: StudioData, settings: Settings): Settings {
  const { profile, controls } = data;
  const weights = new Map(weighedScorers(data).map(({ id, weight }) => [id, weight]));
  const cases = Object.entries(casesOf(profile)).map(([name, own]) => {
    const said = (id: string) => weights.has(id) && (own[id] ?? settings.weights[id] ?? weights.get(id));
    return [name, differing(settings.cases[name] ?? {}, said)] as const;
  });
  const params = Object.entries(settings.params).map(([id, own]) => {
    const said = new Map(controls[id]?.map(({ name, value }) => [name, value]));
    return [id, differing(own, (name) => said.get(name))] as const;
  });
  const entries: readonly Entry[] = LISTS.flatMap((list) => entriesOf(profile, list));
  const on = new Set(entries.filter(({ enabled }) => enabled !== false).map(({ id }) => id));
  const { top, min_score: least } = limitsOf(data);
  return {
    weights: differing(settings.weights, (id) => weights.get(id)),
    cases: withoutEmpty(cases),
    params: withoutEmpty(params),
    off: settings.off.filter((id) => on.has(id)),
    ...(settings.top !== undefined && settings.top !== top && { top: settings.top }),
    ...(settings.minScore !== undefined && settings.minScore !== least && { minScore: settings.minScore }),
  };
}

/** The numbers that differ from what is said, of those of which something is. */
const differing = (own: Numbers, said: (id: string) => unknown): Numbers =>
  Object.fromEntries(
    Object.entries(own).filter(([id, value]) => {
      const written = said(id);
      return written !== undefined && written !== false && written !== value;
    }),
  );

const withoutEmpty = (parts: readonly (readonly [string, Numbers])[]): Readonly<Record<string, Numbers>> =>
  Object.fromEntries(parts.filter(([, own]) => Object.keys(own).length > 0));

const limitsOf = ({ profile }: StudioData): { readonly top?: number; readonly min_score?: number } =>
  (profile.select ?? {}) as { readonly top?: number; readonly min_score?: number };
