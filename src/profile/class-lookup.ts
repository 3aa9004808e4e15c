import type { LoadedPlugin, UnitClass, UnitKind } from '../contract/index.js';
import { closestName, nameList, type Problem } from '../diagnostics/index.js';
import { isMap } from '../expression/index.js';
import type { RawMap } from './source/raw-profile.js';

/** Plugins that are searched together; the first level that has the name wins. */
export type LookupLevel = readonly LoadedPlugin[];

/** A class that was found, and the plugin that has it. */
export interface FoundClass {
  readonly plugin: string;
  readonly name: string;
  readonly unit: UnitClass;
}

/** The levels that each `class` is looked up in: those of the file that wrote it, kept while files are merged. */
export class ClassOrigins {
  readonly #levels = new WeakMap<object, readonly LookupLevel[]>();

  /** Records that every map under `data` with a `class` was written in a file with these levels. */
  record(data: unknown, levels: readonly LookupLevel[]): void {
    if (typeof data !== 'object' || data === null) return;
    if (!Array.isArray(data) && Object.hasOwn(data, 'class')) this.#levels.set(data, levels);
    for (const value of Object.values(data)) this.record(value, levels);
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

/** Every class of a name on the first level that has one, whatever its kind. `plugin/ClassName` is exact. */
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
 * Whether an entry as it is written, or one inside its params, has a class that is prepared.
 *
 * @param levelsOf the levels that the class of a map is looked up in
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
 * @returns a problem where the name is on no level, twice on one, or a class of another kind
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
    const hint = unknownClassHint(name, plugins, names) ?? `${searched}; name the plugin that has it under plugins`;
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
      message: `${name} is a ${actual}, and a ${kind} is expected here`,
      ...(actual === 'veto' && { hint: 'vetoes stand under tier1_scorers' }),
      ...(actual === 'scorer' && { hint: 'scorers stand under tier2_scorers and measures' }),
    };
  }
  return first;
}

/**
 * The class that was probably meant by a name that no plugin has: of those that are loaded, and of those that ship.
 * `plugin/ClassName` is compared by its class.
 */
function unknownClassHint(
  name: string,
  plugins: readonly LoadedPlugin[],
  loaded: readonly string[],
): string | undefined {
  const className = name.slice(name.lastIndexOf('/') + 1);
  // Most classes end alike, so that names of other words are near, too: of those that are not loaded, the first letter counts.
  const others = shippedClassNames().filter((other) => other[0] === className[0]?.toUpperCase());
  const near = closestName(className, [...loaded, ...others]);
  if (near === undefined) return undefined;
  if (loaded.includes(near)) {
    const of = name === className ? undefined : plugins.find(({ units }) => units.has(near));
    return `did you mean ${of ? `${of.name}/${near}` : near}?`;
  }
  const plugin = shippedPluginOf(near);
  const where = `plugin ${plugin}, which ships: plugins: [${plugin}]`;
  return near === className ? `it is in the ${where}` : `did you mean ${near}? It is in the ${where}`;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The classes of the plugins that ship besides `core`, to say which has one. A test keeps them as they are. */
export const SHIPPED_CLASSES: Readonly<Record<string, readonly string[]>> = {
  agentcards: words(`
    AdamicAdarScorer ClusterHubVeto ClusterScorer ClusterSignal CommunityScorer DagConfidence EdgeScorer
    FailureRateVeto GraphSignal HypergraphNeighbourScorer OutcomeRateScorer OverlapScorer PageRankScorer
    PathScorer ReliabilityScorer StageSignal
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
  rerank: ['CrossEncoderScorer', 'PairwiseRubricScorer', 'RerankerScorer', 'RubricScorer'],
};

/** The shipped plugin that has a class; undefined if none has. */
const shippedPluginOf = (name: string): string | undefined =>
  Object.keys(SHIPPED_CLASSES).find((plugin) => SHIPPED_CLASSES[plugin]?.includes(name));

/** Every class of the plugins that ship besides `core`. */
const shippedClassNames = (): readonly string[] => Object.values(SHIPPED_CLASSES).flat();
