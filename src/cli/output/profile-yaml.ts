import { isAbsolute, join, relative } from 'node:path';
import { stringify, type ToStringOptions } from 'yaml';
import type { Place } from '../../contract/index.js';
import { placeOfValue } from '../../document/index.js';
import { widthOf } from '../../document/width.js';
import { packageRoot } from '../../profile/presets.js';
import type { Paint } from '../terminal/paint.js';

/** A line of YAML, and where what it says comes from. */
interface Line {
  readonly text: string;
  readonly from: string | undefined;
}

/** A map or list that was written on one line stays on one, up to here. */
const LONGEST_FLOW = 100;
/** Comments start where most lines have ended. */
const WIDEST = 72;

type Container = Readonly<Record<string, unknown>> | readonly unknown[];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;
const isEmpty = (value: Container): boolean => Object.keys(value).length === 0;
const at = (container: Container, key: string | number): unknown => Reflect.get(container, key);

const STYLE: ToStringOptions = {
  singleQuote: true,
  lineWidth: 0,
  blockQuote: false,
  collectionStyle: 'flow',
  flowCollectionPadding: true,
};

/** White space that readers of YAML trim, or take for the end of a line. */
const ODD_SPACE = /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/g;

/** A value on one line. A text of several, or of odd white space, is written as JSON has it, which is YAML too. */
function inline(value: unknown): string {
  const text = stringify(value, STYLE).replace(/\n$/, ''); // trimming would take what the value ends with
  if (!text.includes('\n') && text.search(ODD_SPACE) < 0) return text;
  return JSON.stringify(value).replace(ODD_SPACE, (space) => `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A profile as YAML, with the file and line of each value behind it. It loads to what it was made of.
 *
 * @param folder what files are named from
 */
export function profileYaml(profile: object, folder: string, paint: Paint): string {
  const lines = [...linesOf(profile as Container, '', folder)];
  const width = lines.reduce((most, { text, from }) => {
    const own = widthOf(text);
    return from !== undefined && own <= WIDEST ? Math.max(most, own) : most;
  }, 0);
  return lines
    .map(({ text, from }) => {
      const pad = ' '.repeat(Math.max(0, width - widthOf(text)));
      return from === undefined ? `${text}\n` : `${text}${pad}  ${paint('dim', `# ${from}`)}\n`;
    })
    .join('');
}

function* linesOf(container: Container, indent: string, folder: string): Generator<Line> {
  const keys: readonly (string | number)[] = Array.isArray(container) ? [...container.keys()] : Object.keys(container);
  for (const key of keys) {
    const value = at(container, key);
    const label = typeof key === 'number' ? '-' : `${inline(key)}:`;
    const own = placeOfValue(container, key);
    const from = fileAndLine(own, folder);
    if (!isContainer(value) || isEmpty(value)) {
      yield { text: `${indent}${label} ${inline(value)}`, from: from ?? 'default' };
      continue;
    }
    const flow = `${indent}${label} ${inline(value)}`;
    if (own && flow.length <= LONGEST_FLOW && isOnLine(value, own)) {
      yield { text: flow, from };
      continue;
    }
    const inner = linesOf(value, `${indent}  `, folder);
    if (typeof key === 'number') {
      // The first line of an item stands behind its dash.
      const [first, ...rest] = inner;
      if (first) yield { text: `${indent}- ${first.text.slice(indent.length + 2)}`, from: first.from };
      yield* rest;
    } else {
      yield { text: `${indent}${label}`, from: undefined };
      yield* inner;
    }
  }
}

/** Whether all of a container was written on one line. */
function isOnLine(container: Container, { file, line }: Place): boolean {
  return Object.keys(container).every((key) => {
    const place = placeOfValue(container, key);
    const value = at(container, key);
    return place?.file === file && place.line === line && (!isContainer(value) || isOnLine(value, place));
  });
}

function fileAndLine(place: Place | undefined, folder: string): string | undefined {
  if (!place) return undefined;
  return `${shortName(place.file, folder)}:${place.line}`;
}

/** A preset's file as `presets/name.yaml`; any other from the folder, where it is below that. */
function shortName(file: string, folder: string): string {
  if (!isAbsolute(file)) return file;
  const [ofPackage, ofFolder] = [join(packageRoot(), 'config'), folder].map((start) => relative(start, file));
  const near = [ofPackage, ofFolder].find((path) => path !== undefined && !path.startsWith('..') && !isAbsolute(path));
  return near ?? file;
}
