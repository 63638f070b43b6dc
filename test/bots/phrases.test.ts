import { describe, expect, test } from 'vitest';
import { RandomStream } from '../../engine/core/random.ts';
import { completed, phrasesOf } from '../../src/bots/phrases.ts';
import { load, script } from '../support/play.ts';

const said = { function: 'getLastChatMessageSentByPlayer', player: { function: 'getTriggeringPlayer' } };
const typed = { function: 'playerCustomInput', player: { function: 'getTriggeringPlayer' } };
const clicked = { function: 'lastClickedUiElementId', player: { function: 'getTriggeringPlayer' } };
const name = { function: 'getPlayerName', entity: { function: 'getTriggeringPlayer' } };
const is = (left: unknown, right: unknown) => ({
  type: 'condition',
  conditions: [{ operandType: 'string', operator: '==' }, left, right],
  then: [],
  else: [],
});

const phrases = (...actions: unknown[]) =>
  phrasesOf(load({ scripts: { all: script('gameStart', actions) } }).definition);

describe('bots recognise what a game asks for', () => {
  test.each([
    ['chat', is(said, 'open sesame'), 'talk', 'open sesame'],
    ['a command', is(said, '/open'), 'commands', '/open'],
    ['a command that is mentioned anywhere', { type: 'sendChatMessage', message: '/vote' }, 'commands', '/vote'],
    ['an answer, whichever side it stands on', is('42', typed), 'answers', '42'],
    ['an element', is(clicked, 'start-button'), 'elements', 'start-button'],
    ['a name', is(name, 'Ada'), 'names', 'Ada'],
    ['small letters', is({ function: 'toLowerCase', string: said }, 'quit'), 'talk', 'quit'],
    [
      'the beginning of a text',
      is({ function: 'stringStartsWith', sourceString: said, patternString: '/give' }, true),
      'commands',
      '/give',
    ],
  ] as const)('%s', (_, action, kind, word) => {
    expect(phrases(action)[kind]).toContain(word);
  });

  test('a name, if a script names the player after the answer', () => {
    const named = { type: 'setPlayerName', player: { function: 'getTriggeringPlayer' }, name: typed };
    expect(phrases(named).answersAreNames).toBe(true);
    expect(phrases(named, is(typed, 'reset')).answersAreNames).toBe(false);
    expect(phrases({ ...named, name: 'Ada' }).answersAreNames).toBe(false);
  });

  test('thorough bots complete commands, and follow what was typed into variables', () => {
    const command = { function: 'getVariable', variableName: 'command' };
    const starts = { function: 'stringStartsWith', sourceString: command, patternString: 'make ' };
    const actions = [
      { type: 'setVariable', variableName: 'command', value: { function: 'toLowerCase', string: typed } },
      is(command, 'reset'),
      is(starts, true),
    ];
    const variables = { command: { dataType: 'string' } };
    const { definition } = load({ variables, scripts: { all: script('gameStart', actions) } });
    const { answers } = phrasesOf(definition, true);
    expect([...answers].sort()).toEqual(['make ', 'reset']);
    expect(phrasesOf(definition).answers).toEqual([]);
    const random = new RandomStream('argument');
    expect(completed('make ', random)).toMatch(/^make (bot)?\d+$/);
    expect(completed('reset', random)).toBe('reset');
  });

  test('thorough bots answer input boxes that ask for a command, at times with an operand', () => {
    const contains = (word: unknown) => is({ function: 'subString', sourceString: typed, patternString: word }, true);
    const actions = [contains({ function: 'toLowerCase', string: '/Nick' }), contains('/shout'), is(typed, '/leave')];
    const { definition } = load({ scripts: { all: script('gameStart', actions) } });
    expect([...phrasesOf(definition, true).answers].sort()).toEqual(['/leave', '/nick', '/shout']);
    const random = new RandomStream('operand');
    const said = new Set(Array.from({ length: 20 }, () => completed('/nick', random)));
    expect(said).toContain('/nick');
    expect([...said].join('\n')).toMatch(/^\/nick (bot)?\d+$/m);
  });

  test('but not what only looks similar', () => {
    const { answers, elements, names } = phrases(
      is({ function: 'getVariable', variableName: 'x' }, 'nothing asked'),
      { type: 'setVariable', variableName: 'tempNumber', value: typed },
      { type: 'sendChatMessage', message: { function: 'concat', textA: name, textB: ' has joined' } },
    );
    expect([answers, elements, names]).toEqual([[], [], []]);
  });
});
