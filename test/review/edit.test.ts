import { parseTree } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { loadDefinition, type Node, type Operand } from '../../engine/index.ts';
import { descriptorKey, scriptsOf } from '../../engine/tools.ts';
import { applied } from '../../src/load/index.ts';
import { textEdits, thingsOf, thingsText } from '../../src/review/index.ts';
import { scriptEdits } from '../../src/review/script-edits.ts';
import { scriptLines } from '../../src/run/index.ts';
import { readRealGame, realGames } from '../support/real-games.ts';
import { game, say, script, set, when } from './games.ts';
import { scriptForms } from './script-forms.ts';

const variables = Object.fromEntries(
  ['round', 'x', 'y', 'true', 'my score'].map((name) => [name, { dataType: 'number', default: 1 }]),
);
const scriptsWith = (actions: Record<string, unknown>[]) =>
  game({ unitTypes: {}, variables, scripts: { start: script('starts', actions) } });

/** The text of a game after an edit of its print: the JSON, or the issues as `line:column code: message`. */
function written(json: string, edit: (text: string) => string): string {
  const document: unknown = JSON.parse(json);
  const loaded = loadDefinition(document).game!;
  const things = thingsOf(document, loaded);
  const text = thingsText(things);
  const edited = edit(text);
  expect(edited).not.toBe(text);
  const { edits, issues } = textEdits(json, loaded, things, edited);
  if (issues.length > 0)
    return issues
      .map(({ offset = 0, code, message }) => {
        const before = edited.slice(0, offset).split('\n');
        return `${before.at(-1)!.length}: ${edited.slice(offset).split('\n')[0]} | ${code}: ${message}`;
      })
      .join('\n');
  const after = applied(json, edits);
  const again: unknown = JSON.parse(after);
  expect(thingsText(thingsOf(again, loadDefinition(again).game!))).toBe(edited);
  return after;
}

/** The JSON of the actions after an edit. */
function actions(given: Record<string, unknown>[], edit: (text: string) => string): unknown {
  const after = JSON.parse(written(JSON.stringify(scriptsWith(given)), edit));
  return after.scripts.start.actions;
}

const replace = (was: string, now: string) => (text: string) => {
  expect(text).toContain(was);
  return text.replace(was, now);
};

const hidden = { ...set('round', 1), vars: ['x'], isExpanded: true };

const unread =
  'The rest of this line has no meaning here. Put calculations and combined conditions in parentheses, and write operands as `name: value`, with the names of `reenact ops`.';

describe('an edited script', () => {
  test('changes only the value that its text changes', () => {
    const json = JSON.stringify(scriptsWith([say('a'), hidden, say('b')]));
    const after = written(json, replace('set round = 1', 'set round = (round + 2)'));
    const sum =
      '{"function":"calculate","items":[{"operator":"+"},{"function":"getVariable","variableName":"round"},2]}';
    expect(after).toBe(json.replace('"value":1,"vars"', `"value":${sum},"vars"`));
  });

  test('keeps the layout of an indented document', () => {
    const json = JSON.stringify(scriptsWith([say('a'), say('b')]), null, 2);
    const after = written(json, replace('message: "a"\n', 'message: "a"\n  sendChatMessage message: "c"\n'));
    expect(after).toBe(
      json.replace(/("message": "a"\n\s+\},)(\n\s+)(?=\{)/, '$1$2{ "type": "sendChatMessage", "message": "c" },$2'),
    );
  });

  test('lines are added, removed and moved with what they do not show', () => {
    const given = [say('a'), hidden, say('b')];
    expect(actions(given, replace('  sendChatMessage message: "a"\n', ''))).toEqual([hidden, say('b')]);
    expect(actions(given, replace('  sendChatMessage message: "b"\n', '  endGame\n'))).toEqual([
      say('a'),
      hidden,
      { type: 'endGame' },
    ]);
    const wrapped = '  if round > 3\n    then\n      set round = 1\n    else\n      endGame\n';
    expect(actions(given, replace('  set round = 1\n', wrapped))).toEqual([
      say('a'),
      {
        type: 'condition',
        conditions: [{ operandType: 'number', operator: '>' }, { function: 'getVariable', variableName: 'round' }, 3],
        then: [hidden],
        else: [{ type: 'endGame' }],
      },
      say('b'),
    ]);
  });

  test('actions are added to lists that were empty, and taken out of lists that vanish', () => {
    const given = [when('round', 1, [say('a')])];
    const [condition] = given as [Record<string, unknown>];
    expect(actions(given, replace('"a"\n', '"a"\n    else\n      endGame\n'))).toEqual([
      { ...condition, else: [{ type: 'endGame' }] },
    ]);
    expect(actions(given, replace('    then\n      sendChatMessage message: "a"\n', ''))).toEqual([
      { ...condition, then: [] },
    ]);
    expect(actions([], replace(': when gameStart\n', ': when gameStart\n  endGame\n'))).toEqual([{ type: 'endGame' }]);
  });

  test('triggers, the condition of the script, comments and disabled actions', () => {
    const json = JSON.stringify(scriptsWith([say('a')]));
    const edit = replace(
      'when gameStart\n  send',
      'when secondTick, gameStart\n  only if round == 2\n  # twice\n  off: send',
    );
    expect(JSON.parse(written(json, edit)).scripts.start).toEqual({
      name: 'starts',
      triggers: [{ type: 'secondTick' }, { type: 'gameStart' }],
      conditions: [{ operandType: 'number', operator: '==' }, { function: 'getVariable', variableName: 'round' }, 2],
      actions: [
        { type: 'comment', comment: 'twice' },
        { ...say('a'), disabled: true },
      ],
    });
    const guarded = written(json, edit);
    expect(written(guarded, replace('  only if round == 2\n  # twice\n  off: s', '  s'))).toBe(
      json.replace('[{"type":"gameStart"}]', '[{"type":"secondTick"},{"type":"gameStart"}]'),
    );
  });
});

test('a line keeps names that the game does not declare', () => {
  const given = [set('gone', 1)];
  expect(actions(given, replace('gone = 1', 'gone = 2'))).toEqual([set('gone', 2)]);
  const json = JSON.stringify({ ...scriptsWith([say('a')]), scripts: { start: script('never', [say('a')]) } });
  const odd = json.replace('"gameStart"', '"neverHeardOf"');
  expect(written(odd, replace('neverHeardOf', 'neverHeardOf, gameStart'))).toBe(
    odd.replace('{"type":"neverHeardOf"}', '{"type":"neverHeardOf"},{"type":"gameStart"}'),
  );
});

test.each(scriptForms)('%s is read as one action', (text, action) => {
  expect(actions([], replace(': when gameStart\n', `: when gameStart\n  ${text}\n`))).toEqual([action]);
});

test.runIf(realGames.length > 0).each(realGames)('%s is written back without a change', (name) => {
  const document = readRealGame(name);
  const loaded = loadDefinition(document).game!;
  const things = thingsOf(document, loaded);
  expect(textEdits(JSON.stringify(document), loaded, things, thingsText(things))).toEqual({
    edits: [],
    issues: [],
    changed: [],
  });
});

test.runIf(realGames.length > 0).each(realGames)('all scripts of %s are read from their text alone', (name) => {
  const loaded = loadDefinition(readRealGame(name)).game!;
  for (const real of scriptsOf(loaded.definition).scripts) {
    const lines = scriptLines(real, { isComplete: true }).map(({ depth, text }) => `${'  '.repeat(depth + 1)}${text}`);
    const empty = JSON.stringify({ scripts: { x: script('x', []) } });
    const { definition } = loadDefinition(JSON.parse(empty)).game!;
    const anyVariable = { has: () => true, keys: () => [] };
    const edits = scriptEdits(
      empty,
      parseTree(empty)!,
      { variables: anyVariable },
      scriptsOf(definition).scripts[0]!,
      [],
      lines,
      0,
    );
    const [read] = scriptsOf(loadDefinition(JSON.parse(applied(empty, edits))).game!.definition).scripts;
    expect(meaningOf(read!.actions)).toEqual(meaningOf(real.actions));
    expect(meaningOf(read!.conditions)).toEqual(meaningOf(real.conditions));
  }
});

/** What a node means in every dialect, without what nothing reads. */
function meaningOf(node: Node): unknown {
  switch (node.kind) {
    case 'nothing':
      return node.isNull ? 'null' : 'nothing';
    case 'calculation':
      return [node.operator, ...node.sides.map(meaningOf)];
    case 'condition': {
      const { operator, operandType, isJunction } = node;
      if (node.isEmpty || node.isDefaultGuard) return [];
      const type = ['number', 'boolean', 'string'].includes(operandType) && !isJunction ? operandType : 'any';
      return [operator, type, ...(isJunction ? node.conditions : node.sides).map(meaningOf)];
    }
    case 'block':
      return node.elements.filter((each) => each.kind !== 'action' || each.type !== 'comment').map(meaningOf);
    case 'action':
    case 'call': {
      const { operation, rule, operands, json } = node;
      if (rule === undefined) return json;
      const items = node.calls('calculate') ? node.operand('items') : undefined;
      if (items?.kind === 'calculation') return meaningOf(items);
      const kinds = Object.values(rule.params).map(({ name: kind }) => kind);
      const of = (operand: Operand, i: number) =>
        (kinds[i]!.endsWith(' variable') ? descriptorKey(operand) : undefined) ?? meaningOf(operand);
      return [operation, node.kind === 'action' && node.isOn, ...operands.map(of)];
    }
    default:
      return { json: node.json };
  }
}

describe('an edit is refused', () => {
  const cases: readonly [what: string, edit: (text: string) => string, message: string][] = [
    [
      'outside of scripts',
      replace('gravity: x 0', 'gravity: x 1'),
      '0:   gravity: x 1, y 0 | text-read-only: Only triggers, conditions and actions of scripts can be edited as text.',
    ],
    [
      'with an unknown action',
      replace('set round = 1', 'endGaem'),
      '2: endGaem | text-unknown-word: There is no action endGaem. Did you mean "endGame"?',
    ],
    [
      'with an unknown function',
      replace('set round = 1', 'set round = getPlayerCont()'),
      '14: getPlayerCont() | text-unknown-word: There is no function getPlayerCont. Did you mean "getPlayerCount"?',
    ],
    [
      'with an unknown variable',
      replace('set round = 1', 'set round = (rond + 1)'),
      '15: rond + 1) | text-unknown-word: There is no variable rond. Did you mean "round"?',
    ],
    [
      'that sets an unknown variable',
      replace('set round = 1', 'set rond = 1'),
      '6: rond = 1 | text-unknown-word: There is no variable rond. Did you mean "round"?',
    ],
    [
      'with an unknown trigger',
      replace('when gameStart', 'when gameStart, secondTock'),
      '41: secondTock | text-unknown-word: There is no trigger secondTock. Did you mean "secondTick"?',
    ],
    [
      'with a part of the name of a trigger that the script has',
      replace('when gameStart', 'when gameStar'),
      '30: gameStar | text-unknown-word: There is no trigger gameStar. Did you mean "gameStart"?',
    ],
    [
      'with a part of the name of a variable that the script has',
      replace('set round = 1', 'set roun = 1'),
      '6: roun = 1 | text-unknown-word: There is no variable roun. Did you mean "round"?',
    ],
    [
      'with one equals sign in a comparison',
      replace('set round = 1', 'if round = 1\n    then\n      endGame'),
      '11: = 1 | text-syntax: "=" is not a comparison. Expected ==, !=, <, <=, > or >=.',
    ],
    [
      'that adds a script',
      replace('script "starts"', 'script "ends" (end): when called\n  endGame\n\nscript "starts"'),
      '0: script "ends" (end): when called | text-read-only: The game has no script "ends" (end). To add a script, first add an empty one to the JSON: "KEY": { "name": "NAME", "triggers": [], "actions": [] }',
    ],
    ['with a missing value', replace('set round = 1', 'set round ='), '13:  | text-syntax: Expected a value.'],
    [
      'if the text would be shown differently',
      replace('set round = 1', 'set round=1'),
      '2: set round=1 | text-not-exact: Write this line as: set round = 1',
    ],
    [
      'with an operand that the action does not have',
      replace('set round = 1', 'endGame value: 1'),
      `9:  value: 1 | text-syntax: ${unread}`,
    ],
    [
      'with a calculation without parentheses',
      replace('set round = 1', 'set round = round + 5'),
      `19:  + 5 | text-syntax: ${unread}`,
    ],
    [
      'that adds to an attribute by +=',
      replace('set round = 1', 'set selectedUnit().speed += 3'),
      '31:  | text-syntax: "+=" and "-=" change global variables only; write "set unit.speed = (unit.speed + 3)".',
    ],
    [
      'with a line that is nested in nothing',
      replace('set round = 1', 'endGame\n    then\n      endGame'),
      '4: then | text-syntax: No line above can contain this line.',
    ],
    [
      'without a thing',
      replace('shop "Trader" (trader)\n', ''),
      '0: map: 4 x 3 cells of 64 x 64 px | text-read-only: Expected shop "Trader" (trader). Only triggers, conditions and actions of scripts can be edited as text.',
    ],
  ];
  test.each(cases)('%s', (_what, edit, message) => {
    expect(written(JSON.stringify(scriptsWith([set('round', 1)])), edit)).toBe(message);
  });
});
