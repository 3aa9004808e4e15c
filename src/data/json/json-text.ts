import { AssizeError, type ProblemCode, SourceFile, toAssizeError } from '../../base/index.js';
import { isDeeperThan, MAX_DEPTH, TOO_DEEP, tryParseJson } from '../parsed-document.js';
import { findJsonMistake } from './parse-json-with-places.js';

/**
 * Parses the JSON of a request.
 *
 * @param name the name of the text in the problem: `body`
 * @throws AssizeError with the place of the mistake if the text is not JSON, or is nested too deep
 */
export function parseJsonText(text: string, name: string, code: ProblemCode): unknown {
  let error: unknown;
  const parsed = tryParseJson(text, (failure) => void (error = failure));
  if (parsed) return parsed.data;
  const found = findJsonMistake(new SourceFile(name, text), 'line', error) ?? { message: TOO_DEEP };
  const message = found.message === TOO_DEEP ? `the ${name}: ${TOO_DEEP}` : `the ${name} is not JSON: ${found.message}`;
  throw new AssizeError([{ ...found, code, message }]);
}

/** @throws AssizeError if data that was parsed elsewhere is nested deeper than a file may be */
export function checkDepth(data: unknown, path: string, code: ProblemCode): void {
  if (isDeeperThan(MAX_DEPTH, data)) throw toAssizeError([{ code, message: TOO_DEEP, path }]);
}
