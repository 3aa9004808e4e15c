import { type Stats, statSync } from 'node:fs';

/** Files that several statements, and several parts of one, must find as the first did. */
export class UnchangedFiles {
  #known: readonly (Stats | undefined)[] = [];

  constructor(private readonly files: readonly string[]) {}

  /** Takes the files as they now are. */
  begin(): void {
    this.#known = this.#now();
  }

  /** @throws Error where one is no longer what it was: its size, its time, or the file itself, by its inode */
  check(): void {
    const changed = this.#now().findIndex((now, k) => !isSame(now, this.#known[k]));
    if (changed >= 0) throw new Error(`${this.files[changed]} changed while it was read`);
  }

  #now(): readonly (Stats | undefined)[] {
    return this.files.map((file) => statSync(file, { throwIfNoEntry: false }));
  }
}

const isSame = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a?.size === b?.size && a?.mtimeMs === b?.mtimeMs && a?.ino === b?.ino;
