import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { packageRoot } from '../../../src/base/package-root.js';
import type { ClientReport, PeerOrder } from '../fairness/peer.js';
import type { Goal } from '../result.js';
import type { Section } from '../section.js';
import { spread } from '../statistics.js';
import { MAIN } from './start.js';

/** The allowed effect of one tenant on another: three times its quiet latency, in 99 of 100 requests. */
const AT_MOST: Goal = { atMost: 3 };

const PEER = join(packageRoot(), 'dist', 'test', 'bench', 'fairness', 'peer.js');
const TOKENS = { good: 'token-of-good-good', evil: 'token-of-evil-evil' };
const PROFILE = `tier2_scorers:
  - { id: stars, expr: 'min(candidate.stars / 1000, 1)', weight: 3 }
  - { id: short, expr: '1 - size(candidate.title) / 100' }
`;
const REQUESTS = 200;
/** A round takes long: the attacked requests wait for their turns. */
const ROUNDS = 5;

/** The milliseconds that an attack lasts before the client starts. */
const WARM_UP = 300;

async function startPeer(port: string, token: string): Promise<ChildProcess> {
  const child = fork(PEER, [port, token]);
  await once(child, 'message');
  return child;
}

const tell = (peer: ChildProcess, order: PeerOrder): void => void peer.send(order);

/** @throws Error if a request of the client failed */
async function p99(client: ChildProcess, requests: number): Promise<number> {
  tell(client, { requests });
  const [{ times, failures }] = (await once(client, 'message')) as [ClientReport];
  if (failures.length > 0) throw new Error(`requests of another tenant failed: ${failures.slice(0, 5).join(', ')}`);
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1]!;
}

export const fairness: Section = {
  name: 'fairness',
  title: 'One tenant while another sends all it can',
  about: `The slowest of 100 requests of 10 candidates: alone, and while another tenant attacks with 32 connections at full rate (rankings
of up to 1,000 candidates, invalid bodies), 20 uploads that send nothing, and 40 slow streams. The server, the client and the attacker
are processes that share the cores.`,
  packages: ['hono', '@hono/node-server'],
  async *run(effort) {
    const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
    for (const tenant of Object.keys(TOKENS)) {
      mkdirSync(join(folder, tenant));
      writeFileSync(join(folder, tenant, 'p.yaml'), PROFILE);
    }
    writeFileSync(join(folder, 'tokens'), JSON.stringify(TOKENS));
    const args = [MAIN, 'serve', '--port', '0', '--tokens', 'tokens', '--profiles', '.'];
    const server = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    const peers: ChildProcess[] = [];
    try {
      let said = '';
      for await (const part of server.stderr) {
        said += String(part);
        if (said.includes('listening at')) break;
      }
      server.stderr.resume();
      const port = /listening at \S+:(\d+)/.exec(said)?.[1] ?? '';
      const client = await startPeer(port, TOKENS.good);
      const attacker = await startPeer(port, TOKENS.evil);
      peers.push(client, attacker);
      const requests = effort.of(REQUESTS);
      await p99(client, requests);
      const rounds: { readonly quiet: number; readonly attacked: number }[] = [];
      for (let round = 0; round < Math.min(effort.rounds, ROUNDS); round++) {
        // oxlint-disable no-await-in-loop -- one after another
        const quiet = await p99(client, requests);
        tell(attacker, { attack: true });
        await pause(WARM_UP);
        rounds.push({ quiet, attacked: await p99(client, requests) });
        tell(attacker, { attack: false });
        await pause(WARM_UP);
        // oxlint-enable no-await-in-loop
      }
      const work = 'p99 of a POST of 10 candidates';
      const common = { work, unit: 'ns', per: 'request' } as const;
      yield { ...common, subject: 'alone', amount: spread(rounds.map(({ quiet }) => quiet)) };
      yield {
        ...common,
        subject: 'with an attacker',
        amount: spread(rounds.map(({ attacked }) => attacked)),
        ratio: { to: 'alone', times: spread(rounds.map(({ quiet, attacked }) => attacked / quiet)) },
        goal: AT_MOST,
      };
    } finally {
      for (const child of [...peers, server]) child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  },
};
