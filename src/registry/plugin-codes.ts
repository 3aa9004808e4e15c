import type { LoadedPlugin } from '../contract/index.js';
import { describeValue, isCoreCode, type Problem, PROBLEM_CODES, toAssizeError } from '../diagnostics/index.js';

/** The letters of a plugin, and three digits. */
const CODE_FORMAT = /^[A-Z]{2,}\d{3}$/;
const FORM_HINT = 'a code is capital letters of its plugin and three digits: ACME001';

const takenProblem = (code: string, plugin: string, owner: string, meaning: string | undefined): Problem => ({
  code: 'ASZ306',
  message: `the code ${code} of ${plugin} is also one of ${owner}: ${JSON.stringify(meaning)}`,
  hint: FORM_HINT,
});

/**
 * The codes that a plugin's export `codes` declares.
 *
 * @param problems receives what is malformed in it, and what the core declares itself
 */
export function readCodes(plugin: string, declared: unknown, problems: Problem[]): LoadedPlugin['codes'] {
  const codes: Record<string, string> = {};
  const refuse = (message: string): void => void problems.push({ code: 'ASZ306', message, hint: FORM_HINT });
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) {
    refuse(`the codes of ${plugin} are ${describeValue(declared)}; expected a map of codes, each with its meaning`);
    return codes;
  }
  for (const [code, meaning] of Object.entries(declared) as Iterable<[string, unknown]>) {
    if (isCoreCode(code)) problems.push(takenProblem(code, plugin, 'core', PROBLEM_CODES[code]));
    else if (!CODE_FORMAT.test(code)) refuse(`the code ${code} of ${plugin} is malformed`);
    else if (typeof meaning === 'string' && meaning.trim() !== '') codes[code] = meaning;
    else refuse(`the code ${code} of ${plugin} means ${describeValue(meaning)}; expected a sentence`);
  }
  return codes;
}

/**
 * Checks that no other plugin declares a code of this one. A plugin that two profiles name is one.
 *
 * @throws AssizeError (ASZ306) naming both plugins of each such code
 */
export function checkCodesAreFree(plugin: LoadedPlugin, loaded: readonly LoadedPlugin[]): void {
  const problems = loaded.flatMap((other) =>
    Object.entries(plugin.codes).flatMap(([code, meaning]) => {
      if (!Object.hasOwn(other.codes, code)) return [];
      if (other.name === plugin.name && other.codes[code] === meaning) return [];
      return [takenProblem(code, plugin.name, other.name, other.codes[code])];
    }),
  );
  if (problems.length > 0) throw toAssizeError(problems);
}
