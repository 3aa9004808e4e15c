import { TraceCollector } from './collector.js';
import { type Message, readMessage, readMessages, reportsError } from './messages.js';
import { decodeAttributes, decodeValue, nanosOf } from './otlp-values.js';
import {
  agentOf,
  costOf,
  hasUsage,
  inputMessages,
  kindOf,
  modelOf,
  outputMessages,
  plainMessages,
  stoppedForTools,
  tokensOf,
  toolRun,
  toolsOf,
  unmappedKind,
} from './span-facts.js';
import { type Span, type SpanEvent, SpanTree, withoutRepeats } from './span-tree.js';
import { newThread, type Thread, TraceBuilder } from './trace-builder.js';
import { anyOf, at, canonical, isMap, listOf, stringOf, textOf, unpacked } from './values.js';

/** Reads OTLP JSON: the documents that an exporter sends, or the lines that the file exporter of a collector writes. */
export class OtlpCollector extends TraceCollector {
  /** By trace id, then by span id. */
  readonly #traces = new Map<string, Map<string, Span>>();
  readonly #events: { readonly trace: string; readonly span: string; readonly event: SpanEvent }[] = [];

  constructor() {
    super('otlp');
  }

  add(document: unknown): void {
    let known = false;
    for (const resource of listOf(at(document, 'resourceSpans'))) {
      known = true;
      const service = stringOf(decodeAttributes(at(resource, 'resource', 'attributes')).get('service.name'));
      for (const scope of this.#list(resource, 'scopeSpans', 'instrumentationLibrarySpans')) {
        for (const span of this.#list(scope, 'spans')) this.#addSpan(span, service);
      }
    }
    for (const resource of listOf(at(document, 'resourceLogs'))) {
      known = true;
      for (const scope of this.#list(resource, 'scopeLogs', 'instrumentationLibraryLogs')) {
        for (const record of this.#list(scope, 'logRecords', 'logs')) this.#addLog(record);
      }
    }
    for (const metrics of listOf(at(document, 'resourceMetrics'))) {
      known = true;
      this.records += 1;
      this.unmapped.add(isMap(metrics) ? 'metrics' : 'metrics that are not an object');
    }
    if (known || isEmptyExport(document)) return;
    this.records += 1;
    this.unmapped.add('document without resourceSpans');
  }

  /** A list of records. A value in its place is counted, since it may hold any number of them. */
  #list(value: unknown, ...keys: readonly [string, ...string[]]): readonly unknown[] {
    const list = anyOf(value, ...keys);
    if (Array.isArray(list)) return list;
    this.records += 1;
    this.unmapped.add(`no ${keys[0]} where they are expected`);
    return [];
  }

  #addSpan(span: unknown, service: string | undefined): void {
    this.records += 1;
    const [id, trace] = [stringOf(at(span, 'spanId')), stringOf(at(span, 'traceId'))];
    if (id === undefined || trace === undefined) return this.unmapped.add('span without an id');
    let spans = this.#traces.get(trace);
    if (!spans) this.#traces.set(trace, (spans = new Map()));
    if (spans.has(id)) return this.unmapped.add('repeated span id');
    const attributes = decodeAttributes(at(span, 'attributes'));
    const [begin, end] = [nanosOf(at(span, 'startTimeUnixNano')), nanosOf(at(span, 'endTimeUnixNano'))];
    if (begin !== undefined && end !== undefined && end < begin) this.lost.add('negative duration');
    const events = listOf(at(span, 'events')).map(
      (event): SpanEvent => ({
        name: textOf(at(event, 'name')),
        attributes: decodeAttributes(at(event, 'attributes')),
        body: undefined,
      }),
    );
    spans.set(id, {
      id,
      trace,
      parent: stringOf(at(span, 'parentSpanId')),
      name: at(span, 'name'),
      kind: kindOf(attributes),
      attributes,
      begin,
      end: begin !== undefined && end !== undefined && end < begin ? undefined : end,
      service,
      error: errorOf(span, attributes, events),
      events,
    });
  }

  #addLog(record: unknown): void {
    this.records += 1;
    const attributes = decodeAttributes(at(record, 'attributes'));
    const name = stringOf(at(record, 'eventName')) ?? stringOf(attributes.get('event.name')) ?? '';
    const [trace, span] = [stringOf(at(record, 'traceId')), stringOf(at(record, 'spanId'))];
    if (!MESSAGE_EVENTS.test(name)) return this.unmapped.add(name === '' ? 'log record' : `event ${name}`);
    if (trace === undefined || span === undefined) return this.unmapped.add('event without a span id');
    this.#events.push({ trace, span, event: { name, attributes, body: decodeValue(at(record, 'body')) } });
  }

  protected *build(): Iterable<TraceBuilder> {
    const builders = new Map<string, TraceBuilder>();
    for (const { trace, span, event } of this.#events) {
      const owner = this.#traces.get(trace)?.get(span);
      if (owner?.kind === undefined) {
        this.unmapped.add('event without its span');
        continue;
      }
      owner.events.push(event);
      this.#builder(trace, builders).records += 1;
    }
    for (const [id, spans] of this.#traces) {
      const builder = this.#builder(id, builders);
      const known = [...spans.values()].filter(({ kind, name, attributes }) => {
        if (kind === undefined) this.unmapped.add(unmappedKind(name, attributes));
        return kind !== undefined;
      });
      if (known.length === 0) continue;
      builder.records += known.length;
      this.#addSpans(builder, spans, known);
      yield builder;
    }
  }

  #builder(trace: string, builders: Map<string, TraceBuilder>): TraceBuilder {
    let builder = builders.get(trace);
    if (!builder) builders.set(trace, (builder = new TraceBuilder(`kp:trace:${trace}`, this.format, this.lost)));
    return builder;
  }

  #addSpans(builder: TraceBuilder, spans: ReadonlyMap<string, Span>, known: readonly Span[]): void {
    const tree = new SpanTree(spans);
    const threads = new Map<Span, Thread>();
    /** The first agent is the trace's. */
    const threadOf = (agent: Span): Thread => {
      let thread = threads.get(agent);
      if (!thread) {
        const name = agentOf(agent.attributes);
        if (threads.size === 0) builder.agent = name;
        thread = threads.size === 0 ? builder.main : newThread(name ?? agent.id);
        threads.set(agent, thread);
      }
      return thread;
    };
    const ordered = withoutRepeats(known, tree).toSorted(
      (a, b) => (a.begin ?? 0) - (b.begin ?? 0) || tree.depth(a) - tree.depth(b), // a stable sort keeps the input's order
    );
    let hasContent = false;
    for (const span of ordered) {
      const owner = tree.agent(span);
      const thread = owner ? threadOf(owner) : builder.main;
      builder.framework ??= span.service;
      builder.span(span.begin, span.end);
      if (span.kind === 'model') hasContent = this.#addModel(builder, span, thread) || hasContent;
      else if (span.kind === 'tool') this.#addTool(builder, span, thread);
      else for (const { name: event } of span.events) this.#countEvent(event);
    }
    for (const span of ordered) if (!hasContent) this.#addAgent(builder, span);
    if (!builder.hasUsage) for (const span of ordered) this.#addUsage(builder, span, tree);
    this.#addOutcome(builder, known, tree);
    const [outermost] = ordered.toSorted((a, b) => tree.depth(a) - tree.depth(b));
    if (outermost) builder.origin = { trace_id: outermost.trace, span_id: outermost.id };
  }

  /** A trace failed if its outermost work failed. The error of a tool or of one of several requests does not say so. */
  #addOutcome(builder: TraceBuilder, known: readonly Span[], tree: SpanTree): void {
    const roots = known.filter((span) => tree.parent(span) === undefined);
    for (const { error, kind } of roots) {
      const isOutermost = kind === 'agent' || kind === 'part';
      if (error === undefined || !(isOutermost || (kind === 'model' && roots.length === 1))) continue;
      builder.success = false;
      if (isOutermost) builder.fail(error);
    }
  }

  /** Adds the messages of a request to a model. Returns whether the log has its content. */
  #addModel(builder: TraceBuilder, span: Span, thread: Thread): boolean {
    const { attributes, begin, end, error } = span;
    const input = inputMessages(attributes, this.lost);
    const output = outputMessages(attributes, this.lost);
    for (const event of span.events) this.#addEvent(event, input, output);
    for (const body of listOf(unpacked(attributes.get('events')))) {
      this.#addEvent({ name: textOf(at(body, 'event.name')), attributes: new Map(), body }, input, output);
    }
    if (input.length === 0) input.push(...plainMessages(attributes, 'input', this.lost));
    if (output.length === 0 && error === undefined) output.push(...plainMessages(attributes, 'output', this.lost));
    if (builder.tools.length === 0) builder.tools = toolsOf(attributes);
    builder.take(input, thread, begin);
    const request = input.length > 0 ? canonical(input) : undefined;
    if (request !== undefined && builder.failedRequests.delete(request)) builder.modelRetries += 1;
    if (request !== undefined && error !== undefined) builder.failedRequests.add(request);
    const latency = latencyOf(span);
    const facts = {
      time: begin,
      latency,
      model: modelOf(attributes),
      tokens: tokensOf(attributes, this.lost),
      cost: costOf(attributes),
    };
    builder.responseId = stringOf(attributes.get('gen_ai.response.id')) ?? builder.responseId;
    const first = builder.answer(output, thread, output.length > 0 ? facts : { time: begin });
    if (error !== undefined) builder.fail(error);
    if (output.length > 0) return true;
    if (error === undefined && !stoppedForTools(attributes)) builder.answerWithoutContent(thread, facts);
    else {
      if (facts.model !== undefined) builder.models.add(facts.model);
      builder.spend(facts.tokens, facts.cost);
    }
    builder.span(end);
    return first !== undefined;
  }

  #addTool(builder: TraceBuilder, span: Span, thread: Thread): void {
    const run = toolRun(span.name, span.attributes, this.lost);
    for (const { name } of span.events) this.#countEvent(name);
    const error = span.error ?? (run.output !== undefined && reportsError(run.output) ? run.output : undefined);
    builder.run({ ...run, error, time: span.begin, latency: latencyOf(span) }, thread);
  }

  /** Adds the tokens and the cost that the outermost spans count, if no request to a model has them. */
  #addUsage(builder: TraceBuilder, span: Span, tree: SpanTree): void {
    const above = tree.above(span, ({ kind, attributes }) => kind !== undefined && hasUsage(attributes));
    if (above || (span.kind !== 'agent' && span.kind !== 'part')) return;
    builder.spend(tokensOf(span.attributes, this.lost), costOf(span.attributes));
  }

  /** Adds what an agent was given and returned, where the requests to models have no content. */
  #addAgent(builder: TraceBuilder, { kind, attributes, begin }: Span): void {
    if (kind !== 'agent' && kind !== 'part') return;
    const given = inputMessages(attributes, this.lost);
    const returned = outputMessages(attributes, this.lost);
    builder.take(given.length > 0 ? given : plainMessages(attributes, 'input', this.lost), builder.main, begin);
    builder.take(returned.length > 0 ? returned : plainMessages(attributes, 'output', this.lost), builder.main, begin);
  }

  #addEvent({ name, attributes, body }: SpanEvent, input: Message[], output: Message[]): void {
    const data = body ?? Object.fromEntries(attributes);
    switch (name) {
      case 'gen_ai.system.message':
        input.push(roled(readMessage(data, this.lost), 'system'));
        return;
      case 'gen_ai.user.message':
        input.push(readMessage(data, this.lost));
        return;
      case 'gen_ai.assistant.message':
        input.push(roled(readMessage(data, this.lost), 'assistant'));
        return;
      case 'gen_ai.tool.message':
        input.push(readMessage({ ...(isMap(data) && data), role: 'tool' }, this.lost));
        return;
      case 'gen_ai.choice':
        output.push(roled(readMessage(unpacked(at(data, 'message')) ?? data, this.lost), 'assistant'));
        return;
      case 'gen_ai.client.inference.operation.details':
        input.push(...inputMessages(attributes, this.lost));
        output.push(...outputMessages(attributes, this.lost));
        return;
      case 'gen_ai.content.prompt':
        input.push(...readMessages(attributes.get('gen_ai.prompt'), this.lost));
        return;
      case 'gen_ai.content.completion':
        output.push(...readMessages(attributes.get('gen_ai.completion'), this.lost, 'assistant'));
        return;
      default:
        this.#countEvent(name);
    }
  }

  #countEvent(name: string): void {
    // The error of a span is read from its exception; the other event marks when a stream began.
    if (name !== 'exception' && name !== 'ai.stream.firstChunk') this.lost.add(`span event ${name}`);
  }
}

const MESSAGE_EVENTS =
  /^gen_ai\.(?:(?:system|user|assistant|tool)\.message|choice|client\.inference\.operation\.details|content\.(?:prompt|completion))$/;

const roled = (message: Message, role: Message['role']): Message => ({ ...message, role });

/** An export without spans: `{}`, or lists that are empty. */
const isEmptyExport = (document: unknown): boolean =>
  isMap(document) &&
  Object.keys(document).length > 0 &&
  Object.entries(document).every(
    ([key, value]) => /^resource(?:Spans|Logs|Metrics)$/.test(key) && Array.isArray(value),
  );

const latencyOf = ({ begin, end }: Span): number | undefined =>
  begin === undefined || end === undefined ? undefined : end - begin;

/** The error of a span: its exception, else the message of its status. */
function errorOf(
  span: unknown,
  attributes: ReadonlyMap<string, unknown>,
  events: readonly SpanEvent[],
): string | undefined {
  const code = at(span, 'status', 'code');
  if (attributes.get('langfuse.observation.level') === 'ERROR') {
    return stringOf(attributes.get('langfuse.observation.status_message')) ?? 'error';
  }
  if (code !== 2 && code !== 'STATUS_CODE_ERROR') return undefined;
  const exception = events.findLast(({ name }) => name === 'exception')?.attributes.get('exception.message');
  const message = stringOf(exception) ?? stringOf(at(span, 'status', 'message'));
  return message ?? stringOf(attributes.get('error.type')) ?? 'error';
}
