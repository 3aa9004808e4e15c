import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AssizeError, escapeInvisible, isObject, messageWithCauses, toError } from '../../base/index.js';
import { packageRoot, packageVersion } from '../../base/node.js';
import type { OpenStudio, Io, OutputStyle, ProcessIo } from '../terminal/io.js';
import type { Verb, VerbPackage } from '../verb.js';
import { usageError } from '../terminal/problems.js';
import { findPackage, type InstalledPackage, mapOf, type ListedVerb } from './find-package.js';

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

/** Lists the verbs of packages that are not installed, for the help; empty if all are. Imports nothing. */
export function missingText(
  verbs: readonly (readonly [string, Pick<ListedVerb, 'from'>])[],
  { folder, own }: Pick<Caller, 'folder' | 'own'>,
): string {
  const isMissing = (name: string): boolean => !findPackage(name, folder) && !findPackage(name, own);
  const packages = [...new Set(verbs.map(([, { from }]) => from))].filter(isMissing);
  const lines = packages.map((name) => {
    const names = verbs.flatMap(([verb, { from }]) => (from === name ? [verb] : []));
    return `  ${names.join(', ')}: npm install ${name}\n`;
  });
  return lines.length === 0 ? '' : `\nCommands whose package is not installed:\n${lines.join('')}`;
}

/**
 * Loads a verb of a package.
 *
 * @throws AssizeError (ASZ601) if the package is missing, has another version, or does not export the verb
 * @throws HandOver
 */
export async function loadVerb(name: string, { from }: Pick<ListedVerb, 'from'>, caller: Caller): Promise<Verb> {
  const { verbs } = await loadVerbs(from, caller);
  const verb = verbs.find((one) => one.name === name);
  if (verb) return verb;
  throw usageError(`${from}/verbs does not export the verb ${name}`);
}

/** Loads the text of `assize help TOPIC`. */
export async function loadHelpTopic(topic: string, from: string, caller: Caller, style: OutputStyle): Promise<string> {
  const { helpTopics = {} } = await loadVerbs(from, caller);
  const text = helpTopics[topic];
  if (text) return text(style);
  throw usageError(`${from}/verbs does not export the help topic ${topic}`);
}

const STUDIO = '@assize/studio';

/** Loads the studio for `--open`: see `Io`. */
export async function loadStudio(caller: Caller, io: Io): Promise<OpenStudio> {
  const studio = await loadVerbs(STUDIO, caller);
  return async (view) => {
    if (!studio.openStudio) throw usageError(`${STUDIO}/verbs does not export openStudio`);
    await studio.openStudio(view, io);
  };
}

/**
 * Loads what a package exports from its subpath `./verbs`. The package is looked for from the user's folder, then from
 * that of the running copy of Assize.
 *
 * @throws AssizeError (ASZ601) if the package is missing, has another version, or cannot be loaded
 * @throws HandOver if the package of the user's folder uses another copy of Assize
 */
export async function loadVerbs(name: string, caller: Caller): Promise<VerbPackage> {
  const inProject = findPackage(name, caller.folder);
  if (inProject) handOver(caller);
  const found = inProject ?? findPackage(name, caller.own);
  if (!found) throw missing(name, caller);
  checkVersion(found, caller);
  return importVerbs(found);
}

/** @throws HandOver if the user's folder has another copy of Assize */
function handOver({ folder, own }: Caller): void {
  const other = findPackage('assize', folder);
  if (!other || other.folder === realpathSync(own)) return;
  const { bin } = other.manifest;
  const cli = isObject(bin) ? bin['assize'] : bin;
  if (typeof cli === 'string') throw new HandOver(join(other.folder, cli));
}

/** @throws AssizeError (ASZ601) if the package is for another version of Assize */
function checkVersion({ name, manifest }: InstalledPackage, caller: Caller): void {
  const { version } = caller;
  const wanted = wantedVersion(name, manifest);
  if (wanted === undefined || wanted === version) return;
  const own = manifest['version'];
  const released = typeof own === 'string' ? `${name} ${own}` : name;
  const command = isOurs(name)
    ? installCommand([`assize@${version}`, `${name}@${version}`], caller)
    : installCommand([`assize@${wanted}`, name], caller);
  throw usageError(`${released} is for assize ${wanted}, and this is assize ${version}`, command);
}

/** A package around the engine. Its version equals that of Assize. */
const isOurs = (name: string): boolean => name.startsWith('@assize/');

const EXACT_VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;

/** The only version of Assize that a package works with; undefined if it has a range, which npm has checked. */
function wantedVersion(name: string, manifest: InstalledPackage['manifest']): string | undefined {
  const peer = mapOf(manifest, 'peerDependencies')['assize'];
  const isExact = (one: unknown): one is string => typeof one === 'string' && EXACT_VERSION.test(one);
  return [peer, isOurs(name) && manifest['version']].find(isExact);
}

function missing(name: string, caller: Caller): AssizeError {
  const command = commandOf(caller.args);
  const needs = caller.args.includes('--open') ? `${command} --open` : command;
  return usageError(
    `${needs} needs a package that is not installed: ${name}`,
    installCommand(['assize', name], caller),
  );
}

/** The verb of a command line, with `assize`. */
const commandOf = (args: readonly string[]): string => ['assize', ...args.filter(isOperand).slice(0, 1)].join(' ');

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
