import { isAbsolute, join } from 'node:path';
import { formatProblem, type Problem } from '../../base/index.js';
import { absentOptions } from '../../data/index.js';
import { readCandidateChunks } from '../../data/node.js';
import { toMillis } from '../../expression/index.js';
import type { ProposalVerbOptions } from '../options.js';
import { checkCandidateFile } from '../session/session.js';
import type { Io } from '../terminal/io.js';
import { columnFacts } from './column-facts.js';
import { proposeProfile } from './propose-profile.js';
import { writeNewFiles } from './template.js';

/**
 * Proposes a profile from a file of candidates, and writes it.
 *
 * @param name its name, and that of its file
 * @throws AssizeError if no profile can be proposed (ASZ607), the file cannot be read, or the profile exists (ASZ604)
 */
export async function writeProposal(name: string, file: string, options: ProposalVerbOptions, io: Io): Promise<void> {
  const { absent = [], input, folder: into = '.', now } = options;
  checkCandidateFile(file, input);
  const { stdin, progress, out, err } = io;
  const warn = (warning: Problem): void => {
    if (warning.code !== 'ASZ717') err.write(`${formatProblem(warning, { colour: err.colour })}\n`); // ASZ607 says it
  };
  const facts = await columnFacts(readCandidateChunks(file, { stdin, progress, absent, warn }, input));
  const { yaml, noValue } = proposeProfile(facts, {
    name,
    file: file === '-' ? 'standard input' : file,
    now: now === undefined ? Date.now() : toMillis(now),
  });
  const written = await writeNewFiles({ [`${name}.yaml`]: yaml }, into, io.folder);
  const path = isAbsolute(into) ? join(into, `${name}.yaml`) : `./${join(into, `${name}.yaml`)}`;
  const rank = [
    'assize rank --profile',
    path,
    ...inputOptions(input),
    ...absentOptions([...absent, ...noValue]),
    quoted(file),
  ];
  out.write(`${written.map((one) => `wrote ${one}`).join('\n')}\n\nassize check ${path}\n${rank.join(' ')}\n`);
}

const inputOptions = (input: string | undefined): readonly string[] =>
  input === undefined ? [] : [`--input ${input}`];

/** A path as a word of a shell. */
const quoted = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
