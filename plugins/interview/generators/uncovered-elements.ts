import { defineGenerator, type Focus, type Generator, type GeneratorRun, type ParamsOf, z } from '../../../src/sdk.js';
import { coverageOf, type Element } from '../turn/coverage.js';
import { share } from '../turn/params.js';
import { confidence, filled, focusType, template } from './focus.js';

type Params = ParamsOf<typeof UncoveredElements>;

/**
 * The elements of the concept that were not spoken of; then, where their depth is known, those that were spoken of in
 * passing, the shallowest first.
 */
export class UncoveredElements implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'The elements that were not spoken of, then those that were in passing.',
    params: z.strictObject({
      focus_type: focusType('coverage_gap'),
      text: template(['id'], 'Cover: {id}'),
      confidence: confidence(1),
      shallow: z
        .strictObject({
          below: share(0.5, 'A depth below this is shallow.'),
          focus_type: focusType('deepen_coverage'),
          text: template(['id', 'depth'], 'Deepen: {id} (depth={depth})'),
          confidence: confidence(0.9),
        })
        .prefault({})
        .describe('How elements are asked about that were spoken of in passing.'),
    }),
  });

  prepare({ shallow, ...gap }: Params, { context }: GeneratorRun): readonly Focus[] {
    const { elements } = coverageOf(context);
    const focus =
      (params: Omit<Params, 'shallow'>) =>
      ({ id, depth }: Element): Focus => ({
        key: id,
        focus_type: params.focus_type,
        element_id: id,
        focus_description: filled(params.text, { id, depth: depth.toFixed(2) }),
        confidence: params.confidence,
      });
    const uncovered = elements.filter(({ covered }) => !covered);
    const inPassing = elements
      .filter(({ covered, depth }) => covered && depth < shallow.below)
      .toSorted((a, b) => a.depth - b.depth);
    return [...uncovered.map(focus(gap)), ...inPassing.map(focus(shallow))];
  }
}
