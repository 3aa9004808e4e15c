import { basename, isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import { TEMPLATE_KINDS, type TemplateKind, type TemplateNames, templateNames } from './new/template-names.js';
import { choiceArgument, type ProposalVerbOptions, withProposalOptions } from './options.js';
import type { Io } from './terminal/io.js';
import { usageError } from './terminal/problems.js';

interface NewVerbOptions extends ProposalVerbOptions {
  readonly ts?: boolean;
  readonly from?: string;
}

const HELP = `
A scorer or a veto becomes a package: a class in JavaScript with types in its
comments (in TypeScript with --ts), a test that passes, and a package.json. Run
the test with \`npm test\`. It uses Node's test runner; Vitest and Jest ignore it.
A profile lists the file under plugins, or the package once it is installed.
A profile --from a file of candidates is proposed from its columns: a scorer for
each number and each date, and vetoes as comments for true and false.
A project is a folder with a profile, candidates, a scorer, tests and a CI step;
\`npm create assize NAME\` writes the same.

Examples:
  assize new scorer brevity
  assize new scorer length --ts
  assize new veto too-long --folder ./plugins/too-long
  assize new profile tickets
  assize new profile films --from films.csv
  assize new project my-ranking`;

/** `assize new`: writes a scorer, a veto, a profile or a project to start from. */
export function create(command: Command, io: Io): void {
  const described = command
    .summary('write a scorer, a veto, a profile or a project to start from')
    .description('Writes a scorer, a veto, a profile or a project to start from. Existing files are not changed.')
    .addArgument(choiceArgument('<kind>', 'the kind of unit or file', TEMPLATE_KINDS))
    .argument('<name>', 'a name for its purpose: brevity, or BrevityScorer')
    .option('--folder <path>', 'where to write it; by default a folder with its name, or this folder for a profile')
    .option('--ts', 'write a scorer, a veto or a project in TypeScript')
    .option('--from <file>', 'propose a profile from the columns of this file of candidates');
  withProposalOptions(described)
    .addHelpText('after', HELP)
    .action((kind: TemplateKind, name: string, options: NewVerbOptions) => run(kind, name, options, io));
}

async function run(kind: TemplateKind, name: string, options: NewVerbOptions, io: Io): Promise<void> {
  const { out, folder } = io;
  const typed = options.ts === true;
  if (typed && kind === 'profile') throw usageError('--ts is not for a profile, which is always YAML');
  const names = templateNames(kind, name);
  if (options.from !== undefined) {
    if (kind !== 'profile') throw usageError(`--from is for a profile, and not for a ${kind}`);
    const { writeProposal } = await import('./new/write-proposal.js');
    return writeProposal(names.file, options.from, options, io);
  }
  const into = options.folder ?? (kind === 'profile' ? '.' : names.file);
  if (kind === 'project') {
    const { writeProject } = await import('./new/project.js');
    const paths = await writeProject(names, typed, into, folder);
    out.write(`${writtenText(paths)}\n\nTest it:   cd ${into} && npm install && npm test\nRank:      npm run rank\n`);
    return;
  }
  const { renderTemplate, writeNewFiles } = await import('./new/template.js');
  const files = await renderTemplate(kind, typed ? `${kind}-ts` : kind, names);
  const written = await writeNewFiles(files, into, folder);
  const main = `${names.file}.${typed ? 'ts' : 'js'}`;
  out.write(`${writtenText(written)}\n\n${nextSteps(kind, names, into, main)}`);
}

const writtenText = (paths: readonly string[]): string => paths.map((path) => `wrote ${path}`).join('\n');

/** The commands and the profile lines that use the new files. */
function nextSteps(kind: Exclude<TemplateKind, 'project'>, names: TemplateNames, into: string, main: string): string {
  const at = (file: string): string => (isAbsolute(into) ? join(into, file) : `./${join(into, file)}`);
  if (kind === 'profile') {
    const path = at(`${names.file}.yaml`);
    return `assize check ${path}\nassize rank --profile ${path} FILE\n`;
  }
  const tier = kind === 'veto' ? 'tier1_scorers' : 'tier2_scorers';
  return `Test it:   cd ${into} && npm install && npm test
Use it in a profile next to that folder:
  plugins: [${at(main)}]
  ${tier}: [{ id: ${names.id}, class: ${names.class} }]
`;
}

const INIT_HELP = `
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
    .addHelpText('after', INIT_HELP)
    .action((file: string | undefined, options: ProposalVerbOptions) => runInit(file, options, io));
}

async function runInit(file: string | undefined, options: ProposalVerbOptions, io: Io): Promise<void> {
  if (file === undefined) {
    const hint = 'assize init FILE.csv; without candidates, assize new profile NAME writes an example';
    throw usageError('a profile is proposed from a file of candidates, and none is named', hint);
  }
  const { writeProposal } = await import('./new/write-proposal.js');
  return writeProposal(nameOf(file), file, options, io);
}

/** A name for the profile of a file: `2025 Films (old).csv` is `films-old`. */
export function nameOf(file: string): string {
  const name = basename(file)
    .replace(/(?<=.)\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 60);
  return name === '' ? 'profile' : name;
}
