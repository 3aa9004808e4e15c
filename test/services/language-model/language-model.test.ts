import * as fc from 'fast-check';
import { zodResponseFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerSchema, languageModelParam } from '../../../src/services/language-model/language-model.js';
import { parseAnswerJson } from '../../../src/services/language-model/chat-completion.js';

describe('answerJson', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' [1]\n', [1]],
    ['Sure:\n```json\n{"a":1}\n```\nDone', { a: 1 }],
    ['```\n{"a":1}\n```', { a: 1 }],
    ['```json {"a":1}```', { a: 1 }],
    ['```\nnot this\n```\n```json\n{"a":1}\n```', { a: 1 }],
    ['```json\n{"a":1}', { a: 1 }],
  ])('reads %j', (text, value) => {
    expect(parseAnswerJson(text)).toEqual(value);
  });

  it.each(['Here: {"a":1}', '', '```json\n{"a":\n```', '```yaml\na: 1\n```', '{"a":1} {"a":2}'])(
    'rejects %j',
    (text) => {
      expect(() => parseAnswerJson(text)).toThrow(SyntaxError);
    },
  );

  it('reads any JSON, with or without a fence', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseAnswerJson(text)).toEqual(JSON.parse(text));
        if (!text.includes('```'))
          expect(parseAnswerJson(`Here:\n\`\`\`json\n${text}\n\`\`\``)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('answerSchema', () => {
  const answer = z.object({
    mood: z.object({ kind: z.enum(['up', 'down']), share: z.number().min(0).max(1).default(0.5) }).nullable(),
    words: z.array(z.string().min(1)).max(3).default([]),
  });

  it('requires every key, allows no other, and omits what strict endpoints reject', () => {
    const text = JSON.stringify(answerSchema(answer));
    expect(text).not.toMatch(/default|description|minimum|maximum|minLength|maxItems|\$schema/);
    expect(answerSchema(answer)).toMatchObject({
      type: 'object',
      required: ['mood', 'words'],
      additionalProperties: false,
      properties: {
        mood: {
          anyOf: [{ type: 'object', required: ['kind', 'share'], additionalProperties: false }, { type: 'null' }],
        },
      },
    });
  });

  it('is strict by the rules of the client library, too', () => {
    const strict = zodResponseFormat(z.fromJSONSchema(answerSchema(answer)) as z.ZodObject, 'answer').json_schema;
    expect(strict.strict).toBe(true);
    expect(strict.schema).toMatchObject(answerSchema(answer));
  });
});

describe('languageModelParam', () => {
  const param = z.strictObject({ model: languageModelParam() });

  it('is a name, or settings', () => {
    expect(param.parse({ model: 'gpt-4o-mini' })).toEqual({ model: { name: 'gpt-4o-mini' } });
    const model = {
      name: 'qwen3',
      base_url: 'http://localhost:11434/v1',
      api_key_env: 'MY_KEY',
      timeout: '5s',
      total_tokens: 1000,
      options: { temperature: 1 },
    };
    expect(param.parse({ model })).toEqual({
      model: {
        name: 'qwen3',
        baseUrl: 'http://localhost:11434/v1',
        apiKeyEnv: 'MY_KEY',
        timeout: 5000,
        totalTokens: 1000,
        options: { temperature: 1 },
      },
    });
  });

  it.each([
    [{ name: 'x', api_key: 'sk-1' }, 'api_key'],
    [{ name: 'x', api_key_env: 'sk-proj-123' }, 'expected the name of an environment variable, never the key itself'],
    [{ name: 'x', base_url: 'localhost:11434' }, 'expected a URL such as http://localhost:11434/v1'],
    [{ name: 'x', base_url: 'http://me:secret@host/v1' }, 'expected a URL without a password: see api_key_env'],
    [{ name: 'x', timeout: 0 }, 'expected more than 0'],
    [{ name: 'x', total_tokens: 0 }, 'total_tokens'],
    [{ name: 'x', options: { messages: [] } }, 'expected no messages, because it is the request itself'],
    [{ base_url: 'http://localhost/v1' }, 'name'],
    ['', 'model'],
    [undefined, 'model'],
  ])('rejects %j', (model, saying) => {
    const { error } = param.safeParse({ model });
    expect(JSON.stringify(error?.issues)).toContain(saying);
  });

  it('describes every key to an editor', () => {
    const { properties } = z.toJSONSchema(param, { io: 'input' });
    expect(JSON.stringify(properties)).toContain('base_url');
    const undescribed = JSON.stringify(properties).match(
      /"(name|base_url|api_key_env|timeout)":\{(?![^{}]*description)/,
    );
    expect(undescribed).toBeNull();
  });
});
