import { describe, expect, test } from 'vitest';
import { mergeSaved } from '../../../engine/rules/players/merge-saved.ts';
import type { OutputEvent } from '../../../engine/world/outbox.ts';
import { attribute, joinAs, play, script, unitType } from '../../support/play.ts';

const player = { function: 'getTriggeringPlayer' };
const unit = { function: 'getPlayerSelectedUnit', player };

const amount = (value: number, more: object = {}) => ({ value, min: 0, max: 100, regenerateSpeed: 0, ...more });
const number = (value: unknown) => ({ dataType: 'number', value });
const text = (value: unknown) => ({ dataType: 'string', value });
const quest = (progress: number) => ({ name: 'Wood', description: '', goal: 10, progress });
const wood = (quantity: number, slotIndex = 0) => ({
  itemTypeId: 'wood',
  quantity,
  slotIndex,
  attributes: {},
  variables: {},
});

describe('saved data that arrives late is merged with what the player did meanwhile:', () => {
  const attributes = [
    ['an unchanged number takes the stored value', amount(10), amount(10), amount(40), amount(40)],
    ['gains are added', amount(10), amount(15), amount(40), amount(45)],
    ['losses are subtracted', amount(10), amount(4), amount(40), amount(34)],
    ['a sum is clamped to the maximum', amount(10), amount(90), amount(40), amount(100)],
    ['losses that are harmless by themselves do not add up to 0', amount(100), amount(30), amount(20), amount(20)],
    ['a value that was spent completely stays 0', amount(10), amount(0), amount(5), amount(0)],
    [
      'unchanged bounds take the stored values',
      amount(10),
      amount(15),
      amount(40, { max: 200 }),
      amount(45, { max: 200 }),
    ],
    [
      'changed bounds keep the newer values',
      amount(10),
      amount(15, { max: 42 }),
      amount(40, { max: 200 }),
      amount(42, { max: 42 }),
    ],
  ] as const;
  test.each(attributes)('%s', (_, before, now, stored, merged) => {
    const of = (gold: object) => ({ player: { attributes: { gold } } });
    expect(mergeSaved({ data: of(now), since: of(before) }, of(stored))).toEqual({
      player: { attributes: { gold: merged } },
    });
  });

  const variables = [
    ['an unchanged text takes the stored value', text('peasant'), text('peasant'), text('king'), text('king')],
    ['a changed text keeps the newer value', text('peasant'), text('duke'), text('king'), text('duke')],
    ['the change of a number is added', number(0), number(3), number(20), number(23)],
    ['a number without an earlier value keeps the newer one', number(null), number(3), number(20), number(3)],
    [
      'an entity of an earlier game is ignored',
      { dataType: 'unit', value: 'u1' },
      { dataType: 'unit', value: 'u1' },
      { dataType: 'unit', value: 'u9' },
      { dataType: 'unit', value: 'u1' },
    ],
  ] as const;
  test.each(variables)('%s', (_, before, now, stored, merged) => {
    const of = (title: object) => ({ player: { variables: { title } } });
    expect(mergeSaved({ data: of(now), since: of(before) }, of(stored))).toEqual({
      player: { variables: { title: merged } },
    });
  });

  test('quests are united: completed if either is, otherwise with the further progress', () => {
    const of = (active: object, completed: object) => ({
      player: { quests: { active: { game: active }, completed: { game: completed } } },
    });
    const now = of({ a: quest(3), b: quest(1), new: quest(1) }, { c: quest(10) });
    const stored = of({ a: quest(5), c: quest(2), old: quest(1) }, { b: quest(10) });
    expect(mergeSaved({ data: now, since: of({}, {}) }, stored)).toEqual(
      of({ a: quest(5), old: quest(1), new: quest(1) }, { b: quest(10), c: quest(10) }),
    );
  });

  test('stored items replace initial ones, and items gained since are added', () => {
    const of = (...inventoryItems: object[]) => ({ unit: { inventoryItems } });
    const axe = { ...wood(1, 1), itemTypeId: 'axe' };
    expect(mergeSaved({ data: of(wood(9), axe), since: of(wood(5)) }, of(wood(40)))).toEqual(
      of(wood(40), wood(4), axe),
    );
    expect(mergeSaved({ data: of(wood(2)), since: of(wood(5)) }, of(wood(40)))).toEqual(of(wood(40)));
    expect(mergeSaved({ data: of(wood(2)), since: of(wood(5)) }, {})).toEqual(of(wood(2)));
  });

  test('attributes that the player got meanwhile, as with another type, keep their newer values', () => {
    const of = (attributes: object) => ({ player: { attributes, variables: {} } });
    const merged = mergeSaved(
      { data: of({ gold: amount(15, { max: 50 }) }), since: of({ fame: amount(1) }) },
      of({ gold: amount(40) }),
    );
    expect(merged).toEqual(of({ gold: amount(15, { max: 50 }) }));
  });

  test('members that only one side has are kept', () => {
    const now = { player: { attributes: { fame: amount(1) }, variables: {} } };
    const stored = { player: { attributes: { gold: amount(40) }, variables: {} } };
    expect(mergeSaved({ data: now, since: now }, stored)).toEqual({
      player: { attributes: { fame: amount(1), gold: amount(40) }, variables: {} },
    });
  });
});

describe('a player whose saved data arrives late', () => {
  /** Joining players load their data. An answer to an input box earns 5 gold, gives an axe, or saves. */
  function game(isDataLate = true) {
    const said: OutputEvent[] = [];
    const it = play({
      defaultData: { frameRate: 20, engineTickRate: 20, _id: 'this-game' },
      settings: { persistentScoreAttributeId: 'gold' },
      playerTypes: {
        human: { name: 'human', relationships: {}, attributes: { gold: attribute(10, { max: 100 }) }, variables: {} },
      },
      unitTypes: { hero: unitType({ inventorySize: 3, attributes: { health: attribute(100, { max: 100 }) } }) },
      itemTypes: {
        wood: { name: 'wood', type: 'other', quantity: 1, maxQuantity: 50, attributes: {}, variables: {}, states: {} },
        axe: { name: 'axe', type: 'other', quantity: 1, maxQuantity: 1, attributes: {}, variables: {}, states: {} },
      },
      scripts: {
        join: joinAs('hero'),
        load: script('playerJoinsGame', [{ type: 'loadPlayerDataAndApplyIt', player, unit }]),
        earn: script('playerCustomInput', [
          { type: 'giveNewItemToUnit', itemType: 'axe', unit },
          { type: 'setPlayerAttribute', entity: player, attribute: 'gold', value: 15 },
          { type: 'savePlayerData', player },
        ]),
      },
    });
    it.sim.on('output', (event) => {
      if (event.kind === 'persistence' || event.kind === 'chat') said.push(event);
    });
    it.sim.input({ kind: 'join', clientId: 'ann', userId: 'account', ...(isDataLate ? { isDataLate } : {}) });
    it.ticks(1);
    return {
      it,
      earn: () => {
        it.sim.input({ kind: 'customInput', player: 'ann', text: '' });
        it.ticks(1);
      },
      bring: (persisted: unknown) => {
        it.sim.input({ kind: 'savedData', player: 'ann', persisted });
        it.ticks(1);
      },
      leave: () => {
        it.sim.input({ kind: 'leave', player: 'ann' });
        it.ticks(1);
      },
      saves: () => said.filter(({ kind }) => kind === 'persistence'),
      chat: () => said.flatMap((event) => (event.kind === 'chat' ? [event['text']] : [])),
      items: () =>
        it
          .slots(it.sim.player('ann').unit!.entity)
          .split(' ')
          .map((id) => {
            const item = id === '.' ? 0 : it.entity(id);
            return item === 0
              ? '.'
              : `${it.world.types.item.list[it.world.components.identity.type[item & 0xfffff]!]!.key} ${it.quantity(item)}`;
          }),
    };
  }
  const stored = {
    player: { attributes: { gold: amount(40) }, variables: {}, quests: {} },
    unit: { attributes: {}, variables: {}, inventoryItems: [wood(7)] },
    highscore: 60,
  };

  test('is informed, receives it merged with its gains, and the requested save is made', () => {
    const { it, earn, bring, saves, chat, items } = game();
    expect(chat()).toEqual([expect.stringContaining('cannot be loaded right now')]);
    earn();
    expect(saves()).toEqual([]);
    expect(it.faults()).toEqual([]);
    bring(stored);
    expect(it.attribute('ann', 'gold')).toBe(45);
    expect(items()).toEqual(expect.arrayContaining(['wood 7', 'axe 1']));
    expect(chat().at(-1)).toBe('Your saved data has been loaded.');
    expect(saves()).toMatchObject([
      { op: 'save', userId: 'account', data: { player: { attributes: { gold: { value: 45 } } } } },
    ]);
    expect(saves()[0]).not.toHaveProperty('since');
  });

  test('and is empty can be saved from then on', () => {
    const { it, earn, bring, saves } = game();
    bring({});
    expect(it.attribute('ann', 'gold')).toBe(10);
    earn();
    expect(it.faults()).toEqual([]);
    expect(saves()).toMatchObject([{ op: 'save', data: { player: { attributes: { gold: { value: 15 } } } } }]);
  });

  test('receives it once, and no other player does', () => {
    const { it, bring } = game();
    bring(stored);
    bring({ player: { attributes: { gold: amount(99) } } });
    expect(it.attribute('ann', 'gold')).toBe(40);
    const other = game(false);
    other.bring(stored);
    expect(other.it.attribute('ann', 'gold')).toBe(10);
  });

  test('hands its save with its initial data to the host when it leaves and when the game ends', () => {
    const { it, earn, leave, saves } = game();
    earn();
    leave();
    expect(saves()).toMatchObject([
      { op: 'highscore', highscore: 15, since: {} },
      {
        op: 'save',
        data: { player: { attributes: { gold: { value: 15 } } } },
        since: { player: { attributes: { gold: { value: 10 } } } },
      },
    ]);
    expect(it.sim.player('ann').exists).toBe(false);
    const other = game();
    other.earn();
    other.it.sim.input({ kind: 'shutDown' });
    other.it.ticks(1);
    expect(other.saves()).toMatchObject([{ op: 'save', since: { player: {} } }]);
  });

  test('still receives it in a restored game', () => {
    const { it, earn } = game();
    earn();
    const again = (it.sim.constructor as typeof import('../../../engine/index.ts').Simulation).restore(
      it.loaded,
      it.sim.snapshot(),
    );
    again.input({ kind: 'savedData', player: 'ann', persisted: stored });
    again.step();
    expect(again.player('ann').attribute('gold')).toBe(45);
  });
});
