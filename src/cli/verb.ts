import type { Command } from 'commander';
import type { StudioView, Io, OutputStyle } from './terminal/io.js';

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
