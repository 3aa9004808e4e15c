import type * as z from 'zod';
import { createPipeline } from '../../pipeline/node.js';
import type { ServedPipeline } from '../profiles/served-profile.js';
import type { ServedProfiles } from '../profiles/served-profiles.js';
import type { ToolLimits } from './limits.js';

/** The state that tools use. */
export interface ToolContext {
  readonly profiles: ServedProfiles;
  readonly limits: ToolLimits;
}

/** The result of a tool: text for a model, and the same as data for a program. */
interface ToolAnswer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The description of a tool. */
interface ToolFacts<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** What the tool does and when to call it. Models choose tools by this text. */
  readonly description: string;
  readonly input: Input;
  /** Whether a call may change the results of later ones, because a profile may remember ranked candidates. */
  readonly learns?: boolean;
}

/** A tool of the server, independent of the protocol. */
export interface Tool extends ToolFacts<z.ZodObject> {
  /** @param input validated by the tool's schema */
  readonly call: (input: unknown, context: ToolContext, abort: AbortSignal) => Promise<ToolAnswer>;
}

/** Creates a tool from a function with typed input. */
export const defineTool = <Input extends z.ZodObject>({
  run,
  ...facts
}: ToolFacts<Input> & {
  readonly run: (input: z.infer<Input>, context: ToolContext, abort: AbortSignal) => Promise<ToolAnswer>;
}): Tool => ({ ...facts, call: (input, context, abort) => run(facts.input.parse(input), context, abort) });

/** The pipeline of a profile: a name of the folder, or an inline profile. */
export const pipelineOf = async (profile: string | object, { profiles }: ToolContext): Promise<ServedPipeline> =>
  typeof profile === 'string' ? profiles.pipeline(profile) : createInlinePipeline(profile);

/**
 * Creates the pipeline of an inline profile: an object, or a text as `{ yaml }`. It is not trusted: it has no access to
 * files, external plugins, the network or models, and its work is limited.
 *
 * @throws AssizeError with every problem of the profile, each with its place
 */
const createInlinePipeline = (profile: object): Promise<ServedPipeline> =>
  createPipeline<object>(profile, { trust: 'none' });
