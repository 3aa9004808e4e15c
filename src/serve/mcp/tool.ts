import type * as z from 'zod';
import { createPipeline } from '../../pipeline/node.js';
import type { ServedPipeline } from '../profiles/served-profile.js';
import type { ServedProfiles } from '../profiles/served-profiles.js';
import type { ToolLimits } from './limits.js';

/** What tools work with. */
export interface ToolContext {
  readonly profiles: ServedProfiles;
  readonly limits: ToolLimits;
}

/** An answer: a text that a model reads, and the same as data for a program. */
interface ToolAnswer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a tool is, besides what it does. */
interface ToolFacts<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** What it does and when to call it: models choose by it. */
  readonly description: string;
  readonly input: Input;
  /** Whether it may change what later calls answer: a profile may remember what it has ranked. */
  readonly learns?: boolean;
}

/** A tool of the server. It knows nothing of the protocol. */
export interface Tool extends ToolFacts<z.ZodObject> {
  /** @param input as the tool's schema has it */
  readonly call: (input: unknown, context: ToolContext, abort: AbortSignal) => Promise<ToolAnswer>;
}

/** Makes a tool of a function that has the type of its input. */
export const defineTool = <Input extends z.ZodObject>({
  run,
  ...facts
}: ToolFacts<Input> & {
  readonly run: (input: z.infer<Input>, context: ToolContext, abort: AbortSignal) => Promise<ToolAnswer>;
}): Tool => ({ ...facts, call: (input, context, abort) => run(facts.input.parse(input), context, abort) });

/** The pipeline of a profile: one of the folder by its name, or one that the call brings. */
export const pipelineOf = async (profile: string | object, { profiles }: ToolContext): Promise<ServedPipeline> =>
  typeof profile === 'string' ? profiles.pipeline(profile) : createInlinePipeline(profile);

/**
 * Makes the pipeline of a profile that a call brings: an object, or a text as `{ yaml }`. It is a stranger's: it reaches no
 * file, no plugin but those that ship, no network and no model, and what it asks for is bounded.
 *
 * @throws AssizeError with every problem of the profile, each with its place
 */
const createInlinePipeline = (profile: object): Promise<ServedPipeline> =>
  createPipeline<object>(profile, { trust: 'none' });
