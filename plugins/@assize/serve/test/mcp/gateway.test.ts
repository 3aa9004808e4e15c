import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { assize } from '../../../../../test/cli/run-here.js';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';
import { type CatalogueTool, catalogueOf, readCatalogue } from '../../src/mcp/catalogue.js';
import { Gateway } from '../../src/mcp/gateway.js';
import { serveMcpHttp } from '../../src/mcp/http.js';
import { DEFAULT_LIMITS } from '../../src/mcp/limits.js';

const MAIN = join(packageRoot(), 'dist', 'bundle', 'cli.js');
const folder = temporaryFolder();
const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const input = (...keys: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
});
/** Answers of tools/list, by server. */
const servers = {
  github: {
    tools: [
      { name: 'create_issue', description: 'Creates an issue in a repository', inputSchema: input('title', 'body') },
      { name: 'list_commits', description: 'Lists the commits of a branch', inputSchema: input('branch') },
    ],
  },
  shop: {
    tools: [
      { name: 'refund', title: 'Refund', description: 'Returns the money of an order', inputSchema: input('order') },
      { name: 'ship', description: 'Ships an order to a customer', inputSchema: input('order') },
    ],
  },
};
const WORDS = write('words.yaml', "extends: [tool-choice]\nmeasures: [{ id: meaning, when: 'false' }]\n");
const LETTERS = write(
  'letters.yaml',
  'extends: [tool-choice]\nmeasures: [{ id: meaning, params: { embedder: lexical } }]\n',
);

interface Answer {
  readonly fits: boolean;
  readonly notes: readonly string[];
  readonly more: number;
  readonly tools: readonly (Omit<CatalogueTool, 'inputSchema'> & {
    readonly score?: number;
    readonly reasons: Readonly<Record<string, string>>;
    readonly in_use: boolean;
    readonly input_schema?: object;
  })[];
}

/** A client of the gateway over HTTP. It checks each answer against the output schema. */
async function overHttp(catalogue: unknown, options: { profile?: string; top?: number; context?: object } = {}) {
  const { tools } = catalogueOf(catalogue, 'tools.json');
  const { profile = WORDS, top = 3, context = {} } = options;
  const gateway = await Gateway.open(tools, { profile, top, context: { ...context } });
  const server = await serveMcpHttp(
    { offer: gateway.offer, limits: DEFAULT_LIMITS, version: '1', report: () => {} },
    { host: '127.0.0.1', port: 0, token: undefined, allowedHosts: [] },
  );
  onTestFinished(() => server.close());
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  onTestFinished(() => client.close());
  await client.listTools();
  return client;
}

async function find(client: Client, query: Record<string, unknown>) {
  const {
    content,
    structuredContent,
    isError = false,
  } = await client.callTool({ name: 'find_tools', arguments: query });
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { text, data: structuredContent as Answer, isError };
}

const idsOf = ({ data }: { readonly data: Answer }) => data.tools.map(({ id }) => id);

describe('find_tools', () => {
  test('is the only tool, and is read-only', async () => {
    const { tools } = await (await overHttp(servers)).listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([['find_tools', true]]);
    expect(tools[0]?.description).toContain('among 4');
    expect(tools[0]?.inputSchema.required).toEqual(['query']);
  });

  test('lists the tools that fit, with scores, reasons and schemas', async () => {
    const { data, text } = await find(await overHttp(servers), { query: 'create an issue on github', top: 2 });
    expect(data).toMatchObject({ fits: true, notes: [], more: 2 });
    expect(data.tools[0]).toMatchObject({
      id: 'github:create_issue',
      server: 'github',
      name: 'create_issue',
      description: 'Creates an issue in a repository',
      reasons: { words: expect.stringContaining('of the query’s') },
      in_use: false,
      input_schema: input('title', 'body'),
    });
    expect(data.tools[0]?.score).toBeGreaterThan(data.tools[1]?.score ?? 1);
    expect(text.split('\n').slice(0, 2)).toEqual([
      '2 of 4 tools for "create an issue on github"',
      expect.stringMatching(/^1\. github:create_issue 0\.\d+ \(words 0\.\d+: /),
    ]);
    expect(text).toContain(`   input: ${JSON.stringify(input('title', 'body'))}`);
  });

  test('if no tool fits, lists the nearest and says so', async () => {
    const { data, text } = await find(await overHttp(servers), { query: 'weather forecast' });
    expect(data).toMatchObject({
      fits: false,
      notes: ['no tool has a word of the query; the nearest 3 of 4 are listed'],
      more: 1,
    });
    expect(data.tools).toHaveLength(3);
    expect(text.split('\n')[0]).toBe('not a fit: 3 of 4 tools for "weather forecast"');
  });

  test('lists all of a small catalogue, whether they fit or not', async () => {
    const client = await overHttp(servers, { top: 10 });
    expect((await find(client, { query: 'ship' })).data).toMatchObject({ fits: true, more: 0 });
    const { data } = await find(client, { query: 'weather forecast' });
    expect(data).toMatchObject({
      fits: false,
      more: 0,
      notes: ['no tool has a word of the query; all 4 tools are listed'],
    });
    expect(data.tools).toHaveLength(4);
  });

  test('takes the floor of the context, on the best cosine', async () => {
    const query = { query: 'refund the money of an order' };
    const low = await find(await overHttp(servers, { profile: LETTERS, context: { floor: 0.1 } }), query);
    expect(low.data).toMatchObject({ fits: true, notes: [] });
    expect(idsOf(low)[0]).toBe('shop:refund');
    expect(low.data.tools[0]?.reasons['meaning']).toMatch(/^0\.\d+: its meaning is /);
    const high = await find(await overHttp(servers, { profile: LETTERS, context: { floor: 0.99 } }), query);
    expect(high.data).toMatchObject({
      fits: false,
      notes: ['no tool fits the query; the nearest 3 of 4 are listed'],
    });
    expect(idsOf(high)).toEqual(idsOf(low));
  });

  test('lists tools in use without their schemas, and ignores unknown ones', async () => {
    const { data, text } = await find(await overHttp(servers), {
      query: 'ship an order',
      in_use: ['shop:ship', 'elsewhere'],
    });
    expect(data.tools[0]).toMatchObject({ id: 'shop:ship', in_use: true });
    expect(data.tools[0]).not.toHaveProperty('input_schema');
    expect(data.tools[1]).toHaveProperty('input_schema');
    expect(text).toContain('   in use');
  });

  test('prefers neighbours of the tools in use, with a graph', async () => {
    const graph = { edges: [{ from: 'shop:ship', to: 'github:list_commits' }] };
    const { data } = await find(await overHttp(servers, { context: { graph } }), {
      query: 'order',
      in_use: ['shop:ship'],
    });
    expect(data.tools.map(({ id }) => id)).toContain('github:list_commits');
  });

  test('lists tools that the profile refuses without a score, if nothing else is left', async () => {
    const strict = write('strict.yaml', `extends: [./words.yaml]\ntier1_scorers: [{ id: none, expr: 'true' }]\n`);
    const { data } = await find(await overHttp(servers, { profile: strict }), { query: 'ship' });
    expect(data).toMatchObject({ fits: false, notes: ['true; the nearest 3 of 4 are listed'] });
    expect(data.tools.map(({ id, score }) => [id, score])).toEqual([
      ['github:create_issue', undefined],
      ['github:list_commits', undefined],
      ['shop:refund', undefined],
    ]);
  });

  test.each([
    [{}, 'query'],
    [{ query: '  ' }, 'query'],
    [{ query: 3 }, 'query'],
    [{ query: 'x'.repeat(10_001) }, 'query'],
    [{ query: 'ship', top: 0 }, 'top'],
    [{ query: 'ship', top: 1000 }, 'top'],
    [{ query: 'ship', in_use: 'shop:ship' }, 'in_use'],
    [{ query: 'ship', limit: 3 }, 'limit'],
  ])('answers wrong input with the problem: %j', async (wrong, key) => {
    const { isError, text } = await find(await overHttp(servers), wrong);
    expect([isError, text]).toEqual([true, expect.stringContaining(key)]);
  });
});

describe('a catalogue', () => {
  const tool = (name: string) => ({ name, description: 'Does something', inputSchema: { type: 'object' } });
  const idsIn = (data: unknown) => catalogueOf(data, 'tools.json').tools.map(({ id }) => id);

  test('may be an answer of tools/list, a list, a map of servers, or a list of servers', () => {
    expect(idsIn({ tools: [tool('a'), tool('b')] })).toEqual(['a', 'b']);
    expect(idsIn([tool('a'), { ...tool('a'), server: 's' }])).toEqual(['a', 's:a']);
    expect(idsIn({ one: { tools: [tool('a')] }, two: [tool('a')] })).toEqual(['one:a', 'two:a']);
    const listed = [
      { name: 'One', tools: { 'one-mcp': { server_name: 'one', tools: [tool('a')] } } },
      { name: 'Two', tools: [tool('a')] },
    ];
    expect(idsIn(listed)).toEqual(['one:a', 'Two:a']);
  });

  test('reports every wrong tool, with its place', () => {
    const data = { s: { tools: [tool('a'), {}, { name: 3 }, 'b', tool('a'), { name: 'c', inputSchema: [] }] }, t: 4 };
    expect(() => catalogueOf(data, 'tools.json')).toThrow(
      expect.objectContaining({
        problems: [
          { code: 'ASZ597', message: 'tools.json: s.tools[1]: the name of a tool is missing' },
          {
            code: 'ASZ597',
            message: 'tools.json: s.tools[2]: the name of a tool is the number 3; expected a text that is not empty',
          },
          { code: 'ASZ597', message: 'tools.json: s.tools[3]: a tool is the string "b"; expected a map' },
          expect.objectContaining({
            message: 'tools.json: s.tools[4]: there is already a tool s:a, at s.tools[0]',
            hint: expect.stringContaining('by server'),
          }),
          { code: 'ASZ597', message: 'tools.json: s.tools[5]: the inputSchema of a tool is a list; expected a map' },
          expect.objectContaining({ message: 'tools.json: t: found the number 4' }),
        ],
      }),
    );
  });

  test.each([[[]], [{}], [{ tools: [] }], [{ s: { tools: [] } }]])('has at least one tool: %j', (data) => {
    expect(() => catalogueOf(data, 'tools.json')).toThrow('tools.json has no tools');
  });

  test('lists the first of many problems', () => {
    const many = Array.from({ length: 1000 }, () => ({}));
    expect(() => catalogueOf(many, 'tools.json')).toThrow('and 980 more');
  });

  test('warns about tools without a description, and about one page of several', () => {
    const undescribed = Array.from({ length: 7 }, (_, k) => ({
      name: `t${k}`,
      description: k === 0 ? ' ' : undefined,
    }));
    expect(catalogueOf({ tools: undescribed, nextCursor: 'x' }, 'tools.json').warnings).toEqual([
      'the list has a nextCursor: it is one page of the tools, not all',
      'without a description, a tool is found by its name only: t0, t1, t2, t3, t4 and 2 more',
    ]);
    expect(catalogueOf([{ name: 'a', description: null, inputSchema: null }], 'tools.json').warnings).toEqual([
      'without a description, a tool is found by its name only: a',
    ]);
  });

  test('of 10 MB is read; one of more than 64 MiB is not', async () => {
    const many = Array.from({ length: 10_000 }, (_, k) => ({ ...tool(`t${k}`), description: 'x'.repeat(1000) }));
    expect((await readCatalogue(write('ten.json', JSON.stringify(many)))).tools).toHaveLength(10_000);
    const huge = write('huge.json', JSON.stringify([{ name: 'a', description: 'x'.repeat(65 * 2 ** 20) }]));
    await expect(readCatalogue(huge)).rejects.toThrow('66 MiB; a catalogue has at most 64 MiB');
  });

  test('names what is wrong with a file', async () => {
    await expect(readCatalogue(join(folder, 'none.json'))).rejects.toThrow('no such file');
    await expect(readCatalogue(write('broken.json', '{"tools": ['))).rejects.toThrow('broken.json:1:12 error ASZ597');
    await expect(readCatalogue(write('empty.json', ''))).rejects.toThrow('empty.json:1:1 error ASZ597');
  });

  test('refuses a key that occurs twice, which would drop the tools of the first', async () => {
    const twice = write('twice.json', '{"shop": [{"name": "a"}],\n "shop": [{"name": "b"}]}');
    await expect(readCatalogue(twice)).rejects.toThrow('twice.json:2:2 error ASZ597 the key shop occurs twice');
  });

  test('reads the tools of requests to providers, with their schemas', () => {
    const schemasIn = (data: unknown) =>
      catalogueOf(data, 'tools.json').tools.map(({ id, inputSchema }) => [id, inputSchema]);
    const schema = input('city');
    expect(schemasIn([{ name: 'weather', input_schema: schema }])).toEqual([['weather', schema]]);
    expect(schemasIn([{ type: 'function', name: 'weather', parameters: schema }])).toEqual([['weather', schema]]);
    const wrapped = { type: 'function', function: { name: 'weather', parameters: schema } };
    expect(schemasIn({ tools: [wrapped] })).toEqual([['weather', schema]]);
    expect(() => catalogueOf([{ name: 'a', parameters: 5 }], 'tools.json')).toThrow(
      'tools.json: [0]: the parameters of a tool is the number 5; expected a map',
    );
  });

  test('reads a response of JSON-RPC, and says that the configuration of a client has no tools', () => {
    const response = { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'a' }] } };
    expect(catalogueOf(response, 'tools.json').tools).toMatchObject([{ id: 'a' }]);
    const config = { mcpServers: { github: { command: 'npx', args: ['-y', 'server'] } } };
    expect(() => catalogueOf(config, 'mcp.json')).toThrow('mcp.json: it is the configuration of a client');
  });
});

describe.skipIf(!existsSync(MAIN))('the built command', () => {
  test('serves a client over standard input and output', async () => {
    const file = write('tools.json', JSON.stringify({ ...servers, bare: [{ name: 'x' }] }));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', '--gateway', file, '--profile', WORDS, '--top', '2'],
      stderr: 'pipe',
    });
    let said = '';
    transport.stderr?.on('data', (chunk: Buffer) => (said += String(chunk)));
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    await client.listTools();
    expect(client.getInstructions()).toContain('find_tools');
    const found = await find(client, { query: 'create an issue' });
    expect([found.data.fits, idsOf(found)[0], idsOf(found).length]).toEqual([true, 'github:create_issue', 2]);
    expect((await find(client, { query: 'weather' })).data.fits).toBe(false);
    expect(said).toContain('without a description, a tool is found by its name only: bare:x');
  });
});

test('reports mistakes in the command line', async () => {
  const run = async (...args: readonly string[]) => {
    const { code, err } = await assize(['mcp', ...args]);
    return [code, err.split('\n')[0]];
  };
  const file = write('some.json', JSON.stringify(servers));
  expect(await run('--gateway', file, '--profiles', folder)).toEqual([
    2,
    'error ASZ601 --profiles and --gateway exclude each other',
  ]);
  expect(await run('--profiles', folder, '--top', '3')).toEqual([2, 'error ASZ601 --top needs --gateway']);
  expect(await run('--gateway', file, '--max-candidates', '3')).toEqual([
    2,
    expect.stringContaining('--max-candidates'),
  ]);
  expect(await run('--gateway', file, '--top', '0')).toEqual([2, expect.stringContaining('--top')]);
  expect(await run('--gateway', file, '--floor', 'high')).toEqual([2, expect.stringContaining('--floor')]);
  expect(await run('--gateway', join(folder, 'no.json'))).toEqual([1, expect.stringContaining('no such file')]);
  expect(await run('--gateway', file, '--profile', 'tool-choise')).toEqual([1, expect.stringContaining('tool-choise')]);
  expect(await run('--gateway', write('void.json', '{}'))).toEqual([
    1,
    expect.stringContaining('void.json has no tools'),
  ]);
});
