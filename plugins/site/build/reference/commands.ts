import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Argument, Command, type Option } from 'commander';
import { VERBS } from '../../../../src/cli/program.js';
import type { Verb } from '../../../../src/cli/packages/load-verbs.js';
import { EXIT_HELP, type Io, processIo } from '../../../../src/cli/terminal/io.js';
import { workspace } from '../../../../test/workspace.js';
import { type Generated, table } from '../generated.js';
import type { PageSpec } from '../page.js';

/** The verbs of the packages around the core, from their build. */
async function packagedVerbs(built: string): Promise<readonly Verb[]> {
  const files = workspace.flatMap(({ name, sources }) => sources.get(`${name}/verbs`) ?? []);
  const around = files.filter((file) => file.startsWith('plugins/'));
  const modules = await Promise.all(
    around.map(async (file) => {
      const module: unknown = await import(pathToFileURL(join(built, file.replace(/\.ts$/, '.js'))).href);
      return module as { readonly verbs: readonly Verb[] };
    }),
  );
  return modules.flatMap(({ verbs }) => verbs);
}

/** Each verb, declared as the command line declares it, in the order of its help. */
function declaredVerbs(packaged: readonly Verb[]): readonly (readonly [command: Command, from: string | undefined])[] {
  const io: Io = {
    ...processIo(),
    loadStudio: () => Promise.reject(new Error('the documentation runs no verb')),
  };
  return Object.entries(VERBS).map(([name, verb]) => {
    const command = new Command('assize').command(name);
    if (typeof verb === 'function') {
      verb(command, io);
      return [command, undefined];
    }
    const found = packaged.find((one) => one.name === name);
    if (!found) throw new Error(`${verb.from} does not export the verb ${name}`);
    found.declare(command.summary(found.summary), io);
    return [command, verb.from];
  });
}

const code = (text: string): string => `\`${text}\``;

function defaultText({ defaultValue }: Option | Argument): string {
  if (defaultValue === undefined || (Array.isArray(defaultValue) && defaultValue.length === 0)) return '';
  return code(String(defaultValue));
}

const choices = ({ argChoices }: Option | Argument): string =>
  argChoices === undefined ? '' : ` One of: ${argChoices.map(code).join(', ')}.`;

/** The text that the help shows after the options. */
function notesOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text.slice(command.helpInformation().length).trim();
}

/** A command with its arguments, options and notes, and then its commands. */
function describe(command: Command, path: string, level: number): string {
  const mark = '#'.repeat(level);
  const options = command.options.filter((one) => !one.hidden);
  const notes = notesOf(command);
  return [
    `${mark} ${path}`,
    command.description(),
    `\`\`\`sh\nnpx ${path} ${command.usage()}\n\`\`\``,
    ...(command.registeredArguments.length === 0
      ? []
      : [
          table(
            ['argument', 'meaning', 'default'],
            command.registeredArguments.map((one) => [
              code(one.name()),
              `${one.description}${choices(one)}`,
              defaultText(one),
            ]),
          ),
        ]),
    ...(options.length === 0
      ? []
      : [
          table(
            ['option', 'meaning', 'default'],
            options.map((one) => [code(one.flags), `${one.description}${choices(one)}`, defaultText(one)]),
          ),
        ]),
    ...(notes === '' ? [] : [`\`\`\`text\n${notes}\n\`\`\``]),
    ...command.commands.map((one) => describe(one, `${path} ${one.name()}`, level + 1)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/**
 * A page for each verb.
 *
 * @param built the folder of the compiled sources
 */
export async function commandPages(own: readonly PageSpec[], built: string): Promise<Generated> {
  const files = new Map<string, string>();
  const rows: string[][] = [];
  const pages = declaredVerbs(await packagedVerbs(built)).map(([command, from]): PageSpec => {
    const name = command.name();
    const path = `@cli/${name}.md`;
    const install = from === undefined ? '' : `\n\nThis verb is in the package \`${from}\`.`;
    files.set(path, `${describe(command, `assize ${name}`, 1)}${install}\n`);
    rows.push([`[\`${name}\`](/reference/cli/${name})`, command.summary(), from === undefined ? '' : code(from)]);
    return { route: `cli/${name}`, title: `assize ${name}`, parts: [path] };
  });
  const list = table(['verb', 'effect', 'package'], rows);
  files.set('@cli/index.md', `# Verbs of the command line\n\n${list}\n\n\`\`\`text\n${EXIT_HELP}\n\`\`\`\n`);
  const index: PageSpec = { route: 'cli/verbs', title: 'All verbs', parts: ['@cli/index.md'] };
  return { groups: [{ title: 'Command line', pages: [...own, index, ...pages], apart: 'cli' }], files };
}
