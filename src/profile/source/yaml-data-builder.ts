import { type Alias, isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml';
import {
  type ItemMarks,
  type Mark,
  nameList,
  type Problem,
  recordPlaces,
  type SourceFile,
} from '../../diagnostics/index.js';
import { setOwn } from '../../expression/index.js';
import { MAX_DEPTH } from '../../input/parsed-document.js';

/** How many values the aliases of one file may stand for in all, so that ten lines can't become a billion. */
const MAX_ALIASED = 10_000;

/** What an alias may refer to: a value, and how many values and levels it has when written out. */
interface Anchor {
  readonly value: unknown;
  readonly size: number;
  readonly height: number;
}

/** Builds plain data of one document's nodes, and records where each part of it was written. */
export class YamlDataBuilder {
  readonly problems: Problem[] = [];
  readonly #anchors = new Map<string, Anchor | 'open'>();
  /** How many values there are so far, with those of aliases written out, and how many of these are aliased. */
  #size = 0;
  #aliased = 0;
  /** The deepest level reached since an anchor was opened. */
  #deepest = 0;

  constructor(private readonly source: SourceFile) {}

  build(node: ParsedNode): unknown {
    return this.#value(node, 0);
  }

  #value(node: ParsedNode | null, depth: number): unknown {
    this.#size += 1;
    if (node === null) return null;
    if (isAlias(node)) return this.#alias(node, depth);
    if (!('anchor' in node) || node.anchor === undefined) return this.#plain(node, depth);
    const [outer, size] = [this.#deepest, this.#size];
    this.#deepest = depth;
    this.#anchors.set(node.anchor, 'open');
    const value = this.#plain(node, depth);
    this.#anchors.set(node.anchor, { value, size: this.#size - size + 1, height: this.#deepest - depth });
    this.#deepest = Math.max(outer, this.#deepest);
    return value;
  }

  #plain(node: ParsedNode, depth: number): unknown {
    this.#deepest = Math.max(this.#deepest, depth);
    if (isMap(node)) return this.#map(node, depth);
    if (isSeq(node)) return this.#list(node, depth);
    return isScalar(node) ? node.value : null;
  }

  #map(node: YAMLMap.Parsed, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const items = new Map<string, ItemMarks>();
    for (const { key, value } of node.items) {
      // Any other kind of key is an error that the parser has reported.
      if (!isScalar(key) || typeof key.value !== 'string') continue;
      const name = key.value;
      const at = this.#mark(key);
      const first = items.get(name);
      if (first) this.#reportDuplicateKey(name, at, first.key);
      else if (name === '<<' && key.type === 'PLAIN') this.#reportMergeKey(at);
      if (key.anchor) this.#anchors.set(key.anchor, { value: name, size: 1, height: 0 });
      setOwn(map, name, this.#value(value, depth + 1));
      items.set(name, { key: at, value: value ? this.#mark(value) : at });
    }
    recordPlaces(map, { self: this.#mark(node), items });
    return map;
  }

  #list(node: YAMLSeq.Parsed, depth: number): unknown[] {
    const items = new Map<string, ItemMarks>();
    const list = node.items.map((item, index) => {
      const at = this.#mark(item);
      items.set(String(index), { key: at, value: at });
      return this.#value(item, depth + 1);
    });
    recordPlaces(list, { self: this.#mark(node), items });
    return list;
  }

  /** An aliased map or list is shared, so the data stays small; its size when written out is limited. */
  #alias(node: Alias.Parsed, depth: number): unknown {
    const anchor = this.#anchors.get(node.source);
    const name = `*${node.source}`;
    if (anchor === undefined) {
      return this.#refuse(node, `the alias ${name} refers to nothing`, this.#unknownAnchorHint(node.source));
    }
    if (anchor === 'open') return this.#refuse(node, `the alias ${name} stands inside what it refers to`);
    if (depth + anchor.height > MAX_DEPTH) {
      return this.#refuse(node, `with the alias ${name} the data is nested more than ${MAX_DEPTH} deep`);
    }
    this.#deepest = Math.max(this.#deepest, depth + anchor.height);
    this.#size += anchor.size - 1;
    this.#aliased += anchor.size;
    // Reported once: every alias after this one is too much as well.
    if (this.#aliased > MAX_ALIASED && this.#aliased - anchor.size <= MAX_ALIASED) {
      this.#refuse(node, `with the alias ${name} the aliases stand for more than ${MAX_ALIASED} values`);
    }
    return this.#aliased > MAX_ALIASED ? null : anchor.value;
  }

  #unknownAnchorHint(name: string): string {
    const later = `&${name} must stand before it`;
    const known = [...this.#anchors.keys()].map((anchor) => `*${anchor}`);
    return `${later}; ${known.length > 0 ? `there are ${nameList(known)}` : 'a text that starts with * goes in quotes'}`;
  }

  #reportDuplicateKey(name: string, second: Mark, first: Mark): void {
    const { file, line, column } = this.source.placeAt(first.offset);
    this.#add(second, `the key ${name} is written twice in one map`, `it is first at ${file}:${line}:${column}`);
  }

  #reportMergeKey(at: Mark): void {
    this.#add(
      at,
      'merge keys (<<) are not supported',
      'write the keys out, or let the profile extend another: extends',
    );
  }

  #refuse(node: ParsedNode, message: string, hint?: string): null {
    this.#add(this.#mark(node), message, hint);
    return null;
  }

  #add(at: Mark, message: string, hint?: string): void {
    this.problems.push({ code: 'ASZ102', message, place: this.source.placeAt(at.offset), hint });
  }

  #mark(node: ParsedNode): Mark {
    return { source: this.source, offset: node.range[0] };
  }
}
