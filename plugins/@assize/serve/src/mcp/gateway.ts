import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { type Context, createPipeline, type ExplanationNode, type Pipeline, type Ranking } from 'assize';
import { formatNumber } from 'assize/internal';
import { parseEnvelope } from '../operations.js';
import type { CatalogueTool } from './catalogue.js';
import type { Offer } from './server.js';
import type { ToolAnswer } from './tools.js';

/** The options of a gateway. */
export interface GatewayOptions {
  /** The profile that ranks the tools: a preset, or the path of a file. */
  readonly profile: string;
  /** The most tools of an answer. A call may have its own. */
  readonly top: number;
  /** The rest of the context: the floor of the profile, a graph of the tools. */
  readonly context: Context;
}

export const DEFAULT_TOP = 10;
const MAX_TOP = 100;
/** The most characters of a description in the text; the data has all of it. */
const MAX_DESCRIPTION = 400;
/** Below every cosine and every share of words: each tool passes. */
const NO_FLOOR = { floor: -2, words_floor: -2 };

/** How long a call waits for the model to read the tools, in milliseconds, before it ranks by words. */
const PATIENCE = 5000;
const BY_WORDS = 'the model is still reading the tools, so they are ranked by words only';

const INPUT = z.strictObject({
  query: z.string().trim().min(1).max(10_000).describe('What the tool must do, in words. One step per call.'),
  in_use: z
    .array(z.string())
    .max(1000)
    .default([])
    .describe('The ids of tools that you have already. They are listed without their schemas.'),
  top: z.int().min(1).max(MAX_TOP).optional().describe('The most tools to list.'),
});

const FOUND = z.object({
  id: z.string(),
  name: z.string(),
  server: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  score: z.number().optional().describe('Comparable across queries; missing if the profile refuses the tool.'),
  reasons: z.record(z.string(), z.string()).describe('By measure of the profile: words and meaning.'),
  in_use: z.boolean(),
  input_schema: z.record(z.string(), z.unknown()).optional(),
});

const OUTPUT = z.object({
  fits: z.boolean().describe('false: no tool passes the floor, and the nearest are listed instead.'),
  notes: z.array(z.string()),
  tools: z.array(FOUND).describe('Best first.'),
  more: z.int().describe('The number of tools that are not listed.'),
});

type Found = z.output<typeof FOUND>;

/** Finds the tools of a catalogue for a query. */
export class Gateway {
  #warming: Promise<unknown> | undefined;
  #words: Promise<Pipeline<CatalogueTool>> | undefined;

  private constructor(
    private readonly tools: readonly CatalogueTool[],
    private readonly pipeline: Pipeline<CatalogueTool>,
    private readonly options: GatewayOptions,
  ) {}

  /** @throws AssizeError if the profile is invalid */
  static async open(tools: readonly CatalogueTool[], options: GatewayOptions): Promise<Gateway> {
    return new Gateway(tools, await createPipeline<CatalogueTool>(options.profile), options);
  }

  /**
   * Embeds the tools, so that the first call does not wait for it.
   *
   * @returns the failures that a ranking reports, such as a missing model
   */
  async warmUp(signal: AbortSignal): Promise<readonly string[]> {
    const ranked = this.pipeline.rank(this.tools, { ...this.options.context, query: 'tools' }, { signal });
    this.#warming = ranked.then(
      () => (this.#warming = undefined),
      () => (this.#warming = undefined),
    );
    return failuresOf(await ranked);
  }

  /** The profile; the same without its model if that is still reading the tools. */
  async #pipeline(signal: AbortSignal): Promise<Pipeline<CatalogueTool>> {
    const warming = this.#warming;
    if (warming === undefined) return this.pipeline;
    const isWarm = warming.then(() => true);
    if (await Promise.race([isWarm, setTimeout(PATIENCE, false, { signal, ref: false })])) return this.pipeline;
    this.#words ??= createPipeline<CatalogueTool>({
      extends: [this.options.profile],
      measures: [{ id: 'meaning', when: 'false' }],
    }).catch(() => this.pipeline); // the profile has no measure of that name
    return this.#words;
  }

  /** What an MCP server offers: the tool `find_tools`. */
  get offer(): Offer {
    const count = this.tools.length;
    return {
      instructions: `Call find_tools to find the tools for a step of your task, among ${count}. It does not call them.`,
      tools: [
        {
          name: 'find_tools',
          title: 'Find tools',
          description:
            `Finds the tools for a query among ${count}, best first, with the input schema, the score and the reasons of each. ` +
            'If no tool fits, it says so and lists the nearest. It does not call a tool.',
          input: INPUT,
          output: OUTPUT,
          call: async (input, signal) => this.#find(parseEnvelope(INPUT, input), signal),
        },
      ],
    };
  }

  async #find(input: z.output<typeof INPUT>, signal: AbortSignal): Promise<ToolAnswer> {
    const { query, in_use, top = this.options.top } = input;
    const context = { ...this.options.context, query, ...(in_use.length > 0 && { tools: in_use }) };
    const pipeline = await this.#pipeline(signal);
    const choice = await pipeline.rank(this.tools, context, { top, signal });
    const fits = choice.selected.length > 0;
    const ranking = fits ? choice : await pipeline.rank(this.tools, { ...context, ...NO_FLOOR }, { top, signal });
    const inUse = new Set(in_use);
    const ranked = ranking.selected.map(({ id, candidate, score }) =>
      foundTool(candidate, inUse, score, reasonsOf(ranking, id)),
    );
    const tools = fits ? ranked : [...ranked, ...this.#others(ranking, top - ranked.length, inUse)];
    const notes = [
      ...(fits ? [] : [fallbackNote(choice, tools.length, this.tools.length)]),
      ...(pipeline === this.pipeline ? [] : [BY_WORDS]),
      ...failuresOf(choice),
    ];
    const data: z.output<typeof OUTPUT> = { fits, notes, tools, more: this.tools.length - tools.length };
    return { text: textOf(query, data), data };
  }

  /** Tools that the profile refuses even without a floor, in the order of the catalogue. */
  #others({ selected }: Ranking<CatalogueTool>, count: number, inUse: ReadonlySet<string>): readonly Found[] {
    if (count <= 0) return [];
    const listed = new Set(selected.map(({ id }) => id));
    const others = this.tools.filter(({ id }) => !listed.has(id)).slice(0, count);
    return others.map((tool) => foundTool(tool, inUse, undefined, {}));
  }
}

function foundTool(
  { id, name, server, title, description, inputSchema }: CatalogueTool,
  inUse: ReadonlySet<string>,
  score: number | undefined,
  reasons: Found['reasons'],
): Found {
  const has = inUse.has(id);
  return {
    id,
    name,
    ...(server !== undefined && { server }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(score !== undefined && { score }),
    reasons,
    in_use: has,
    ...(!has && inputSchema && { input_schema: { ...inputSchema } }),
  };
}

/** The value and the text of each measure of a tool. */
function reasonsOf(ranking: Ranking<CatalogueTool>, id: string): Found['reasons'] {
  const reasons: Record<string, string> = {};
  for (const { kind, id: measure, value, text } of nodesIn(ranking.explain(id)))
    if (kind === 'measure' && typeof value === 'number') reasons[measure] = `${formatNumber(value)}: ${text}`;
  return reasons;
}

function* nodesIn(node: ExplanationNode): Generator<ExplanationNode> {
  yield node;
  for (const detail of node.details) yield* nodesIn(detail);
}

const failuresOf = ({ degraded }: Ranking<CatalogueTool>): readonly string[] =>
  degraded.map(({ entry, cause }) => `${entry} was not used: ${cause}`);

function fallbackNote({ refused: [first] }: Ranking<CatalogueTool>, listed: number, all: number): string {
  const reason = first === undefined ? 'no tool was selected' : first.reason;
  return `${reason}; ${listed === all ? `all ${all} tools are listed` : `the nearest ${listed} of ${all} are listed`}`;
}

function textOf(query: string, { fits, notes, tools, more }: z.output<typeof OUTPUT>): string {
  const head = `${fits ? '' : 'not a fit: '}${tools.length} of ${tools.length + more} tools for ${JSON.stringify(query)}`;
  return [head, ...notes.map((note) => `note: ${note}`), ...tools.flatMap(linesOf)].join('\n');
}

function linesOf({ id, description = '', score, reasons, in_use, input_schema }: Found, k: number): readonly string[] {
  const why = Object.entries(reasons).map(([measure, reason]) => `${measure} ${reason}`);
  const about = description.replaceAll(/\s+/gu, ' ').trim();
  const short = about.length > MAX_DESCRIPTION ? `${about.slice(0, MAX_DESCRIPTION)}…` : about;
  return [
    `${k + 1}. ${[id, ...(score === undefined ? [] : [formatNumber(score)])].join(' ')}${why.length > 0 ? ` (${why.join('; ')})` : ''}`,
    ...(short === '' ? [] : [`   ${short}`]),
    ...(in_use ? ['   in use'] : []),
    ...(input_schema ? [`   input: ${JSON.stringify(input_schema)}`] : []),
  ];
}
