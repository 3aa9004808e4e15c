import { linkState, type LinkState, type SettingsInLink } from '../../data/link-state.js';
import { isMap } from '../../data/studio-data.js';
import { NOTHING_SET, type Settings } from '../settings/settings.js';
import type { StudioModel } from './studio-model.js';

/** The settings, and the version of their file. */
export const stateOf = ({ settings, data }: StudioModel): LinkState & { readonly settings: Settings } => ({
  settings,
  ...(data.file && { version: data.file.version }),
});

/** The address of the page with what is set, and the version of the file that it is of. */
export const linkTo = (model: StudioModel, address: string): string =>
  `${address.replace(/#.*$/s, '')}#${linkState(stateOf(model))}`;

/** The state of a link or a file, with all settings. */
export type OpenedState = LinkState & { readonly settings: Settings };

/** What an address says is set; undefined where it says nothing of that. */
export function stateIn(hash: string): OpenedState | undefined {
  const written = new URLSearchParams(hash.replace(/^#/, '')).get('state');
  return written === null
    ? undefined
    : stateFrom(jsonIn(written), 'the link is damaged, so its settings are not applied');
}

/**
 * A state that another program may have written.
 *
 * @throws Error with this message if it is not one
 */
export function stateFrom(data: unknown, damaged: string): OpenedState {
  if (!isLinkState(data)) throw new Error(damaged);
  const { version, settings } = data;
  return { settings: { ...NOTHING_SET, ...settings }, ...(version !== undefined && { version }) };
}

/** The token in an address. */
export const tokenIn = (hash: string): string | undefined =>
  new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? undefined;

/** The data of a text; undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Anybody may have written it. */
const isLinkState = (data: unknown): data is LinkState =>
  isMap(data) && ['string', 'undefined'].includes(typeof data['version']) && isSettings(data['settings']);

function isSettings(data: unknown): data is SettingsInLink {
  if (!isMap(data)) return false;
  const { edits = [], weights = {}, cases = {}, params = {}, off = [], on = [], top = 0, minScore = 0 } = data;
  return (
    isListOf(edits, isEdit) &&
    isMapOf(weights, isNumber) &&
    isMapOf(cases, (own) => isMapOf(own, isNumber)) &&
    isMapOf(params, (own) => isMapOf(own, (value) => isNumber(value) || isPoints(value))) &&
    [off, on].every((ids) => isListOf(ids, (id) => typeof id === 'string')) &&
    isNumber(top) &&
    isNumber(minScore)
  );
}

type Check = (data: unknown) => boolean;

/** The server checks what an edit may change. */
const isEdit: Check = (data) =>
  isMap(data) &&
  (typeof data['text'] === 'string' ||
    (isListOf(data['path'], isStep) && (data['remove'] === true || data['value'] !== undefined)));

const isStep: Check = (data) =>
  typeof data === 'string' || typeof data === 'number' || (isMap(data) && typeof data['id'] === 'string');

const isNumber: Check = (data) => typeof data === 'number';

const isPoints: Check = (data) => isListOf(data, (point) => isListOf(point, isNumber) && point.length === 2);

const isListOf = (data: unknown, isItem: Check): data is readonly unknown[] =>
  Array.isArray(data) && data.every(isItem);

const isMapOf = (data: unknown, isValue: Check): boolean => isMap(data) && Object.values(data).every(isValue);
