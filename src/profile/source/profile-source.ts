import { toAssizeError, SourceFile, describeValue, isObject, type Problem } from '../../base/index.js';
import type { ParsedDocument } from '../../data/index.js';
import type { ProfileInput } from '../schema/profile-schema.js';

/**
 * A profile as YAML or JSON text, for example from a database or a form. Relative paths in it are resolved like those of
 * an object.
 */
export interface ProfileText {
  readonly yaml: string;
  /**
   * The file name in problems: `tenants/7.yaml`. It is also the profile's name if the text has no `name`. Default:
   * `profile`.
   */
  readonly name?: string;
}

/** A profile: the name of a preset, a path (with a slash, or ending in .yaml, .yml or .json), an object, or a text. */
export type ProfileSource = string | ProfileInput | ProfileText;

/** Whether a profile is given as text. Profiles as objects cannot have a key `yaml`. */
export const isProfileText = (source: ProfileSource): source is ProfileText =>
  isObject(source) && Object.hasOwn(source, 'yaml');

/** Checks the types and keys of a profile that is given as text. */
function profileTextProblems(given: ProfileText): readonly Problem[] {
  const { yaml, name, ...others }: Readonly<Record<keyof ProfileText, unknown>> = { name: undefined, ...given };
  const message = (key: string, value: unknown): string =>
    `the ${key} of the profile is ${describeValue(value)}; expected a text`;
  const problems: Problem[] = [];
  if (typeof yaml !== 'string') problems.push({ code: 'ASZ533', message: message('yaml', yaml) });
  if (name !== undefined && typeof name !== 'string') problems.push({ code: 'ASZ533', message: message('name', name) });
  for (const key of Object.keys(others)) {
    const hint = 'keys: yaml, name; keys of the profile belong in its text';
    problems.push({ code: 'ASZ533', message: `unknown key ${key} of a profile given as text`, hint });
  }
  return problems;
}

/**
 * The source of a profile that is given as text.
 *
 * @throws AssizeError (ASZ533) if its keys or their types are wrong
 */
export function givenText(given: ProfileText): SourceFile {
  const problems = profileTextProblems(given);
  if (problems.length > 0) throw toAssizeError(problems);
  return new SourceFile(given.name ?? 'profile', given.yaml);
}

/** The name of a profile from its file name: without the folder and the extension. */
export const profileNameOf = (file: string): string =>
  file.replace(/^.*[\\/]/, '').replace(/\.(ya?ml|json)$/, '') || 'profile';

/** A parsed text and its source. */
export interface ProfileDocument extends ParsedDocument {
  readonly source: SourceFile;
}

/**
 * Access to the files that a profile may name. The entry point supplies it, because browsers have no files. Paths are
 * absolute or relative to the working directory.
 */
export interface ProfileFiles {
  /** Makes a path absolute that is relative to the folder of `file`. */
  resolve(file: string, path: string): string;
  /** The path relative to the folder of `file`, as that file would write it. */
  relative(file: string, path: string): string;
  /** Reads and parses a profile. */
  read(file: string): Promise<ProfileDocument>;
  /** The path of the profile in the folder of `file` that `name` probably means: it lacks only a slash or an extension. */
  sibling(file: string, name: string): string | undefined;
}

/** Whether a reference to a profile is a path: it has a slash, consists of dots, or has a profile's extension. */
export const isProfilePath = (ref: string): boolean => /[\\/]|^\.+$|\.(ya?ml|json)$/.test(ref);

/** An absolute path of any operating system: a profile may be written on one and read on another. */
const FROM_ROOT = /^(?:[\\/]|[A-Za-z]:[\\/])/;

/** Whether a line of `plugins` names a file instead of a package. */
export const isFileSpec = (spec: string): boolean =>
  /^\.{1,2}[\\/]/.test(spec) || FROM_ROOT.test(spec) || /\.[cm]?[jt]s$/.test(spec);
