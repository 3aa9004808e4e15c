import { describeValue, isObject, type Problem, SourceFile, toAssizeError } from '../../diagnostics/index.js';
import type { ParsedDocument } from '../../input/parsed-document.js';
import type { ProfileInput } from '../schema/profile-schema.js';

/**
 * A profile as the text of a YAML file (or JSON, which is YAML), from wherever it is kept: a database, a form. Relative
 * paths in it start where those of an object do.
 */
export interface ProfileText {
  readonly yaml: string;
  /**
   * What problems call it, before the line and the column: `tenants/7.yaml`; also the profile's name, where it does not
   * write one. `profile` when not given.
   */
  readonly name?: string;
}

/** A profile: the name of a preset, a path (it has a slash, or ends in .yaml, .yml or .json), an object, or a text. */
export type ProfileSource = string | ProfileInput | ProfileText;

/** Whether a profile is given as text. No profile has a key `yaml`. */
export const isProfileText = (source: ProfileSource): source is ProfileText =>
  isObject(source) && Object.hasOwn(source, 'yaml');

/** What is wrong with a profile that is given as text, besides the text. */
function profileTextProblems(given: ProfileText): readonly Problem[] {
  const { yaml, name, ...others }: Readonly<Record<keyof ProfileText, unknown>> = { name: undefined, ...given };
  const message = (key: string, value: unknown): string =>
    `the ${key} of the profile is ${describeValue(value)}; expected a text`;
  const problems: Problem[] = [];
  if (typeof yaml !== 'string') problems.push({ code: 'ASZ533', message: message('yaml', yaml) });
  if (name !== undefined && typeof name !== 'string') problems.push({ code: 'ASZ533', message: message('name', name) });
  for (const key of Object.keys(others)) {
    const hint = 'there are: yaml, name; what the profile says belongs into its text';
    problems.push({ code: 'ASZ533', message: `a profile that is given as text has no ${key}`, hint });
  }
  return problems;
}

/**
 * The text of a profile that is given as text.
 *
 * @throws AssizeError (ASZ533) where it is no text
 */
export function givenText(given: ProfileText): SourceFile {
  const problems = profileTextProblems(given);
  if (problems.length > 0) throw toAssizeError(problems);
  return new SourceFile(given.name ?? 'profile', given.yaml);
}

/** The name of a profile by its file: without the folder and the ending. */
export const profileNameOf = (file: string): string =>
  file.replace(/^.*[\\/]/, '').replace(/\.(ya?ml|json)$/, '') || 'profile';

/** A text with what it holds. */
export interface ProfileDocument extends ParsedDocument {
  readonly source: SourceFile;
}

/**
 * The files that a profile may name: given by the entry point, since not every place that Assize runs in has any. Paths
 * are absolute, or start from the working directory.
 */
export interface ProfileFiles {
  /** The absolute path of what a file names as `path`, where `path` is relative to the file's folder. */
  resolve(file: string, path: string): string;
  /** A path relative to the folder of a file, as that file would write it. */
  relative(file: string, path: string): string;
  /** Reads and parses a profile. */
  read(file: string): Promise<ProfileDocument>;
  /** The path of a profile beside a file whose name lacks only the ending, or a slash, that would make it a path. */
  sibling(file: string, name: string): string | undefined;
}

/** Whether a reference to a profile is a path: it has a slash, consists of dots, or ends as a profile's file does. */
export const isProfilePath = (ref: string): boolean => /[\\/]|^\.+$|\.(ya?ml|json)$/.test(ref);

/** A path from the root, of any system: a profile may be written on one and read on another. */
const FROM_ROOT = /^(?:[\\/]|[A-Za-z]:[\\/])/;

/** Whether a line of `plugins` names a file, and no package. */
export const isFileSpec = (spec: string): boolean =>
  /^\.{1,2}[\\/]/.test(spec) || FROM_ROOT.test(spec) || /\.[cm]?[jt]s$/.test(spec);
