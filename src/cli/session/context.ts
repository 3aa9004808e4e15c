import { type Context } from '../../contract/index.js';
import { isCoreCode } from '../../diagnostics/codes.js';
import { AssizeError, describeValue, type Problem } from '../../diagnostics/problem.js';
import { copyPlaces, locate } from '../../diagnostics/places.js';
import { toAssizeError } from '../../diagnostics/format.js';
import { isMap } from '../../expression/plain-data.js';
import { compilePath } from '../../expression/compile-path.js';
import { readSourceFile } from '../../input/index.js';
import { parseDocument } from '../../profile/node.js';

/**
 * Reads the context of a run.
 *
 * @param file JSON by its ending, else YAML; an empty context when not given
 * @param now  replaces the `now` of the file
 * @throws AssizeError with everything that is wrong with it
 */
export async function readContext(file: string | undefined, now?: number | string): Promise<Context> {
  const given = file === undefined ? {} : await readContextFile(file);
  if (now === undefined) return given;
  const context = { ...given, now };
  copyPlaces(given, context);
  return context;
}

async function readContextFile(file: string): Promise<Context> {
  const source = await readSourceFile(file, { pipes: true });
  const { data, problems } = await parseDocument(source);
  if (problems.length > 0) throw toAssizeError(problems);
  if (isMap(data)) return data;
  const message = `the context is ${describeValue(data)}; expected a map`;
  throw new AssizeError([{ code: 'ASZ104', message, place: source.placeAt(0) }]);
}

/** Whether a problem is one of the context: of what the profile declares of it, or by a code of a unit's plugin. */
const isContextProblem = ({ code }: Problem): boolean => code === 'ASZ104' || !isCoreCode(code);

/** Adds to each problem of the context in a run's error its place in the context's file. */
export function locateContextProblems(context: Context, error: unknown): unknown {
  if (!(error instanceof AssizeError)) return error;
  const problems = error.problems.map((problem) => {
    const { path, place, hint } = problem;
    if (!isContextProblem(problem) || place !== undefined || path === undefined) return problem;
    const found = locate(context, pathKeys(path.replace(/^context\./, '')), 'value');
    if (found || Object.keys(context).some((key) => key !== 'now')) return { ...problem, place: found };
    return { ...problem, hint: [hint, '--context FILE says what is known'].filter(Boolean).join('; ') };
  });
  return new AssizeError(problems, error.message, { cause: error });
}

/** The keys of a path such as `graph.edges[3].weight`; a text that is not a path is one key. */
function pathKeys(path: string): readonly (string | number)[] {
  try {
    return compilePath(path).steps.map((step) =>
      step.kind === 'key' ? step.key : step.kind === 'index' ? step.index : 0,
    );
  } catch {
    return [path];
  }
}
