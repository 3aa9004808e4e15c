import { AssizeError, type Context } from '../contract/index.js';
import { copyPlaces, locate, parseJson, parseYaml, readSource } from '../document/index.js';
import { formatProblems } from '../document/format.js';
import { describeValue } from '../expression/describe.js';

/**
 * Reads the context of a run.
 *
 * @param file JSON by its ending, else YAML; an empty context when not given
 * @param now  the context's `now`, whatever the file says
 * @throws AssizeError with everything that is wrong with it
 */
export async function readContext(file: string | undefined, now?: number | string): Promise<Context> {
  const given = file === undefined ? {} : await readMap(file);
  if (now === undefined) return given;
  const context = { ...given, now };
  copyPlaces(given, context);
  return context;
}

async function readMap(file: string): Promise<Context> {
  const source = await readSource(file);
  const isJson = file.toLowerCase().endsWith('.json');
  const { data, problems } = isJson ? parseJson(source, { places: true }) : parseYaml(source);
  if (problems.length > 0) throw new AssizeError(problems, formatProblems(problems));
  if (isMap(data)) return data;
  const message = `the context is ${describeValue(data)}; expected a map`;
  throw new AssizeError([{ code: 'ASZ104', message, place: source.place(0) }]);
}

const isMap = (value: unknown): value is Context =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A run's failure, with the place in the context's file of each problem that is the context's. */
export function placedIn(context: Context, error: unknown): unknown {
  if (!(error instanceof AssizeError)) return error;
  const problems = error.problems.map((problem) => {
    const { code, path, place } = problem;
    const key = code === 'ASZ104' && place === undefined ? /^context\.(.*)$/s.exec(path ?? '')?.[1] : undefined;
    return key === undefined ? problem : { ...problem, place: locate(context, [key], 'value') };
  });
  return new AssizeError(problems, error.message, { cause: error });
}
