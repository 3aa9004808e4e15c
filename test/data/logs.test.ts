import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AssizeError, rankFile } from 'assize';
import { readTraces } from 'assize/agents';
import { detectFileFormat, type InputFormat, parseCandidates, readCandidates } from '../../src/data/node.js';
import { formatByStart, isEnoughForFormat } from '../../src/data/codecs.js';
import type { Problem } from '../../src/base/index.js';
import { assize, inFolder } from '../cli/run-here.js';
import { Random } from '../fuzz/random.js';
import { temporaryFolder } from '../temporary-folder.js';

const fixture = (file: string): string => readFileSync(new URL(`../fixtures/traces/${file}`, import.meta.url), 'utf8');

const otlp = fixture('otlp-ai-sdk.jsonl');
const session = fixture('claude-code.jsonl');
const chat = fixture('openai-chat.jsonl');

const PROFILE = 'tier2_scorers: [{ id: calls, expr: candidate.calls / 10.0 }]';

inFolder({
  'calls.yaml': PROFILE,
  'top.yaml': `${PROFILE}\nselect: { top: 1 }`,
  'spans.json': otlp,
  'pretty.json': JSON.stringify(JSON.parse(otlp), null, 2),
  'list.json': JSON.stringify([JSON.parse(otlp)]),
  'spans.jsonl': otlp + otlp.replaceAll(/"traceId":"."/g, '"traceId":"'),
  'session.jsonl': session,
  'chat.jsonl': chat,
  'chat.json': `[${chat.trim().split('\n').join()}]`,
  'broken.jsonl': session.replace('"type":"summary"', '"type":'),
  'rows.jsonl': '{"id":"a","calls":3,"sessionId":"s"}\n',
});

/** Reads a text as `scoreStream` and `rank` do. */
async function read(text: string, format: InputFormat) {
  const warnings: Problem[] = [];
  const rows: object[] = [];
  const chunks = parseCandidates(text, 'log', format, { warn: (warning) => void warnings.push(warning) });
  for await (const chunk of chunks) rows.push(...chunk);
  return { rows, warnings };
}

describe('a log is detected', () => {
  test.each([
    ['spans.json', 'otlp'],
    ['pretty.json', 'otlp'],
    ['list.json', 'otlp'],
    ['spans.jsonl', 'otlp'],
    ['session.jsonl', 'claude-code'],
    ['chat.jsonl', 'jsonl'],
    ['chat.json', 'json'],
    ['rows.jsonl', 'jsonl'],
  ] as const)('%s: %s', async (file, format) => {
    expect(await detectFileFormat(file)).toBe(format);
  });

  test('by the first bytes of standard input', async () => {
    for (const text of [otlp, JSON.stringify(JSON.parse(otlp), null, 2)]) {
      let end = 1;
      while (!isEnoughForFormat(text.slice(0, end))) end += 1;
      expect(formatByStart(text.slice(0, end))).toBe('otlp');
    }
    const { out } = await assize(['score', '-p', './calls.yaml', '-'], {
      stdin: [otlp.slice(0, 300), otlp.slice(300)],
    });
    expect(out).toContain('0.300');
  });

  test('by the first keys of a long line of Claude Code', () => {
    const starts = [
      '{"parentUuid":null,"isSidechain":false,"userType":"external","message":{"role":"user","content":"',
      '{"type":"file-history-snapshot","messageId":"m","snapshot":{"text":"',
    ];
    for (const start of starts) {
      expect(formatByStart(start + 'x'.repeat(100_000))).toBe('claude-code');
      expect(formatByStart(`[\n  ${start}`)).toBe('claude-code');
    }
    expect(formatByStart('{"parentUuid":null,"value":1}')).toBe('jsonl');
    expect(formatByStart('{"type":"file-history-snapshot","name":1}')).toBe('jsonl');
  });

  test('only where it is certain: these keys may be in a text, or in an inner object', () => {
    const keys = '{"parentUuid":null,"sessionId":"s","uuid":"u"}';
    expect(formatByStart(keys)).toBe('claude-code');
    expect(formatByStart(JSON.stringify({ text: keys }))).toBe('jsonl');
    expect(formatByStart(JSON.stringify({ inner: JSON.parse(keys) }))).toBe('jsonl');
    expect(formatByStart('{"resourceSpans":"none"}')).toBe('jsonl');
  });
});

test.each([
  [['score', '-p', './calls.yaml', 'spans.json'], 0.3],
  [['score', '-p', './calls.yaml', 'pretty.json'], 0.3],
  [['score', '-p', './calls.yaml', 'list.json'], 0.3],
  [['score', '-p', './calls.yaml', 'session.jsonl'], 0.6],
  [['rank', '-p', './top.yaml', 'session.jsonl'], 0.6],
  [['rank', '-p', './top.yaml', 'session.jsonl', '-w', '2'], 0.6],
  [['score', '-p', './calls.yaml', 'session.jsonl', '-f', 'jsonl', '-w', '2'], 0.6],
  [['score', '-p', './calls.yaml', 'chat.jsonl', '--input', 'openai-log'], 0.3],
  [['score', '-p', './calls.yaml', 'chat.json', '--input', 'openai-log'], 0.3],
])('%s', async (args, score) => {
  const { code, out } = await assize(args);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(String(score)) });
});

test('names what is in no trace on standard error', async () => {
  const { err } = await assize(['rank', '-p', './calls.yaml', 'session.jsonl']);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(
    'session.jsonl: 6 of 33 records are in no trace: line file-history-snapshot (1), attachment todo_reminder (1), system turn_duration (1), summary after a compaction (1), line queue-operation (1), summary of another session (1) (ASZ744)',
  );
  expect(err.replaceAll(/\s+/g, ' ')).toContain('the traces lack 1 part of their records: content block image (1)');
  const failed = await assize(['rank', '-p', './calls.yaml', 'chat.jsonl', '--input', 'openai-log']);
  expect(failed.err.replaceAll(/\s+/g, ' ')).toContain('1 trace without steps is not a candidate: kp:trace:4');
});

test('a file in the wrong format has no candidates, and says why', async () => {
  const { err } = await assize(['score', '-p', './calls.yaml', 'chat.jsonl', '--input', 'otlp']);
  expect(err).toContain('4 of 4 records are in no trace: document without resourceSpans (4)');
  expect(err).toContain('ASZ717 there are no candidates in chat.jsonl');
});

test('rankFile has the warnings in its result', async () => {
  const { selected, warnings } = await rankFile('./top.yaml', 'session.jsonl');
  expect(selected[0]?.id).toBe('kp:trace:3f1c2a54-0d7e-4c7b-9a51-2f6f0c9e1b10');
  expect(warnings.filter(({ code }) => code === 'ASZ744')).toHaveLength(2);
});

test('a line that is not JSON is an error with its place', async () => {
  const { code, err } = await assize(['score', '-p', './calls.yaml', 'broken.jsonl', '--input', 'claude-code']);
  expect(code).not.toBe(0);
  expect(err).toMatch(/broken\.jsonl:1:\d+ error ASZ103/);
  const pretty = JSON.stringify(JSON.parse(otlp), null, 2).replace('"scopeSpans"', 'scopeSpans');
  const error: unknown = await read(pretty, 'otlp').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(AssizeError);
  expect((error as AssizeError).problems[0]).toMatchObject({
    code: 'ASZ103',
    place: { line: pretty.slice(0, pretty.indexOf('scopeSpans')).split('\n').length },
  });
});

test('JSON may continue on the next lines, and the first lines of JSON Lines may be damaged', async () => {
  const cut = otlp.replace('"scopeSpans":', '\n"scopeSpans":\n');
  expect((await read(cut, 'otlp')).rows).toEqual((await read(otlp, 'otlp')).rows);
  const error: unknown = await read(`{"resourceSpans":\n${otlp}`, 'otlp').catch((caught: unknown) => caught);
  expect((error as AssizeError).problems.map(({ place }) => place?.line)).toEqual([1]);
});

test('a line of 10 MB is read, and an input without a line has no traces', async () => {
  const lines = session.trim().split('\n');
  const long = lines[11]!.replace('Find rounding', 'x'.repeat(10_000_000));
  const { rows } = await read([...lines.slice(0, 11), long, ...lines.slice(12)].join('\n'), 'claude-code');
  expect(rows).toHaveLength(2);
  expect((await read('', 'claude-code')).rows).toEqual([]);
  expect((await read('[]', 'otlp')).rows).toEqual([]);
});

test('files and functions read the same traces', async () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'log.jsonl');
  writeFileSync(file, session);
  const records = session
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(await readCandidates(file, {})).toEqual(readTraces(records).traces);
});

const TEXTS = process.env['FUZZ'] === '1' ? 3000 : 200;

test('texts with damaged bytes are traces, or errors with places', async () => {
  const logs: readonly (readonly [string, InputFormat])[] = [
    [otlp, 'otlp'],
    [session, 'claude-code'],
    [chat, 'openai-log'],
  ];
  for (let seed = 1; seed <= TEXTS; seed += 1) {
    const random = new Random(seed);
    const [log, format] = random.pick(logs);
    const at = random.below(log.length);
    const kept = random.chance(0.5) ? log.slice(at + random.below(20)) : '';
    const text = `${log.slice(0, at)}${random.pick(['', '"', '}', '\n', '\0', '[', '\ud800'])}${kept}`;
    // oxlint-disable-next-line no-await-in-loop -- a seed at a time
    const found = await read(text, format).catch((error: unknown) => error);
    if (found instanceof Error) {
      expect(found).toBeInstanceOf(AssizeError);
      for (const { code, place } of (found as AssizeError).problems) {
        expect({ seed, code, place: place?.file }).toEqual({ seed, code: 'ASZ103', place: 'log' });
      }
    } else expect(found).toHaveProperty('rows');
  }
});
