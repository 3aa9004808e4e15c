import type { Pipeline } from '../../pipeline/index.js';
import type { Ranking, RankingResult } from '../../ranking/index.js';
import { escapeInvisible, escapeInvisibleInJson } from '../../base/index.js';
import { checkMessages } from '../session/message-query.js';
import type { Io } from '../terminal/io.js';
import { writeProblems } from '../terminal/problems.js';
import { isUrgent, runWarningsText } from './summary.js';

type Result = Pick<RankingResult<object> | Ranking<object>, 'selected' | 'degraded' | 'warnings'>;

/**
 * Writes the selected messages as JSON that the provider accepts: a list, or an object with the system prompt if that is
 * a field of the request. What is not in it, or differs from the input, goes to standard error.
 */
export async function writeMessages(
  pipeline: Pick<Pipeline<object>, 'warnings'>,
  ranking: Result,
  io: Io,
): Promise<void> {
  const { messagesFromCandidates } = await import('../../agents.js');
  checkMessages(ranking.selected.map(({ candidate }) => candidate));
  const { messages, system, request, dropped, changes, undercounted, undocumented } = messagesFromCandidates(
    ranking.selected,
  );
  writeProblems([...pipeline.warnings, ...ranking.warnings.filter(isUrgent)], io);
  const json = JSON.stringify(system === undefined ? messages : request, undefined, 2);
  io.out.write(`${escapeInvisibleInJson(json)}\n`);
  const lines = [
    ...dropped.map(({ id, text }) => `dropped ${id}: ${text}`),
    ...undercounted.map(
      ({ id, cost, tokens }) => `${id}: its version costs ${tokens}, not ${cost}: the list may exceed the budget`,
    ),
    ...undocumented.map((key) => `messages have the key ${key}, which some providers refuse: remove it if yours does`),
    ...changes.map(({ kind, index }) => `messages[${index}]: ${CHANGES[kind]}`),
  ];
  io.err.write(lines.map((line) => `${escapeInvisible(line)}\n`).join('') + runWarningsText(ranking, io.err));
}

const CHANGES = {
  joined: 'neighbours of one role were joined',
  reordered: 'tool results were put first',
  opened: 'added, because the first message must be of the user',
  shortened: 'has the text of a shorter version',
  whole: 'has no place for the text of the selected version, so it is the original',
} as const;
