import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Output } from '../../src/cli/terminal/io.js';
import { type Context, createPipeline, type Ranking } from 'assize';
import { packageRoot } from '../../src/base/package-root.js';

/** A candidate that a strategy generates. */
interface Move {
  readonly strategy: { readonly id: string };
  readonly focus: { readonly focus_description: string };
}

interface Script {
  readonly topic: string;
  readonly elements: readonly string[];
  readonly answers: readonly {
    readonly text: string;
    /** The concepts in the answer, each after the one that it follows from. */
    readonly nodes: readonly { readonly id: string; readonly label: string; readonly from?: string }[];
    readonly covers?: readonly string[];
  }[];
}

const folder = join(packageRoot(), 'config', 'demo');
const RECENT = 5;

/** The state of an interviewer: the context of the next turn after a move and its answer. */
function after(context: Context, { strategy, focus }: Move, answer: Script['answers'][number]): Context {
  const known = context as Readonly<Record<string, readonly object[]>> & {
    readonly turn_count: number;
    readonly graph: { readonly nodes: readonly object[]; readonly edges: readonly object[] };
    readonly coverage: { readonly elements_seen: readonly string[]; readonly elements_total: readonly string[] };
  };
  const { nodes, text, covers = [] } = answer;
  const edges = nodes.flatMap(({ id, from }) => (from === undefined ? [] : [{ source: from, target: id }]));
  return {
    turn_count: known.turn_count + 1,
    history: [
      ...(known['history'] ?? []),
      { speaker: 'system', text: focus.focus_description },
      { speaker: 'user', text, concepts: nodes.map(({ label }) => label) },
    ],
    recent_nodes: [...(known['recent_nodes'] ?? []), ...nodes].slice(-RECENT),
    graph: { nodes: [...known.graph.nodes, ...nodes], edges: [...known.graph.edges, ...edges] },
    coverage: { ...known.coverage, elements_seen: [...known.coverage.elements_seen, ...covers] },
    strategy_history: [...(known['strategy_history'] ?? []), strategy.id as never],
  };
}

/** One turn as a person reads it. */
function turnText(turn: number, ranking: Ranking<Move>, answer: string): string {
  const [chosen] = ranking.selected;
  const score = (value: number | undefined): string => value?.toFixed(3) ?? 'fallback';
  const others = ranking.report['alternatives'] as readonly { readonly id: string; readonly score: number }[];
  return [
    `${turn}. ${chosen?.id} (${score(chosen?.score)})  ${chosen?.candidate.focus.focus_description}`,
    ...ranking.refused.map(({ id, by, reason }) => `   not ${id}: ${by}, ${reason}`),
    `   else ${others.map(({ id, score: value }) => `${id} ${score(value)}`).join(', ') || 'nothing'}`,
    `   "${answer}"`,
    '',
  ].join('\n');
}

/** An interview with scripted answers: each move is chosen by the conversation so far. */
export async function playInterview(out: Output): Promise<void> {
  const script = JSON.parse(readFileSync(join(folder, 'interview.json'), 'utf8')) as Script;
  const pipeline = await createPipeline<Move>(join(folder, 'interview.yaml'));
  out.write(`What should an interviewer ask next? An interview about ${script.topic}, turn by turn.
Look at what is not asked, and why: no question follows up a topic that the person knows nothing about.\n\n`);
  let context: Context = {
    turn_count: 0,
    history: [],
    graph: { nodes: [], edges: [] },
    coverage: { elements_seen: [], elements_total: script.elements },
  };
  for (const [turn, answer] of script.answers.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- each turn depends on the one before it
    const ranking = await pipeline.rank(undefined, context);
    out.write(turnText(turn + 1, ranking, answer.text));
    const [chosen] = ranking.selected;
    if (!chosen) return;
    context = after(context, chosen.candidate, answer);
  }
}
