import { defineGenerator, type Focus, type Generator, type GeneratorRun, type ParamsOf, z } from '../../../src/sdk.js';
import { type ConceptElement, coverageOf } from '../turn/coverage.js';
import { fractionParam } from '../turn/params.js';
import { confidenceParam, fillTemplate, focusTypeParam, templateParam } from './focus.js';

type Params = ParamsOf<typeof UncoveredElements>;

/**
 * Gives a focus on each element of the concept that is not covered; then, where depths are known, on each that is
 * covered with little depth, the shallowest first.
 */
export class UncoveredElements implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'The elements that were not spoken of, then those that were in passing.',
    params: z.strictObject({
      focus_type: focusTypeParam('coverage_gap'),
      text: templateParam(['id'], 'Cover: {id}'),
      confidence: confidenceParam(1),
      shallow: z
        .strictObject({
          below: fractionParam(0.5, 'A depth below this is shallow.'),
          focus_type: focusTypeParam('deepen_coverage'),
          text: templateParam(['id', 'depth'], 'Deepen: {id} (depth={depth})'),
          confidence: confidenceParam(0.9),
        })
        .prefault({})
        .describe('How elements are asked about that were spoken of in passing.'),
    }),
  });

  prepare({ shallow, ...gap }: Params, { context }: GeneratorRun): readonly Focus[] {
    const { elements } = coverageOf(context);
    const focus =
      (params: Omit<Params, 'shallow'>) =>
      ({ id, depth }: ConceptElement): Focus => ({
        key: id,
        focus_type: params.focus_type,
        element_id: id,
        focus_description: fillTemplate(params.text, { id, depth: depth.toFixed(2) }),
        confidence: params.confidence,
      });
    const uncovered = elements.filter(({ covered }) => !covered);
    const shallowest = elements
      .filter(({ covered, depth }) => covered && depth < shallow.below)
      .toSorted((a, b) => a.depth - b.depth);
    return [...uncovered.map(focus(gap)), ...shallowest.map(focus(shallow))];
  }
}
