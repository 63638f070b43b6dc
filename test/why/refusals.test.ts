import { expect, test } from 'vitest';
import { arrangeJournal, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { refusalCodes } from '../../engine/tools.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { attribute, document, itemType, joinAs, script, unitType } from '../support/play.ts';

const player = { function: 'getTriggeringPlayer' };
const price = { coins: 0, requiredItemTypes: {}, playerAttributes: { gold: 5 } };
const offers = { isPurchasable: true, price, requirement: { requiredItemTypes: {}, playerAttributes: {} } };

/**
 * A play in which alice and bob have 3 gold each, and alice tries to buy a sword that costs 5; `isOpen`: in a shop that
 * opened for her.
 */
function play(isOpen = true): RecordedPlay {
  const { game } = loadDefinition(
    document({
      playerTypes: {
        human: {
          name: 'human',
          relationships: {},
          variables: {},
          attributes: { gold: attribute(3) },
        },
      },
      unitTypes: { knight: unitType({ name: 'Knight' }) },
      itemTypes: { sword: itemType({ name: 'Sword' }), shield: itemType({ name: 'Shield' }) },
      shops: { smith: { name: 'Smith', itemTypes: { sword: offers }, unitTypes: { knight: offers } } },
      scripts: {
        join: joinAs('knight'),
        ...(isOpen && { open: script('playerCustomInput', [{ type: 'openShopForPlayer', shop: 'smith', player }]) }),
      },
    }),
  );
  const sim = new Simulation(game!, { seed: 'w' });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each));
  for (const name of ['alice', 'bob']) sim.join({ clientId: name, name });
  sim.run({ ticks: 5 });
  sim.input({ kind: 'customInput', player: 'alice', text: 'shop' });
  sim.run({ ticks: 5 });
  sim.input({ kind: 'buyItem', player: 'alice', type: 'sword' });
  sim.run({ ticks: 10 });
  recorder.end();
  return new RecordedPlay(game!, arrangeJournal(records)!);
}

const refused = (reason: string) => `At tick 11 (0.55 s) alice's input buyItem sword was refused: ${reason}`;
const cannotPay = refused(`not_affordable (${refusalCodes.not_affordable})`);

test.each([
  'items of type sword held by alice',
  'items held by alice.unit',
  'items of type sword held by alice == 1',
  'alice.unit.holding',
])('a purchase that was refused explains %s', (question) => {
  expect(
    play()
      .why(question)
      .notes?.filter((each) => each.includes('refused')),
  ).toEqual([cannotPay]);
});

test('the reason of a refusal is told with what it means', () => {
  const noShop = refused('no_shop (No shop is open for the player.)');
  expect(play(false).why('items held by alice').notes).toContain(noShop);
});

test.each([
  'items held by bob',
  'alice.gold',
  'alice.gold < 3',
  'items of type shield held by alice',
  'alice.unit.health',
])('a purchase that was refused does not explain %s', (question) => {
  expect(play().why(question).notes?.join() ?? '').not.toContain('refused');
});

test('a refusal after the moment in question explains nothing', () => {
  expect(play().why('items held by alice', 10).notes?.join() ?? '').not.toContain('refused');
});
