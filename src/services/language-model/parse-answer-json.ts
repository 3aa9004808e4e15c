const FENCES = [/```json([^]*?)(?:```|$)/, /```([^]*?)(?:```|$)/];

/**
 * Parses the JSON of a language model's text: all of it, else the first block fenced as `json`, else the first fenced
 * block. JSON in the midst of prose is not used: the prose could say the opposite.
 *
 * @throws SyntaxError when there is none
 */
export function parseAnswerJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const fenced = FENCES.map((fence) => fence.exec(text)?.[1]).find((block) => block !== undefined);
    if (fenced === undefined) throw error;
    return JSON.parse(fenced);
  }
}
