import { setOwn } from '../../expression/index.js';
import { type Labels, labelOf } from '../labels.js';
import { labelSchema } from '../schema/entry-schemas.js';
import { ENTRY_LISTS, enabledRawEntries } from '../source/raw-profile.js';
import type { Resolver } from './resolver.js';

/** The other keys of a strategy are its candidates' data: there `label` is no name. */
const LABELLED_LISTS = ENTRY_LISTS.filter((key) => key !== 'strategies');

/**
 * The labels of all entries, by id; undefined where there is none. Results name entries by their ids alone, so that entries of one id (a veto and a
 * scorer, say) share a label: two that differ are reported.
 */
export function resolveLabels(resolver: Resolver): Labels | undefined {
  const labels: Record<string, string> = {};
  for (const key of LABELLED_LISTS) {
    for (const [entry, index, id] of enabledRawEntries(resolver.root, key)) {
      const { data: label } = labelSchema.safeParse(entry['label']);
      if (label === undefined) continue;
      if (Object.hasOwn(labels, id) && labels[id] !== label) {
        const message = `${id} has the label ${JSON.stringify(labelOf(labels, id))} in another list`;
        resolver.report(
          'ASZ633',
          message,
          [key, index, 'label'],
          'entries of one id share a label; give one another id',
        );
      } else setOwn(labels, id, label);
    }
  }
  return Object.keys(labels).length === 0 ? undefined : Object.freeze(labels);
}
