import { toAssizeError } from '../../base/index.js';
import { groupText } from '../../data/index.js';
import { compilePath } from '../../expression/index.js';
import type { PartitionContext } from '../../pipeline/index.js';
import type { Context } from '../../sdk/index.js';

/** How the context of each group is made. Plain data if its values are. */
export interface GroupContexts {
  /** The context of all groups. */
  readonly context: Context;
  /** The fields of a group's first row that are copied into its context. */
  readonly fields: readonly { readonly name: string; readonly path: string }[];
  /** The rows of a second table, by the text of the group; undefined without a second table. */
  readonly queries:
    | { readonly name: string; readonly rows: ReadonlyMap<string, Readonly<Record<string, unknown>>> }
    | undefined;
}

/**
 * The context of all groups, or the function that returns the context of each group. The function throws an AssizeError
 * (ASZ541) for a group that is not in the second table.
 */
export function contextOfGroups({ context, fields, queries }: GroupContexts): PartitionContext<object> {
  if (!queries && fields.length === 0) return context;
  const copied = fields.map(({ name, path }) => ({ name, path: compilePath(path) }));
  return (row, group) => {
    const own: Record<string, unknown> = { ...context };
    for (const { name, path } of copied) own[name] = path(row) ?? own[name];
    if (!queries) return own;
    const line = queries.rows.get(groupText(group));
    if (line) return { ...own, ...line };
    const message = `${queries.name} has no row with the id ${JSON.stringify(groupText(group))}, which is a group of the candidates`;
    throw toAssizeError([{ code: 'ASZ541', message, hint: 'add the row, or remove the candidates of the group' }]);
  };
}
