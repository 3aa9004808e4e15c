import { defineGenerator, type Focus, type Generator, type ParamsOf, z } from '../../../src/sdk.js';
import { confidence, focusType, openFocus, template } from './focus.js';

type Params = ParamsOf<typeof OpenFocus>;

/** One focus on nothing in particular. */
export class OpenFocus implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'One focus on nothing in particular.',
    params: z.strictObject({
      focus_type: focusType('open'),
      text: template([], ''),
      confidence: confidence(1),
    }),
  });

  prepare({ focus_type: type, text, confidence: sure }: Params): readonly Focus[] {
    return [openFocus(type, text, sure)];
  }
}
