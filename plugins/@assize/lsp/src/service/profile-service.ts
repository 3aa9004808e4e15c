import type { DescribedProfile } from 'assize/language';
import { describePresets, describeProfile, expressionFunctions, shippedPluginNames } from 'assize/language';
import { completions, type CompletionSources } from './complete.js';
import { checkProblems, lineStarts, toDiagnostic } from './diagnose.js';
import { type SampleField, sampleFields } from './fields.js';
import { hoverAt } from './hover.js';
import { positionAt } from './position.js';
import { referables, targetOf } from './references.js';
import {
  type Completion,
  type Definition,
  type Diagnostic,
  type Hover,
  type ProfileServiceOptions,
  valueAtPath,
} from './types.js';

/** Completes, explains and checks the texts of profiles. Names are those of files in problems; offsets are UTF-16 units. */
export interface ProfileService {
  /** Whether a text is probably a profile, or nothing yet. An editor opens other YAML files, too. */
  isProfile(text: string, name: string): Promise<boolean>;
  /** The problems of a profile, as `assize check` reports them. */
  diagnostics(text: string, name: string): Promise<readonly Diagnostic[]>;
  /** What can be written at an offset. */
  complete(text: string, offset: number, name: string): Promise<readonly Completion[]>;
  /** Explains the name at an offset. */
  hover(text: string, offset: number, name: string): Promise<Hover | undefined>;
  /** Where the entry or the profile that is named at an offset is defined. */
  definition(text: string, offset: number, name: string): Promise<Definition | undefined>;
  /** Forgets files that were read: samples of candidates, and profiles that others extend. */
  refresh(): void;
}

/** The descriptions and samples that are kept. A name that is typed changes neither. */
const MOST_KEPT = 8;

/** Longer texts are checked, but not completed: no profile is as long. */
const LONGEST = 1_000_000;

/** Creates a service. It needs no Node, so it also runs in a worker of a page. */
export function createProfileService(options: ProfileServiceOptions): ProfileService {
  const described = new Kept<Promise<DescribedProfile>>();
  const samples = new Kept<Promise<SampleField | undefined>>();
  const functions = expressionFunctions();
  const plugins = shippedPluginNames();
  let presets: ReturnType<typeof describePresets> | undefined;

  const describe = (yaml: string, name: string): Promise<DescribedProfile> =>
    described.get(`${name}\n${yaml}`, () => describeProfile({ yaml, name }, { ...options, base: name }));

  const sampleOf = (text: string, name: string): Promise<SampleField | undefined> => {
    const file = candidatesLine(text);
    return samples.get(`${name}\n${file ?? ''}`, async () => {
      const candidates = await options.candidates?.(file, name);
      return candidates && sampleFields(candidates);
    });
  };

  const sourcesOf = async (text: string, name: string): Promise<CompletionSources> => ({
    describe: (yaml) => describe(yaml, name),
    presets: await (presets ??= describePresets()),
    plugins,
    functions,
    sample: () => sampleOf(text, name),
  });

  return {
    isProfile: async (text, name) => {
      if (SCHEMA_LINE.test(text.slice(0, 2000)) || candidatesLine(text) !== undefined) return true;
      if (text.length > LONGEST) return /^(?:tier[12]_scorers|extends):/m.test(text);
      return isBlank(text) || (await describe(text, name)).isProfile;
    },
    diagnostics: async (text, name) => {
      const { severity, problems } = await checkProblems(text, name, options.check);
      const lines = lineStarts(text);
      return problems.map((problem) => toDiagnostic(problem, severity, { text, name, lines }));
    },
    complete: async (text, offset, name) => {
      if (text.length > LONGEST) return [];
      return completions(text, positionAt(text, offset), await sourcesOf(text, name));
    },
    hover: async (text, offset, name) =>
      text.length > LONGEST ? undefined : hoverAt(text, offset, await sourcesOf(text, name)),
    definition: async (text, offset, name) =>
      text.length > LONGEST ? undefined : definitionAt(text, offset, name, await describe(text, name), options),
    refresh: () => {
      described.clear();
      samples.clear();
    },
  };
}

/** The newest results of a function, by its input. */
class Kept<T> {
  readonly #results = new Map<string, T>();

  get(key: string, make: () => T): T {
    const known = this.#results.get(key) ?? make();
    this.#results.delete(key);
    this.#results.set(key, known);
    const [oldest] = this.#results.keys();
    if (this.#results.size > MOST_KEPT && oldest !== undefined) this.#results.delete(oldest);
    return known;
  }

  clear(): void {
    this.#results.clear();
  }
}

/** The line that other YAML servers read: `# yaml-language-server: $schema=…/profile.schema.json`. */
const SCHEMA_LINE = /^#[ \t]*yaml-language-server:[^\n]*assize[^\n]*profile\.schema\.json/m;

/** Whether a text has no key yet. */
const isBlank = (text: string): boolean => !/^[ \t]*[^#\s][^\n:]*:/m.test(text);

/** How many characters at the start of a text may hold a line `# candidates:`. */
const HEAD = 2000;

/** The file in the line `# candidates: PATH` at the start of a profile. */
const candidatesLine = (text: string): string | undefined =>
  /^#[ \t]*candidates:[ \t]*(\S[^\n]*?)[ \t\r]*$/m.exec(text.slice(0, HEAD))?.[1];

function definitionAt(
  text: string,
  offset: number,
  file: string,
  profile: DescribedProfile,
  { resolve }: ProfileServiceOptions,
): Definition | undefined {
  const at = positionAt(text, offset);
  const name = text.slice(at.start, at.end);
  const isKey = at.keyOf !== undefined && at.hasColon;
  const path = isKey ? [...at.keyOf, name] : at.valueAt;
  if (path === undefined || name === '') return undefined;
  const scope = isKey ? undefined : profile.expressionScope(path);
  if (scope) return definitionInExpression(text, offset, profile);
  const target = targetOf(path, isKey ? 'key' : 'value');
  if (target === undefined) return undefined;
  if (target === 'presets' && resolve && /[\\/]|\.(?:ya?ml|json)$/.test(name))
    return { file: resolve(file, name), line: 1, column: 1 };
  const found = referables(profile, target, path).find(({ id }) => id === name);
  if (!found) return undefined;
  return target === 'phases' ? profile.placeOf(found.path, 'key') : profile.placeOf([...found.path, 'id'], 'value');
}

/** The lists whose ids an expression reads after a name: `measures.tools`. */
const LISTS: Readonly<Record<string, string>> = { measures: 'measures', scores: 'tier2_scorers', signals: 'signals' };
const MOST_WORD = 300;

function definitionInExpression(text: string, offset: number, profile: DescribedProfile): Definition | undefined {
  const before = /[\w.]*$/.exec(text.slice(Math.max(0, offset - MOST_WORD), offset))?.[0] ?? '';
  const after = /^\w*/.exec(text.slice(offset, offset + MOST_WORD))?.[0] ?? '';
  const [first = '', id] = (before + after).split('.');
  if (id === undefined) {
    if (valueAtPath(profile.root, ['let', first]) !== undefined) return profile.placeOf(['let', first], 'key');
    return placeOfId(profile, 'tier2_scorers', first);
  }
  if (first === 'stats') return profile.placeOf(['stats', id], 'key');
  const list = Object.hasOwn(LISTS, first) ? LISTS[first] : undefined;
  return list === undefined ? undefined : placeOfId(profile, list, id);
}

function placeOfId(profile: DescribedProfile, list: string, id: string): Definition | undefined {
  const entries = valueAtPath(profile.root, [list]);
  const index = Array.isArray(entries) ? entries.findIndex((entry) => valueAtPath(entry, ['id']) === id) : -1;
  return index < 0 ? undefined : profile.placeOf([list, index, 'id'], 'value');
}
