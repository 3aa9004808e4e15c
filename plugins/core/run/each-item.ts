import {
  defineGenerator,
  expression,
  type Focus,
  type Generator,
  type GeneratorRun,
  itemPath,
  type ParamsOf,
  RUN_VARIABLES,
  typeMismatch,
  z,
} from '../../../src/sdk.js';

const ITEM_VARIABLES = { candidate: 'dyn', ...RUN_VARIABLES } as const;

type Params = ParamsOf<typeof EachItem>;

/** Generates a focus for each item of a list in the context or the signals: the item, with its own key. */
export class EachItem implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'A focus for each item of a list in the context or the signals.',
    params: z.strictObject({
      items: expression({ scope: { name: 'the items', variables: RUN_VARIABLES } }).describe(
        'CEL that gives the list: context.topics.',
      ),
      where: expression({ scope: { name: 'an item', variables: ITEM_VARIABLES }, want: 'bool' })
        .optional()
        .describe('CEL that says which items count; `candidate` is the item.'),
      key: itemPath()
        .optional()
        .describe('The path to the key of an item that is a map; such an item is its focus. Else the item itself is.'),
    }),
  });

  prepare({ items, where, key }: Params, run: GeneratorRun): readonly Focus[] {
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
