import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { script } from '../support/play.ts';
import { hostForEach, smallGame } from './support.ts';

const host = hostForEach();

/** Serves games to accounts. Returns the token of one. */
async function startWith(games: Readonly<Record<string, Record<string, unknown>>>): Promise<string> {
  const tokenSecretFile = join(host.folder, 'secret');
  writeFileSync(tokenSecretFile, 'a secret of more than thirty-two characters\n', { mode: 0o600 });
  const paths = Object.entries(games).map(([slug, data]) => {
    const path = join(host.folder, `${slug}.json`);
    const defaultData = { gameSlug: slug, title: slug, frameRate: 20 };
    writeFileSync(path, JSON.stringify(smallGame({ defaultData, ...data })));
    return path;
  });
  await host.start({ paths, tokenSecretFile, data: join(host.folder, 'data') });
  return host.tokens.signIdentity({ userId: 'ann' });
}

test('an account that plays one game and opens another plays both', async () => {
  const token = await startWith({ hill: {}, lake: {} });
  const hill = await host.joined({ token, room: 'hill' });
  const { player } = await hill.welcome();
  const lake = await host.joined({ token, room: 'lake' });
  expect(await lake.welcome()).toMatchObject({ slug: 'lake' });
  expect(await hill.result(hill.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
  // Opened a second time, a game goes on with the same player.
  const again = await host.joined({ token, room: 'hill' });
  expect(await again.welcome()).toMatchObject({ slug: 'hill', player });
  expect((await hill.end()).code).toBe('replaced');
  expect(lake.closed).toBe(undefined);
});

test('an account that left with a high score has it when it comes again', async () => {
  const player = { function: 'getTriggeringPlayer' };
  const score = { function: 'getHighScoreOfPlayer', player };
  const start = [
    { type: 'assignPlayerType', entity: player, playerType: 'human' },
    { type: 'sendChatMessageToPlayer', player, message: score },
    { type: 'setPlayerAttribute', entity: player, attribute: 'gold', value: 70 },
  ];
  const settings = { persistentScoreAttributeId: 'gold' };
  const token = await startWith({ hill: { settings, scripts: { start: script('playerJoinsGame', start) } } });
  const scores: unknown[] = [];
  for (let visit = 0; visit < 2; visit++) {
    const ann = await host.joined({ token });
    const { events } = await ann.first('events', (message) => message.events.some(({ kind }) => kind === 'chat'));
    scores.push(events.find((event) => event.kind === 'chat')!.text);
    await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
    ann.send({ kind: 'leave' });
    await ann.end();
  }
  expect(scores.map(Number)).toEqual([0, 70]);
});
