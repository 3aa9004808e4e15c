import type { PageSpec, SiteSection } from './build/page.js';

/** A page: its path below the folder of its section, its name in the navigation, and what it shows. */
const page = (route: string, title: string, ...parts: readonly string[]): PageSpec => ({ route, title, parts });

const README = 'README.md';
const PROFILE = 'src/profile/README.md';
const RANKING = 'src/ranking/README.md';
const EXPLAIN = 'src/ranking/explain/README.md';
const EXPRESSION = 'src/expression/README.md';
const PIPELINE = 'src/pipeline/README.md';
const DATA = 'src/data/README.md';
const SQL = 'src/scale/sql/README.md';
const THREADS = 'src/scale/threads/README.md';
const SERVICES = 'src/services/README.md';
const SDK = 'src/sdk/README.md';
const TESTING = 'src/testing/README.md';
const CLI = 'src/cli/README.md';
const BASE = 'src/base/README.md';
const ADAPTERS = 'src/adapters/README.md';
const EVALUATE = 'plugins/@assize/evaluate/README.md';
const TUNE = 'plugins/@assize/evaluate/src/tune/README.md';
const SERVE = 'plugins/@assize/serve/README.md';
const MCP = 'plugins/@assize/serve/src/mcp/README.md';
const TELEMETRY = 'plugins/@assize/serve/src/telemetry/README.md';
const STUDIO = 'plugins/@assize/studio/README.md';
const LSP = 'plugins/@assize/lsp/README.md';
const JOBS = 'plugins/@assize/jobs/README.md';
const AGENTS = 'plugins/agents/README.md';
const AGENTCARDS = 'plugins/agentcards/README.md';
const CUPEL = 'plugins/cupel/README.md';
const INTERVIEW = 'plugins/interview/README.md';

const guide: SiteSection = {
  title: 'Guide',
  folder: 'guide',
  groups: [
    {
      title: 'Start',
      pages: [
        page('install', 'Install', `${README}#Install`, `${README}#Packages`),
        page('first-profile', 'Write a profile', `${README}#In a minute`, `${README}#The same from TypeScript`),
        page('rank-a-csv', 'Rank a CSV file', 'config/howto/rank-a-csv.md'),
        page('presets', 'Choose a preset', `${README}#Presets`),
        page('editor', 'Profiles in your editor', LSP),
      ],
    },
    {
      title: 'By task',
      pages: [
        page('llm-context', 'Context of a language model', 'config/howto/llm-context.md'),
        page('pack-a-conversation', 'Pack a conversation', 'config/howto/pack-a-conversation.md'),
        page('tools-for-an-agent', 'Tools for an agent', `${AGENTCARDS}#Choose tools, or none: tool-choice`),
        page('traces', 'Traces of agents', `${AGENTS}#Find bad traces`, `${AGENTS}#Find bad traces in a log`),
        page('score-otlp', 'Traces in an OTLP file', `${AGENTS}#Score the traces in an OTLP file`),
        page('product-search', 'Combine searches', 'config/howto/hybrid-search.md'),
        page('rerankers', 'Rerank with a model', 'plugins/rerank/README.md'),
        page('frameworks', 'AI SDK, LangChain, LlamaIndex', ADAPTERS),
        page(
          'migrate',
          'Migrate from other engines',
          'config/howto/migrate.md',
          `${CLI}#convert: rules and queries of other systems`,
        ),
      ],
    },
    {
      title: 'Your own units',
      pages: [
        page('first-plugin', 'Write a plugin', 'config/howto/first-plugin.md'),
        page('custom-scorer', 'Write a scorer', SDK),
        page('async-scorer', 'Write an async scorer', 'config/howto/async-scorer.md'),
        page('test-a-unit', 'Test a unit', TESTING),
        page('check-expectations', 'Check expectations in CI', `${TESTING}#Check expectations in CI`),
      ],
    },
    {
      title: 'Serve',
      pages: [
        page('serve', 'Serve profiles over HTTP', SERVE),
        page('http-service', 'Rank in your own service', 'config/howto/http-service.md'),
        page('mcp', 'Serve agents over MCP', MCP),
        page('container', 'Run in a container', 'config/container/README.md'),
        page('telemetry', 'Trace runs', TELEMETRY),
      ],
    },
    {
      title: 'Measure and tune',
      pages: [
        page('evaluate', 'Compare profiles', EVALUATE),
        page(
          'ablation',
          'Measure each part',
          `${EVALUATE}#Measure what each part contributes`,
          `${EVALUATE}#How contributions are measured`,
        ),
        page('judges', 'Measure a judge', `${EVALUATE}#Measure a language model that judges`),
        page(
          'live',
          'Compare with a live pipeline',
          `${EVALUATE}#Compare with a live pipeline`,
          `${EVALUATE}#Score outputs in promptfoo`,
        ),
        page('tune', 'Tune weights', TUNE),
        page('ask', 'Ask a person', `${TUNE}#Ask a person`, `${TUNE}#Pairwise judgements`),
        page('studio', 'Edit weights in the studio', STUDIO),
      ],
    },
    {
      title: 'Scale',
      pages: [
        page('scale', 'Choose an engine', `${SQL}#Choose an engine`),
        page('streams', 'Rank a stream', PIPELINE),
        page('threads', 'Rank a file in threads', THREADS, `${PIPELINE}#Rank a file in worker threads`),
        page('sql', 'Rank in a database', SQL),
        page('spark', 'Rank with Spark', `${SQL}#Rank with Apache Spark`),
        page('jobs', 'Rank on several machines', JOBS),
      ],
    },
    {
      title: 'Browsers',
      pages: [
        page(
          'bundling',
          'Rank in a page',
          `${PIPELINE}#In a page: \`assize/browser\``,
          `${PIPELINE}#What works in a page`,
          `${PIPELINE}#Bundle, policy, size`,
        ),
      ],
    },
  ],
};

const concepts: SiteSection = {
  title: 'Concepts',
  folder: 'concepts',
  groups: [
    {
      title: 'A run',
      pages: [
        page('stages', 'Stages of a run', `${README}#How a ranking is made`),
        page('absent', 'Absent, failed, out of range', `${PROFILE}#Absent, failed, out of range`),
        page('result', 'The result', RANKING),
        page('call-options', 'Options of a call', `${RANKING}#Weights, limits and pages of a call`),
        page('reweigh', 'Other weights at once', `${RANKING}#Other weights, at once: reweigh`),
        page('sync', 'Synchronous runs', `${RANKING}#Rank synchronously: rankSync and scoreSync`),
        page('matrix', 'The score matrix', `${RANKING}#The numbers: matrix`),
        page('security', 'Security', `${README}#Security`, `${PROFILE}#A profile that a stranger wrote`),
        page('speed', 'Speed', `${README}#How fast`),
      ],
    },
    {
      title: 'A profile',
      pages: [
        page('profiles', 'Profiles', PROFILE),
        page('mistakes', 'Mistakes and their lines', `${PROFILE}#A mistake names its line`),
        page('combine', 'Weights and formulas', `${PROFILE}#Combine: weights and formulas`),
        page('rules', 'Rules', `${PROFILE}#Rules: adjustments`),
        page('scope', 'What an expression sees', `${PROFILE}#Where an expression stands, and what it sees`),
        page('let', 'Named values', `${PROFILE}#Names for values: let`),
        page('stats', 'Statistics', `${PROFILE}#Statistics over the candidates: stats`),
        page('extends', 'Extending a preset', `${PROFILE}#Extends: build on a preset`),
        page('classes', 'Classes and plugins', `${PROFILE}#Names of classes and plugins`),
        page('signals', 'Signals, phases, reports', `${PROFILE}#Signals, phases and reports`),
        page('strategies', 'Generated candidates', `${PROFILE}#Strategies generate candidates`),
      ],
    },
    {
      title: 'The selection',
      pages: [
        page('select', 'Top, duplicates, ties', `${PROFILE}#Select: top, duplicates, ties`),
        page('random', 'Random order', `${PROFILE}#Random order, with a seed`),
        page('diversify', 'Diversity', `${PROFILE}#Difference: \`select.diversify\``),
        page('pack', 'Budgets', `${PROFILE}#A budget: select.pack`),
        page('prune', 'Pruning', `${PROFILE}#Pruning: expensive scorers last`),
        page('rerank', 'Rerank', `${PROFILE}#Rerank: ask a model about the best 100`),
      ],
    },
    {
      title: 'Explanations',
      pages: [
        page('explain', 'Explain a score', EXPLAIN),
        page('compare', 'Compare two candidates', `${EXPLAIN}#Compare two candidates`),
        page('search', 'What would make it win', `${EXPLAIN}#What would make it win?`),
        page('what-if', 'What if', `${EXPLAIN}#What if: other weights, params, entries`),
        page('diff', 'Differences of profiles', `${EXPLAIN}#Diff: before and after a change of the profile`),
      ],
    },
    {
      title: 'Expressions',
      pages: [
        page('expressions', 'CEL', EXPRESSION),
        page('cel-differences', 'Differences from standard CEL', `${EXPRESSION}#Differences from standard CEL`),
        page('steps', 'Limit of steps', `${EXPRESSION}#How long an expression may take`),
        page('paths', 'Paths', `${EXPRESSION}#Paths`),
      ],
    },
    {
      title: 'Units and services',
      pages: [
        page('services', 'Services', SERVICES),
        page(
          'memory',
          'Memory',
          `${PROFILE}#Memory that outlives the process`,
          `${SERVICES}#Memory files`,
          `${SDK}#Memory`,
        ),
        page('language-models', 'Language models', `${SERVICES}#Language models`),
        page('injection', 'Injected services', `${SDK}#Inject services`),
        page('unit-kinds', 'Other kinds of units', `${SDK}#Signals, generators, selectors, reports`),
      ],
    },
    {
      title: 'Data',
      pages: [
        page('candidates', 'Candidates', DATA),
        page('columns', 'Columns in memory', `${DATA}#Candidates from columns in memory`, `${DATA}#How fast`),
        page('judgements', 'Queries and judgements', `${EVALUATE}#Queries, candidates and judgements`),
        page('tuning-method', 'How tuning works', `${TUNE}#The method`, `${TUNE}#When a gain counts as shown`),
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
          'config/presets/knowledgepulse.yaml',
        ),
        page('cupel', 'Cupel', CUPEL, 'test/fixtures/cupel/SOURCE.md', ...['chat', 'rag', 'document-qa'].map(preset)),
        page(
          'agentcards',
          'AgentCards',
          AGENTCARDS,
          'test/fixtures/agentcards/SOURCE.md',
          ...['tool-search', 'tool-choice', 'next-step'].map(preset),
        ),
        page('interview', 'An interview service', INTERVIEW, 'test/fixtures/interview/SOURCE.md', preset('interview')),
        page('opensearch', 'OpenSearch', 'config/howto/hybrid-search.md#What it reproduces', preset('hybrid-search')),
        page('llm-d', 'llm-d', 'config/howto/inference-routing.md', preset('inference-routing')),
        page('kubernetes', 'Kubernetes', 'config/howto/kubernetes-nodes.md', preset('kubernetes-nodes')),
        page('test-tables', 'Tables of published rankers', 'test/fixtures/systems/SOURCE.md'),
      ],
    },
    {
      title: 'Not from another system',
      pages: [
        page('agents', 'Quality of traces', AGENTS, preset('trace-quality')),
        page('conversation', 'Conversation', preset('conversation')),
      ],
    },
  ],
};

function preset(name: string): string {
  return `config/presets/${name}.yaml`;
}

const contribute: SiteSection = {
  title: 'Contribute',
  folder: 'contribute',
  groups: [
    {
      title: 'The code',
      pages: [
        page('code', 'Find the code', 'src/README.md', `${README}#Try it and test it`),
        page('engine', 'The engine', 'src/engine/README.md'),
        page('registry', 'The registry', 'src/profile/registry/README.md'),
        page('parts', 'Parts', 'src/scale/parts/README.md'),
        page('profile', 'The module profile', `${PROFILE}#In this folder`),
        page('expression', 'The module expression', `${EXPRESSION}#In this folder`),
        page('ranking', 'The module ranking', `${RANKING}#In this folder`, `${EXPLAIN}#In this folder`),
        page('data', 'The module data', `${DATA}#Add a format`, `${DATA}#Files`),
        page('pipeline', 'The module pipeline', `${PIPELINE}#For contributors`),
        page('threads', 'The module threads', `${THREADS}#In this folder, in reading order`),
        page('sql', 'The module sql', `${SQL}#Add a dialect`, `${SQL}#In this folder`),
        page(
          'base',
          'The module base',
          `${BASE}#A new code`,
          `${BASE}#Text for terminals: widths, wrapping, numbers, tables`,
        ),
        page('cli', 'The command line', `${CLI}#In this folder`, `${CLI}#Adding a verb of the core`),
        page('testing', 'The module testing', `${TESTING}#The folder, in reading order`),
        page('core', 'The plugin core', 'plugins/core/README.md#In this folder'),
        page('evaluate', 'The package evaluate', `${EVALUATE}#Files`, `${TUNE}#In this folder`),
        page(
          'serve',
          'The package serve',
          `${SERVE}#Files`,
          `${MCP}#For contributors`,
          `${TELEMETRY}#For contributors`,
        ),
        page('studio', 'The package studio', `${STUDIO}#Files`),
        page('jobs', 'The package jobs', `${JOBS}#Files`),
      ],
    },
    {
      title: 'Measured',
      pages: [
        page('benchmarks', 'Benchmarks', 'test/bench/BENCHMARKS.md'),
        page('changelog', 'Changes', 'CHANGELOG.md'),
      ],
    },
  ],
};

/** The page at the root: README.md without the sections that have a page of their own. */
export const home: PageSpec = page('index', 'Assize', README);

/** The parts of the site that are written by hand. Those of the section `Reference` come from code as well. */
export const sections: readonly SiteSection[] = [guide, concepts, systems, contribute];

/** Pages of the reference that come from READMEs, for its groups. */
export const reference = {
  /** Tables in READMEs that the pages of the reference replace: generated from the same code. */
  replaced: { keys: `${PROFILE}#Every key`, codes: `${BASE}#Error codes` },
  expressions: [
    page('functions', 'Functions of CEL', `${EXPRESSION}#Functions`),
    page('without-profile', 'Expressions in code', `${EXPRESSION}#Without a profile`),
  ],
  measures: [page('measures', 'Measures', `${EVALUATE}#Measures`)],
  units: [
    page('unit-contract', 'What a unit declares', `${SDK}#What a unit declares`),
    page('plugins', 'Plugins', `${SDK}#Plugins`, `${SDK}#Errors of a plugin`),
    page('cost', 'The cost of a scorer', 'plugins/core/README.md#The cost of a scorer'),
  ],
  cli: [page('cli/index', 'Options and exit codes', CLI)],
  errors: [page('errors/index', 'AssizeError', BASE)],
};
