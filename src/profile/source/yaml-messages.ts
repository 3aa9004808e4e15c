import type { YAMLError } from 'yaml';
import type { SourceFile } from '../../diagnostics/source-file.js';

type MessageTemplate = string | ((error: YAMLError, source: SourceFile) => string | undefined);

/** What to say instead of the parser's words: they are about grammar, these are about what a person wrote. */
interface MessageOverride {
  readonly when: RegExp;
  readonly message: MessageTemplate;
  readonly hint?: MessageTemplate;
}

const characterAt = ({ pos }: YAMLError, { text }: SourceFile): string =>
  pos[0] < text.length ? String.fromCodePoint(text.codePointAt(pos[0])!) : 'the end of the file';
const sourceText = ({ pos: [start, end] }: YAMLError, { text }: SourceFile): string => text.slice(start, end);

const MESSAGE_OVERRIDES: readonly MessageOverride[] = [
  { when: /^Tabs are not/, message: 'a tab is used as indentation', hint: 'indent with spaces' },
  {
    when: /^Missing closing/,
    message: ({ message }) => `the text opened with ${message.includes('"') ? '"' : "'"} is never closed`,
  },
  {
    when: /^Indented key/,
    message: 'this key is indented more than the one above it, which has a value already',
    hint: 'keys of one map start in the same column',
  },
  {
    when: /^Flow .*\]$/,
    message: 'the list that starts here is not closed, expected ]',
    hint: 'its lines are indented more than its key, the ] too',
  },
  {
    when: /^Flow .*\}$/,
    message: 'the map that starts here is not closed, expected }',
    hint: 'its lines are indented more than its key, the } too',
  },
  {
    when: /^Nested mappings/,
    message: 'a second "key: value" on one line',
    hint: 'quote a text that holds a colon and a space; nested keys go on lines of their own',
  },
  {
    when: /^(?:Implicit keys need|Implicit map keys need)/,
    message: 'expected "key: value"',
    hint: 'a colon and a space follow the key',
  },
  { when: /^All (?:mapping|sequence) items/, message: 'this is not indented as its neighbours are' },
  {
    when: /^Plain value cannot start/,
    message: (e, s) => `a text that starts with ${characterAt(e, s)} needs quotes`,
  },
  {
    when: /^With stringKeys/,
    message: 'a list or map is used as a key, expected a text',
    hint: 'quote a text that starts with { or [',
  },
  {
    when: /^Invalid escape/,
    message: (e, s) => `${s.text.slice(e.pos[0], e.pos[0] + 2)} is not an escape of double quotes`,
    hint: 'in single quotes a backslash is a backslash',
  },
  {
    when: /^Unresolved tag: tag:yaml.org,2002:(?:bool|float|int|null|str)/,
    message: (e, s) => `the value is not what its tag ${sourceText(e, s)} says`,
  },
  {
    when: /^Unresolved tag/,
    message: (e, s) => `the tag ${sourceText(e, s)} is not known`,
    hint: 'leave it out; a text that starts with ! goes in quotes',
  },
  {
    when: /^Unexpected scalar at node end/,
    message: 'unexpected text after a value that is complete',
    hint: ({ pos: [offset] }, { text }) => {
      if (/^-\S/.test(text.slice(offset, offset + 2))) return 'a dash and a space start an item';
      return text[offset - 1] === "'" ? "inside single quotes, a quote is written twice: ''" : undefined;
    },
  },
  { when: /^Sequence item without/, message: 'expected "- " before the item of a list' },
  {
    when: /^Unexpected block-seq-ind on same line/,
    message: 'a list starts on the line of its key',
    hint: 'its items go on lines of their own, or in brackets: [a, b]',
  },
  { when: /^Unexpected \S+ (?:token )?(?:in|at)/, message: (e, s) => `unexpected ${characterAt(e, s)}` },
];

/** The parser's own words as a last resort, with the names of YAML's parts that its users know. */
const plainMessage = (message: string): string =>
  (message.charAt(0).toLowerCase() + message.slice(1))
    .replace(/(?:flow |block )?(?:sequence|collection)/gi, 'list')
    .replace(/(?:flow |block )?(?:mapping|map\b)/gi, 'map')
    .replace(/scalar/gi, 'text');

/** What is wrong and what to do, for an error of the parser. */
export function yamlMessage(
  error: YAMLError,
  source: SourceFile,
): { readonly message: string; readonly hint: string | undefined } {
  const saying = MESSAGE_OVERRIDES.find(({ when }) => when.test(error.message));
  const say = (wording: MessageTemplate | undefined): string | undefined =>
    typeof wording === 'function' ? wording(error, source) : wording;
  return { message: say(saying?.message) ?? plainMessage(error.message), hint: say(saying?.hint) };
}
