import { Counts } from './agent-trace.js';
import { type SpanKind, tokensOf, toolRun } from './span-facts.js';

/** A span of OTLP, with its attributes decoded. */
export interface Span {
  readonly id: string;
  readonly trace: string;
  readonly parent: string | undefined;
  readonly name: unknown;
  readonly kind: SpanKind | undefined;
  readonly attributes: Map<string, unknown>;
  readonly begin: number | undefined;
  readonly end: number | undefined;
  readonly service: string | undefined;
  readonly error: string | undefined;
  readonly events: SpanEvent[];
}

/** An event of a span, or a log record that belongs to it. */
export interface SpanEvent {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, unknown>;
  readonly body: unknown;
}

/**
 * Two instrumentations record one request or one run of a tool as a span in a span. If a span repeats one other, they become
 * one span. If it has several in it, such as attempts, it only groups them.
 */
export function withoutRepeats(spans: readonly Span[], tree: SpanTree): readonly Span[] {
  const inner = new Map<Span, Span[]>();
  for (const span of spans) {
    if (span.kind !== 'model' && span.kind !== 'tool') continue;
    const above = tree.above(span, ({ kind }) => kind !== undefined && kind !== 'part');
    if (!above || above.kind !== span.kind || !isSame(above, span)) continue;
    if (tree.above(above, (one) => one === span)) continue; // a cycle of parents
    inner.set(above, [...(inner.get(above) ?? []), span]);
  }
  const repeated = new Set<Span>();
  for (const [above, within] of inner)
    if (above.kind === 'tool' || within.length === 1) within.forEach((one) => repeated.add(one));
  const merged = (span: Span): Span => {
    const within = inner.get(span);
    if (!within) return span;
    if (span.kind === 'model' && within.length > 1) return { ...span, kind: 'part' };
    const attributes = new Map(span.attributes);
    const events = [...span.events];
    for (const one of within.map(merged)) {
      for (const [key, value] of one.attributes) if (!attributes.has(key)) attributes.set(key, value);
      if (events.length === 0) events.push(...one.events);
    }
    return { ...span, attributes, events };
  };
  return spans.filter((span) => !repeated.has(span)).map(merged);
}

/** Whether a span may record the same as the one above: a tool by its name, a request by the tokens of its answer. */
function isSame(above: Span, span: Span): boolean {
  const lost = new Counts();
  if (span.kind === 'tool') {
    return toolRun(above.name, above.attributes, lost).name === toolRun(span.name, span.attributes, lost).name;
  }
  const [outer, inner] = [above, span].map(({ attributes }) => tokensOf(attributes, lost)?.output);
  return outer === undefined || inner === undefined || outer >= inner;
}

/** The parents of spans. A parent may be missing, or its own descendant. */
export class SpanTree {
  readonly #depths = new Map<Span, number>();
  readonly #agents = new Map<Span, Span | undefined>();

  constructor(private readonly spans: ReadonlyMap<string, Span>) {}

  parent({ parent }: Span): Span | undefined {
    return parent === undefined ? undefined : this.spans.get(parent);
  }

  /** The nearest span above that matches. */
  above(span: Span, matches: (above: Span) => boolean): Span | undefined {
    const passed = new Set([span]);
    let above = this.parent(span);
    while (above && !passed.has(above) && !matches(above)) {
      passed.add(above);
      above = this.parent(above);
    }
    return above && !passed.has(above) ? above : undefined;
  }

  depth(span: Span): number {
    const known = this.#depths.get(span);
    if (known !== undefined) return known;
    const path: Span[] = [];
    let top: Span | undefined = span;
    while (top && !this.#depths.has(top)) {
      this.#depths.set(top, 0); // ends a cycle
      path.push(top);
      top = this.parent(top);
    }
    let depth = top ? (this.#depths.get(top) ?? 0) : -1;
    for (const one of path.toReversed()) this.#depths.set(one, (depth += 1));
    return depth;
  }

  /** The agent that a span belongs to: the nearest span of an agent above it. */
  agent(span: Span): Span | undefined {
    if (this.#agents.has(span)) return this.#agents.get(span);
    const path: Span[] = [];
    let found: Span | undefined;
    let below = span;
    for (;;) {
      this.#agents.set(below, undefined); // ends a cycle
      path.push(below);
      const parent = this.parent(below);
      found = parent?.kind === 'agent' ? parent : parent && this.#agents.get(parent);
      if (!parent || parent.kind === 'agent' || this.#agents.has(parent)) break;
      below = parent;
    }
    for (const one of path) this.#agents.set(one, found);
    return found;
  }
}
