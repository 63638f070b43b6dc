import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostForEach, smallGame } from './support.ts';

const host = hostForEach();

/** Serves these games to accounts. */
async function startWith(...slugs: readonly string[]): Promise<void> {
  const tokenSecretFile = join(host.folder, 'secret');
  writeFileSync(tokenSecretFile, 'a secret of more than thirty-two characters\n', { mode: 0o600 });
  const paths = slugs.map((slug) => {
    const path = join(host.folder, `${slug}.json`);
    writeFileSync(path, JSON.stringify(smallGame({ defaultData: { gameSlug: slug, title: slug, frameRate: 20 } })));
    return path;
  });
  await host.start({ paths, tokenSecretFile });
}

test('an account that plays one game and opens another plays both', async () => {
  await startWith('hill', 'lake');
  const token = await host.serving.server.tokens.signIdentity({ userId: 'ann' });
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
