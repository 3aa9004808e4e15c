import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { effectiveProfile, loadPlugins } from '../../container.js';
import { type Context, createPipeline, type Explanation, type Ranking, type Trust } from '../../index.js';
import { collectData } from '../data/collect-data.js';
import { isProfilePath } from '../../profile/source/references.js';
import { paramControls } from '../data/param-controls.js';
import type { FileState, ParamControl, RemoteChange, StudioData } from '../data/studio-data.js';
import { changedLines, type ChangedLine } from '../save/changed-lines.js';
import type { DataEdit } from '../save/data-edit.js';
import { saveFile } from '../save/save-file.js';
import { spliceYaml } from '../save/splice-yaml.js';
import { versionOf } from './file-version.js';
import { rankOthers } from './rank-others.js';

/** What a studio shows. */
export interface StudioSource {
  /** A preset's name, or a path. */
  readonly profile: string;
  /** Other profiles, by which the page shows the same candidates beside it. */
  readonly others?: readonly string[];
  readonly candidates: readonly object[];
  readonly context: Context;
  /** What somebody judged of each candidate, by position: 0 where it is not relevant, undefined where nobody did. */
  readonly grades?: readonly (number | undefined)[];
  /** `none`: the profile is a stranger's. */
  readonly trust?: Trust;
}

/** A change that is not made, with its reason in words. */
export class NotSavedError extends Error {
  override readonly name = 'NotSavedError';
}

/** How long a page waits to hear that the file has changed, before it asks again. */
const WAIT_MS = 25_000;
/** How long a file has to be quiet: an editor writes it in several steps. */
const QUIET_MS = 50;

/** One ranking that is looked at: by a profile that may change on the disk, of candidates that do not. */
export class StudioSession {
  #ranking: Ranking<object>;
  #profile: Document;
  #text: string | undefined;
  #problem: string | undefined;

  private constructor(
    readonly source: StudioSource,
    readonly file: string | undefined,
    ranking: Ranking<object>,
    profile: Document,
    text: string | undefined,
  ) {
    this.#ranking = ranking;
    this.#profile = profile;
    this.#text = text;
  }

  /** @throws AssizeError with every problem of the profile */
  static async open(source: StudioSource): Promise<StudioSession> {
    const file = isProfilePath(source.profile) ? resolve(source.profile) : undefined;
    const { ranking, profile, text } = await rankBy(source, file);
    return new StudioSession(source, file, ranking, profile, text);
  }

  /** What the page needs. */
  async data(): Promise<StudioData> {
    const controls = await controlsOf(this.#profile);
    const { others: profiles = [] } = this.source;
    const others = await rankOthers(profiles, this.source);
    const data = {
      ...this.#collect(this.#ranking, this.#profile),
      controls,
      ...(others.length > 0 && { others }),
    };
    if (this.file === undefined || this.#text === undefined) return data;
    return { ...data, file: { name: basename(this.file), version: versionOf(this.#text) } };
  }

  /** What the page needs after a change that it cannot make itself, but for the candidates, which it has. */
  async change({ without, params }: RemoteChange): Promise<StudioData> {
    const ranking = await this.#ranking.whatIf({ without, params });
    return { ...this.#collect(ranking, withoutEntries(this.#profile, without)), controls: {}, candidates: [] };
  }

  #collect(ranking: Ranking<object>, profile: Document): ReturnType<typeof collectData> {
    const { profile: name, candidates, context, grades } = this.source;
    const title = this.file === undefined ? name : basename(this.file);
    const data = collectData({ title, profile, ranking, candidates, context });
    return { ...data, ...(grades && { grades: candidates.map((_, position) => grades[position] ?? null) }) };
  }

  /** Why one candidate came out as it did by the profile in the file. */
  explain(index: number): Explanation {
    return this.#ranking.explain({ index });
  }

  /** The lines that edits would change. */
  async diff(edits: readonly DataEdit[]): Promise<readonly ChangedLine[]> {
    const text = await readFile(this.#ownFile(), 'utf8');
    return changedLines(text, spliceYaml(text, located(edits, text)));
  }

  /**
   * Writes edits into the file, and ranks by it.
   *
   * @param version that of the text that the edits are meant for
   * @throws NotSavedError where the file has changed since
   */
  async save(edits: readonly DataEdit[], version: string): Promise<FileState> {
    await saveFile(this.#ownFile(), (text) => {
      if (versionOf(text) === version) return spliceYaml(text, located(edits, text));
      throw new NotSavedError(
        `${basename(this.#ownFile())} has changed on the disk since: look at the new list, and save again`,
      );
    });
    return this.#reload();
  }

  /** Waits until the file is of another version, a while at most. */
  async changed(version: string, gone: AbortSignal): Promise<FileState> {
    const state = await this.#reload();
    if (state.version !== version || gone.aborted) return state;
    await this.#nextChange(gone);
    return this.#reload();
  }

  #ownFile(): string {
    if (this.file === undefined) throw new NotSavedError(`${this.source.profile} is a preset, and not a file of yours`);
    return this.file;
  }

  /** Ranks by the file as it is now, unless it is what was ranked by. */
  async #reload(): Promise<FileState> {
    const text = await readFile(this.#ownFile(), 'utf8');
    const version = versionOf(text);
    if (text !== this.#text) {
      this.#text = text;
      try {
        const { ranking, profile } = await rankBy(this.source, this.file);
        this.#ranking = ranking;
        this.#profile = profile;
        this.#problem = undefined;
      } catch (error) {
        this.#problem = error instanceof Error ? error.message : String(error);
      }
    }
    return { version, ...(this.#problem !== undefined && { problem: this.#problem }) };
  }

  /** The folder is watched: the watch of a file goes deaf when an editor puts another one in its place. */
  #nextChange(gone: AbortSignal): Promise<void> {
    return new Promise((done) => {
      const watcher = watch(dirname(this.#ownFile()));
      const end = (): void => {
        clearTimeout(timer);
        watcher.close();
        gone.removeEventListener('abort', end);
        done();
      };
      let timer = setTimeout(end, WAIT_MS);
      watcher.on('change', () => {
        clearTimeout(timer);
        timer = setTimeout(end, QUIET_MS);
      });
      watcher.on('error', end);
      gone.addEventListener('abort', end);
    });
  }
}

/** A profile as data. */
type Document = Readonly<Record<string, unknown>>;

/** The profile with entries switched off. */
function withoutEntries(profile: Document, ids: readonly string[]): Document {
  const off = (entry: unknown): unknown =>
    isMap(entry) && ids.includes(String(entry['id'])) ? { ...entry, enabled: false } : entry;
  const lists = Object.entries(profile).map(([key, list]) => [key, Array.isArray(list) ? list.map(off) : list]);
  return Object.fromEntries(lists) as Document;
}

/** The numbers among the params of entries whose classes ship. */
async function controlsOf(profile: Document): Promise<StudioData['controls']> {
  const plugins = await loadPlugins(undefined);
  const controls: Record<string, readonly ParamControl[]> = {};
  for (const key of ['tier1_scorers', 'measures', 'tier2_scorers']) {
    const list: unknown = profile[key];
    for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
      if (!isMap(entry) || typeof entry['class'] !== 'string') continue;
      const [name, from] = entry['class'].split('/').toReversed();
      const unit = plugins.find((one) => (from ?? one.name) === one.name && one.units.has(name!))?.units.get(name!);
      const params: unknown = entry['params'] ?? {};
      const found = unit && isMap(params) ? paramControls(unit, params) : [];
      if (found.length > 0) controls[String(entry['id'])] = found;
    }
  }
  return controls;
}

async function rankBy({ profile: ref, candidates, context, trust = 'full' }: StudioSource, file: string | undefined) {
  const text = file === undefined ? undefined : await readFile(file, 'utf8');
  const pipeline = await createPipeline<object>(ref, { trust });
  const ranking = await pipeline.rank(candidates, context, { prune: false, learn: false });
  return { ranking, profile: await effectiveProfile(ref, { defaults: false, trust }), text };
}

/** A profile may have its keys under `scoring`: then edits go there. */
function located(edits: readonly DataEdit[], text: string): readonly DataEdit[] {
  const data: unknown = parse(text);
  const nested = isMap(data) && isMap(data['scoring']);
  return nested ? edits.map(({ path, value }) => ({ path: ['scoring', ...path], value })) : edits;
}

const isMap = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
