import * as z from 'zod';
import { AssizeError, type Problem } from '../../../diagnostics/index.js';
import type { ServedPipeline } from '../../profiles/index.js';
import { problemData } from '../answers/problem-data.js';
import { problemsText } from '../answers/problems-text.js';
import { defineTool, pipelineOf, type ToolContext } from '../tool.js';
import { profileInput } from './request.js';

/** Checks a profile. */
export const check = defineTool({
  name: 'check',
  title: 'Check a profile',
  description:
    'Loads a profile and says everything that is wrong with it, each problem with its file, line and what to do; or, where ' +
    'nothing is, its warnings and the ids of its entries.',
  input: z.strictObject({ profile: profileInput }),
  async run({ profile }, context) {
    const { folder } = context.profiles;
    const { pipeline, problems } = await checked(profile, context);
    const name = pipeline?.name ?? (typeof profile === 'string' ? profile : 'profile');
    const data = {
      profile: name,
      valid: pipeline !== undefined,
      problems: problems.map((problem) => problemData(problem, folder)),
      ...(pipeline && { entries: pipeline.describe() }),
    };
    const found = problems.length === 0 ? [] : [problemsText(problems, folder)];
    return { text: [`${name}: ${pipeline ? 'fine' : 'it cannot be used'}`, ...found].join('\n'), data };
  },
});

/** A profile's pipeline, where it can be used, and what is wrong with it as it is written now. */
async function checked(
  profile: z.infer<typeof profileInput>,
  context: ToolContext,
): Promise<{ readonly pipeline?: ServedPipeline | undefined; readonly problems: readonly Problem[] }> {
  if (typeof profile === 'string') {
    const { pipeline, error } = context.profiles.find(profile);
    return error ? { problems: error.problems } : { pipeline, problems: pipeline?.warnings ?? [] };
  }
  try {
    const pipeline = await pipelineOf(profile, context);
    return { pipeline, problems: pipeline.warnings };
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return { problems: error.problems };
  }
}
