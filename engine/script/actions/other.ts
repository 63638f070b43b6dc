import { shutDown } from '../../rules/world/server-life.ts';
import { noEntity } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

/** Between two advertisements for everyone, simulated ms. */
const adPauseMs = 60_000;

const mayShowAd = (world: World): boolean => world.nowMs - world.lastAdAtMs >= adPauseMs;

export const otherActions = family('other', {
  /** Scripts hear of it at once; this one goes on, and the tick is the game's last. */
  endGame: action({
    params: {},
    compile: () => (context) => shutDown(context.game),
  }),
  /** At most once a minute. What became of it comes back as an input (`adResult`), player by player. */
  playAdForEveryone: action({
    params: {},
    compile: () => (context) => {
      const { world } = context.game;
      const isDue = mayShowAd(world);
      if (isDue) world.lastAdAtMs = world.nowMs;
      world.post('ad', { op: isDue ? 'play' : 'limitReached', to: 'everyone' });
    },
  }),
  /** Waits for the minute of the last advertisement for everyone, and starts none of its own. */
  playAdForPlayer: action({
    status: 'output',
    params: { entity: P.player },
    compile:
      ({ entity }) =>
      (context) => {
        const to = entity(context);
        if (to === noEntity) return;
        const { world } = context.game;
        world.post('ad', { op: mayShowAd(world) ? 'play' : 'limitReached', to: { player: to } });
      },
  }),
});
