import { readFileSync } from 'node:fs';
import type { TraceFormat } from 'assize/agents';

const folder = new URL('../../../fixtures/traces/', import.meta.url);

export const fixtureText = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

/** The records of a recorded log. */
export const recordsOf = (file: string): unknown[] =>
  fixtureText(file)
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

/** The recorded logs of one agent, and the session of Claude Code. */
export const LOGS: readonly (readonly [file: string, format: TraceFormat])[] = [
  ['otlp-ai-sdk.jsonl', 'otlp'],
  ['otlp-openinference.jsonl', 'otlp'],
  ['otlp-otel-openai.jsonl', 'otlp'],
  ['otlp-traceloop.jsonl', 'otlp'],
  ['otlp-semconv-attributes.jsonl', 'otlp'],
  ['otlp-semconv-events.jsonl', 'otlp'],
  ['openai-chat.jsonl', 'openai-log'],
  ['openai-responses.jsonl', 'openai-log'],
  ['anthropic.jsonl', 'anthropic-log'],
  ['claude-code.jsonl', 'claude-code'],
];

export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
