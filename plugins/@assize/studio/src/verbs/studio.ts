import { type DatasetVerbOptions, readVerbDataset, withQueries } from '@assize/evaluate/verbs';
import {
  collect,
  integerOption,
  type Io,
  readCandidateFile,
  readContext,
  untrustedOption,
  usageError,
  type Verb,
  withContext,
  withInput,
} from 'assize/verbs';
import { isHost } from '../data/image-hosts.js';
import type { StudioSource } from '../server/ranked-profile.js';

interface StudioVerbOptions extends DatasetVerbOptions {
  readonly open?: true;
  readonly untrusted?: true;
  readonly profile?: readonly string[];
  readonly port?: number;
  readonly export?: string;
  readonly images?: readonly string[];
  readonly answers?: string;
}

const HELP = `
The page is served only to this machine, at an address with a token, until
Ctrl-C. Saving writes your changes into the profile's file, and keeps its
comments. The page cannot add or change plugins, files, hosts or models.
--export writes the page as one file with the candidates in it. It opens in a
browser without a server, and cannot save.
Images load only from the hosts of --images.
In the page you can grade items, and choose between two. Grades are written to
--grades FILE, by default NAME.grades.jsonl next to the profile, and replace those
of --label or --judgments, which stay unchanged: pass the same --grades FILE to
evaluate and tune. Choices are written to --answers FILE, for tune --pairs.
With judgements, the page shows how measures such as nDCG change with the
weights, for each query and on average, and it can tune. Grades are removed from
the candidates, so that profiles cannot read them.

Examples:
  assize studio --profile ./movies.yaml movies.json --open
  assize studio --profile knowledgepulse traces.jsonl
  assize studio --profile ./old.yaml --profile ./new.yaml movies.json
  assize studio --profile ./movies.yaml movies.json --export out
  assize studio --profile ./shop.yaml shop.csv --images cdn.example.com
  assize studio --profile ./traces.yaml --label outcome traces.jsonl
  assize studio --profile ./films.yaml -g query -l clicks films.csv`;

/** `assize studio`: opens a page in which a profile is edited. */
export const studio: Verb = {
  name: 'studio',
  summary: 'edit a profile in a web page',
  declare(command, io) {
    withQueries(withInput(withContext(command)))
      .description(
        'Opens a page in which you add and change criteria, weights and limits. The ranking follows each change, and the page explains each score.',
      )
      .option(
        '-p, --profile <preset-or-path>',
        'required: a preset, or a path; repeat it to compare more with the first',
        collect,
      )
      .addOption(untrustedOption())
      .option('--open', 'open the page in a browser, if one is available')
      .addOption(
        integerOption('--port <number>', 'the port of the page; by default the same for a profile, if free', 0),
      )
      .option('--images <host>', 'a host that the page may load images from; repeat it for more', collect)
      .option('--answers <file>', 'the choices between two items; by default next to the profile: NAME.answers.jsonl')
      .option('--export <folder>', 'write the page as a file instead of serving it')
      .addHelpText('after', HELP)
      .action((file: string | undefined, options: StudioVerbOptions) => run(file ?? '-', options, io));
  },
};

async function run(file: string, { profile: profiles = [], ...options }: StudioVerbOptions, io: Io): Promise<void> {
  if (profiles.length === 0) throw usageError('--profile is missing', 'assize studio --profile PRESET_OR_PATH FILE');
  const notHost = options.images?.find((host) => !isHost(host));
  if (notHost !== undefined) {
    throw usageError(`--images: ${JSON.stringify(notHost)} is not a host`, 'assize studio --images cdn.example.com');
  }
  const source = await readStudioSource(profiles, file, options, io);
  if (options.export === undefined) {
    const { serveInStudio } = await import('./open-in-browser.js');
    return serveInStudio(source, options, io);
  }
  const { exportStudio } = await import('../open-studio.js');
  io.out.write(`${await exportStudio(source, options.export, options)}\n`);
}

/**
 * Reads what a studio shows: the candidates of one request, or queries with judgements if an option for those is given.
 *
 * @param profiles the first can be edited; the others are shown next to it
 */
async function readStudioSource(
  profiles: readonly string[],
  file: string,
  options: StudioVerbOptions,
  io: Io,
): Promise<StudioSource> {
  const [profile = '', ...others] = profiles;
  const trust = options.untrusted ? 'none' : 'full';
  const { label, judgments, group, queries: queryFile, grades: gradesFile, answers: answersFile, id } = options;
  const wrong = Object.entries({ grades: gradesFile, answers: answersFile }).find(
    ([, name]) => name !== undefined && !/\.(?:jsonl|ndjson)$/i.test(name),
  );
  if (wrong) {
    throw usageError(`--${wrong[0]}: ${wrong[1]} is not a file of JSON Lines`, `--${wrong[0]} ${wrong[0]}.jsonl`);
  }
  const files = { gradesFile, answersFile, id };
  if ([label, judgments, group, queryFile].every((one) => one === undefined)) {
    const context = await readContext(options);
    return { profile, others, candidates: await readCandidateFile(file, io, options), context, trust, ...files };
  }
  // Most studios show one file without judgements.
  const [{ createPipeline }, { checkLabel }] = await Promise.all([import('assize'), import('@assize/evaluate')]);
  const pipelines = await Promise.all(profiles.map((one) => createPipeline(one, { trust })));
  // The page reads the file of grades itself, and shows queries that no one has graded yet.
  const { grades: _, ...given } = options;
  const { queries, label: read } = await readVerbDataset(file, { ...given, unjudged: true }, io, pipelines);
  if (read !== undefined) checkLabel(Object.fromEntries(profiles.map((one, k) => [one, pipelines[k]!])), read);
  return { profile, others, queries, trust, ...files, label: read };
}
