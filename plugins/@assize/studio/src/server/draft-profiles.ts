import { basename, dirname } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { createPipeline } from 'assize';
import { effectiveProfile, loadPlugins } from 'assize/internal';
import { type ClassForm, type Editing, isMap, type ProfileDocument } from '../data/studio-data.js';
import type { FileEdit } from '../save/data-edit.js';
import { NotSavedError } from '../save/save-file.js';
import { spliceYaml } from '../save/splice-yaml.js';
import { classForms, type Plugins } from './class-forms.js';
import { editingFacts } from './editing-facts.js';
import { RankedProfile, type StudioSource } from './ranked-profile.js';
import { type FindClass, outsideValues } from './reaching.js';

/** An edit that a page may not make. The message is the reason. */
export class RefusedEditError extends Error {
  override readonly name = 'RefusedEditError';
}

/** The facts about a profile in its file that no edit of a page changes. */
interface Base {
  readonly inherited: ProfileDocument;
  readonly plugins: Plugins;
  readonly find: FindClass;
  readonly outside: ReadonlySet<string>;
}

/** More drafts than this are not kept: each has the scores of all its scorers. */
const MOST_DRAFTS = 8;

/** The profiles that edits make of a session's file. Nothing is written. */
export class DraftProfiles {
  readonly #bases = new WeakMap<RankedProfile, Promise<Base>>();
  readonly #drafts = new WeakMap<RankedProfile, Map<string, Promise<RankedProfile>>>();

  constructor(
    private readonly source: StudioSource,
    private readonly file: string | undefined,
    private readonly shipped: Plugins,
  ) {}

  /** The text of a profile: for a preset, that of a profile that extends it. */
  textOf({ text }: RankedProfile): string {
    return text ?? `extends: [${this.source.profile}]\n`;
  }

  /**
   * The text of a profile with edits.
   *
   * @throws SpliceError if an edit cannot be written; NotSavedError if the file is not YAML; RefusedEditError if the
   *   edits name something outside of the profile
   */
  async edited(saved: RankedProfile, edits: readonly FileEdit[]): Promise<string> {
    const text = withEdits(this.textOf(saved), edits);
    const { inherited, find, outside } = await this.#baseOf(saved);
    const added = [...outsideValues(parsed(text), inherited, find)].find((value) => !outside.has(value));
    if (added === undefined) return text;
    throw new RefusedEditError(
      `${added} names something outside of the profile, which the page cannot add or change: edit ${this.#name} in an editor, and the page loads it again`,
    );
  }

  /** @throws as `edited` does, and AssizeError with every problem of the text */
  async open(saved: RankedProfile, edits: readonly FileEdit[]): Promise<RankedProfile> {
    if (edits.length === 0) return saved;
    const text = await this.edited(saved, edits).catch((error: unknown) => this.#withPlace(error, edits));
    const drafts = this.#drafts.get(saved) ?? new Map<string, Promise<RankedProfile>>();
    this.#drafts.set(saved, drafts);
    const draft = drafts.get(text) ?? RankedProfile.ofText(text, this.#name, this.#folder, this.source.trust);
    drafts.delete(text);
    drafts.set(text, draft); // the last one used is the last one to go
    draft.catch(() => void drafts.delete(text));
    for (const old of [...drafts.keys()].slice(0, -MOST_DRAFTS)) drafts.delete(old);
    return draft;
  }

  /** Throws the problem of a typed text that is not YAML with its code and place, which only the engine knows. */
  async #withPlace(error: unknown, edits: readonly FileEdit[]): Promise<never> {
    const typed = edits.findLast((edit) => 'text' in edit);
    if (typed && error instanceof NotSavedError) {
      await createPipeline({ yaml: typed.text, name: this.#name }, { trust: 'none' });
    }
    throw error;
  }

  /** The classes that a profile can name. */
  async classesOf(saved: RankedProfile): Promise<FindClass> {
    return (await this.#baseOf(saved)).find;
  }

  /** The same as forms. */
  async classForms(saved: RankedProfile): Promise<readonly ClassForm[]> {
    return classForms((await this.#baseOf(saved)).plugins, saved.document);
  }

  /** The facts that a page needs to edit a draft of a profile. */
  async editing(saved: RankedProfile, draft: RankedProfile): Promise<Editing> {
    const { inherited, find } = await this.#baseOf(saved);
    const text = this.textOf(draft);
    return editingFacts({ text, own: keysOf(parsed(text)), inherited, document: draft.document }, find);
  }

  get #name(): string {
    return this.file === undefined ? 'draft.yaml' : basename(this.file);
  }

  get #folder(): string | undefined {
    return this.file === undefined ? undefined : dirname(this.file);
  }

  #baseOf(saved: RankedProfile): Promise<Base> {
    const known = this.#bases.get(saved) ?? this.#readBase(saved);
    this.#bases.set(saved, known);
    known.catch(() => void this.#bases.delete(saved));
    return known;
  }

  async #readBase(saved: RankedProfile): Promise<Base> {
    const own = parsed(this.textOf(saved));
    const bases = keysOf(own)['extends'] ?? [];
    const options = { trust: this.source.trust ?? 'full', ...(this.#folder !== undefined && { folder: this.#folder }) };
    const isBased = Array.isArray(bases) && bases.length > 0;
    const inherited = isBased ? await effectiveProfile({ extends: bases.map(String) }, options) : {};
    const plugins = await this.#pluginsOf(saved.document);
    const find = classFinder(plugins);
    return { inherited, plugins, find, outside: outsideValues(own, inherited, find) };
  }

  /** The plugins of a profile. One that cannot be loaded again is skipped: then its params are read-only. */
  async #pluginsOf({ plugins }: ProfileDocument): Promise<Plugins> {
    const names = new Set(this.shipped.map(({ name }) => name));
    const own = (Array.isArray(plugins) ? plugins.map(String) : []).filter((name) => !names.has(name));
    const loaded = await Promise.all(own.map((name) => loadPlugins(name, this.#folder).catch(() => [])));
    return [...loaded.flat(), ...this.shipped]; // as the loader looks classes up
  }
}

const classFinder =
  (plugins: Plugins): FindClass =>
  (name) => {
    const [unit = '', ...from] = name.split('/').toReversed();
    const plugin = from.length > 0 ? from.toReversed().join('/') : undefined;
    return plugins.find((one) => (plugin ?? one.name) === one.name && one.units.has(unit))?.units.get(unit);
  };

/** Applies edits of a profile to its text, in which the keys may be under `scoring`. */
function withEdits(text: string, edits: readonly FileEdit[]): string {
  return edits.reduce((now, edit) => {
    if ('text' in edit) return edit.text;
    const data = parsed(now);
    const isNested = isMap(data) && isMap(data['scoring']);
    return spliceYaml(now, [isNested ? { ...edit, path: ['scoring', ...edit.path] } : edit]);
  }, text);
}

/** The keys of a profile, which may be under `scoring`. */
function keysOf(data: unknown): ProfileDocument {
  if (!isMap(data)) return {};
  const { scoring, ...rest } = data;
  return isMap(scoring) ? { ...rest, ...scoring } : data;
}

/** @throws NotSavedError if the text is not valid YAML */
function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError || error instanceof ReferenceError)) throw error; // the latter: too many aliases
    throw new NotSavedError(`the file is not valid YAML; fix it in an editor first: ${error.message}`);
  }
}
