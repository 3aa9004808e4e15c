import type { Tool } from '../tool.js';
import { check } from './check.js';
import { compare } from './compare.js';
import { explain } from './explain.js';
import { list } from './list.js';
import { rank } from './rank.js';
import { schema } from './schema.js';

/** The tools, in the order in which an agent needs them. */
export const TOOLS: readonly Tool[] = [list, rank, explain, compare, check, schema];
