import type { PageSpec, SiteSection } from './build/page.js';

/** A page: its path below the folder of its section, its name in the navigation, and what it shows. */
const page = (route: string, title: string, ...parts: readonly string[]): PageSpec => ({ route, title, parts });

/** A page of a guide or a concept, by its file. */
const howto = (name: string, title: string): PageSpec => page(name, title, `config/howto/${name}.md`);
const concept = (name: string, title: string): PageSpec => page(name, title, `config/concepts/${name}.md`);
const preset = (name: string): string => `config/presets/${name}.yaml`;

/**
 * The table of the site. A page of `config` or of a package that is not in it is appended to a section of its own by
 * `build/unlisted.ts`. Name whole files where you can: sections of READMEs move often.
 */
const guide: SiteSection = {
  title: 'Guide',
  folder: 'guide',
  groups: [
    {
      title: 'Start',
      pages: [
        page('install', 'Install', 'README.md#Install', 'README.md#Packages'),
        howto('first-profile', 'Write your first profile'),
        howto('rank-a-csv', 'Rank a CSV file'),
        page('presets', 'Choose a preset', 'README.md#Presets'),
        page('create', 'Create a project', 'plugins/create-assize/README.md'),
        page('editor', 'Profiles in your editor', 'plugins/@assize/lsp/README.md'),
        page('index', 'All guides', 'config/howto/README.md'),
      ],
    },
    {
      title: 'By task',
      pages: [
        howto('llm-context', 'Context of a language model'),
        howto('pack-a-conversation', 'Fit a conversation'),
        howto('tools-for-an-agent', 'Tools for an agent'),
        page('tool-choice', 'Choose tools, or none', 'plugins/agentcards/tool-choice.md'),
        howto('judge-traces', 'Judge traces of agents'),
        howto('product-search', 'Search products'),
        howto('hybrid-search', 'Combine several searches'),
        page('rerankers', 'Rerank with a model', 'plugins/rerank/README.md'),
        page('next-step', 'Choose the next step', 'plugins/interview/other-processes.md'),
        howto('inference-routing', 'Route inference requests'),
        howto('kubernetes-nodes', 'Kubernetes nodes'),
        howto('migrate', 'Migrate from another engine'),
      ],
    },
    {
      title: 'Your own scorers',
      pages: [
        howto('first-plugin', 'Write a scorer'),
        howto('async-scorer', 'Write an async scorer'),
        page('sdk', 'Classes, services, plugins', 'src/sdk/README.md'),
        page('test-a-scorer', 'Test scorers and profiles', 'src/testing/README.md'),
      ],
    },
    {
      title: 'Serve',
      pages: [
        howto('serve', 'Serve profiles over HTTP'),
        howto('http-service', 'Rank in your own service'),
        page('mcp', 'Serve agents over MCP', 'plugins/@assize/serve/src/mcp/README.md'),
        page('frameworks', 'AI SDK, LangChain, LlamaIndex', 'src/adapters/README.md'),
        page('telemetry', 'Trace runs', 'plugins/@assize/serve/src/telemetry/README.md'),
        page('container', 'Run in a container', 'config/container/README.md'),
      ],
    },
    {
      title: 'Measure and tune',
      pages: [
        howto('evaluate', 'Evaluate profiles'),
        howto('measure-a-judge', 'Measure a judge'),
        howto('compare-live', 'Compare with a live pipeline'),
        howto('promptfoo', 'Score outputs in promptfoo'),
        howto('tune', 'Tune weights'),
        page('studio', 'Edit weights in the studio', 'plugins/@assize/studio/README.md'),
        page('studio-accessibility', 'Accessibility of the studio', 'plugins/@assize/studio/ACCESSIBILITY.md'),
      ],
    },
    {
      title: 'Scale',
      pages: [
        howto('large-files', 'Rank large files'),
        howto('rank-a-table', 'Rank a table of queries'),
        page('files', 'Files and columns', 'src/data/README.md'),
        howto('streams', 'Rank a stream'),
        page('threads', 'Rank a file in threads', 'src/scale/threads/README.md'),
        page('sql', 'Rank in a database', 'src/scale/sql/README.md'),
        page('spark', 'Rank a Spark DataFrame', 'plugins/spark/README.md'),
        page('jobs', 'Rank on several machines', 'plugins/@assize/jobs/README.md'),
        howto('bundle-for-browsers', 'Bundle for browsers'),
      ],
    },
  ],
};

const concepts: SiteSection = {
  title: 'Concepts',
  folder: 'concepts',
  groups: [
    {
      title: 'A profile',
      pages: [
        page('index', 'Words and pages', 'config/concepts/README.md'),
        page('stages', 'Stages of a run', 'README.md#How a ranking is made'),
        concept('profile-files', 'Profiles'),
        concept('extends', 'Build on a preset'),
        concept('expressions', 'Expressions'),
        concept('let', 'Names for values'),
      ],
    },
    {
      title: 'Scores',
      pages: [
        concept('vetoes', 'Vetoes'),
        concept('weights', 'Weights and formulas'),
        concept('absent-values', 'Absent and failed scores'),
        concept('rules', 'Rules'),
        concept('statistics', 'Measures and statistics'),
        concept('signals', 'Signals, phases, reports'),
        concept('strategies', 'Strategies'),
      ],
    },
    {
      title: 'The selection',
      pages: [
        concept('selection', 'Selection'),
        concept('diversity', 'Diversity'),
        concept('budgets', 'Budgets'),
        concept('pruning', 'Expensive scorers last'),
      ],
    },
    {
      title: 'Results',
      pages: [
        concept('pipelines', 'Create and call a pipeline'),
        concept('rankings', 'Read a ranking'),
        concept('explanations', 'Explanations'),
        concept('compare', 'Compare candidates'),
        concept('what-if', 'What if, and diff'),
        concept('call-options', 'Options of a call'),
        concept('matrix', 'The numbers'),
      ],
    },
    {
      title: 'State and trust',
      pages: [
        concept('memory', 'Memory'),
        page('services', 'Services', 'src/services/README.md'),
        concept('untrusted-profiles', 'Untrusted profiles'),
      ],
    },
  ],
};

const systems: SiteSection = {
  title: 'Systems',
  folder: 'systems',
  groups: [
    {
      title: 'Reproduced systems',
      pages: [
        page('index', 'Tests of others', 'test/conformance/README.md'),
        page(
          'knowledgepulse',
          'KnowledgePulse',
          'plugins/knowledgepulse/README.md',
          'test/fixtures/knowledgepulse/SOURCE.md',
          preset('knowledgepulse'),
        ),
        page(
          'cupel',
          'Cupel',
          'plugins/cupel/README.md',
          'test/fixtures/cupel/SOURCE.md',
          ...['chat', 'rag', 'document-qa'].map(preset),
        ),
        page(
          'agentcards',
          'AgentCards',
          'plugins/agentcards/README.md',
          'test/fixtures/agentcards/SOURCE.md',
          ...['tool-search', 'tool-choice', 'next-step'].map(preset),
        ),
        page(
          'interview',
          'An interview service',
          'plugins/interview/README.md',
          'test/fixtures/interview/SOURCE.md',
          preset('interview'),
        ),
        page('opensearch', 'OpenSearch', preset('hybrid-search')),
        page('llm-d', 'llm-d', preset('inference-routing')),
        page('kubernetes', 'Kubernetes', preset('kubernetes-nodes')),
        page('test-tables', 'Tables of published rankers', 'test/fixtures/systems/SOURCE.md'),
      ],
    },
    {
      title: 'Not from another system',
      pages: [
        page('agents', 'Traces and conversations', 'plugins/agents/README.md'),
        page('agents-quality', 'Quality of traces', 'plugins/agents/quality.md', preset('trace-quality')),
        page('agents-traces', 'Logs as traces', 'plugins/agents/traces.md'),
        page('agents-messages', 'Messages', 'plugins/agents/messages.md'),
        page('conversation', 'Conversation', preset('conversation')),
      ],
    },
  ],
};

const contribute: SiteSection = {
  title: 'Contribute',
  folder: 'contribute',
  groups: [
    {
      title: 'Start',
      pages: [
        page('code', 'Find the code', 'src/README.md'),
        page('engine', 'The engine', 'src/engine/README.md'),
        page('benchmarks', 'Benchmarks', 'test/bench/BENCHMARKS.md'),
        page('quality', 'Quality of results', 'test/bench/QUALITY.md'),
        page('changelog', 'Changes', 'CHANGELOG.md'),
      ],
    },
  ],
};

/** The page at the root: README.md without the sections that have a page of their own. */
export const home: PageSpec = page('index', 'Assize', 'README.md');

/** The parts of the site that are written by hand. Those of the section `Reference` come from code as well. */
export const sections: readonly SiteSection[] = [guide, concepts, systems, contribute];

/** Pages of the reference that come from files, for its groups. */
export const reference = {
  /** Tables that the pages of the reference replace: generated from the same code. */
  replaced: { keys: 'config/concepts/every-key.md', codes: 'src/base/README.md#Error codes' },
  expressions: [page('functions', 'Functions of expressions', 'config/concepts/expression-functions.md')],
  classes: [page('core-classes', 'Classes for any candidate', 'plugins/core/README.md')],
  packages: [
    page('packages/evaluate', '@assize/evaluate', 'plugins/@assize/evaluate/README.md'),
    page('packages/tune', 'How tuning works', 'plugins/@assize/evaluate/src/tune/README.md'),
    page('packages/serve', '@assize/serve', 'plugins/@assize/serve/README.md'),
  ],
  cli: [page('cli/index', 'Options and exit codes', 'src/cli/README.md')],
  errors: [page('errors/index', 'AssizeError', 'src/base/README.md')],
};
