import type { UnitKind, LoadedPlugin, UnitClass } from '../sdk/index.js';
import { closestName, nameList, type Problem } from '../base/index.js';
import { isMap } from '../expression/index.js';
import type { RawMap } from './source/raw-profile.js';

/** Plugins that are searched together. The first level that has the name wins. */
export type LookupLevel = readonly LoadedPlugin[];

/** A class and its plugin. */
export interface FoundClass {
  readonly plugin: string;
  readonly name: string;
  readonly unit: UnitClass;
}

/** Remembers, while files are merged, the lookup levels of the file that wrote each `class`. */
export class ClassOrigins {
  readonly #levels = new WeakMap<object, readonly LookupLevel[]>();

  /**
   * Records that every map under `data` with a `class` was written in a file with these levels, and every `pack`, whose
   * class has a default.
   */
  record(data: unknown, levels: readonly LookupLevel[]): void {
    if (typeof data !== 'object' || data === null) return;
    if (!Array.isArray(data) && Object.hasOwn(data, 'class')) this.#levels.set(data, levels);
    for (const [key, value] of Object.entries(data)) {
      if (key === 'pack' && typeof value === 'object' && value !== null) this.#levels.set(value, levels);
      this.record(value, levels);
    }
  }

  levelsOf(entry: object): readonly LookupLevel[] | undefined {
    return this.#levels.get(entry);
  }

  /** Gives a merged map the levels of the later map that names a class. */
  inherit(merged: object, base: RawMap, over: RawMap): void {
    const levels = this.#levels.get(Object.hasOwn(over, 'class') ? over : base);
    if (levels) this.#levels.set(merged, levels);
  }
}

/** The classes with this name, of any kind, on the first level that has one. `plugin/ClassName` is exact. */
export function findClasses(name: string, levels: readonly LookupLevel[]): FoundClass[] {
  const slash = name.lastIndexOf('/');
  const pluginName = slash < 0 ? undefined : name.slice(0, slash);
  const className = name.slice(slash + 1);
  for (const level of levels) {
    const found = level.flatMap((plugin) => {
      const unit = pluginName === undefined || plugin.name === pluginName ? plugin.units.get(className) : undefined;
      return unit ? [{ plugin: plugin.name, name: className, unit }] : [];
    });
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * Whether a raw entry, or an entry inside its params, has a class with `prepare`.
 *
 * @param levelsOf gives the lookup levels of the class of a map
 */
export function hasPreparedClass(
  value: unknown,
  levelsOf: (map: object) => readonly LookupLevel[] | undefined,
): boolean {
  if (Array.isArray(value)) return value.some((item: unknown) => hasPreparedClass(item, levelsOf));
  if (!isMap(value)) return false;
  const [found] = typeof value['class'] === 'string' ? findClasses(value['class'], levelsOf(value) ?? []) : [];
  return (
    (found && 'prepare' in found.unit.prototype) ||
    Object.values(value).some((item) => hasPreparedClass(item, levelsOf))
  );
}

/**
 * Finds a class by name, level by level: the plugins of the file that wrote it, then `core`. `plugin/ClassName` is
 * exact.
 *
 * @returns a problem if the class is unknown, ambiguous or of another kind
 */
export function lookUpClass(
  name: string,
  kind: UnitKind,
  levels: readonly LookupLevel[],
): FoundClass | Omit<Problem, 'place' | 'path'> {
  const found = findClasses(name, levels);
  const [first, second] = found;
  if (!first) {
    const plugins = levels.flat();
    const names = plugins.flatMap(({ units }) =>
      [...units].filter(([, u]) => u.meta.kind === kind).map(([key]) => key),
    );
    const searched = `searched: ${nameList(plugins.map((plugin) => plugin.name))}`;
    const hint = unknownClassHint(name, plugins, names) ?? `${searched}; list its plugin under plugins`;
    return { code: 'ASZ301', message: `unknown ${kind} class ${name}`, hint };
  }
  if (second) {
    const exact = found.map((unit) => `${unit.plugin}/${unit.name}`);
    return { code: 'ASZ302', message: `${name} is in ${exact.length} plugins`, hint: `write ${exact.join(' or ')}` };
  }
  const actual = first.unit.meta.kind;
  if (actual !== kind) {
    return {
      code: 'ASZ303',
      message: `${name} is a ${actual}; expected a ${kind}`,
      ...(actual === 'veto' && { hint: 'vetoes belong under tier1_scorers' }),
      ...(actual === 'scorer' && { hint: 'scorers belong under tier2_scorers and measures' }),
    };
  }
  return first;
}

/**
 * Suggests a loaded or shipped class for an unknown name. For `plugin/ClassName` only the class name is compared.
 */
function unknownClassHint(
  name: string,
  plugins: readonly LoadedPlugin[],
  loaded: readonly string[],
): string | undefined {
  const className = name.slice(name.lastIndexOf('/') + 1);
  // Most class names share their ending, which makes unrelated names similar. Classes that are not loaded must therefore
  // have the same first letter.
  const others = shippedClassNames().filter((other) => other[0] === className[0]?.toUpperCase());
  const near = closestName(className, [...loaded, ...others]);
  if (near === undefined) return undefined;
  if (loaded.includes(near)) {
    const of = name === className ? undefined : plugins.find(({ units }) => units.has(near));
    return `did you mean ${of ? `${of.name}/${near}` : near}?`;
  }
  const plugin = shippedPluginOf(near);
  const where = `the shipped plugin ${plugin}: add plugins: [${plugin}]`;
  return near === className ? `it is in ${where}` : `did you mean ${near}? It is in ${where}`;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The classes of the shipped plugins other than `core`, for hints. A test keeps the list up to date. */
export const SHIPPED_CLASSES: Readonly<Record<string, readonly string[]>> = {
  agentcards: words(`
    AdamicAdarScorer ClusterHubVeto ClusterScorer ClusterSignal CommunityScorer DagConfidence EdgeScorer
    FailureRateVeto GraphSignal HypergraphNeighbourScorer OutcomeRateScorer OverlapScorer PageRankScorer
    PathScorer ReliabilityScorer StageSignal
  `),
  agents: words(`
    AgreementScorer EffortScorer InvalidCallScorer NewInformationScorer RepeatedCallScorer RepeatedTextScorer
    SetbackScorer ToolErrorScorer WastedCallScorer
  `),
  cupel: words(`
    Chronological CountQuotaPack FrequencyScorer GreedyPack KindScorer KnapsackPack MetadataKeyScorer
    MetadataTrustScorer PriorityScorer QuotaPack RecencyScorer ReflexiveScorer TagScorer TokenCountScorer UShaped
  `),
  interview: words(`
    AmbiguityScorer ChainDepth ClarificationVetoScorer ClusterSaturationScorer ConceptDepthSignal
    ConsecutiveExhaustionScorer ContradictionSignal ContrastOpportunityScorer ConversationReading
    CoverageGapScorer DepthBreadthBalanceScorer ElementExhaustedScorer EmotionalSignal EngagementScorer
    KnowledgeCeilingScorer KnowledgeCeilingSignal LowInfoStreak MostRecentNode NoveltyScorer OpenFocus
    PeripheralNode PeripheralReadinessScorer QuestionRepetitionScorer ReasoningSignal RecentNodes
    RecentRedundancyScorer SaturationScorer StrategyDiversityScorer TerminalStreak UncertaintySignal
    UncoveredElements
  `),
  rerank: ['CrossEncoderScorer', 'PairwiseRubricScorer', 'RerankerScorer', 'RubricScorer', 'RubricVeto'],
};

const shippedPluginOf = (name: string): string | undefined =>
  Object.keys(SHIPPED_CLASSES).find((plugin) => SHIPPED_CLASSES[plugin]?.includes(name));

const shippedClassNames = (): readonly string[] => Object.values(SHIPPED_CLASSES).flat();
