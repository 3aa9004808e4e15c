import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';

/** A tool of LiveMCPBench. */
export interface Tool {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly description: string;
}

/** A task, and the tools that annotators named for it. */
export interface Query {
  readonly id: string;
  readonly text: string;
  readonly relevant: ReadonlySet<string>;
}

/** The tools that an agent called for a task, in order. */
export interface Sequence {
  readonly task: string;
  readonly tools: readonly string[];
}

async function rows<T>(name: string): Promise<T[]> {
  const text = await readFile(join(packageRoot(), 'test/fixtures/livemcpbench', name), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}

export const readTools = (): Promise<readonly Tool[]> => rows<Tool>('tools.jsonl');

/** The queries that have a label. */
export async function readQueries(): Promise<readonly Query[]> {
  const all = await rows<Omit<Query, 'relevant'> & { readonly relevant: readonly string[] }>('queries.jsonl');
  return all.flatMap(({ id, text, relevant }) =>
    relevant.length === 0 ? [] : [{ id, text, relevant: new Set(relevant) }],
  );
}

export const readSequences = (): Promise<readonly Sequence[]> => rows<Sequence>('sequences.jsonl');

/** How often each tool was called after another one, over all sequences except those of one task. */
export function graphWithout(task: string, sequences: readonly Sequence[]): object {
  const edges = sequences
    .filter((sequence) => sequence.task !== task)
    .flatMap(({ tools }) => tools.slice(1).map((to, i) => ({ from: tools[i] ?? to, to, count: 1 })));
  return { edges: edges.filter(({ from, to }) => from !== to) };
}
