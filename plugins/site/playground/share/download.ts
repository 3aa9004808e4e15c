import { strToU8, zipSync } from 'fflate';
import type { PlaygroundState } from './fragment.js';

/** The folder of a download, as a ZIP archive. */
export function folderOf(
  state: PlaygroundState,
  version: string,
  ranking: string | undefined,
): Uint8Array<ArrayBuffer> {
  const { profile, candidates, format, context } = state;
  const command = commandOf(state);
  const packageJson = {
    name: 'assize-playground',
    private: true,
    type: 'module',
    scripts: { rank: command.replace('npx ', '') },
    dependencies: { assize: version },
  };
  const files: Readonly<Record<string, string>> = {
    'package.json': `${JSON.stringify(packageJson, undefined, 2)}\n`,
    'profile.yaml': profile,
    [`candidates.${format}`]: candidates,
    ...(context.trim() !== '' && { 'context.json': context }),
    ...(ranking !== undefined && { 'ranking.json': ranking }),
    'README.md': readme(command, ranking !== undefined),
  };
  const entries = Object.entries(files).map(([name, text]) => [`assize-playground/${name}`, strToU8(text)]);
  return zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>);
}

/** The command that ranks the folder. */
export function commandOf({ format, context, now }: PlaygroundState): string {
  const given = context.trim() === '' ? '' : ' --context context.json';
  const time = now.trim() === '' ? '' : ` --now ${now.trim().replaceAll(/[^\w:.+-]/g, '')}`;
  return `npx assize rank --profile ./profile.yaml candidates.${format}${given}${time}`;
}

const readme = (command: string, hasRanking: boolean): string => `# A ranking from the playground

Install Assize and rank the candidates:

\`\`\`sh
npm install
${command}
\`\`\`

\`npx assize explain ID\` with the same options explains a candidate.
${hasRanking ? '\n`ranking.json` is the ranking of the playground. The command with `--format json` writes the same.\n' : ''}`;
