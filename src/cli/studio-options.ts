import { Option } from 'commander';

/** The option of `openOption`. */
export interface OpenOptions {
  readonly open?: true;
}

/** `--open`, with the description that the verb gives it. */
export const openOption = (description: string): Option => new Option('--open', description);
