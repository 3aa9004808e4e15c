import { AssizeError } from '../../base/index.js';

/** The kinds that `assize new` writes. */
export const TEMPLATE_KINDS = ['scorer', 'veto', 'profile', 'project'] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

/** The spellings of one name. */
export interface TemplateNames {
  /** `BrevityScorer` */
  readonly class: string;
  /** `brevity-scorer`: the folder, the file and the package. */
  readonly file: string;
  /** `brevity`: the id of its entry in a profile. */
  readonly id: string;
}

const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9]*(?:[-_ ][A-Za-z0-9]+)*$/;
const MAX_NAME_LENGTH = 60;

/**
 * Derives every spelling of a name from any of them: `brevity`, `BrevityScorer` and `brevity-scorer` are the same.
 *
 * @throws AssizeError (ASZ603) if the name is invalid
 */
export function templateNames(kind: TemplateKind, given: string): TemplateNames {
  const words = given
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[-_ ]+/)
    .map((word) => word.toLowerCase());
  const isKind = words.at(-1) === kind && kind !== 'project';
  const own = words.length > 1 && isKind ? words.slice(0, -1) : words;
  if (!NAME_PATTERN.test(given) || given.length > MAX_NAME_LENGTH || (own.length === 1 && own[0] === kind && isKind)) {
    const message = `${JSON.stringify(given)} is not a valid name for a new ${kind}`;
    const hint = `use letters, digits and dashes, starting with a letter, such as brevity`;
    throw new AssizeError([{ code: 'ASZ603', message, hint }]);
  }
  const all = kind === 'scorer' || kind === 'veto' ? [...own, kind] : own;
  return {
    class: all.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    file: all.join('-'),
    id: own.join('_'),
  };
}
