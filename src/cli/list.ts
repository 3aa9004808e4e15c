import type { Command } from 'commander';
import { CODES } from '../contract/codes.js';
import { definitions } from './list/definitions.js';
import { jsonText } from './output/json/json-text.js';
import { counted } from './output/text.js';
import { formatOption } from './session/options.js';
import type { Io } from './terminal/io.js';
import { painter } from './terminal/paint.js';

/** The options of `assize list`, as commander gives them. */
interface ListOptions {
  readonly pack?: string;
  readonly format: 'table' | 'json';
}

const HELP = `
What there is:
  presets    the profiles that ship; the same as nothing, with the packs
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
    .action((what: string | undefined, options: ListOptions) => list(what, options, io));
}

/** What is listed: as data, and as a person reads it. */
interface Listing {
  readonly json: unknown;
  readonly text: string;
}

async function list(what: string | undefined, { pack, format }: ListOptions, io: Io): Promise<void> {
  const { json, text } = what === 'codes' ? codes(io) : await listing(what, pack, io);
  io.out.write(format === 'json' ? jsonText(json) : text);
}

function codes({ out }: Io): Listing {
  const json = Object.entries(CODES).map(([code, meaning]) => ({ code, meaning }));
  const rows = json.map(({ code, meaning }): [string, string] => [code, meaning]);
  return { json, text: definitions(rows, out.columns, painter(out.colour)) };
}

async function listing(what: string | undefined, pack: string | undefined, { out, folder }: Io): Promise<Listing> {
  const engine = await import('./engine.js');
  const packs = await engine.loadPacks(pack, folder);
  if (what === 'units' || (what === undefined && pack !== undefined)) {
    const json = packs.flatMap(({ name, units }) =>
      Array.from(units, ([key, { meta }]) => ({ pack: name, name: key, kind: meta.kind, summary: meta.summary })),
    );
    return { json, text: engine.listUnits(packs, out) };
  }
  if (what !== undefined && what !== 'presets' && what !== 'packs') {
    const unit = engine.findUnit(what, packs);
    return { json: engine.unitJson(unit), text: engine.listUnit(unit, out) };
  }
  const presets = await engine.allPresets();
  const sizes = packs.map(({ name, units }) => ({ name, units: units.size }));
  const paint = painter(out.colour);
  const section = (title: string, rows: readonly [string, string][]): string =>
    `${paint('bold', title)}\n${definitions(rows, out.columns, paint)}`;
  const presetText = section(
    'Presets',
    presets.map(({ name, description }) => [name, description]),
  );
  const packText = section(
    'Packs',
    sizes.map(({ name, units }) => [
      name,
      `${counted(units, 'unit')}${name === 'core' ? '; every profile has it' : ''}`,
    ]),
  );
  if (what === 'presets') return { json: presets, text: presetText };
  if (what === 'packs') return { json: sizes, text: packText };
  return {
    json: { presets, packs: sizes },
    text: `${presetText}\n${packText}\nassize list units shows the classes, assize list CLASS the params of one.\n`,
  };
}
