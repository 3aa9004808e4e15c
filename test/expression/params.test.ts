import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { duration, expression, path, paths } from '../../src/expression/params.js';

const schema = z.strictObject({
  field: path('published_at'),
  items: paths(['a', 'b[].c']).optional(),
  must: path(),
  half_life: duration('14d'),
  when: expression({ want: 'bool' }).optional(),
});

describe('params', () => {
  it('returns readers, milliseconds and expressions', () => {
    const params = schema.parse({ must: 'x.y', items: 'tags', when: 'candidate.a > now' });
    expect(params.field({ published_at: 5 })).toBe(5);
    expect(params.must({ x: { y: 6 } })).toBe(6);
    expect(params.items?.map((read) => read.source)).toStrictEqual(['tags']);
    expect(params.half_life).toBe(14 * 86_400_000);
    expect(params.when?.bind({ now: () => 1 })({ a: 2 }, 0)).toBe(true);
  });

  it('creates a separate reader for each use', () => {
    expect(path('a').parse(undefined)).not.toBe(path('a').parse(undefined));
  });

  it('points at the invalid param, with the place in its text', () => {
    const { error } = schema.safeParse({ must: 'a..b', half_life: '2M', when: 'candidate.a + tru' });
    expect(error?.issues).toMatchObject([
      { path: ['must'], message: 'expected a field name, found "."', params: { offset: 2 } },
      { path: ['half_life'], message: expect.stringContaining('expected a duration') },
      { path: ['when'], params: { offset: 14, length: 3, hint: 'did you mean true?' } },
    ]);
  });

  it('exports the input types, with defaults', () => {
    expect(z.toJSONSchema(schema, { io: 'input', target: 'draft-7' })).toMatchInlineSnapshot(`
      {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "additionalProperties": false,
        "properties": {
          "field": {
            "default": "published_at",
            "description": "A path into the candidate: a.b, metadata["x:y"], steps[0].type, steps[].tool.name, title? if no candidate may have it.",
            "title": "path",
            "type": "string",
          },
          "half_life": {
            "default": "14d",
            "description": "A duration: 500ms, 5s, 30m, 24h, 7d, 2w, 1y, or milliseconds.",
            "title": "duration",
            "type": [
              "string",
              "number",
            ],
          },
          "items": {
            "anyOf": [
              {
                "type": "string",
              },
              {
                "items": {
                  "type": "string",
                },
                "minItems": 1,
                "type": "array",
              },
            ],
            "default": [
              "a",
              "b[].c",
            ],
            "description": "A path into the candidate, or a list of them: a.b, metadata["x:y"], steps[0].type, steps[].tool.name, title? if no candidate may have it.",
            "title": "path or paths",
          },
          "must": {
            "description": "A path into the candidate: a.b, metadata["x:y"], steps[0].type, steps[].tool.name, title? if no candidate may have it.",
            "title": "path",
            "type": "string",
          },
          "when": {
            "description": "A CEL expression over candidate, context, signals, now.",
            "title": "expression",
            "type": "string",
          },
        },
        "required": [
          "must",
        ],
        "type": "object",
      }
    `);
  });
});
