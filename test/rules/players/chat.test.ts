import { describe, expect, test } from 'vitest';
import { Chat } from '../../../engine/components/chat.ts';
import { sayInChat } from '../../../engine/rules/players/chat.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { type Play, play, script } from '../../support/play.ts';

const player = { function: 'getTriggeringPlayer' };

interface Room {
  readonly game: Play;
  readonly outputs: unknown[];
  say(text: string): void;
}

function room(actions: readonly unknown[] = [], dialect: 'standard' | 'moddio' = 'standard'): Room {
  const game = play({ scripts: { go: script('playerCustomInput', actions) } }, { dialect });
  const outputs: unknown[] = [];
  game.sim.on('output', (event) => {
    if (event.kind !== 'chat') return;
    const { op, text, playerId, to } = event;
    outputs.push({ op, text, playerId, to });
  });
  const human = game.sim.join();
  game.ticks(1);
  return { game, outputs, say: (text) => human.say(text) };
}

const said = (game: Play) => game.world.components.chat[rowOf(game.entity('p1'))]!;
/** The messages to the room, at the drain of each tick. */
const heard = (game: Play) => game.world.memory.lastChatMessage;

describe('a chat message', () => {
  test('fires triggers and is shown to everyone', () => {
    const { game, outputs, say } = room();
    say('hello');
    game.ticks(1);
    expect(said(game).lastMessage).toBe('hello');
    expect(heard(game)).toBe('hello');
    expect(outputs).toEqual([{ op: 'player', text: 'hello', playerId: undefined, to: 'everyone' }]);
    expect(game.announced.filter(({ type }) => type.startsWith('playerSends')).map(({ type }) => type)).toEqual([
      'playerSendsMessage',
      'playerSendsChatMessage',
    ]);
  });

  test('that is a command is not shown', () => {
    const { game, outputs, say } = room();
    say('/kick');
    game.ticks(1);
    expect(game.of('playerSendsChatMessage').length).toBe(1);
    expect(outputs).toEqual([]);
  });

  test('with a link is not shown, and fires only the trigger of all messages', () => {
    const { game, outputs, say } = room();
    say('see HTTPS://example.com');
    game.ticks(1);
    expect(game.of('playerSendsMessage').length).toBe(1);
    expect(game.of('playerSendsChatMessage')).toEqual([]);
    expect(outputs).toEqual([]);
  });

  test.each([
    ['plain', 'Hello, world! (1 + 2 = 3)', true],
    ['letters of other scripts', 'Привет 你好 مرحبا こんにちは ñandú Straße', true],
    ['letters with joiners and marks', 'हिन्दी ภาษาไทย', true],
    ['digits of other scripts', '٣ ३', true],
    ['letters beside signs of multiplication and division', 'Öre Ørsted öre ørsted', true],
    ['a sign of multiplication', '2 × 3', false],
    ['a sign of division', '6 ÷ 3', false],
    ['nothing', '', false],
    ['only spaces', '   ', false],
    ['an emoji', 'hi 😀', false],
    ['a symbol', 'a → b', false],
    ['a line break', 'a\nb', false],
    ['typographic punctuation', '“quoted”', false],
    ['currency beyond ASCII', '5 €', false],
    ['a lone surrogate', 'a\ud800b', false],
    ['an invisible character', 'a\u202eb', false],
  ])('of %s: %j is accepted: %s', (_case, text, isTaken) => {
    const { game, say } = room();
    say(text);
    game.ticks(1);
    expect(game.of('playerSendsMessage').length).toBe(isTaken ? 1 : 0);
  });

  test.each([
    ['', ['playerSendsMessage'], 0],
    ['  ', ['playerSendsMessage', 'playerSendsChatMessage'], 1],
  ])('of blanks, %j, is refused in standard and fires triggers in moddio', (text, triggers, shown) => {
    const fired = (['standard', 'moddio'] as const).map((dialect) => {
      const { game, outputs, say } = room([], dialect);
      say('hi');
      game.ticks(1);
      say(text);
      game.ticks(1);
      const types = game.announced.map(({ type }) => type).filter((type) => type.startsWith('playerSends'));
      return [types.slice(2), outputs.length - 1, said(game).lastMessage];
    });
    expect(fired).toEqual([
      [[], 0, 'hi'],
      [triggers, shown, text],
    ]);
  });

  test('that is not a text is refused', () => {
    const { game } = room();
    sayInChat(game.game, game.entity('p1'), { length: 3 } as unknown as string);
    game.ticks(1);
    expect(game.of('playerSendsMessage')).toEqual([]);
  });

  test('followed by another in the same tick: both triggers see the last', () => {
    const { game, say } = room();
    say('one');
    say('two');
    game.ticks(1);
    expect(game.of('playerSendsChatMessage').length).toBe(2);
    expect(heard(game)).toBe('two');
  });
});

describe('a player who sends too many messages', () => {
  const short = 'a';
  const long = 'a text of 20 letters';
  test.each([
    ['after five short ones within 2 s is muted', short, 5, 8, true],
    ['after five short ones within exactly 2 s is muted', short, 5, 10, true],
    ['after five short ones in more than 2 s is not muted', short, 5, 11, false],
    ['after five long ones within 4 s is muted', long, 5, 16, true],
    ['after five long ones within exactly 4 s is muted', long, 5, 20, true],
    ['after five long ones in more than 4 s is not muted', long, 5, 21, false],
    ['after four long ones at once is not muted', long, 4, 1, false],
  ])('%s', (_what, text, count, pauseTicks, muted) => {
    const { game, outputs, say } = room();
    // 20 ticks a second.
    for (let i = 0; i < count; i++) {
      say(text);
      game.ticks(pauseTicks);
    }
    expect(said(game).isMuted).toBe(muted);
    expect(game.of('playerSendsChatMessage').length).toBe(muted ? 4 : count);
    if (muted) {
      expect(outputs.slice(-2)).toMatchObject([
        { op: 'mute', playerId: 'p1' },
        { op: 'system', to: { player: game.entity('p1') } },
      ]);
    }
  });

  test('is muted by the fifth, counted from the first; from the second in moddio', () => {
    const mutedAfter = (['standard', 'moddio'] as const).map((dialect) => {
      const { game, say } = room([], dialect);
      let count = 0;
      while (!said(game)?.isMuted) {
        say('a');
        game.ticks(1);
        count++;
      }
      return count;
    });
    expect(mutedAfter).toEqual([5, 6]);
  });

  test('is muted until a script lifts the ban', () => {
    const { game, say } = room([
      { type: 'unbanPlayerFromChat', player },
      { type: 'unbanPlayerFromChat', player },
    ]);
    game.world.ensure(game.entity('p1'), Chat).isMuted = true;
    say('quiet');
    game.ticks(1);
    expect(game.of('playerSendsMessage').length).toBe(1);
    expect(game.of('playerSendsChatMessage')).toEqual([]);
    game.sim.input({ kind: 'customInput', player: 'p1', text: '' });
    game.ticks(1);
    say('loud');
    game.ticks(1);
    expect(game.of('playerSendsChatMessage').length).toBe(1);
  });
});

describe('scripts can', () => {
  function run(...actions: unknown[]): Room {
    const it = room(actions);
    it.game.sim.input({ kind: 'customInput', player: 'p1', text: '' });
    it.game.ticks(1);
    return it;
  }

  test('ban a player from chat, which is published once', () => {
    const { game, outputs } = run({ type: 'banPlayerFromChat', player }, { type: 'banPlayerFromChat', player });
    expect(said(game).isMuted).toBe(true);
    expect(outputs).toEqual([{ op: 'mute', text: undefined, playerId: 'p1', to: undefined }]);
  });

  test('write to everyone or one player, without a trigger', () => {
    const { game, outputs } = run(
      { type: 'sendChatMessage', message: 'all' },
      { type: 'sendChatMessageToPlayer', message: 7, player },
    );
    expect(outputs).toMatchObject([
      { op: 'system', text: 'all', to: 'everyone' },
      { op: 'system', text: '7', to: { player: game.entity('p1') } },
    ]);
    expect(game.of('playerSendsChatMessage')).toEqual([]);
  });

  test('make only computer players speak', () => {
    const { game, outputs } = run(
      { type: 'makePlayerSendChatMessage', player: { function: 'computerPlayer', number: 1 }, message: 'beep' },
      { type: 'makePlayerSendChatMessage', player, message: 'never' },
    );
    expect(outputs).toMatchObject([{ op: 'player', text: 'beep', to: 'everyone' }]);
    expect(game.of('playerSendsChatMessage').map(({ payload }) => payload)).toEqual([{ player: 'c1' }]);
    expect(game.of('playerSendsMessage')).toEqual([]);
    expect(game.faults().map(({ code }) => code)).toEqual(['wrong-value']);
  });
});
