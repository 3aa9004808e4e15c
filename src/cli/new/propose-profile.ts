import { AssizeError, count, counted, formatNumber } from '../../base/index.js';
import { formatPath } from '../../expression/index.js';
import { CEL_KEYWORDS, RESERVED_IDS } from '../../profile/index.js';
import type { ColumnFacts, FileFacts } from './column-facts.js';
import { dateFormatOf } from './date-format.js';

/** A profile that was proposed from the columns of a file. */
export interface Proposal {
  readonly yaml: string;
  /** Texts that probably mean that a cell has no value, for `--absent`. */
  readonly noValue: readonly string[];
}

interface ProposalOptions {
  /** The name of the profile. */
  readonly name: string;
  /** The file, as the user named it. */
  readonly file: string;
  /** The time from which the age of dates is counted, in milliseconds. */
  readonly now: number;
}

/** How many scorers are proposed: more columns than that are not weighed by hand. */
const MAX_SCORERS = 20;
/** How many columns a comment names. */
const MAX_NAMED = 20;
/** The share of the values of a column that have its type. */
const LEAST_SHARE = 0.9;
/** Longer names of columns are not proposed: an expression with one is not readable. */
const MAX_KEY = 200;
/** The longest id of a candidate. */
const MAX_ID = 200;

/** Names of numbers of which less is usually better. */
const LESS_IS_BETTER =
  /(?:^|_)(?:price|prices|cost|costs|rent|fee|fees|distance|latency|delay|duration|error|errors|rank|position)(?:_|$)/;
/** Names of columns that identify a row, the best first. */
const ID_NAMES = [/^id$/, /_id$|^(?:uuid|guid|key|sku|slug|code)$/, /^(?:name|title|url)$/];

type Kind = 'number' | 'time' | 'date' | 'boolean' | 'text' | 'same' | 'reference' | 'unusable' | 'empty';

interface Column {
  readonly facts: ColumnFacts;
  readonly kind: Kind;
  /** The format of a time that is a text, but not ISO 8601. */
  readonly format?: string | undefined;
  /** The id of its entry, which is unique. */
  readonly id: string;
}

/**
 * Proposes a profile from the columns of a file: a scaled scorer for each number, a decay for each time, and a veto as a
 * comment for each column of true and false.
 *
 * @throws AssizeError (ASZ607) if there is no row, or no column to score by
 */
export function proposeProfile(facts: FileFacts, options: ProposalOptions): Proposal {
  const { file } = options;
  if (facts.rows === 0) {
    throw noProposal(
      `there are no candidates in ${file}`,
      'a profile is proposed from the columns of at least one row',
    );
  }
  const idColumn = findId(facts);
  const columns = namedColumns(facts, idColumn);
  const scored = columns.filter(({ kind }) => kind === 'number' || kind === 'time');
  const flags = columns.filter(({ kind }) => kind === 'boolean');
  const entries = scored.slice(0, MAX_SCORERS).map((column) => scorerText(column, options.now));
  if (entries.length === 0) entries.push(...flags.slice(0, MAX_SCORERS).map(flagText));
  if (entries.length === 0) {
    const hint = `${columnsSummary(columns)}; assize new profile ${options.name} writes an example to start from`;
    throw noProposal(`no column of ${file} has numbers, dates, or true and false that differ by row`, hint);
  }
  const lines = [
    '# yaml-language-server: $schema=./node_modules/assize/config/profile.schema.json',
    `name: ${options.name}`,
    `description: ${yamlText(describe(facts, file))}`,
    ...idText(facts, idColumn),
    ...vetoText(flags),
    '',
    '# A candidate without a value in a column is scored by its other columns.',
    'defaults: { on_absent: skip, on_error: skip }',
    '',
    '# Tier 2: each gives a number from 0 to 1, and the score is their weighted mean. Change the weights.',
    '# If less of a number is better, put - before its field.',
    'tier2_scorers:',
    ...entries,
    '',
    'select: { top: 10 }',
    ...restText(columns, scored.slice(MAX_SCORERS)),
  ];
  const noValue = new Set(scored.slice(0, MAX_SCORERS).flatMap(({ facts: { noValue: texts } }) => [...texts]));
  return { yaml: `${lines.join('\n')}\n`, noValue: [...noValue] };
}

const noProposal = (message: string, hint: string): AssizeError => new AssizeError([{ code: 'ASZ607', message, hint }]);

const describe = ({ rows, isCut }: FileFacts, file: string): string =>
  `Proposed from the columns of ${file} (${isCut ? 'the first ' : ''}${counted(rows, 'row')}).`;

/** The name of a column in words of lower-case letters: `No. of Stars` and `noOfStars` are `no_of_stars`. */
const slugOf = (keys: readonly string[]): string =>
  keys
    .join('_')
    .slice(0, MAX_KEY)
    .normalize('NFKD')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40);

/** The column that identifies a row: it has a value in every row, and each of them once. */
function findId({ columns, rows }: FileFacts): ColumnFacts | undefined {
  const candidates = columns.filter(
    (facts) =>
      facts.distinct?.size === rows &&
      facts.numbers + facts.texts === rows &&
      facts.longest <= MAX_ID &&
      isUsable(facts),
  );
  const plain = columns.find(
    ({ keys, numbers, texts }) => keys.length === 1 && keys[0] === 'id' && numbers + texts > 0,
  );
  if (plain) return plain;
  for (const pattern of ID_NAMES) {
    const found = candidates.find(({ keys }) => pattern.test(slugOf(keys)));
    if (found) return found;
  }
  return candidates.find(({ texts, shortTexts }) => texts === rows && dateFormatOf(shortTexts) === undefined);
}

/** Gives each column a kind and a unique id. */
function namedColumns({ columns, rows }: FileFacts, idColumn: ColumnFacts | undefined): readonly Column[] {
  const used = new Set<string>(RESERVED_IDS);
  return columns
    .filter((facts) => facts !== idColumn)
    .map((facts, position) => {
      const slug = slugOf(facts.keys);
      const base = /^[a-z]/.test(slug) ? slug : `column_${slug === '' ? position + 1 : slug}`;
      let id = base;
      for (let n = 2; used.has(id); n++) id = `${base}_${n}`;
      used.add(id);
      return columnOf(facts, kindOf(facts, rows, id), id);
    });
}

/** A column of texts may have dates in another format than ISO 8601. If the format is not certain, it is not scored. */
function columnOf(facts: ColumnFacts, kind: Kind, id: string): Column {
  const dates = kind === 'text' ? dateFormatOf(facts.shortTexts) : undefined;
  if (!dates) return { facts, kind, id };
  const [format, ...others] = dates.formats;
  if (others.length > 0 || facts.times > 0 || dates.least === dates.most) return { facts, kind: 'date', id };
  return { facts: { ...facts, least: dates.least, most: dates.most }, kind: 'time', id, format };
}

function kindOf(facts: ColumnFacts, rows: number, id: string): Kind {
  const { numbers, booleans, times, texts, others, least, most } = facts;
  const filled = numbers + booleans + times + texts + others;
  const isMostly = (cells: number): boolean => cells > 0 && cells >= LEAST_SHARE * filled;
  if (filled === 0) return 'empty';
  if (!isUsable(facts)) return 'unusable';
  if (isMostly(booleans)) return 'boolean';
  if (!isMostly(numbers) && !isMostly(times)) return texts > 0 ? 'text' : 'unusable';
  if (isMostly(numbers) && /(?:^|_)id$/.test(id)) return 'reference';
  if (least === most && rows > 1) return 'same';
  return isMostly(numbers) ? 'number' : 'time';
}

const isUsable = ({ keys }: ColumnFacts): boolean => keys.every((key) => key.length <= MAX_KEY && !/\p{Cs}/u.test(key));

function idText({ columns }: FileFacts, idColumn: ColumnFacts | undefined): string[] {
  if (idColumn === undefined) {
    const hint = columns.length > 1 ? 'No column names each row once' : 'No column names a row';
    return ['', `# ${hint}, so rows are named by their position. To name one:`, '# candidate: { id: COLUMN }'];
  }
  const [key, ...rest] = idColumn.keys;
  return key === 'id' && rest.length === 0 ? [] : ['', `candidate: { id: ${yamlText(formatPath(stepsOf(idColumn)))} }`];
}

const stepsOf = ({ keys }: ColumnFacts): Parameters<typeof formatPath>[0] =>
  keys.map((key) => ({ kind: 'key', key }) as const);

function vetoText(flags: readonly Column[]): string[] {
  if (flags.length === 0) return [];
  return [
    '',
    '# Tier 1: a candidate is refused if one of these is true (for the opposite, write == false behind it).',
    '# To use one, remove the # before it and before tier1_scorers.',
    '# tier1_scorers:',
    ...flags.slice(0, MAX_NAMED).map(({ id, facts }) => `#   - { id: ${id}, expr: ${yamlText(fieldText(facts))} }`),
    ...more(flags.length - MAX_NAMED),
  ];
}

const more = (n: number): string[] => (n > 0 ? [`#   and ${count(n)} more`] : []);

function scorerText(column: Column, now: number): string {
  const { id, facts, kind, format } = column;
  if (kind === 'time') {
    const field = `${yamlText(formatPath(stepsOf(facts)))}${format === undefined ? '' : `, format: ${yamlText(format)}`}`;
    return [
      `  - id: ${id} # ${dayOf(facts.least)} to ${dayOf(facts.most)}`,
      '    class: DecayScorer',
      `    params: { field: ${field}, curve: { type: exponential, half_life: ${halfLife(facts, now)}d }, null_timestamp_score: abstain }`,
      '    weight: 1',
    ].join('\n');
  }
  const isLess = LESS_IS_BETTER.test(id);
  const expr = yamlText(`${isLess ? '-' : ''}${fieldText(facts)}`);
  const range = `${formatNumber(facts.least)} to ${formatNumber(facts.most)}`;
  return [
    `  - id: ${id} # ${range}${isLess ? '; less is better, by its name' : ''}`,
    '    class: ScaledScorer',
    `    params: { scorer: { expr: ${expr} }, scale: { type: min_max } }`,
    '    weight: 1',
  ].join('\n');
}

/** A column of true and false as a scorer, for a file that has no numbers and no dates. */
const flagText = ({ id, facts }: Column): string =>
  `  - { id: ${id}, expr: ${yamlText(`${fieldText(facts)} ? 1 : 0`)}, weight: 1 }`;

const DAY = 86_400_000;
/** A hundred years, in days. */
const MAX_HALF_LIFE = 36_500;

/** The half-life, in days, by which a date in the middle of the range scores one half now. */
function halfLife({ least, most }: ColumnFacts, now: number): number {
  const middle = (now - (least + most) / 2) / DAY;
  const days = middle > 0 ? middle : (most - least) / DAY / 2;
  return Math.min(MAX_HALF_LIFE, Math.max(1, Number(days.toPrecision(2))));
}

const dayOf = (time: number): string => {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'a date beyond the calendar' : date.toISOString().split('T')[0]!;
};

/** The columns that no entry reads, as comments. */
function restText(columns: readonly Column[], beyond: readonly Column[]): string[] {
  const group = (title: string, some: readonly Column[]): string[] =>
    some.length === 0
      ? []
      : [
          `# ${title}:`,
          ...some.slice(0, MAX_NAMED).map(({ facts }) => `#   ${comment(formatPath(stepsOf(facts)))}`),
          ...more(some.length - MAX_NAMED),
        ];
  const ofKind = (kind: Kind): readonly Column[] => columns.filter((column) => column.kind === kind);
  const lines = [
    ...group('Texts, for BM25Scorer or a comparison', ofKind('text')),
    ...group(
      'Dates in several formats, or without a certain order of day and month: DecayScorer has the param format',
      ofKind('date'),
    ),
    ...group(`Numbers and dates beyond the first ${MAX_SCORERS}`, beyond),
    ...group('The same value in every row', ofKind('same')),
    ...group('Numbers that refer to something else', ofKind('reference')),
    ...group('Lists, or names that are too long or not valid text', ofKind('unusable')),
    ...group('Without a value', ofKind('empty')),
  ];
  return lines.length === 0 ? [] : ['', '# Not used', ...lines];
}

/** How many columns there are of each kind that is not scored, for a message. */
function columnsSummary(columns: readonly Column[]): string {
  const of = (kind: Kind): number => columns.filter((column) => column.kind === kind).length;
  const parts = [
    [of('text'), 'of texts'],
    [of('date'), 'of dates in an uncertain format'],
    [of('same'), 'with the same value in every row'],
    [of('empty'), 'without a value'],
    [of('reference') + of('unusable'), 'of other values'],
  ] as const;
  const shown = parts.filter(([n]) => n > 0).map(([n, what]) => `${count(n)} ${what}`);
  return shown.length === 0 ? 'it has only a column of ids' : `columns: ${shown.join(', ')}`;
}

/** A field as CEL: `candidate.stars`, or `candidate["No. of stars"]`. */
const fieldText = ({ keys }: ColumnFacts): string =>
  keys.reduce(
    (text, key) =>
      /^[A-Za-z_]\w*$/.test(key) && !CEL_KEYWORDS.has(key)
        ? `${text}.${key}`
        : `${text}[${escaped(JSON.stringify(key))}]`,
    'candidate',
  );

/** Escapes what YAML or a terminal would not take as it is; CEL and YAML read the same escapes. */
const escaped = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0)!;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });

/** A text as a scalar of YAML on one line. */
function yamlText(text: string): string {
  if (/^[A-Za-z][\w.]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)) return text;
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return escaped(JSON.stringify(text));
}

/** A text that stays within its line of a comment. */
const comment = (text: string): string =>
  text.length > MAX_KEY ? `${escaped(text.slice(0, MAX_KEY))}…` : escaped(text);
