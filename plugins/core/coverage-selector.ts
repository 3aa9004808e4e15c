import {
  contextPath,
  type CostedRow,
  defineSelector,
  describeValue,
  type ParamsOf,
  path,
  readTexts,
  type Selector,
  type SelectorFunction,
  type SelectorNotSelected,
  type SelectorRun,
  valueOrError,
  z,
} from '../../src/unit-sdk.js';
import { type ChoiceRule, chooseGreedily, NO_ROOM, valuesAt } from './diverse-choice.js';

type Params = ParamsOf<typeof CoverageSelector>;

/**
 * Selects rows so that every topic is covered once before any topic is covered twice, and so on. At each step it
 * selects the best-ranked row that covers one of the least covered topics. Rows without a topic come last. Pinned rows
 * cover their topics.
 */
export class CoverageSelector implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Selects so that every topic is covered once before any is covered twice.',
    reads: 'params',
    groups: true,
    params: z.strictObject({
      topics: path().describe('The path to the topics of a candidate: one value or a list.'),
      needed: contextPath()
        .optional()
        .describe(
          'The path to the list of needed topics in the context. Other topics are ignored. Default: all topics count.',
        ),
    }),
    reasons: {
      first: 'the first of {topic}',
      again: 'of {topic}, as {times} before it',
      covered: '{times} of {topic} are already chosen',
      uncovered: 'no room was left for {topic}',
      no_topic: 'it has no topic that counts',
      no_room: NO_ROOM,
    },
  });

  prepare({ topics, needed }: Params, run: SelectorRun): SelectorFunction {
    const wanted = needed && readTexts(needed, run.context);
    const counting = wanted && new Set<unknown>(wanted);
    return (rows, limits) => {
      const own = rows.map(({ candidate }) => {
        const found = valueOrError(() => valuesAt(topics, candidate));
        const values = found instanceof Error ? [] : [...found]; // a topic that cannot be read does not count
        return counting ? values.filter((topic) => counting.has(topic)) : values;
      });
      return chooseGreedily(rows, limits, new Coverage(rows, own));
    };
  }
}

/** How often the selected rows cover each topic. */
class Coverage implements ChoiceRule {
  readonly #covering = new Map<unknown, number[]>();

  constructor(
    private readonly rows: readonly CostedRow[],
    private readonly topics: readonly (readonly unknown[])[],
  ) {}

  /** The less its least covered topic is covered, the better. */
  valueOf(row: number): number {
    let least = Number.MAX_VALUE; // without a topic: after all others
    for (const topic of this.topics[row]!) least = Math.min(least, this.#times(topic));
    return -least;
  }

  onChosen(row: number): void {
    for (const topic of this.topics[row]!) {
      const covering = this.#covering.get(topic);
      if (covering) covering.push(row);
      else this.#covering.set(topic, [row]);
    }
  }

  noteOf(row: number) {
    const topic = this.#leastCovered(row);
    if (topic === undefined) return { reason: 'no_topic' };
    const times = this.#times(topic);
    return { reason: times === 0 ? 'first' : 'again', data: { topic: topicText(topic), times } };
  }

  notSelectedOf(row: number): SelectorNotSelected {
    const { rows } = this;
    const { index } = rows[row]!;
    const topic = this.#leastCovered(row);
    if (topic === undefined) return { index, reason: 'no_topic' };
    const covering = this.#covering.get(topic) ?? [];
    if (covering.length === 0) return { index, reason: 'uncovered', data: { topic: topicText(topic) } };
    return {
      index,
      reason: 'covered',
      data: { topic: topicText(topic), times: covering.length },
      get replacedBy() {
        return covering.map((other) => rows[other]!.index);
      },
    };
  }

  #leastCovered(row: number): unknown {
    const topics = this.topics[row]!;
    const least = -this.valueOf(row);
    return topics.find((topic) => this.#times(topic) === least);
  }

  #times(topic: unknown): number {
    return this.#covering.get(topic)?.length ?? 0;
  }
}

const topicText = (topic: unknown): string | number | boolean =>
  typeof topic === 'number' || typeof topic === 'boolean'
    ? topic
    : typeof topic === 'string'
      ? topic.replace(/^json:/, '')
      : describeValue(topic);
