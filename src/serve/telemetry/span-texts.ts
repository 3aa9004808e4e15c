import type { TraceMessages } from '../../contract/trace.js';
import type { Attributes } from './open-telemetry.js';

type Kind = keyof TraceMessages;
type Texts = {
  readonly [K in Kind]: {
    /** The name of a span: few different ones, as OpenTelemetry wants it. */
    readonly name: (message: TraceMessages[K]) => string;
    readonly beginning: (message: TraceMessages[K]) => Attributes;
    readonly ending: (message: TraceMessages[K]) => Attributes;
  };
};

/** What spans say, by kind. Model calls by OpenTelemetry's conventions for generative models, the rest by our own. */
const TEXTS: Texts = {
  run: {
    name: ({ call, profile }) => `${call} ${profile}`,
    beginning: ({ call, profile }) => ({ 'assize.profile': profile, 'assize.call': call }),
    ending: ({ candidates, refused, pruned, degraded }) => ({
      ...known('assize.candidates', candidates),
      ...known('assize.refused', refused),
      ...known('assize.pruned', pruned),
      ...(degraded && degraded.length > 0 && { 'assize.degraded': degraded.map(({ entry }) => entry) }),
    }),
  },
  stage: {
    name: ({ stage }) => stage,
    beginning: ({ profile, stage, stages, candidates }) => ({
      'assize.profile': profile,
      'assize.stage': stage,
      'assize.stages': [...stages],
      ...known('assize.candidates', candidates),
    }),
    ending: () => ({}),
  },
  prepare: {
    name: ({ entry }) => `prepare ${entry}`,
    beginning: ({ profile, stage, entry, candidates }) => ({
      'assize.profile': profile,
      'assize.stage': stage,
      'assize.entry': entry,
      ...known('assize.candidates', candidates),
    }),
    ending: () => ({}),
  },
  model: {
    name: ({ kind, model }) => `${kind} ${model}`,
    beginning: ({ kind, model, texts }) => ({
      'gen_ai.operation.name': kind,
      'gen_ai.request.model': model,
      ...known('assize.texts', texts),
    }),
    ending: ({ answeredBy, tokens }) => ({
      ...known('gen_ai.response.model', answeredBy),
      ...known('assize.tokens', tokens),
    }),
  },
};

const known = (name: string, value: number | string | undefined): Attributes =>
  value === undefined ? {} : { [name]: value };

export const spanName = <K extends Kind>(kind: K, message: TraceMessages[K]): string => TEXTS[kind].name(message);

export const beginning = <K extends Kind>(kind: K, message: TraceMessages[K]): Attributes =>
  TEXTS[kind].beginning(message);

export const ending = <K extends Kind>(kind: K, message: TraceMessages[K]): Attributes => TEXTS[kind].ending(message);
