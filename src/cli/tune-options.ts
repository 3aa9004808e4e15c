import type { ParamBounds, TuneOptions } from '../tune/index.js';
import type { DatasetVerbOptions } from './dataset-options.js';
import type { ContextOptions, InputOptions } from './options.js';

/** What is passed on to `tuneWeights` as it is. */
type SearchOptions = Omit<TuneOptions, 'curved' | 'params' | 'loss' | 'names' | 'pipeline' | 'abort' | 'progress'>;

/** The options of `assize tune`, as commander parses them. */
export interface TuneVerbOptions extends DatasetVerbOptions, SearchOptions {
  readonly curve?: readonly string[];
  readonly param?: ParamBounds;
  readonly startFrom?: TuneOptions['loss'];
  readonly date?: string;
  readonly out?: string;
  readonly format: 'text' | 'yaml' | 'json';
}

/** The options of `assize ask`, as commander parses them. */
export interface AskVerbOptions extends ContextOptions, InputOptions {
  readonly top?: number;
  readonly questions?: number;
  readonly answers?: string;
  readonly person?: string;
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly date?: string;
  readonly out?: string;
  readonly format: 'text' | 'yaml' | 'json';
}
