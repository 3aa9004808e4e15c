import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { escapeInvisible, isObject, messageWithCauses, toError } from '../../base/index.js';
import { packageRoot, packageVersion } from '../../base/node.js';
import type { StudioView, Io, OutputStyle, OpenStudio, ProcessIo } from '../terminal/io.js';
import { usageError } from '../terminal/problems.js';
import { findPackage, type InstalledPackage, mapOf, type ListedVerb } from './find-package.js';

/**
 * A command of `assize` that a package adds. The package exports `verbs: readonly Verb[]` from its subpath `./verbs`, and
 * lists names and summaries under `"assize": { "verbs": { "name": "summary" } }` in its package.json, so that
 * `assize --help` imports nothing.
 */
export interface Verb {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /**
   * Adds the description, arguments, options, help and action.
   *
   * The action imports what it needs when it runs, so that help and usage errors appear at once. It writes only to `io`,
   * and throws an `AssizeError` to report problems.
   */
  declare(command: Command, io: Io): void;
}

/** What a package exports from its subpath `./verbs`. */
export interface VerbPackage {
  readonly verbs: readonly Verb[];
  /** Texts of `assize help TOPIC`, by topic. Only those of `HELP_TOPICS` are looked for. */
  readonly helpTopics?: Readonly<Record<string, (style: OutputStyle) => Promise<string>>>;
  /** Opens the studio. Only that of `@assize/studio` is used. */
  openStudio?(view: StudioView, io: Io): Promise<void>;
}

/** The command line that needs a package, and where the package is looked for. */
export interface Caller {
  /** What follows `assize`. */
  readonly args: readonly string[];
  /** The package of its verb. */
  readonly from?: string | undefined;
  /** The user's folder. */
  readonly folder: string;
  readonly env: ProcessIo['env'];
  /** The folder of the running copy of Assize. */
  readonly own: string;
  readonly version: string;
}

/** The caller of this process. */
export function callerOf(args: readonly string[], verb: unknown, { folder, env }: ProcessIo): Caller {
  const from = isObject(verb) && typeof verb['from'] === 'string' ? verb['from'] : undefined;
  return { args, from, folder, env, own: packageRoot(), version: packageVersion() };
}

/**
 * Thrown to continue in another copy of Assize: that of the user's folder, which the package imports. A process has one
 * engine, and the running copy has not loaded its own yet.
 */
export class HandOver extends Error {
  /** @param cli the absolute path of the other command line, which reads `process.argv` */
  constructor(readonly cli: string) {
    super(`continues in ${cli}`);
  }

  async run(): Promise<undefined> {
    await import(pathToFileURL(this.cli).href);
  }
}

type PackagedVerb = readonly [name: string, verb: Pick<ListedVerb, 'from'>];

/** The names of the verbs of each package. */
function namesByPackage(verbs: readonly PackagedVerb[]): readonly (readonly [from: string, names: string])[] {
  const packages = [...new Set(verbs.map(([, { from }]) => from))];
  return packages.map((from) => [from, verbs.flatMap(([name, verb]) => (verb.from === from ? [name] : [])).join(', ')]);
}

/** Lists the verbs of packages that are not installed, for the help; empty if all are. Imports nothing. */
export function missingText(verbs: readonly PackagedVerb[], { folder, own }: Pick<Caller, 'folder' | 'own'>): string {
  const missingOnes = namesByPackage(verbs).filter(([from]) => !findPackage(from, folder) && !findPackage(from, own));
  const lines = missingOnes.map(([from, names]) => `  ${names}: npm install ${from}\n`);
  return lines.length === 0 ? '' : `\nCommands whose package is not installed:\n${lines.join('')}`;
}

/** Lists the verbs of packages that are for another version, for the help; empty if none is. Imports nothing. */
export function mismatchText(verbs: readonly PackagedVerb[], caller: Caller): string {
  const lines = namesByPackage(verbs).flatMap(([from, names]) => {
    const inProject = findPackage(from, caller.folder);
    // The other copy of Assize would run the verb, and check the version itself.
    if (inProject && otherCopy(caller)) return [];
    const found = inProject ?? findPackage(from, caller.own);
    const mismatch = found && mismatchOf(found, caller);
    return mismatch ? [`  ${names}: ${mismatch.message}: ${mismatch.hint}\n`] : [];
  });
  return lines.length === 0 ? '' : `\nCommands whose package has another version:\n${lines.join('')}`;
}

/**
 * Loads a verb of a package.
 *
 * @throws AssizeError (ASZ601) if the package is missing, has another version, or does not export the verb
 * @throws HandOver
 */
export async function loadVerb(name: string, { from }: Pick<ListedVerb, 'from'>, caller: Caller): Promise<Verb> {
  const { verbs } = await loadVerbs(from, caller, `assize ${name}`);
  const verb = verbs.find((one) => one.name === name);
  if (verb) return verb;
  throw usageError(`${from}/verbs does not export the verb ${name}`);
}

/** Loads the text of `assize help TOPIC`. */
export async function loadHelpTopic(topic: string, from: string, caller: Caller, style: OutputStyle): Promise<string> {
  const { helpTopics = {} } = await loadVerbs(from, caller, `assize help ${topic}`);
  const text = helpTopics[topic];
  if (text) return text(style);
  throw usageError(`${from}/verbs does not export the help topic ${topic}`);
}

const STUDIO = '@assize/studio';

/** Loads the studio for `--open`: see `Io`. */
export async function loadStudio(caller: Caller, io: Io): Promise<OpenStudio> {
  const [verb = ''] = caller.args.filter(isOperand);
  const studio = await loadVerbs(STUDIO, caller, `assize ${verb} --open`);
  return async (view) => {
    if (!studio.openStudio) throw usageError(`${STUDIO}/verbs does not export openStudio`);
    await studio.openStudio(view, io);
  };
}

/**
 * Loads what a package exports from its subpath `./verbs`. The package is looked for from the user's folder, then from
 * that of the running copy of Assize.
 *
 * @param command what needs the package, for the message that it is missing
 * @throws AssizeError (ASZ601) if the package is missing, has another version, or cannot be loaded
 * @throws HandOver if the package of the user's folder uses another copy of Assize
 */
export async function loadVerbs(name: string, caller: Caller, command: string): Promise<VerbPackage> {
  const inProject = findPackage(name, caller.folder);
  if (inProject) handOver(caller);
  const found = inProject ?? findPackage(name, caller.own);
  if (!found) {
    const message = `${command} needs a package that is not installed: ${name}`;
    throw usageError(message, installCommand(['assize', name], caller));
  }
  checkVersion(found, caller);
  return importVerbs(found);
}

/** @throws HandOver if the user's folder has another copy of Assize */
function handOver(caller: Caller): void {
  const cli = otherCopy(caller);
  if (cli !== undefined) throw new HandOver(cli);
}

/** The path of the command line of the copy of Assize in the user's folder; undefined if it is the running one. */
function otherCopy({ folder, own }: Caller): string | undefined {
  const other = findPackage('assize', folder);
  if (!other || other.folder === realpathSync(own)) return undefined;
  const { bin } = other.manifest;
  const cli = isObject(bin) ? bin['assize'] : bin;
  return typeof cli === 'string' ? join(other.folder, cli) : undefined;
}

/** @throws AssizeError (ASZ601) if the package is for another version of Assize */
function checkVersion(found: InstalledPackage, caller: Caller): void {
  const mismatch = mismatchOf(found, caller);
  if (mismatch) throw usageError(mismatch.message, mismatch.hint);
}

/** That a package is for another version of Assize, and the command that installs matching versions. */
function mismatchOf(
  { name, manifest }: InstalledPackage,
  caller: Caller,
): { readonly message: string; readonly hint: string } | undefined {
  const { version } = caller;
  const wanted = wantedVersion(name, manifest);
  if (wanted === undefined || wanted === version) return undefined;
  const own = manifest['version'];
  const released = typeof own === 'string' ? `${name} ${own}` : name;
  const packages = isOurs(name) ? [`assize@${version}`, `${name}@${version}`] : [`assize@${wanted}`, name];
  return {
    message: `${released} is for assize ${wanted}, and this is assize ${version}`,
    hint: installCommand(packages, caller),
  };
}

/** Whether a package is one of those around the engine, whose version equals that of Assize. */
const isOurs = (name: string): boolean => name.startsWith('@assize/');

const EXACT_VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;

/** The only version of Assize that a package works with; undefined if it has a range, which npm has checked. */
function wantedVersion(name: string, manifest: InstalledPackage['manifest']): string | undefined {
  const peer = mapOf(manifest, 'peerDependencies')['assize'];
  const isExact = (one: unknown): one is string => typeof one === 'string' && EXACT_VERSION.test(one);
  return [peer, isOurs(name) && manifest['version']].find(isExact);
}

/** Whether an argument is not an option. The first one names the verb, since the options before it have no values. */
export const isOperand = (arg: string): boolean => !arg.startsWith('-');

/**
 * The command that installs packages. A copy of Assize that npx has fetched is in a folder of its own, where nothing can
 * be installed: then it is the command line itself, with the packages.
 *
 * @param packages Assize first
 */
function installCommand(packages: readonly string[], caller: Caller): string {
  if (!isFetched(caller)) return `npm install ${packages.filter((name) => name !== 'assize').join(' ')}`;
  const { args, from } = caller;
  const others = from === undefined || packages.some((name) => name.startsWith(from)) ? [] : [from];
  const wanted = [...packages, ...others].map((name) => `-p ${name}`).join(' ');
  return `npx ${wanted} assize ${args.map(quoted).join(' ')}`;
}

/** Whether `npx` has fetched the running copy, rather than found it in the user's project. */
const isFetched = ({ folder, own, env }: Caller): boolean =>
  own.split(sep).includes('_npx') ||
  (env['npm_command'] === 'exec' && findPackage('assize', folder)?.folder !== realpathSync(own));

/** An argument as a shell reads it. */
const quoted = (arg: string): string =>
  /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${escapeInvisible(arg).replaceAll("'", "'\\''")}'`;

async function importVerbs({ name, folder }: InstalledPackage): Promise<VerbPackage> {
  // Resolved from inside the package, which is thus found whatever folder it was found from.
  const { resolve } = await import('import-meta-resolve');
  const module: unknown = await Promise.resolve()
    .then(() => import(resolve(`${name}/verbs`, pathToFileURL(join(folder, 'package.json')).href)))
    .catch((error: unknown) => {
      throw usageError(`${name} cannot be loaded: ${messageWithCauses(toError(error))}`);
    });
  if (isVerbPackage(module)) return module;
  throw usageError(`${name}/verbs does not export verbs`, 'a list of objects with a name, a summary and declare');
}

const isVerbPackage = (module: unknown): module is VerbPackage =>
  isObject(module) && Array.isArray(module['verbs']) && module['verbs'].every(isVerb);

const isVerb = (verb: unknown): boolean =>
  isObject(verb) && typeof verb['name'] === 'string' && typeof verb['declare'] === 'function';
