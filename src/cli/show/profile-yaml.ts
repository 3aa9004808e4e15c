import { isAbsolute, relative } from 'node:path';
import { stringify, type ToStringOptions } from 'yaml';
import { placeOfValue, type Place, displayWidth, escapeInvisible, escapeInvisibleInJson } from '../../base/index.js';
import { PRESET_FOLDER } from '../../profile/index.js';
import type { Styler } from '../terminal/styler.js';

/** A line of YAML, with the file and line of its value. */
interface YamlLine {
  readonly text: string;
  readonly origin: string | undefined;
}

/** The longest line that a map or list in flow style stays on. */
const MAX_FLOW_LENGTH = 100;
/** The last column at which comments may start; longer lines do not move it. */
const COMMENT_COLUMN = 72;

type YamlContainer = Readonly<Record<string, unknown>> | readonly unknown[];

const isYamlContainer = (value: unknown): value is YamlContainer => typeof value === 'object' && value !== null;
const isEmpty = (value: YamlContainer): boolean => Object.keys(value).length === 0;
const valueAt = (container: YamlContainer, key: string | number): unknown => Reflect.get(container, key);

const STYLE: ToStringOptions = {
  singleQuote: true,
  lineWidth: 0,
  blockQuote: false,
  collectionStyle: 'flow',
  flowCollectionPadding: true,
};

/** White space that YAML parsers trim, or treat as a line break. */
const UNSAFE_SPACE = /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/g;

/**
 * A value on one line. A string with line breaks, unsafe white space or characters that a terminal would interpret or
 * hide is written as JSON, which is also YAML.
 */
export function inline(value: unknown): string {
  const text = stringify(value, STYLE).replace(/\n$/, ''); // trimming would remove the value's own white space
  if (!text.includes('\n') && text.search(UNSAFE_SPACE) < 0 && escapeInvisible(text) === text) return text;
  return escapeInvisibleInJson(JSON.stringify(value)).replace(
    UNSAFE_SPACE,
    (space) => `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * A profile as YAML, with the file and line of each value in a comment. Loading it gives the same profile.
 *
 * @param folder the folder that file names are relative to
 */
export function profileYaml(profile: object, folder: string, style: Styler): string {
  const lines = [...linesOf(profile as YamlContainer, '', folder)];
  const width = lines.reduce((most, { text, origin }) => {
    const own = displayWidth(text);
    return origin !== undefined && own <= COMMENT_COLUMN ? Math.max(most, own) : most;
  }, 0);
  return lines
    .map(({ text, origin }) => {
      const pad = ' '.repeat(Math.max(0, width - displayWidth(text)));
      return origin === undefined ? `${text}\n` : `${text}${pad}  ${style('dim', `# ${origin}`)}\n`;
    })
    .join('');
}

function* linesOf(container: YamlContainer, indent: string, folder: string): Generator<YamlLine> {
  const keys: readonly (string | number)[] = Array.isArray(container) ? [...container.keys()] : Object.keys(container);
  for (const key of keys) {
    const value = valueAt(container, key);
    const label = typeof key === 'number' ? '-' : `${inline(key)}:`;
    const own = placeOfValue(container, key);
    const origin = fileAndLine(own, folder);
    if (!isYamlContainer(value) || isEmpty(value)) {
      yield { text: `${indent}${label} ${inline(value)}`, origin: origin ?? 'default' };
      continue;
    }
    const flow = `${indent}${label} ${inline(value)}`;
    if (own && flow.length <= MAX_FLOW_LENGTH && isOnLine(value, own)) {
      yield { text: flow, origin };
      continue;
    }
    const inner = linesOf(value, `${indent}  `, folder);
    if (typeof key === 'number') {
      // The first line of an item is on the line of its dash.
      const [first, ...rest] = inner;
      if (first) yield { text: `${indent}- ${first.text.slice(indent.length + 2)}`, origin: first.origin };
      yield* rest;
    } else {
      yield { text: `${indent}${label}`, origin: undefined };
      yield* inner;
    }
  }
}

/** Whether all of a container was written on one line. */
function isOnLine(container: YamlContainer, { file, line }: Place): boolean {
  return Object.keys(container).every((key) => {
    const place = placeOfValue(container, key);
    const value = valueAt(container, key);
    return place?.file === file && place.line === line && (!isYamlContainer(value) || isOnLine(value, place));
  });
}

function fileAndLine(place: Place | undefined, folder: string): string | undefined {
  if (!place) return undefined;
  return escapeInvisible(`${shortName(place.file, folder)}:${place.line}`);
}

/** A preset's file as `presets/name.yaml`; another file relative to the folder, if it is inside. */
function shortName(file: string, folder: string): string {
  if (file.startsWith(PRESET_FOLDER)) return `presets/${file.slice(PRESET_FOLDER.length)}`;
  if (!isAbsolute(file)) return file;
  const below = relative(folder, file);
  return below.startsWith('..') || isAbsolute(below) ? file : below;
}
