import type { StudioModel } from '../model/studio-model.js';
import { formatExact, formatNumber } from '../parts/format.js';
import { percent, plainName } from '../parts/in-words.js';
import { isSameParam } from '../../data/studio-data.js';
import { NOTHING_SET, type Settings } from '../settings/settings.js';
import { weightIn } from '../settings/weighed-scorers.js';
import { paramText } from '../recipe/param-words.js';
import { isMean } from '../recipe/shares.js';
import { editWords } from './edit-words.js';

/** A setting that differs from the profile, in words. */
export interface ChangeText {
  readonly key: string;
  readonly text: string;
}

/** The structural edits in words: `Added criterion “Newer”`. */
export function editTexts(model: StudioModel): readonly ChangeText[] {
  const texts = [...new Set(model.settings.edits.map((edit) => editWords(model, edit)))];
  return texts.map((text) => ({ key: `edit ${text}`, text }));
}

/** Everything that differs from the profile, in words: `Press counts 50 % (was 23 %)`. */
export function changeTexts(model: StudioModel): readonly ChangeText[] {
  const { data, settings } = model;
  const name = (id: string): string => plainName(model, id);
  const { weights, cases, params, off, on, top, minScore } = settings;
  const limits = (data.profile.select ?? {}) as { readonly top?: unknown; readonly min_score?: unknown };
  return [
    ...editTexts(model),
    ...Object.keys(weights).map((id) => ({ key: `weight ${id}`, text: `${name(id)} counts ${weightText(model, id)}` })),
    ...Object.entries(cases).flatMap(([inCase, own]) =>
      Object.keys(own).map((id) => ({
        key: `case ${inCase} ${id}`,
        text: `${name(id)} counts ${weightText(model, id, inCase)} for ${inCase}`,
      })),
    ),
    ...Object.entries(params).flatMap(([id, own]) =>
      Object.entries(own).map(([param, value]) => {
        const control = data.controls[id]?.find((one) => one.name === param);
        const text =
          typeof value === 'number'
            ? `${paramText(param, formatExact(value))}${control ? was(control.value) : ''}`
            : `its curve has changed${isSameParam(value, data.curves[id]?.points) ? '' : `, ${value.length} points`}`;
        return { key: `param ${id} ${param}`, text: `${name(id)}: ${text}` };
      }),
    ),
    ...off.map((id) => ({ key: `off ${id}`, text: `${name(id)} is switched off` })),
    ...on.map((id) => ({ key: `on ${id}`, text: `${name(id)} is switched on` })),
    ...(top === undefined ? [] : [{ key: 'top', text: `The top ${formatExact(top)} are shown${was(limits.top)}` }]),
    ...(minScore === undefined
      ? []
      : [{ key: 'least', text: `The least score is ${formatExact(minScore)}${was(limits.min_score)}` }]),
  ];
}

const was = (value: unknown): string => (typeof value === 'number' ? ` (was ${formatExact(value)})` : '');

/** `50 % (was 23 %)` in a mean, else `× 2 (was × 1)`. */
function weightText(model: StudioModel, id: string, inCase?: string): string {
  const text = (settings: Settings): string => {
    const share = isMean(model) ? shareBy(model, settings, id, inCase) : undefined;
    const weight = weightIn(model.data, settings, id, inCase);
    return share === undefined
      ? `× ${typeof weight === 'number' ? formatNumber(weight) : weight}`
      : `${percent(share)} %`;
  };
  return `${text(model.settings)} (was ${text(NOTHING_SET)})`;
}

/** The share of a weight by settings; undefined if some weight is not a number. */
function shareBy({ data, scorers }: StudioModel, settings: Settings, id: string, inCase?: string): number | undefined {
  const isOff = ({ id: one, enabled }: (typeof scorers)[number]) =>
    enabled ? settings.off.includes(one) : !settings.on.includes(one);
  const weights = scorers.filter((scorer) => !isOff(scorer)).map((one) => weightIn(data, settings, one.id, inCase));
  const own = weightIn(data, settings, id, inCase);
  if (typeof own !== 'number' || !weights.every((one): one is number => typeof one === 'number')) return undefined;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total > 0 ? own / total : undefined;
}
