import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Heard, recorded, replayed, type Traffic } from './traffic.ts';

const path = `${process.env['REENACT_TRAFFIC'] ?? '../shared/client-traffic'}/outbreak-two-clients.jsonl.gz`;
const game = 'scenarios/games/outbreak.json';

/** Both servers send a client the same kinds of messages in the same order, for the same inputs at the same times. */
describe.skipIf(!existsSync(path))('like the recorded server of the reference', () => {
  let theirs: Traffic;
  let ours: Traffic;

  beforeAll(() => {
    const { traffic, said, ms } = recorded(path);
    theirs = traffic;
    ours = replayed(game, said, ms);
  });

  /** The messages between two times, ms, as lines without random parts. */
  function told({ heard }: Traffic, from: number, to: number, keep: RegExp): string[] {
    // A text that is already shown may be sent again or not.
    const texts = new Map<string, string>();
    const news = (line: string): boolean => {
      const target = /^text (\S+)/.exec(line)?.[1];
      if (target === undefined) return true;
      const isNew = texts.get(target) !== line;
      texts.set(target, line);
      return isNew;
    };
    return heard.flatMap((each) => {
      const lines = linesOf(each).filter(news);
      return each.ms >= from && each.ms < to ? lines.filter((line) => keep.test(line)) : [];
    });
  }

  function both(from: number, to: number, keep: RegExp): [ours: string[], theirs: string[]] {
    return [told(ours, from, to, keep), told(theirs, from, to, keep)];
  }

  // The sample has greeted newcomers in other words since the recording: phones have no WASD.
  const greeting = /^chat (?:WASD to walk|Walk away from the sick).*/;
  const unique = (lines: readonly string[]) =>
    [...new Set(lines.map((line) => line.replace(greeting, 'chat (the greeting)')))].sort();

  test('a join: texts, chat, the own player and unit, then that it has joined', () => {
    const [own, other] = both(0, 200, /^(?:text|chat|room|create (?:Player|Unit|Region)|own)/);
    // The reference server sends newcomers expired texts again.
    expect(unique(own)).toEqual(unique(other).filter((line) => line !== 'text center-lg OUTBREAK!'));
    const order = (lines: readonly string[]) =>
      [/^create Player humans/, /^create Unit human/, /^own playerJoined/].map((each) =>
        lines.findIndex((line) => each.test(line)),
      );
    for (const [player, unit, joined] of [order(own)]) {
      expect(player! < unit! && unit! < joined!).toBe(true);
    }
    expect(order(other).every((at) => at >= 0)).toBe(true);
  });

  test('a shot: the item is used, its quantity decreases, darts come and go, until the key is released', () => {
    const [shots, theirShots] = both(3500, 4900, /^(?:item isBeingUsed|(?:create|destroy) Projectile)/);
    expect(shots.sort()).toEqual(theirShots.sort());
    // The page counts uses itself, so our server sends the quantity again after each use.
    const [own, other] = both(3500, 4900, /^item quantity/);
    expect(unique(own)).toEqual(unique(other));
  });

  test('the end of a round: a text for a while, chat to all and to one, the texts, the score', () => {
    const [own, other] = both(4540, 4990, /^(?:text|chat|player attributes)/);
    expect(unique(own)).toEqual(unique(other));
  });

  test('chat has the id of its sender', () => {
    const [own, other] = both(5000, 5200, /^chat/);
    expect(own).toEqual(other);
  });

  test('a purchase without a shop: only the script answers, with the item that was created last', () => {
    const [own, other] = both(5500, 5700, /^(?:chat|ui)/);
    expect(own.sort()).toEqual(other.sort());
  });

  test('a swap of slots: the unit has other items, the item another slot and state', () => {
    const [own, other] = both(6520, 6700, /^(?:item|unit (?:itemIds|currentItemIndex))/);
    // The reference server repeats the selected slot, which is unchanged.
    expect(unique(own)).toEqual(unique(other.filter((line) => line !== 'unit currentItemIndex 0')));
  });

  test('a selected slot: its item is held', () => {
    const [own, other] = both(7520, 7700, /^(?:item|unit currentItemIndex)/);
    expect(unique(own)).toEqual(unique(other));
  });

  test('the next round: items on the ground are gone, and the texts start over', () => {
    const [own, other] = both(9500, 9700, /^(?:text|chat)/);
    expect(unique(own)).toEqual(unique(other));
  });

  test('a client takes less than a third of the bytes that theirs takes', () => {
    expect(ours.bytes * 3).toBeLessThan(theirs.bytes);
  });
});

/**
 * The messages of the reference's own server were recorded with the same game and the same inputs; the recording above
 * has neither.
 */
describe('like the observed server of the reference', () => {
  const key = (t: number, down: boolean, name: string) => ({
    c: 'A',
    t,
    d: '>' as const,
    m: [down ? 'playerKeyDown' : 'playerKeyUp', { device: 'key', key: name }],
  });
  let lines: (readonly [ms: number, line: string])[];

  beforeAll(() => {
    const buy = { c: 'A', t: 5700, d: '>' as const, m: ['buyItem', { id: 'medicine' }] };
    const said = [key(3000, true, 'g'), key(3100, false, 'g'), key(4800, true, 'b'), key(4900, false, 'b'), buy];
    const { heard } = replayed(game, said, 6500);
    lines = heard.flatMap((each) => linesOf(each).map((line) => [each.ms, line] as const));
  });

  const between = (from: number, to: number, keep: RegExp) =>
    lines.filter(([ms, line]) => ms >= from && ms < to && keep.test(line)).map(([, line]) => line);

  test('a drop: the item has no unit and lies on the ground, and is shown at its position', () => {
    const told = between(2990, 3300, /^(?:item|unit itemIds|place Item)/);
    // The reference server leaves the item the slot that it had.
    expect(told.filter((line) => !/^place|slotIndex null/.test(line)).sort()).toEqual([
      'item ownerUnitId 0',
      'item stateId "dropped"',
      'unit itemIds [false,false,false,false]',
    ]);
    expect(told).toContain('place Item');
  });

  test('a purchase in a shop: the window, the answer, the item, its owner, its price, the message of the script', () => {
    expect(between(4800, 5000, /^shop/)).toEqual(['shop trader']);
    expect(between(5700, 5900, /^(?:ui|create Item|unit itemIds|player attributes|chat)/).sort()).toEqual([
      'chat Sold: …',
      'create Item medicine',
      // The round that ended before was rewarded; the medicine costs six.
      'player attributes {"score":{"value":14}}',
      'ui {"command":"shopResponse","type":"purchase"}',
      'unit itemIds [true,false,false,false]',
    ]);
  });
});

/** The names of entities are random; their kinds are not. */
const kinds = new Map<string, string>();

function linesOf({ command, data }: Heard): string[] {
  const members = data as { [name: string]: unknown };
  switch (command) {
    case 'updateUiText':
    case 'updateUiTextForTime':
      return [`text ${members['target']} ${members['value']} ${members['time'] ?? ''}`.trim()];
    case 'taroChatMsg':
      // Which item was created last is random.
      return [
        `chat ${String(members['text']).replace(/^Sold: .*/, 'Sold: …')}${members['from'] === undefined ? '' : ' from a player'}`,
      ];
    case 'taroChatJoinRoom':
      return ['room'];
    case '_taroStreamCreate': {
      const [shownClass, id, , , stats] = data as [string, string, string, unknown, { [name: string]: unknown }];
      kinds.set(id, shownClass);
      const type = stats['type'] ?? stats['itemTypeId'] ?? stats['playerTypeId'] ?? stats['id'] ?? '';
      // The type of the wild animals' player, and which computer players there are, do not matter for joining.
      if (shownClass === 'Player' && stats['controlledBy'] === 'computer') return [];
      return [`create ${shownClass} ${type}`];
    }
    case '_taroStreamDestroy':
      return [`destroy ${kinds.get((data as [number, string])[1])}`];
    case 'streamUpdateData':
      return Object.entries(members).flatMap(([id, changes]) => changesOf(kinds.get(id), changes as object));
    case 'ui':
      return [`ui ${JSON.stringify(data)}`];
    case 'openShop':
      return [`shop ${members['type']}`];
    case '_taroStreamData':
      return [`place ${kinds.get(data as string)}`];
    default:
      return [];
  }
}

function changesOf(kind: string | undefined, changes: object): string[] {
  return Object.entries(changes).flatMap(([member, value]) => {
    if (kind === 'Player') {
      if (member === 'playerJoined' || member === 'selectedUnitId') return [`own ${member}`];
      return member === 'attributes' ? [`player attributes ${JSON.stringify(value)}`] : [];
    }
    if (kind === 'Unit') {
      if (member === 'itemIds')
        return [`unit itemIds ${JSON.stringify((value as unknown[]).map((id) => id !== null))}`];
      return member === 'currentItemIndex' ? [`unit ${member} ${JSON.stringify(value)}`] : [];
    }
    return kind === 'Item' ? [`item ${member} ${JSON.stringify(value)}`] : [];
  });
}
