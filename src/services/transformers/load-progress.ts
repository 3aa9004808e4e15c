import type { Progress } from '../../contract/index.js';

/** Sums up the bytes received of all files of one model. A model in a folder is read without any. */
export class LoadProgress {
  readonly #files = new Map<string, { readonly loaded: number; readonly total: number }>();
  readonly #task: string;

  constructor(
    model: string,
    private readonly progress: Progress,
  ) {
    this.#task = `loading ${model}`;
    this.#report(undefined);
  }

  /** Records how many bytes of a file have come, of how many; undefined where its server does not send that. */
  readonly onDownloadProgress = (file: string, loaded: number, total: number | undefined): void => {
    this.#files.set(file, { loaded, total: Math.max(loaded, total ?? 0) });
    // Another file may follow: only `end` reports a total that is reached.
    const all = [...this.#files.values()].reduce((sum, one) => sum + one.total, 0);
    this.#report(all > this.#loaded() ? all : undefined);
  };

  /** Reports that nothing more will come. */
  end(): void {
    this.#report(this.#loaded());
  }

  #loaded(): number {
    return [...this.#files.values()].reduce((sum, { loaded }) => sum + loaded, 0);
  }

  #report(total: number | undefined): void {
    this.progress({ task: this.#task, unit: 'bytes', done: this.#loaded(), total });
  }
}
