import type { PlaygroundState } from '../share/fragment.js';
import readme from './README.md?raw';

/** A section of README.md for each example, which begins with its name. */
const sections = readme.split(/^## /m);

/** The examples, in the order of the menu. Each is a folder. */
export const examples: readonly { readonly name: string; readonly title: string }[] = [
  { name: 'films', title: 'Films' },
  { name: 'traces', title: 'Traces of agents' },
  { name: 'tools', title: 'Tools for an agent' },
  { name: 'context', title: 'Context of a language model' },
  { name: 'products', title: 'Products' },
  { name: 'hybrid-search', title: 'Hybrid search' },
  { name: 'kubernetes-nodes', title: 'Kubernetes nodes' },
  { name: 'incident-triage', title: 'Incident triage' },
  { name: 'job-applicants', title: 'Job applicants' },
  { name: 'pull-requests', title: 'Pull requests' },
];

/** The texts of the examples. Each is loaded when it is opened. */
const files = import.meta.glob<string>('./*/*.{yaml,json}', { query: '?raw', import: 'default' });

export interface Example {
  readonly state: PlaygroundState;
  /** What it shows, and where its data come from. */
  readonly about: string;
}

/** Loads an example. */
export async function openExample(name: string): Promise<Example> {
  const text = (file: string): Promise<string> => files[`./${name}/${file}`]!();
  const [profile, candidates, context] = await Promise.all(
    ['profile.yaml', 'candidates.json', 'context.json'].map(text),
  );
  const { now = '', ...others } = JSON.parse(context ?? '{}') as { now?: string };
  return {
    state: {
      profile: profile ?? '',
      candidates: candidates ?? '',
      format: 'json',
      context: Object.keys(others).length === 0 ? '' : JSON.stringify(others, undefined, 2),
      now,
    },
    about: (sections.find((section) => section.startsWith(`${name}\n`)) ?? '')
      .slice(name.length)
      .trim()
      .replaceAll('`', '')
      .replaceAll(/(\S)\n(?=\S)/g, '$1 ')
      .replaceAll(/\n+/g, '\n')
      .trim(),
  };
}
