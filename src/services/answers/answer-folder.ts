import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { toError } from '../../base/index.js';
import { type Clock, systemClock } from '../host-services.js';
import { type AnswerFolders, type AnswerStore, type CallBudget, CountedCalls, periodOf } from './answer-store.js';
import { AppendedFile } from './appended-file.js';

/** The answers of a folder, shared by all pipelines of the process, and through the files by all processes. */
export class FileAnswerFolders implements AnswerFolders {
  readonly #stores = new Map<string, AnswerFolder>();

  constructor(private readonly clock: Clock = systemClock) {}

  open(folder: string): AnswerStore {
    const path = resolve(folder);
    const store = this.#stores.get(path) ?? new AnswerFolder(path, this.clock);
    this.#stores.set(path, store);
    return store;
  }
}

/** The folders of this process. */
export const sharedAnswerFolders: AnswerFolders = new FileAnswerFolders();

/** Questions may be long or private, so a file contains only a hash of each. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

class AnswerFolder implements AnswerStore {
  readonly pending = new Map<string, Promise<unknown>>();
  /** By hash, the oldest first. */
  readonly #answers = new Map<string, unknown>();
  readonly #file: AppendedFile;
  /** The number of lines since the file was last rewritten. */
  #lines = 0;
  readonly #calls = new Map<CallBudget['per'], CallLog>();

  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
  ) {
    this.#file = new AppendedFile(join(folder, 'answers.jsonl'));
  }

  async get(key: string): Promise<unknown> {
    const hash = hashOf(key);
    if (!this.#answers.has(hash)) await this.#readNew();
    return this.#answers.get(hash);
  }

  async set(key: string, answer: unknown, most: number): Promise<void> {
    const hash = hashOf(key);
    this.#answers.set(hash, answer);
    try {
      await this.#file.append(JSON.stringify([hash, answer]));
      this.#lines += 1;
      if (this.#lines > 2 * most + 100) await this.#rewrite(most);
    } catch (error) {
      warn(`the answer is not kept, because ${this.#file.path} cannot be written: ${toError(error).message}`);
    }
  }

  async #readNew(): Promise<void> {
    const malformed: number[] = [];
    for (const { text, number } of await this.#file.readNew()) {
      const entry = parsedEntry(text);
      if (entry) this.#answers.set(...entry);
      else malformed.push(number);
      this.#lines += 1;
    }
    const [first, ...others] = malformed;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : `, and ${others.length} more: lines ${others.slice(0, 10).join(', ')}`;
    warn(`${this.#file.path}:${first} is not a cached answer and is skipped${more}`);
  }

  /** Keeps the newest answers. An answer that another process adds at this moment may be lost, and is asked again. */
  async #rewrite(most: number): Promise<void> {
    this.#lines = 0;
    await this.#readNew();
    for (const hash of this.#answers.keys()) {
      if (this.#answers.size <= most) break;
      this.#answers.delete(hash);
    }
    const lines = Array.from(this.#answers, (entry) => `${JSON.stringify(entry)}\n`);
    const temporary = `${this.#file.path}.${randomUUID()}`;
    await writeFile(temporary, lines.join(''), { mode: 0o600 });
    await rename(temporary, this.#file.path);
  }

  take(budget: CallBudget, price: number): Promise<boolean> {
    const period = periodOf(budget.per, this.clock.now());
    let log = this.#calls.get(budget.per);
    if (log?.period !== period) this.#calls.set(budget.per, (log = new CallLog(this.folder, budget.per, period)));
    return log.take(budget, price);
  }
}

/** A hash and an answer; undefined if the line is malformed. */
function parsedEntry(text: string): readonly [hash: string, answer: unknown] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value) || value.length !== 2) return undefined;
    const [hash, answer] = value as readonly unknown[];
    return typeof hash === 'string' && answer !== null ? [hash, answer] : undefined;
  } catch {
    return undefined;
  }
}

/** No run waits for it, so it has no ranking to be in. */
const warn = (message: string): void => process.emitWarning(message, { code: 'ASZ767' });

/**
 * The calls of one period, in a file with a line for each. A process adds its line and then reads the file: the lines
 * before its own decide, so that two processes never take the same last call.
 */
class CallLog {
  readonly #file: AppendedFile;
  readonly #counted = new CountedCalls();

  constructor(
    private readonly folder: string,
    private readonly per: CallBudget['per'],
    readonly period: string,
  ) {
    this.#file = new AppendedFile(join(folder, `calls-${per}-${period}.log`));
    void this.#removeEarlier().catch(() => {}); // another process may have removed them
  }

  #last: Promise<unknown> = Promise.resolve();

  /** One at a time, because a line is counted only by the call that reads it. */
  take(budget: CallBudget, price: number): Promise<boolean> {
    const taken = this.#last.then(() => this.#take(budget, price));
    this.#last = taken.catch(() => {});
    return taken;
  }

  async #take(budget: CallBudget, price: number): Promise<boolean> {
    await this.#count(undefined, budget, price);
    if (!this.#counted.fits(budget, price)) return false;
    const id = randomUUID();
    await this.#file.append(`${id} ${price}`);
    return this.#count(id, budget, price);
  }

  /** Counts the new lines. Returns whether the line with the id was within the budget when it was added. */
  async #count(id: string | undefined, budget: CallBudget, price: number): Promise<boolean> {
    let fits = false;
    for (const { text } of await this.#file.readNew()) {
      const [found, cost] = text.split(' ');
      if (found === id) fits = this.#counted.fits(budget, price);
      this.#counted.add(Number(cost) || 0);
    }
    return fits;
  }

  /** Keeps the last file before this period: a clock may be set back over the end of a period. */
  async #removeEarlier(): Promise<void> {
    const prefix = `calls-${this.per}-`;
    const earlier = (await readdir(this.folder)).filter(
      (name) => name.startsWith(prefix) && name < `${prefix}${this.period}`,
    );
    for (const name of earlier.toSorted().slice(0, -1)) await rm(join(this.folder, name)); // oxlint-disable-line no-await-in-loop -- one file
  }
}
