/**
 * `node dist/bench/environment.js [--seconds 5] [--reward EXPR] [GAME]`: steps per second of the environment for
 * learners, with 1, 8 and 64 of them in one thread. A step is one tick: an action of random keys, its reward, and an
 * observation.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadDefinition } from '../engine/index.ts';
import { Environment } from '../src/explore/index.ts';
import { badCommandLine, commandLine, positive } from './command-line.ts';

const sample = fileURLToPath(new URL('../../templates/coins/game.json', import.meta.url));
const { values, positionals } = commandLine({
  options: { seconds: { type: 'string', default: '5' }, reward: { type: 'string', default: 'unit.x' } },
  allowPositionals: true,
});
const seconds = positive('seconds', values.seconds!);
const { game } = loadDefinition(JSON.parse(readFileSync(positionals[0] ?? sample, 'utf8')));
if (game === undefined) badCommandLine(`${positionals[0]} is not a game definition.`);

for (const count of [1, 8, 64]) {
  const environments = Array.from({ length: count }, () => new Environment(game!, { reward: values.reward! }));
  for (const [seed, environment] of environments.entries()) environment.reset(seed);
  const action = new Float64Array(environments[0]!.actionSpace.names.length);
  const keys = environments[0]!.actionSpace.keys.length;
  let seed = count;
  let random = 1;
  let steps = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  while (performance.now() < end)
    for (const environment of environments) {
      random = (random * 48271) % 2147483647;
      for (let key = 0; key < keys; key++) action[key] = (random >> (key % 24)) & 1;
      if (environment.step(action).isOver) environment.reset(seed++);
      steps++;
    }
  const perSecond = Math.round((steps * 1000) / (performance.now() - start));
  process.stdout.write(`${count} environments: ${perSecond} steps per second\n`);
}
