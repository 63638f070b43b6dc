import { describe, expect, test } from 'vitest';
import { chooseDialogueOption } from '../../../engine/rules/players/dialogue.ts';
import type { OutputEvent } from '../../../engine/world/outbox.ts';
import { append, setVariable } from '../../support/actions.ts';
import { play, script } from '../../support/play.ts';

const player = { function: 'getTriggeringPlayer' };
const log = (textB: unknown) => append('log', textB);

function talk(...actions: unknown[]) {
  const game = play({
    dialogues: {
      hello: {
        name: 'hello',
        dialogueTitle: 'Elder',
        message: 'Hello {{playerName}}, {{#if rich}}lend me{{else}}take{{/if}} {{gold}} gold.',
        options: [
          { name: 'Yes', scriptName: 'agree', followUpDialogue: 'thanks' },
          { name: 'No, {{playerName}}', scriptName: '', followUpDialogue: '' },
          { name: 'Broken', scriptName: 'nonsense', followUpDialogue: 'nonsense' },
        ],
      },
      thanks: { name: 'thanks', message: 'Thanks.', options: [{ name: 'Bye' }] },
    },
    variables: {
      gold: { dataType: 'number', default: 5 },
      rich: { dataType: 'boolean', default: true },
      where: { dataType: 'position', default: { x: 1, y: 2 } },
      log: { dataType: 'string', default: '' },
    },
    scripts: {
      go: script('playerCustomInput', actions),
      agree: script(
        [],
        [log({ function: 'getPlayerName', entity: { function: 'getLastPlayerSelectingDialogueOption' } })],
      ),
    },
  });
  const outputs: OutputEvent<'ui.dialogue'>[] = [];
  game.sim.on('output', (event) => {
    if (event.kind === 'ui.dialogue') outputs.push(event);
  });
  const human = game.sim.join({ name: 'Ann <b>' });
  human.answer('');
  game.ticks(1);
  return { game, outputs, human };
}

const open = (dialogue: string) => ({ type: 'openDialogueForPlayer', dialogue, player });

describe('a dialogue', () => {
  test('is shown with the current values of variables', () => {
    const { outputs, human } = talk(setVariable('gold', 7), open('hello'));
    expect(outputs).toEqual([
      expect.objectContaining({
        op: 'open',
        dialogueId: 'hello',
        title: 'Elder',
        message: 'Hello Ann &lt;b&gt;, lend me 7 gold.',
        playerName: 'Ann <b>',
        variables: { gold: 7, rich: true, log: '' },
        to: { player: human.entity },
      }),
    ]);
    expect(outputs[0]!.options).toEqual([
      { id: '0', name: 'Yes' },
      { id: '1', name: 'No, Ann &lt;b&gt;' },
      { id: '2', name: 'Broken' },
    ]);
  });

  test('that does not exist is a fault', () => {
    const { game, outputs } = talk(open('nonsense'));
    expect(outputs).toEqual([]);
    expect(game.faults()).toEqual([expect.objectContaining({ code: 'no-such-reference' })]);
  });

  test('runs the script of the chosen option and opens its follow-up dialogue', () => {
    const { game, outputs } = talk(open('hello'));
    game.sim.input({ kind: 'dialogueOption', player: 'p1', dialogue: 'hello', option: '0' });
    game.ticks(1);
    expect(game.variable('log')).toBe('Ann <b>');
    expect(outputs.map(({ dialogueId }) => dialogueId)).toEqual(['hello', 'thanks']);
  });

  test.each([
    { case: 'an option that it does not have', dialogue: 'hello', option: '3' },
    { case: 'an option of a dialogue that was not opened', dialogue: 'thanks', option: '0' },
    { case: 'an option of no dialogue', dialogue: 'nonsense', option: '0' },
    { case: 'the name of a member of all objects', dialogue: 'hello', option: 'constructor' },
  ])('cannot be answered with $case', ({ dialogue, option }) => {
    const { game, human } = talk(open('hello'));
    expect(chooseDialogueOption(game.game, human.entity, dialogue, option)).toBe(false);
    expect(game.variable('log')).toBe('');
  });

  test('can be answered once', () => {
    const { game, human } = talk(open('hello'));
    expect(chooseDialogueOption(game.game, human.entity, 'hello', '1')).toBe(true);
    expect(chooseDialogueOption(game.game, human.entity, 'hello', '0')).toBe(false);
  });

  test('cannot be answered after it was closed', () => {
    const { game, human, outputs } = talk(open('hello'), { type: 'closeDialogueForPlayer', player });
    expect(outputs.map(({ op }) => op)).toEqual(['open', 'close']);
    expect(chooseDialogueOption(game.game, human.entity, 'hello', '0')).toBe(false);
  });

  test('reports an option that names a missing script or dialogue', () => {
    const { game, human } = talk(open('hello'));
    chooseDialogueOption(game.game, human.entity, 'hello', '2');
    expect(game.faults().map(({ code }) => code)).toEqual(['no-such-script', 'no-such-reference']);
  });
});
