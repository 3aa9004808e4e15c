import { type Command, Option } from 'commander';
import type { LoadedPlugin } from '../sdk/index.js';
import { counted, faultOf, PROBLEM_CODES } from '../base/index.js';
import type { PresetSummary } from './list/catalogue.js';
import { type Definition, definitions, titledDefinitions } from './output/format.js';
import { formatOption } from './options.js';
import { jsonText } from './output/json.js';
import type { Io, OutputStyle } from './terminal/io.js';

interface ListVerbOptions {
  readonly plugin?: string;
  /** The former name of `plugin`. */
  readonly pack?: string;
  readonly format: 'table' | 'json';
}

const HELP = `
What to list; by default the presets and the plugins:
  presets    the profiles that are included
  plugins    the plugins that are included
  units      every class of the plugins, or of the plugin that --plugin names
  codes      the codes of all problems, and what each means
  <Class>    one class: its params with types, defaults and descriptions

Examples:
  assize list
  assize list units --plugin core
  assize list DecayScorer
  assize list codes --format json`;

/** `assize list`: lists presets, plugins, units, the params of a unit, or the codes of problems. */
export function list(command: Command, io: Io): void {
  command
    .summary('list presets, plugins, classes and their params')
    .description('Lists the parts that you can use in a profile.')
    .argument('[what]', 'presets, plugins, units, codes, or the name of a class')
    .option('--plugin <name-or-path>', "list this plugin: a name or a path, as in a profile's plugins")
    .addOption(new Option('--pack <name-or-path>').hideHelp())
    .addOption(formatOption('table', 'json'))
    .addHelpText('after', HELP)
    .action((what: string | undefined, options: ListVerbOptions) => run(what, options, io));
}

/** A list, as data and as text. */
interface Listing {
  readonly json: object;
  readonly text: string;
}

async function run(what: string | undefined, { pack, plugin = pack, format }: ListVerbOptions, io: Io): Promise<void> {
  const { json, text } = await listing(what, plugin, io);
  io.out.write(format === 'json' ? jsonText(json) : text);
}

/** The problem codes of some plugins, sorted. `core` has those of the engine. */
function codeListing(plugins: readonly LoadedPlugin[], style: OutputStyle): Listing {
  const codes = plugins.flatMap((one) => Object.entries(one.name === 'core' ? PROBLEM_CODES : one.codes));
  const json = codes
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, meaning]) => ({ code, meaning, fault: faultOf(code) }));
  const rows = json.map(({ code, meaning }): Definition => [code, meaning]);
  return { json, text: definitions(rows, style) };
}

async function listing(what: string | undefined, plugin: string | undefined, { out, folder }: Io): Promise<Listing> {
  const [{ loadPlugins }, { findUnit, listPresets }, { unitJson, unitListJson, unitListText, unitText }] =
    await Promise.all([
      import('../pipeline/create-pipeline.js'),
      import('./list/catalogue.js'),
      import('./list/unit-text.js'),
    ]);
  const plugins = await loadPlugins(plugin, folder);
  if (what === 'units' || (what === undefined && plugin !== undefined)) {
    return { json: unitListJson(plugins), text: unitListText(plugins, out) };
  }
  if (what === 'plugins' || what === 'packs') return pluginListing(plugins, out); // packs: the former name
  if (what === 'codes') return codeListing(plugins, out);
  if (what !== undefined && what !== 'presets') {
    const unit = findUnit(what, plugins);
    return { json: unitJson(unit), text: unitText(unit, out) };
  }
  const presets = presetListing(await listPresets(), out);
  if (what === 'presets') return presets;
  const all = pluginListing(plugins, out);
  return {
    json: { presets: presets.json, plugins: all.json },
    text: `${presets.text}\n${all.text}\nassize list units shows the classes, assize list CLASS the params of one.\n`,
  };
}

function presetListing(json: readonly PresetSummary[], style: OutputStyle): Listing {
  const rows = json.map(({ name, description }): Definition => [name, description]);
  return { json, text: titledDefinitions('Presets', rows, style) };
}

function pluginListing(plugins: readonly LoadedPlugin[], style: OutputStyle): Listing {
  const json = plugins.map(({ name, units }) => ({ name, units: units.size }));
  const rows = json.map(({ name, units }): Definition => {
    return [name, `${counted(units, 'unit')}${name === 'core' ? '; every profile has it' : ''}`];
  });
  return { json, text: titledDefinitions('Plugins', rows, style) };
}
