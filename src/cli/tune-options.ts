import type { DatasetVerbOptions } from './dataset-options.js';
import type { ContextOptions, InputOptions } from './options.js';

/** The options of `assize tune`, as commander parses them. */
export interface TuneVerbOptions extends DatasetVerbOptions {
  readonly measure?: string;
  readonly relevantFrom?: number;
  readonly curves?: number;
  readonly curve?: readonly string[];
  readonly anyShape?: true;
  readonly only?: readonly string[];
  readonly case?: string;
  readonly signed?: true;
  readonly startFrom?: 'lists' | 'labels' | 'pairs';
  readonly folds?: number;
  readonly repeats?: number;
  readonly seed?: number;
  readonly seconds?: number;
  readonly date?: string;
  readonly out?: string;
  readonly format: 'text' | 'yaml' | 'json';
}

/** The options of `assize ask`, as commander parses them. */
export interface AskVerbOptions extends ContextOptions, InputOptions {
  readonly top?: number;
  readonly questions?: number;
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly date?: string;
  readonly out?: string;
  readonly format: 'text' | 'yaml' | 'json';
}
