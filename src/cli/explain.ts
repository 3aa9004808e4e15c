import type { Command } from 'commander';
import { choiceOption, type ExplanationOptions, withExplanation } from './options.js';
import { jsonText } from './output/json.js';
import { namedCandidate } from './session/named-candidate.js';
import { explanationStyle } from './terminal/styler.js';
import type { Io } from './terminal/io.js';
import { usageError } from './terminal/problems.js';

const HELP = `
Output:
  text    its rank and score, scorer by scorer, rule by rule, and the vetoes that
          it passed
  json    the same as a tree, with every number and field that was read
  markdown
          the same as nested lists, for a comment or a page
  --to    instead, the single changes of a field or a weight that would rank it
          first (win) or select it (selected); each change was verified by
          ranking again

Examples:
  assize explain --profile knowledgepulse trace-7 traces.jsonl
  assize explain --profile ./movies.yaml --format json 'Toy Story' movies.json
  assize explain --profile ./team.yaml '#3' repos.json
  assize explain --profile ./team.yaml '@3' repos.json --to win`;

const GOALS = ['win', 'selected'] as const;

interface ExplainOptions extends ExplanationOptions {
  readonly to?: (typeof GOALS)[number];
}

/** `assize explain`: explains the score, the rank or the refusal of one candidate. */
export function explain(command: Command, io: Io): void {
  const described = command
    .summary('explain the score of a candidate')
    .description('Ranks candidates, and explains the score of one of them, or why it was refused.')
    .argument('<id>', "its id, its row in the table of rank: '#3', or its position in the input: '@3'");
  withExplanation(described, 'markdown')
    .addOption(choiceOption('--to <goal>', 'show what would have to change for it to win, or to be selected', GOALS))
    .addHelpText('after', HELP)
    .action((id: string, file: string | undefined, options: ExplainOptions) => run(id, file, options, io));
}

async function run(id: string, file: string | undefined, options: ExplainOptions, io: Io): Promise<void> {
  const { openCliSession, rankInput } = await import('./session/session.js');
  const session = await openCliSession('explain', options, io);
  const ranking = await rankInput(session, file, options, io);
  const which = namedCandidate(ranking, id);
  if (options.to !== undefined) {
    if (options.format === 'markdown') throw usageError('--to has no output in markdown', 'use --format text or json');
    const ways = await ranking.waysToWin(which, options.to === 'win' ? 'first' : 'selected');
    if (options.format === 'json') return io.out.write(jsonText(ways));
    const { waysToWinText } = await import('../index.js');
    return io.out.write(waysToWinText(ways, explanationStyle(io.out)));
  }
  const explanation = ranking.explain(which);
  if (options.format === 'json') return io.out.write(jsonText(explanation));
  const { explanationMarkdown, explanationText } = await import('../index.js');
  if (options.format === 'markdown') return io.out.write(explanationMarkdown(explanation));
  io.out.write(explanationText(explanation, explanationStyle(io.out)));
}
