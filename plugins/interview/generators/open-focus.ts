import { defineGenerator, type Focus, type Generator, type ParamsOf, z } from '../../../src/sdk.js';
import { confidenceParam, focusTypeParam, openFocus, templateParam } from './focus.js';

type Params = ParamsOf<typeof OpenFocus>;

/** Gives one focus on nothing in particular. */
export class OpenFocus implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'One focus on nothing in particular.',
    params: z.strictObject({
      focus_type: focusTypeParam('open'),
      text: templateParam([], ''),
      confidence: confidenceParam(1),
    }),
  });

  prepare({ focus_type: type, text, confidence }: Params): readonly Focus[] {
    return [openFocus(type, text, confidence)];
  }
}
