/** The approximate length of each input. */
const SIZE = 1_000_000;

/** As many parts as fit. */
function fill(part: (n: number) => string, before = '', after = ''): string {
  const parts = [before];
  for (let length = before.length + after.length, n = 0; length < SIZE; n++) {
    const next = part(n);
    parts.push(next);
    length += next.length;
  }
  return [...parts, after].join('');
}

const long = (character: string, length = SIZE): string => character.repeat(length);
const scorer = '{ id: a, expr: candidate.a }';

/** Profiles of about a megabyte each that are wide, deep, long or invalid. */
export const LARGE_PROFILES: Readonly<Record<string, () => string>> = {
  'lists in lists': () => `select: ${long('[', SIZE / 2)}${long(']', SIZE / 2)}`,
  'maps in maps': () => fill(() => '{ a: ', 'select: '),
  'indented maps': () => Array.from({ length: 1400 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
  'lists within the depth that is allowed': () =>
    fill(() => `- ${'['.repeat(90)}${']'.repeat(90)}\n`, 'tier2_scorers:\n'),
  'many keys': () => fill((n) => `key_${n}: 1\n`),
  'many keys of one line': () => fill((n) => `k${n}: 1, `, '{ ', '}'),
  'one key many times': () => fill(() => 'name: a\n'),
  'a long scalar': () => `name: ${long('a')}`,
  'a long quoted scalar': () => `name: "${long('\\t', SIZE / 2)}"`,
  'a long block': () => `name: |\n${fill(() => '  line\n')}`,
  'a long key': () => `${long('a')}: 1`,
  'a long quoted key': () => `"${long('a', 1000)}": 1\n? ${long('b')}\n: 1`,
  'long keys': () => fill((n) => `${long('a', 900)}${n}: 1\n`),
  'a long id': () => `tier2_scorers: [{ id: ${long('a')}, expr: '1.0' }]`,
  'long ids': () => fill((n) => `  - { id: ${long('a', 5000)}${n}, expr: '1.0' }\n`, 'tier2_scorers:\n'),
  'a long class name': () => `tier2_scorers: [{ id: a, class: ${long('A')} }]`,
  'long class names': () => fill((n) => `  - { id: a${n}, class: ${long('A', 2000)}${n} }\n`, 'tier2_scorers:\n'),
  'an open quote': () => `name: "${long('a b ', SIZE / 4)}`,
  'an open quote of many lines': () => fill((n) => `a${n}: b\n`, 'name: "\n'),
  'many open quotes': () => fill((n) => `a${n}: "b\n`),
  'an open bracket of many lines': () => fill((n) => `  a${n},\n`, 'plugins: [\n'),
  'a long comment': () => `# ${long('a')}\nname: a`,
  'many comments': () => fill(() => '#\n'),
  'many blanks': () => `name:${long(' ')}a`,
  'many lines': () => long('\n'),
  'many tabs': () => long('\t'),
  'many documents': () => fill(() => '---\n'),
  'many anchors': () => fill((n) => `  - &a${n} b\n`, 'plugins:\n'),
  'many anchors and one wrong alias': () => fill((n) => `  - &a${n} b\n`, 'plugins:\n', '  - *none\n'),
  'many anchors and as many wrong aliases': () => fill((n) => `  - &a${n} b\n  - *none${n}\n`, 'plugins:\n'),
  'many aliases': () => fill(() => '  - *a\n', 'name: &a b\nplugins:\n'),
  'aliases of aliases': () => fill((n) => `  a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`, 'x:\n  a0: &a0 [1, 2]\n'),
  'wrong YAML on each line': () => fill(() => '}\n'),
  'unknown tags': () => fill((n) => `- !a${n} b\n`),
  'tabs for indentation': () => fill(() => 'a:\n\tb: 1\n'),
  'keys that are lists': () => fill((n) => `[a, ${n}]: 1\n`),
  'many scorers': () => fill((n) => `  - { id: a${n}, expr: candidate.a }\n`, 'tier2_scorers:\n'),
  'many scorers of weight 0': () =>
    fill((n) => `  - { id: a${n}, expr: candidate.a, weight: 0 }\n`, 'tier2_scorers:\n'),
  'many scorers that differ': () => fill((n) => `  - { id: a${n}, expr: candidate.a${n} }\n`, 'tier2_scorers:\n'),
  'many scorers of a class': () =>
    fill((n) => `  - { id: a${n}, class: CountScorer, params: { items: a${n} } }\n`, 'tier2_scorers:\n'),
  'many scorers with children': () =>
    fill(
      (n) => `  - { id: a${n}, class: ScaledScorer, params: { scorer: { expr: candidate.a${n} } } }\n`,
      'tier2_scorers:\n',
    ),
  'one scorer with many children': () =>
    fill(
      (n) => `{ expr: candidate.a${n} }, `,
      'tier2_scorers: [{ id: a, class: CompositeScorer, params: { scorers: [',
      '] } }]',
    ),
  'children in children': () =>
    `tier2_scorers: [{ id: a, ${'class: ScaledScorer, params: { scorer: { '.repeat(40)}expr: candidate.a${' } }'.repeat(40)} }]`,
  'scorers with one id': () => fill(() => `  - ${scorer}\n`, 'tier2_scorers:\n'),
  'scorers with a reserved id': () => fill(() => '  - { id: candidate, expr: candidate.a }\n', 'tier2_scorers:\n'),
  'scorers without anything': () => fill(() => '  - {}\n', 'tier2_scorers:\n'),
  'scorers that are numbers': () => fill(() => '1, ', 'tier2_scorers: [', ']'),
  'many measures': () => fill((n) => `  - { id: a${n}, expr: candidate.a }\n`, 'measures:\n'),
  'many measures that read the one before': () =>
    fill((n) => `  - { id: a${n + 1}, expr: measures.a${n} }\n`, 'measures:\n  - { id: a0, expr: candidate.a }\n'),
  'many measures that read one that is not there': () =>
    fill((n) => `  - { id: a${n}, expr: measures.b${n} }\n`, 'measures:\n'),
  'many measures of an unknown class': () => fill((n) => `  - { id: a${n}, class: A${n} }\n`, 'measures:\n'),
  'many signals': () =>
    fill((n) => `  - { id: a${n}, class: ExpressionSignal, params: { value: '1' } }\n`, 'signals:\n'),
  'many vetoes': () => fill((n) => `  - { id: a${n}, expr: candidate.a }\n`, 'tier1_scorers:\n'),
  'many constant vetoes': () => fill((n) => `  - { id: a${n}, expr: '1 == ${n}' }\n`, 'tier1_scorers:\n'),
  'many vetoes of nested macros': () => {
    const all = Array.from({ length: 20 }).reduce<string>((inner, _, k) => `[1,2,3].all(x${k},${inner})`, 'true');
    return fill((n) => `  - { id: a${n}, expr: '${all}' }\n`, 'tier1_scorers:\n');
  },
  'many expressions that do not parse': () =>
    fill((n) => `  - { id: a${n}, expr: 'candidate.' }\n`, 'tier1_scorers:\n'),
  'many expressions with an unknown function': () =>
    fill((n) => `  - { id: a${n}, expr: 'f${n}(candidate.a)' }\n`, 'tier1_scorers:\n'),
  'a long expression': () => `tier2_scorers: [{ id: a, expr: '${long('1+', SIZE / 2)}1' }]`,
  'expressions as long as may be': () =>
    fill((n) => `  - { id: a${n}, expr: '${long('candidate.a+', 800)}1' }\n`, 'tier2_scorers:\n'),
  'expressions with many wrong names': () =>
    fill((n) => `  - { id: a${n}, expr: '${long('b+', 4000)}1' }\n`, 'tier2_scorers:\n'),
  'a long string in an expression': () =>
    fill((n) => `  - { id: a${n}, expr: 'candidate.a == "${long('b', 9000)}"' }\n`, 'tier1_scorers:\n'),
  'deep expressions': () =>
    fill((n) => `  - { id: a${n}, expr: '${'('.repeat(90)}candidate.a${')'.repeat(90)}' }\n`, 'tier2_scorers:\n'),
  'expressions of nested conditions': () =>
    fill(
      (n) => `  - { id: a${n}, expr: '${'(candidate.a > 1 ? '.repeat(40)}1${' : 2)'.repeat(40)}' }\n`,
      'tier2_scorers:\n',
    ),
  'many wrong names near many right ones': () => {
    const half = (part: (n: number) => string): string => fill(part).slice(0, SIZE / 2);
    const lines = half((n) => `  - { id: scorer${n}, expr: candidate.a }\n`)
      .split('\n')
      .slice(0, -1)
      .join('\n');
    const cases = half((n) => `    scorex${n}: 1\n`)
      .split('\n')
      .slice(0, -1)
      .join('\n');
    return `tier2_scorers:\n${lines}\nweights:\n  by: candidate.a\n  cases:\n   b:\n${cases}\n`;
  },
  'many entries before unknown ones': () =>
    fill((n) => `  - { id: a${n}, expr: candidate.a, before: b${n} }\n`, 'tier2_scorers:\n'),
  'many entries before the first': () =>
    fill(
      (n) => `  - { id: a${n + 1}, expr: candidate.a, before: a${n} }\n`,
      'tier2_scorers:\n  - { id: a0, expr: candidate.a }\n',
    ),
  'many rules': () => fill((n) => `  - { id: a${n}, add: 1 }\n`, 'adjustments:\n'),
  'many rules before others': () => fill((n) => `  - { id: a${n}, add: 1, before: a${n + 1} }\n`, 'adjustments:\n'),
  'many wrong rules': () => fill((n) => `  - { id: a${n}, ad: 1 }\n`, 'adjustments:\n'),
  'many cases': () =>
    fill((n) => `    c${n}: { a: 1 }\n`, `tier2_scorers: [${scorer}]\nweights:\n  by: candidate.a\n  cases:\n`),
  'many cases of an unknown scorer': () =>
    fill((n) => `    c${n}: { b${n}: 1 }\n`, `tier2_scorers: [${scorer}]\nweights:\n  by: candidate.a\n  cases:\n`),
  'a large table': () =>
    fill((n) => `      k${n}: 1\n`, 'adjustments:\n  - id: a\n    multiply:\n     by: [candidate.a]\n     table:\n'),
  'a large table of phases': () => {
    const lines = fill((n) => `      k${n}: 1\n`, '', '')
      .slice(0, SIZE / 2)
      .split('\n')
      .slice(0, -1)
      .join('\n');
    const phases = fill((n) => `  j${n}: { n_turns: 1 }\n`)
      .slice(0, SIZE / 2)
      .split('\n')
      .slice(0, -1)
      .join('\n');
    return `phases:\n${phases}\nadjustments:\n  - id: a\n    multiply:\n     by: [signals.phase]\n     table:\n${lines}\n`;
  },
  'many phases': () => fill((n) => `  p${n}: { n_turns: 1 }\n`, 'phases:\n'),
  'many wrong phases': () => fill((n) => `  p${n}: { turns: 1 }\n`, 'phases:\n'),
  'many strategies': () => fill((n) => `  - { id: s${n}, a: 1 }\n`, 'strategies:\n'),
  'many strategies and wrong fallbacks': () => {
    const part = (line: (n: number) => string): string =>
      fill(line)
        .slice(0, SIZE / 2)
        .split('\n')
        .slice(0, -1)
        .join('\n');
    return `strategies:\n${part((n) => `  - { id: strategy${n} }\n`)}\nfallback:\n${part((n) => `  - { use: strategx${n} }\n`)}\n`;
  },
  'many fields of the context': () => fill((n) => `  f${n}: { type: int }\n`, 'context:\n'),
  'many wrong fields of the context': () => fill((n) => `  f${n}: { type: in }\n`, 'context:\n'),
  'many ties': () => fill(() => "  - 'candidate.a'\n", 'select:\n ties:\n'),
  'many plugins that are not there': () => fill((n) => `  - ./p${n}.js\n`, 'plugins:\n'),
  'many plugins with a wrong name': () => fill((n) => `  - p${n}\n`, 'plugins:\n'),
  'many profiles that are not there': () => fill((n) => `  - p${n}\n`, 'extends:\n'),
  'many files that are not there': () => fill((n) => `  - ./p${n}.yaml\n`, 'extends:\n'),
  'the same plugin many times': () => fill(() => '  - cupel\n', 'plugins:\n'),
  'the same preset many times': () => fill(() => '  - knowledgepulse\n', 'extends:\n'),
  'many params': () =>
    fill((n) => `k${n}: 1, `, 'tier2_scorers: [{ id: a, class: CountScorer, params: { items: a, ', '} }]'),
  'a long path': () => `tier2_scorers: [{ id: a, class: CountScorer, params: { items: ${long('a.', SIZE / 2)}a } }]`,
  'a long duration': () =>
    `tier2_scorers: [{ id: a, class: DecayScorer, params: { field: a, curve: { type: exponential, half_life: ${long('1')}d } } }]`,
  'many reports': () => fill((n) => `  - { id: r${n}, class: Alternatives }\n`, 'report:\n'),
};

/** The same as JSON: a text that is not YAML has its own parser. */
export const LARGE_JSON: Readonly<Record<string, () => string>> = {
  'lists in lists': () => `{"select": ${long('[', SIZE)}`,
  'maps in maps': () => fill(() => '{"a":'),
  'many keys': () => `{${fill((n) => `"k${n}":1,`)}"a":1}`,
  'one key many times': () => `{${fill(() => '"k":1,')}"a":1}`,
  'a long text': () => `{"name":"${long('a')}"}`,
  'an open text': () => `{"name":"${long('a')}`,
  'many mistakes': () => `{"a":[${fill(() => '],[')}`,
  'many scorers': () =>
    `{"tier2_scorers":[${fill((n) => `{"id":"a${n}","expr":"candidate.a"},`)}{"id":"z","expr":"1.0"}]}`,
};

const row = (cells: number): string => `${'1,'.repeat(cells - 1)}1\n`;

/** Candidate files of about a megabyte each, by file extension. */
export const LARGE_FILES: Readonly<Record<string, readonly [ending: string, text: () => string]>> = {
  'empty columns': ['csv', () => `${long(',')}\n1\n`],
  'empty columns of TSV': ['tsv', () => `${long('\t')}\n1\n`],
  'many columns': ['csv', () => `${fill((n) => `c${n},`)}z\n1\n`],
  'one column many times': ['csv', () => `${fill(() => 'c,')}c\n1\n`],
  'columns in columns': ['csv', () => `${fill((n) => `${'a.'.repeat(60)}c${n},`)}z\n1\n`],
  'keys of keys of a column': ['csv', () => `a,${fill((n) => `a.b${n},`)}z\n1\n`],
  'a long name of a column': ['csv', () => `${long('a')}\n1\n`],
  'a long path of a column': ['csv', () => `${long('a.', SIZE / 2)}a\n1\n`],
  'many rows of many columns': ['csv', () => `${fill((n) => `c${n},`).slice(0, 20_000)}z\n${fill(() => row(50))}`],
  'rows that are too short': ['csv', () => `a,b\n${fill(() => '1\n')}`],
  'rows that are too long': ['csv', () => `a,b\n${fill(() => '1,2,3\n')}`],
  'one row that is too long': ['csv', () => `a,b\n${long('1,')}\n`],
  'an open quote': ['csv', () => `a,b\n"${fill(() => '1,2\n')}`],
  'an open quote in each row': ['csv', () => `a,b\n${fill(() => '"1,2\n')}"`],
  'a quote inside a cell in each row': ['csv', () => `a,b\n${fill(() => '1"1,2\n')}`],
  'text after a quote in each row': ['csv', () => `a,b\n${fill(() => '"1"1,2\n')}`],
  'an open quote and many lines': ['csv', () => `a,b\n1,"\n${long('\n')}`],
  'many quotes': ['csv', () => `a,b\n${long('"')}`],
  'many lines': ['csv', () => `a,b\n${long('\n')}`],
  'lists in lists': ['json', () => long('[')],
  'maps in maps': ['json', () => fill(() => '{"a":')],
  'an open text': ['json', () => `[{"a":"${long('b')}`],
  'a mistake at the end': ['json', () => `[${fill((n) => `{"a":${n}},`)}]`],
  'numbers for candidates': ['json', () => `[${fill(() => '1,')}1]`],
  'many wrong lines': ['jsonl', () => fill(() => '{"a":\n')],
  'lines that are numbers': ['jsonl', () => fill(() => '1\n')],
  'one long line': ['jsonl', () => `{"a":"${long('b')}`],
  'a line of lists in lists': ['jsonl', () => `${long('[')}\n`],
};
