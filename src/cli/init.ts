import { basename } from 'node:path';
import type { Command } from 'commander';
import { type ProposalVerbOptions, withProposalOptions } from './options.js';
import type { Io } from './terminal/io.js';
import { usageError } from './terminal/problems.js';

const HELP = `
The same as assize new profile NAME --from FILE, with the name of the file.
assize new profile NAME, without a file, writes an example to start from.

Examples:
  assize init films.csv
  assize init export.csv --absent N/A --folder profiles`;

/** `assize init`: proposes a profile from the columns of a file of candidates. */
export function init(command: Command, io: Io): void {
  const described = command
    .summary('propose a profile from the columns of a file')
    .description('Proposes a profile from the columns of a file of candidates. No existing file is changed.')
    .argument('[file]', 'the candidates; - is standard input')
    .option('--folder <path>', 'where to write the profile; by default this folder');
  withProposalOptions(described)
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: ProposalVerbOptions) => run(file, options, io));
}

async function run(file: string | undefined, options: ProposalVerbOptions, io: Io): Promise<void> {
  if (file === undefined) {
    const hint = 'assize init FILE.csv; without candidates, assize new profile NAME writes an example';
    throw usageError('a profile is proposed from a file of candidates, and none is named', hint);
  }
  const { writeProposal } = await import('./new/write-proposal.js');
  return writeProposal(nameOf(file), file, options, io);
}

/** A name for the profile of a file: `2025 Films (old).csv` is `films-old`. */
function nameOf(file: string): string {
  const name = basename(file)
    .replace(/(?<=.)\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 60);
  return name === '' ? 'profile' : name;
}
