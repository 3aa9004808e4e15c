import {
  defineGenerator,
  defineReport,
  defineSignal,
  expression,
  type Focus,
  type Generator,
  type GeneratorRun,
  itemPath,
  type ParamsOf,
  type Report,
  type ReportResult,
  type ReportRun,
  RUN_VARIABLES,
  type RunFacts,
  type Signal,
  typeMismatch,
  z,
} from '../../src/unit-sdk.js';

const ITEM_VARIABLES = { candidate: 'dyn', ...RUN_VARIABLES } as const;

type EachItemParams = ParamsOf<typeof EachItem>;

/** Generates a focus for each item of a list in the context or the signals. The focus is the item with its own key. */
export class EachItem implements Generator<EachItemParams> {
  static readonly meta = defineGenerator({
    summary: 'One focus for each item of a list in the context or the signals.',
    params: z.strictObject({
      items: expression({ scope: { name: 'the items', variables: RUN_VARIABLES } }).describe(
        'A CEL expression for the list, such as context.topics.',
      ),
      where: expression({ scope: { name: 'an item', variables: ITEM_VARIABLES }, want: 'bool' })
        .optional()
        .describe('A CEL condition that selects items; `candidate` is the item.'),
      key: itemPath()
        .optional()
        .describe(
          'The path to the key within an item that is a map; the map is the focus. Default: the item is its own key.',
        ),
    }),
  });

  prepare({ items, where, key }: EachItemParams, run: GeneratorRun): readonly Focus[] {
    const list = run.expression(items)(undefined, 0) ?? [];
    if (!Array.isArray(list)) throw typeMismatch(items.source, 'a list', list);
    const matches = where && run.expression(where);
    return list
      .filter((item: unknown, i) => matches === undefined || matches(item, i) === true)
      .map((item: unknown): Focus => {
        const name = key ? key(item) : item;
        if (typeof name !== 'string' && typeof name !== 'number')
          throw typeMismatch(key?.source ?? 'an item', 'a string or a number', name);
        return { ...(typeof item === 'object' ? item : { item }), key: String(name) };
      });
  }
}

const scope = { name: 'a signal', variables: RUN_VARIABLES };

type ExpressionParams = ParamsOf<typeof ExpressionSignal>;

/** Computes an expression of the context and earlier signals. If the value is absent, the signal is missing. */
export class ExpressionSignal implements Signal<ExpressionParams> {
  static readonly meta = defineSignal({
    summary: 'Computes a value from the context and earlier signals.',
    params: z.strictObject({ value: expression({ scope }).describe('The value of the signal.') }),
  });

  prepare({ value }: ExpressionParams, run: RunFacts): unknown {
    return run.expression(value)(undefined, 0);
  }
}

type AlternativesParams = ParamsOf<typeof Alternatives>;

/** Reports the best candidates that were not selected, if they score at least `min_score`. */
export class Alternatives implements Report<AlternativesParams> {
  static readonly meta = defineReport({
    summary: 'The next best candidates after the selected ones.',
    reads: 'params',
    params: z.strictObject({
      count: z.int().positive().default(3).describe('The number of next best candidates to examine.'),
      min_score: z.number().optional().describe('Candidates that score less are not reported.'),
    }),
  });

  prepare(
    { count, min_score: minimum = Number.NEGATIVE_INFINITY }: AlternativesParams,
    { ranked, selected }: ReportRun,
  ): ReportResult {
    const taken = new Set(selected.map(({ index }) => index));
    const next = ranked.filter(({ index }) => !taken.has(index)).slice(0, count);
    return { value: next.filter(({ score }) => score >= minimum).map(({ id, score }) => ({ id, score })) };
  }
}
