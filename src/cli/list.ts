import type { Command } from 'commander';
import type { LoadedPlugin } from '../contract/index.js';
import { PROBLEM_CODES } from '../diagnostics/codes.js';
import type { PresetSummary } from './list/catalogue.js';
import { type Definition, definitions, titledDefinitions } from './list/definition-list.js';
import { jsonText } from './output/json/json-text.js';
import { counted } from './output/text.js';
import { formatOption } from './session/options.js';
import type { Io, OutputStyle } from './terminal/io.js';

/** The options of `assize list`, as commander gives them. */
interface ListVerbOptions {
  readonly pack?: string;
  readonly format: 'table' | 'json';
}

const HELP = `
What there is; the presets and the packs when not said:
  presets    the profiles that ship
  packs      the packs that ship
  units      every class of the packs, or of the one that --pack says
  codes      the codes of all problems, and what each means
  <Class>    one class: its params with types, defaults and descriptions

Examples:
  assize list
  assize list units --pack core
  assize list DecayScorer
  assize list codes --format json`;

/** `assize list`: presets, packs, units, the params of one, and the codes of problems. */
export function addList(program: Command, io: Io): void {
  program
    .command('list')
    .summary('list presets, packs, classes and their params')
    .description('Lists what there is to write a profile with.')
    .argument('[what]', 'presets, packs, units, codes, or the name of a class')
    .option('--pack <name-or-path>', "look into this pack: one that ships, or what a profile's plugins would say")
    .addOption(formatOption('table', 'json'))
    .addHelpText('after', HELP)
    .action((what: string | undefined, options: ListVerbOptions) => list(what, options, io));
}

/** What is listed: as data, and as a person reads it. */
interface Listing {
  readonly json: unknown;
  readonly text: string;
}

async function list(what: string | undefined, { pack, format }: ListVerbOptions, io: Io): Promise<void> {
  const { json, text } = what === 'codes' ? codeListing(io.out) : await listing(what, pack, io);
  io.out.write(format === 'json' ? jsonText(json) : text);
}

function codeListing(look: OutputStyle): Listing {
  const json = Object.entries(PROBLEM_CODES).map(([code, meaning]) => ({ code, meaning }));
  const rows = json.map(({ code, meaning }): Definition => [code, meaning]);
  return { json, text: definitions(rows, look) };
}

async function listing(what: string | undefined, pack: string | undefined, { out, folder }: Io): Promise<Listing> {
  const engine = await import('./lazy-imports.js');
  const packs = await engine.loadPlugins(pack, folder);
  if (what === 'units' || (what === undefined && pack !== undefined)) {
    return { json: engine.unitListJson(packs), text: engine.unitListText(packs, out) };
  }
  if (what === 'packs') return pluginListing(packs, out);
  if (what !== undefined && what !== 'presets') {
    const unit = engine.findUnit(what, packs);
    return { json: engine.unitJson(unit), text: engine.unitText(unit, out) };
  }
  const presets = presetListing(await engine.listPresets(), out);
  if (what === 'presets') return presets;
  const all = pluginListing(packs, out);
  return {
    json: { presets: presets.json, packs: all.json },
    text: `${presets.text}\n${all.text}\nassize list units shows the classes, assize list CLASS the params of one.\n`,
  };
}

function presetListing(json: readonly PresetSummary[], look: OutputStyle): Listing {
  const rows = json.map(({ name, description }): Definition => [name, description]);
  return { json, text: titledDefinitions('Presets', rows, look) };
}

function pluginListing(packs: readonly LoadedPlugin[], look: OutputStyle): Listing {
  const json = packs.map(({ name, units }) => ({ name, units: units.size }));
  const rows = json.map(({ name, units }): Definition => {
    return [name, `${counted(units, 'unit')}${name === 'core' ? '; every profile has it' : ''}`];
  });
  return { json, text: titledDefinitions('Packs', rows, look) };
}
