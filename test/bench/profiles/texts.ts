import { benchProfile } from './bench-profile.js';
import { Best } from './best.js';
import { ids, integers, texts } from './rows.js';

interface Row {
  readonly status: string;
  readonly kind: string;
  readonly owner: string;
  readonly language: string;
  readonly license: string | null;
  readonly stars: number;
}

const yaml = `
tier1_scorers:
  - { id: closed, expr: 'candidate.status == "closed"' }
  - { id: unfit, expr: 'candidate.kind in ["spam", "draft"]' }
  - { id: ghost, expr: 'candidate.owner == "owner-7"' }
tier2_scorers:
  - id: language
    expr: 'candidate.language == "TypeScript" ? 1.0 : candidate.language in ["JavaScript", "Python"] ? 0.7 : 0.2'
    weight: 3
  - { id: permissive, expr: 'candidate.license in ["MIT", "Apache-2.0", "ISC"] ? 1.0 : 0.3', weight: 2, on_absent: 0 }
  - { id: answerable, expr: 'candidate.status != "open" && candidate.kind == "question" ? 0.5 : 1.0', weight: 1 }
  - { id: popularity, expr: 'min(candidate.stars / 1000, 1)', weight: 2 }
select: { top: 100 }
`;

const STATUSES = ['open', 'triaged', 'blocked', 'closed'] as const;
const KINDS = ['bug', 'question', 'feature', 'task', 'draft', 'spam'] as const;
const LANGUAGES = ['C', 'C++', 'Go', 'Java', 'JavaScript', 'Kotlin', 'Python', 'Ruby', 'Rust', 'Swift', 'TypeScript'];
const LICENSES = ['AGPL-3.0', 'Apache-2.0', 'BSD-3-Clause', 'GPL-3.0', 'ISC', 'MIT', 'MPL-2.0', 'Unlicense'];

const columnsOf = (count: number, next: () => number) => ({
  id: ids(count),
  status: texts(count, next, STATUSES),
  kind: texts(count, next, KINDS),
  owner: Array.from({ length: count }, () => `owner-${Math.floor(next() * 5000)}`),
  language: texts(count, next, LANGUAGES),
  license: texts(count, next, LICENSES, 0.1),
  stars: integers(count, next, 0, 2000),
});

/** Equality and `in` over literals, on columns with a dictionary and on one of distinct texts. */
export const textsProfile = benchProfile<Row, ReturnType<typeof columnsOf>>({
  name: 'texts',
  yaml,
  columnsOf,
  overObjects: (rows) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows.length; row++) {
      const one = rows[row]!;
      const { status } = one;
      if (status === 'closed') continue;
      const { kind } = one;
      if (kind === 'spam' || kind === 'draft') continue;
      if (one.owner === 'owner-7') continue;
      const { language, license } = one;
      const fits = language === 'TypeScript' ? 1 : language === 'JavaScript' || language === 'Python' ? 0.7 : 0.2;
      const permissive =
        license === null ? 0 : license === 'MIT' || license === 'Apache-2.0' || license === 'ISC' ? 1 : 0.3;
      const score =
        (3 / 8) * fits +
        (2 / 8) * permissive +
        (1 / 8) * (status !== 'open' && kind === 'question' ? 0.5 : 1) +
        (2 / 8) * Math.min(one.stars / 1000, 1);
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
  overColumns: ({ status, kind, owner, language, license, stars }, count) => {
    // Each test of a text is evaluated once per distinct value.
    const unfit = Uint8Array.from(kind.dictionary, (one) => (one === 'spam' || one === 'draft' ? 1 : 0));
    const fits = Float64Array.from(language.dictionary, (one) =>
      one === 'TypeScript' ? 1 : one === 'JavaScript' || one === 'Python' ? 0.7 : 0.2,
    );
    const permissive = Float64Array.from(license.dictionary, (one) =>
      one === 'MIT' || one === 'Apache-2.0' || one === 'ISC' ? 1 : 0.3,
    );
    const [closed, open] = [status.dictionary.indexOf('closed'), status.dictionary.indexOf('open')];
    const question = kind.dictionary.indexOf('question');
    const [statuses, kinds, languages, licenses] = [status.codes, kind.codes, language.codes, license.codes];
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < count; row++) {
      const state = statuses[row]!;
      if (state === closed) continue;
      const type = kinds[row]!;
      if (unfit[type] === 1) continue;
      if (owner[row] === 'owner-7') continue;
      const terms = licenses[row]!;
      const score =
        (3 / 8) * fits[languages[row]!]! +
        (2 / 8) * (terms < 0 ? 0 : permissive[terms]!) +
        (1 / 8) * (state !== open && type === question ? 0.5 : 1) +
        (2 / 8) * Math.min(stars[row]! / 1000, 1);
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
});
