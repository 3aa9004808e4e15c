import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';

const root = packageRoot();

/** Resolves a program's own `inversify` to another version. Assize has its own copy inside. */
const resolveTo = (name: string): string => {
  const hook = `export const resolve = (spec, context, next) => next(spec === 'inversify' ? '${name}' : spec, context);`;
  const url = `data:text/javascript,${encodeURIComponent(hook)}`;
  return `data:text/javascript,${encodeURIComponent(`import { register } from 'node:module'; register(${JSON.stringify(url)});`)}`;
};

/** Units that name their services in each possible way, one service that needs another, and a missing one. */
const PROGRAM = `
import { createPipeline } from 'assize';
import * as inversify from 'inversify';
import { defineScorer, inject, injectable, serviceToken, z } from 'assize/sdk';

const meta = defineScorer({ summary: 'Counts its instances.', params: z.strictObject({}) });
const [COUNTER, START] = [serviceToken('counter'), serviceToken('start')];
class Counter { static inject = [START]; constructor(start) { this.count = start; } }
class Unit { constructor(counter) { this.count = ++counter.count; } compile() { return () => this.count; } }

class Static extends Unit { static meta = meta; static inject = [COUNTER]; }
class Decorated extends Unit { static meta = meta; constructor(counter) { super(counter); } }
inject(COUNTER)(Decorated, undefined, 0);
injectable()(Decorated);
class Inversified extends Unit { static meta = meta; constructor(counter) { super(counter); } }
inversify.inject(COUNTER)(Inversified, undefined, 0);
inversify.injectable()(Inversified);
class Undecorated extends Unit { static meta = meta; constructor(counter) { super(counter); } }

const units = { Static, Decorated, Inversified, Undecorated };
const container = new inversify.Container();
inversify.inject(START)(Counter, undefined, 0);
inversify.injectable()(Counter);
container.bind(COUNTER).to(Counter).inSingletonScope();
container.bind(START).toConstantValue(200);
container.bind(Inversified).toSelf();
const services = [{ token: COUNTER, class: Counter }, { token: START, value: 100 }];
const run = async (names, services, options = {}) => {
  const pipeline = await createPipeline({ tier2_scorers: names.map((name, k) => ({ id: 's' + k, class: name })) }, { units, services, ...options });
  const { matrix } = await pipeline.rank([{}]);
  return matrix.entries.map((id) => matrix.column(id).values[0]);
};
const failure = (names, given) => run(names, given).then(() => 'none', (error) => error.problems[0].message);
console.log(JSON.stringify({
  scores: await run(['Static', 'Decorated', 'Inversified', 'Static'], services),
  missing: await failure(['Static'], services.slice(0, 1)),
  undecorated: await failure(['Undecorated'], services),
  application: await run(['Static', 'Decorated', 'Inversified'], [], { container }),
  own: container.get(Inversified).count,
}));
`;

/** Run as published. */
describe.skipIf(!existsSync(join(root, 'dist', 'bundle')))('an application with inversify of its own', () => {
  test.each(['inversify', 'inversify-7'])('%s: decorators and container work', (name) => {
    const args = ['--import', resolveTo(name), '--input-type=module', '-e', PROGRAM];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      scores: [101, 102, 103, 104],
      missing: 'the unit of s0 cannot be created: nothing is bound to the service start',
      undecorated: 'the unit of s0 cannot be created: the constructor of Undecorated has a parameter without @inject',
      application: [201, 202, 203],
      own: 204,
    });
  });
});
