import { shippedPacks } from '../contract/shipped.js';
import { profileText } from '../fuzz/documents.js';
import { Random } from '../fuzz/random.js';
import {
  type ComparedCase,
  NOW,
  randomCandidates,
  randomContext,
  randomOptions,
  randomProfile,
} from './random-profile.js';

type Tree = Readonly<Record<string, unknown>>;

/** The examples of one shipped class that are plain data. Examples with services in code belong to one build only. */
interface ClassExamples {
  readonly plugin: string;
  readonly name: string;
  readonly kind: string;
  readonly examples: readonly {
    readonly candidates: readonly object[];
    readonly params?: Tree;
    readonly context?: Tree;
    readonly profile?: Tree;
  }[];
}

export const CLASSES: readonly ClassExamples[] = shippedPacks
  .flatMap(({ pack, examples }) =>
    [...pack.units].map(([name, unit]) => ({
      plugin: pack.name,
      name,
      kind: unit.meta.kind as string,
      examples: (examples[name] ?? []).filter(
        (example) => !example.services && !example.units,
      ) as ClassExamples['examples'],
    })),
  )
  .filter(({ examples }) => examples.length > 0);

/** A profile with one class, as its contract tests use it, on some of its example's candidates. */
function classCase(random: Random, { plugin, name, kind, examples }: ClassExamples): ComparedCase {
  const { candidates, params, context, profile = {} } = random.pick(examples);
  const use = { class: name, ...(params && { params }) };
  const plugins = [
    ...new Set([...((profile['plugins'] as string[] | undefined) ?? []), ...(plugin === 'core' ? [] : [plugin])]),
  ];
  const score = { id: 'position', expr: '1.0' };
  const withEntry: Tree =
    kind === 'veto'
      ? { tier1_scorers: [{ id: 'unit', ...use }], tier2_scorers: [score] }
      : kind === 'signal'
        ? { signals: [...((profile['signals'] as Tree[] | undefined) ?? []), { id: 'unit', ...use }] }
        : kind === 'generator'
          ? { strategies: [{ id: 'unit', focus: use }] }
          : kind === 'report'
            ? { report: [{ id: 'unit', ...use }] }
            : kind === 'selector'
              ? {
                  tier2_scorers: [score],
                  select: { pack: { cost: '10.0', budget: 30 + random.below(60), overflow: 'proceed', ...use } },
                }
              : {
                  tier2_scorers: [
                    { id: 'unit', ...use, weight: 1 + random.below(3), ...(random.chance(0.3) && { on_absent: 0.5 }) },
                  ],
                };
  return {
    profile: { ...profile, ...withEntry, ...(plugins.length > 0 && { plugins }) },
    candidates: kind === 'generator' ? undefined : candidates.filter(() => random.chance(0.85)),
    context: { now: NOW, ...context },
    options: {},
  };
}

/** Loading these depends on files, models or the network. */
const REACHES_OUT = /embed|similar|novel|judge|model|memory|language|base_url|plugins:/iu;

/** A profile text with mutations, mostly invalid: compares codes and places of problems. */
function textCase(random: Random): ComparedCase {
  let yaml = profileText(random);
  for (let n = 0; REACHES_OUT.test(yaml) && n < 10; n++) yaml = profileText(random);
  return {
    profile: { yaml: REACHES_OUT.test(yaml) ? 'tier2_scorers: [' : yaml, name: 'case.yaml' },
    candidates: randomCandidates(random),
    context: randomContext(random),
    options: {},
  };
}

/** Case number `n` of a campaign. Both builds compute it from the seed, so nothing needs to be sent. */
export function caseOf(seed: number, n: number): ComparedCase {
  const random = new Random(seed + Math.imul(n, 0x9e_37));
  const kind = n % 10;
  if (kind < 4) return classCase(random, CLASSES[(Math.floor(n / 10) * 4 + kind) % CLASSES.length]!); // each in turn
  if (kind === 4) return textCase(random);
  return {
    profile: randomProfile(random),
    candidates: randomCandidates(random),
    context: randomContext(random),
    options: randomOptions(random),
  };
}

const STAGES: Readonly<Record<string, string>> = {
  signals: 'signals',
  phases: 'signals',
  strategies: 'generate',
  tier1_scorers: 'veto',
  measures: 'measure',
  tier2_scorers: 'score',
  adjustments: 'adjust',
  select: 'select',
  fallback: 'select',
  report: 'report',
};
/** Keys whose own keys are options. Those under `params` belong to a class and are not counted. */
const OPTION_HOLDERS = new Set([
  'select',
  'pack',
  'diversify',
  'place',
  'per',
  'multiply',
  'weights',
  'combine',
  'candidate',
  'defaults',
  'budget',
]);
const ENTRY_LISTS = new Set([
  'signals',
  'tier1_scorers',
  'measures',
  'tier2_scorers',
  'adjustments',
  'fallback',
  'report',
]);

/** The stages, classes and options that a case uses, as `stage select`, `class MmrSelector`, `option select.top`. */
export function featuresOf({ profile, options }: ComparedCase): ReadonlySet<string> {
  const features = new Set<string>();
  if ('yaml' in profile) return features.add('stage load');
  const visit = (node: unknown, holder: string | undefined, inParams = false): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, holder, inParams);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'class' && typeof value === 'string') features.add(`class ${value}`);
      if (holder !== undefined) features.add(`option ${holder}.${key}`);
      const isHolder = !inParams && (OPTION_HOLDERS.has(key) || ENTRY_LISTS.has(key));
      visit(value, isHolder ? key : undefined, inParams || key === 'params');
    }
  };
  for (const [key, value] of Object.entries(profile)) {
    const stage = STAGES[key];
    if (stage && (!Array.isArray(value) || value.length > 0)) features.add(`stage ${stage}`);
    features.add(`option ${key}`);
  }
  const { combine } = profile;
  if (combine !== undefined) features.add(`combine ${typeof combine === 'string' ? combine : 'formula'}`);
  visit(profile, undefined);
  for (const key of Object.keys(options)) features.add(`call ${key}`);
  return features;
}
