import {
  abstain,
  type BatchScorer,
  defineScorer,
  type ParamsOf,
  path,
  type Run,
  type Score,
  z,
} from '../../src/sdk.js';
import { contextIds, readIdList, toolsParam } from './id-list.js';

type Params = ParamsOf<typeof OverlapScorer>;

/**
 * Scores how many of a candidate's tools are in use. `jaccard`: the common ones of those that either has;
 * `containment`: of the candidate's own. A tool named twice counts once; a candidate without tools scores 0. Where no
 * tools are in use, the scorer abstains.
 */
export class OverlapScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours capabilities that use the tools in use.',
    reads: 'params',
    params: z.strictObject({
      measure: z.enum(['jaccard', 'containment']).describe('common / (either’s), or common / the candidate’s own.'),
      own: path('tools_used').describe('The path to the ids of the candidate’s tools.'),
      tools: toolsParam(),
      min: z
        .number()
        .min(0)
        .max(1)
        .default(0)
        .describe('An overlap below it counts as none; the bound itself does not.'),
    }),
    range: [0, 1],
    scope: 'candidate',
    reasons: {
      shared: '{common} of its {own} tools are in use, of {used}',
      little: '{common} of its {own} tools are in use, of {used}: below {min}',
      no_tools: 'the context says of no tool that it is in use',
      absent: 'the candidate has no {path}',
    },
  });

  prepare({ measure, own: at, tools, min }: Params, run: Run): Score<unknown> {
    const used = new Set(contextIds(tools, run.context));
    if (used.size === 0) return (_candidate, _index, note) => abstain(note, 'no_tools');
    return (candidate, _index, note) => {
      const list = at(candidate);
      if (list === undefined) return abstain(note, 'absent', { path: at.source });
      const read = readIdList(list, at.source);
      if ('message' in read) throw new TypeError(read.message);
      const own = new Set(read.ids);
      let common = 0;
      for (const id of own) if (used.has(id)) common += 1;
      const total = measure === 'jaccard' ? own.size + used.size - common : own.size;
      const overlap = total === 0 ? 0 : common / total;
      note?.(overlap < min ? 'little' : 'shared', { common, own: own.size, used: used.size, min });
      return overlap < min ? 0 : overlap;
    };
  }
}
