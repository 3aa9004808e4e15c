import {
  defineGenerator,
  type Focus,
  type Generator,
  type GeneratorRun,
  type ParamsOf,
  z,
} from '../../src/unit-sdk.js';
import { type ConceptElement, coverageOf, peripheralNodes, type RecentNode, recentNodesOf } from './concepts.js';
import { fractionParam } from './params.js';

const PLACEHOLDER = /\{(\w+)\}/g;

/** A param that is a text with some placeholders in braces: `'Deepen: {label}'`. */
const templateParam = (blanks: readonly string[], fallback: string) => {
  const known = blanks.map((blank) => `{${blank}}`).join(', ') || 'no blanks';
  return z
    .string()
    .refine((text) => [...text.matchAll(PLACEHOLDER)].every(([, blank = '']) => blanks.includes(blank)), {
      error: `expected a text with ${known}`,
    })
    .default(fallback)
    .describe(`The description of the focus, with ${known}. Scorers read it.`);
};

/** Replaces the placeholders of a text; unknown ones remain. */
const fillTemplate = (text: string, blanks: Readonly<Record<string, string>>): string =>
  text.replaceAll(PLACEHOLDER, (whole, blank: string) =>
    Object.hasOwn(blanks, blank) ? (blanks[blank] ?? '') : whole,
  );

/** A param that is a confidence, 0 to 1. */
const confidenceParam = (fallback: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .default(fallback)
    .describe('The confidence that the focus is worth a question, from 0 to 1.');

/** A param that is the type of a focus, any text. */
const focusTypeParam = (fallback: string) =>
  z.string().default(fallback).describe('The type of the focus, for the step that phrases the question.');

/** A param for the focus that is used if there is no node. Without the param, no focus is generated. */
const fallbackFocusParam = z
  .strictObject({ text: templateParam([], ''), confidence: confidenceParam(0.5) })
  .optional()
  .describe('The open focus to use if there is no node. Default: no focus.');

/**
 * Makes a focus. Without `about` and `blanks`, it is open: it has no node and no element.
 *
 * @param about the ids of its subjects
 * @param blanks the values of the placeholders in its text
 */
const focusOf = (
  key: string,
  { focus_type, text, confidence }: OpenFocusParams,
  about: object = {},
  blanks: Readonly<Record<string, string>> = {},
): Focus => ({ key, focus_type, ...about, focus_description: fillTemplate(text, blanks), confidence });

/** The open focus of the params, if any. */
const fallbackFocus = (focus_type: string, fallback: z.output<typeof fallbackFocusParam>): readonly Focus[] =>
  fallback ? [focusOf('open', { focus_type, ...fallback })] : [];

/** The params of a generator that focuses on one node, with their defaults. */
const nodeFocusParams = (type: string, text: string, confidence: number) =>
  z.strictObject({
    focus_type: focusTypeParam(type),
    text: templateParam(['label', 'id'], text),
    label: z.string().default('topic').describe('How a node without a label is called.'),
    confidence: confidenceParam(confidence),
    otherwise: fallbackFocusParam,
  });

/** A focus on a node. Without a node, the open focus of the params, if any. */
function nodeFocus(
  node: RecentNode | undefined,
  params: z.output<ReturnType<typeof nodeFocusParams>>,
): readonly Focus[] {
  if (node?.id === undefined) return fallbackFocus(params.focus_type, params.otherwise);
  const { id, label = params.label } = node;
  return [focusOf(id, params, { node_id: id }, { label, id })];
}

type OpenFocusParams = ParamsOf<typeof OpenFocus>;

/** Generates one open focus. */
export class OpenFocus implements Generator<OpenFocusParams> {
  static readonly meta = defineGenerator({
    summary: 'One open focus, without a node or an element.',
    params: z.strictObject({
      focus_type: focusTypeParam('open'),
      text: templateParam([], ''),
      confidence: confidenceParam(1),
    }),
  });

  prepare(params: OpenFocusParams): readonly Focus[] {
    return [focusOf('open', params)];
  }
}

type MostRecentNodeParams = ParamsOf<typeof MostRecentNode>;

/** Generates a focus on the most recent node. */
export class MostRecentNode implements Generator<MostRecentNodeParams> {
  static readonly meta = defineGenerator({
    summary: 'A focus on the most recent node.',
    params: nodeFocusParams('depth_exploration', 'Deepen: {label}', 0.8),
  });

  prepare(params: MostRecentNodeParams, { context }: GeneratorRun): readonly Focus[] {
    const node = recentNodesOf(context).findLast(({ id }) => id !== undefined);
    return nodeFocus(node, params);
  }
}

type PeripheralNodeParams = ParamsOf<typeof PeripheralNode>;

/** Generates a focus on the least connected peripheral node; of several the most recent. */
export class PeripheralNode implements Generator<PeripheralNodeParams> {
  static readonly meta = defineGenerator({
    summary: 'A focus on the least connected recent node, if it has fewer connections than the mean.',
    params: nodeFocusParams('lateral_bridge', 'Bridge to: {label}', 0.7),
  });

  prepare(params: PeripheralNodeParams, { context }: GeneratorRun): readonly Focus[] {
    const edge = peripheralNodes(recentNodesOf(context)).filter(({ id }) => id !== undefined);
    const least = Math.min(...edge.map(({ degree }) => degree));
    return nodeFocus(
      edge.findLast(({ degree }) => degree === least),
      params,
    );
  }
}

type RecentNodesParams = ParamsOf<typeof RecentNodes>;

/** Generates one focus on the most recent nodes together. */
export class RecentNodes implements Generator<RecentNodesParams> {
  static readonly meta = defineGenerator({
    summary: 'One focus on the most recent nodes together.',
    params: z.strictObject({
      focus_type: focusTypeParam('synthesis'),
      text: templateParam(['labels'], 'Synthesis of: {labels}'),
      label: z.string().default('topic').describe('How a node without a label is called.'),
      confidence: confidenceParam(0.8),
      min: z.int().positive().default(2).describe('The minimum number of nodes.'),
      max: z.int().positive().default(3).describe('The maximum number of nodes.'),
      otherwise: fallbackFocusParam,
    }),
  });

  prepare(params: RecentNodesParams, { context }: GeneratorRun): readonly Focus[] {
    const nodes = recentNodesOf(context)
      .filter(({ id }) => id !== undefined)
      .slice(-params.max);
    if (nodes.length < params.min) return fallbackFocus(params.focus_type, params.otherwise);
    const labels = nodes.map(({ label = params.label }) => label).join(', ');
    return [focusOf('recent_nodes', params, { node_ids: nodes.map(({ id }) => id) }, { labels })];
  }
}

type UncoveredElementsParams = ParamsOf<typeof UncoveredElements>;

/**
 * Generates a focus on each element of the concept that is not covered. If depths are known, then on each element that
 * is covered with little depth, the shallowest first.
 */
export class UncoveredElements implements Generator<UncoveredElementsParams> {
  static readonly meta = defineGenerator({
    summary: 'A focus on each element that is not covered, then on each that is covered in little depth.',
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
        .describe('The focus on elements that are covered in little depth.'),
    }),
  });

  prepare({ shallow, ...gap }: UncoveredElementsParams, { context }: GeneratorRun): readonly Focus[] {
    const { elements } = coverageOf(context);
    const focus =
      (params: OpenFocusParams) =>
      ({ id, depth }: ConceptElement): Focus =>
        focusOf(id, params, { element_id: id }, { id, depth: depth.toFixed(2) });
    const uncovered = elements.filter(({ covered }) => !covered);
    const shallowest = elements
      .filter(({ covered, depth }) => covered && depth < shallow.below)
      .toSorted((a, b) => a.depth - b.depth);
    return [...uncovered.map(focus(gap)), ...shallowest.map(focus(shallow))];
  }
}
