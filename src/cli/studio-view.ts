import type { Trust } from '../profile/index.js';
import type { Context } from '../sdk/index.js';

/** What the option `--open` of a verb shows in the studio. */
export interface StudioView {
  /** A preset, or a path. Its weights can be edited. */
  readonly profile: string;
  /** More profiles to compare with the first. */
  readonly others?: readonly string[];
  /** The candidates of one request, with its context. */
  readonly candidates?: readonly object[];
  readonly context?: Context;
  /** Or queries with judgements, as `readDataset` of `@assize/evaluate` returns them. */
  readonly queries?: readonly object[];
  readonly trust?: Trust;
  /** Initial settings that differ from the profile. */
  readonly settings?: {
    readonly weights?: Readonly<Record<string, number>>;
    readonly top?: number;
    readonly minScore?: number;
  };
}

/** Shows a view in the studio, in a browser if one is available, until the process ends. */
export type OpenStudio = (view: StudioView) => Promise<void>;
