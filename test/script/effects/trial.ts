import type { DialectName } from '../../../engine/definition/dialect.ts';
import { createProjectile } from '../../../engine/rules/combat/projectile.ts';
import { writeGlobal } from '../../../engine/rules/entities/variable.ts';
import { createItem } from '../../../engine/rules/items/item.ts';
import { createUnit } from '../../../engine/rules/lifecycle/create-unit.ts';
import type { ParamKind } from '../../../engine/script/params.ts';
import { internalsOf, vocabulary } from '../../../engine/tools.ts';
import { type Entity, noEntity } from '../../../engine/world/entity.ts';
import { script } from '../../support/play.ts';
import { ActionGame, actionGameData, type Json, people, the } from '../actions/action-game.ts';
import { type ActionCase, actionsOf, scriptsOfGame, without } from '../actions/harness.ts';
import { type Comparison, compare, leavesOfWorld, type WorldLeaves, wordsOf } from './world-changes.ts';

/**
 * What is seen of an action when one of its cases is played: without it, with it, and with other values of its
 * operands.
 */

export interface Told {
  readonly kind: string;
  /** The id of a player, `everyone`, or undefined for the host. */
  readonly to: string | undefined;
  /** Of an event for the host, the player that it is about. */
  readonly about: string | undefined;
  readonly event: Json;
}

/** A script that ran, and the entity that it ran for. */
interface Run {
  readonly key: string;
  readonly self: string | undefined;
}

interface Moment {
  readonly hash: string;
  readonly leaves: WorldLeaves;
  readonly told: readonly Told[];
}

interface Played {
  /** At once, and some ticks later. */
  readonly moments: readonly [Moment, Moment];
  /** At once. */
  readonly fired: readonly string[];
  readonly runs: readonly Run[];
  readonly complaints: readonly string[];
}

/** An operand of the action, and its value just before the action. */
export interface Given {
  readonly json: unknown;
  /** Entities are `@u1`. */
  readonly value: unknown;
  /** What the variable holds that it names. */
  readonly held?: unknown;
}

/** What an action did. */
export interface Seen {
  readonly comparisons: readonly [Comparison, Comparison];
  /** The changes in words, of both moments. */
  readonly words: ReadonlySet<string>;
  readonly told: readonly Told[];
  readonly runs: readonly Run[];
  readonly given: ReadonlyMap<string, Given>;
  /**
   * Whether it did what its case is about. Cases are written for `standard`, so in `moddio` some actions refuse their
   * operands.
   */
  readonly isDone: boolean;
}

export interface Trial extends Seen {
  readonly type: string;
  readonly row: ActionCase;
  readonly dialect: DialectName;
  /** By operand: the same with another value. */
  readonly varied: ReadonlyMap<string, Seen>;
  readonly blocks: Blocks;
  /** The inputs that do something only after it. */
  readonly inputs: ReadonlySet<string>;
}

const type = (section: string, key: string): Json => (actionGameData[section] as Record<string, Json>)[key]!;
const human = type('playerTypes', 'human');
const citizen = type('unitTypes', 'citizen');
/** Second things of kinds of which the cases need only one. */
const more: Json = {
  playerTypes: {
    ...(actionGameData['playerTypes'] as Json),
    friend: { ...human, name: 'friend' },
    human: {
      ...human,
      attributes: { ...(human['attributes'] as Json), silver: (human['attributes'] as Json)['gold'] },
      variables: { ...(human['variables'] as Json), age: { dataType: 'number', default: 5 } },
    },
  },
  projectileTypes: {
    ...(actionGameData['projectileTypes'] as Json),
    arrow: { ...type('projectileTypes', 'bullet'), name: 'arrow' },
  },
  shops: {
    market: {
      ...type('shops', 'market'),
      unitTypes: { giant: { isPurchasable: true, price: { playerAttributes: { gold: 1 } } } },
    },
    bazaar: type('shops', 'market'),
  },
  abilities: { ...(actionGameData['abilities'] as Json), yell: { name: 'Yell', scriptName: 'bump' } },
  dialogues: {
    hello: { name: 'hello', message: 'Hi', options: [{ name: 'Yes', scriptName: 'bump' }] },
    bye: { name: 'bye', message: '', options: [] },
  },
};
const smoke = { dataType: 'particleEmitter', default: 'spark' };
const binding = (citizen['controls'] as Json)['unitAbilities'] as Record<string, Json>;
const hum = { ...binding['sing'], eventScripts: { startCasting: 'bump', stopCasting: 'bump' } };
const tiny = { name: 'tiny', body: 'small' };
/** Units that the cases do not use: one of each player. */
const extras = { mine: 'unit', theirs: 'unit', pebble: 'item' };
function dataOf(row: ActionCase): Json {
  const unitTypes = (row.data?.['unitTypes'] ?? actionGameData['unitTypes']) as Record<string, Json>;
  const own = unitTypes['citizen']!;
  const variables = { ...(own['variables'] as Json), smoke, temper: { dataType: 'string', default: 'cool' } };
  const controls = { ...(own['controls'] as Json), unitAbilities: { ...binding, hum } };
  const states = { ...(own['states'] as Json), tiny };
  const scripts = {
    ...(own['scripts'] as Json),
    ...Object.fromEntries(['shouted', 'sings', 'rests'].map((name) => [name, script([], scriptsOfGame[name]!)])),
  };
  return {
    ...more,
    ...row.data,
    variables: {
      ...(actionGameData['variables'] as Json),
      ...Object.fromEntries(Object.entries(extras).map(([name, dataType]) => [name, { dataType }])),
    },
    unitTypes: {
      ...unitTypes,
      dwarf: { ...unitTypes['giant']!, name: 'dwarf' },
      citizen: { ...own, variables, controls, states, scripts },
    },
  };
}

function gameOf(row: ActionCase, list: readonly unknown[], dialect: DialectName): ActionGame {
  const game = new ActionGame({ before: row.before ?? [], go: list, ...scriptsOfGame }, dataOf(row), { dialect });
  const { world } = game;
  createProjectile(game.game, { type: 'arrow', x: 1100, y: 300, angle: 0 });
  const citizen = world.types.unit.get('citizen')!;
  const made = {
    mine: createUnit(game.game, { type: citizen, owner: game.entity('human'), x: 300, y: 900, angle: 0 }),
    theirs: createUnit(game.game, { type: citizen, owner: game.entity('robot'), x: 900, y: 900, angle: 0 }),
    pebble: createItem(game.game, { type: 'stone', x: 900, y: 300, angle: 0 }),
  };
  for (const [name, entity] of Object.entries(made)) writeGlobal(world, name, world.ref(entity));
  game.sim.run({ ticks: 1 });
  row.prepare?.(game);
  game.run('before');
  game.outputs.length = 0;
  game.fired.length = 0;
  return game;
}

function playerOf(game: ActionGame, called: unknown): string | undefined {
  return typeof called === 'string' && called in people ? game.world.ref(game.entity(called))?.id : undefined;
}

function toldIn(game: ActionGame): Told[] {
  return game.outputs.map((event) => {
    const { kind, to, playerId } = event;
    return {
      kind: String(kind),
      to: playerOf(game, to) ?? (to as string | undefined),
      about: playerId as string | undefined,
      event,
    };
  });
}

/** `like`: another play, whose worlds are often the same. */
function play(row: ActionCase, list: readonly unknown[], dialect: DialectName, like?: Played): Played {
  const game = gameOf(row, list, dialect);
  const { runtime, world } = internalsOf(game.sim);
  world.triggers.queueObserver = (trigger) => game.fired.push(trigger);
  const runs: Run[] = [];
  const nothing = (): void => {};
  runtime.observer = {
    enter(kind, index, context) {
      if (kind !== 'script') return;
      const self = context?.self ?? noEntity;
      runs.push({ key: runtime.program.scripts[index]!.key, self: world.ref(self as Entity)?.id });
    },
    leave: nothing,
  } as typeof runtime.observer;
  const moment = (same?: Moment): Moment => {
    const hash = game.sim.hash();
    return { hash, leaves: hash === same?.hash ? same.leaves : leavesOfWorld(game.sim), told: toldIn(game) };
  };
  game.run('go');
  runtime.observer = undefined;
  // Those that fire later are rules' doing.
  const fired = [...game.fired];
  const now = moment(like?.moments[0]);
  // After a tick, too, because physics and AI act only then.
  game.sim.run({ ticks: Math.max(1, row.after ?? 0) });
  return { moments: [now, moment(like?.moments[1])], fired, runs: runs.slice(1), complaints: game.complaints() };
}

const idles = new Map<string, Played>();

function idleOf(row: ActionCase, list: readonly unknown[], dialect: DialectName): Played {
  if (row.prepare !== undefined) return play(row, list, dialect);
  const key = JSON.stringify([row.before, row.data, row.after, list, dialect]);
  const known = idles.get(key) ?? play(row, list, dialect);
  idles.set(key, known);
  return known;
}

function seen(
  row: ActionCase,
  list: readonly unknown[],
  dialect: DialectName,
  idle: Played,
  given: ReadonlyMap<string, Given>,
): Seen {
  const played = play(row, list, dialect, idle);
  const comparisons = played.moments.map((moment, i) => compare(idle.moments[i]!.leaves, moment.leaves));
  const words = new Set(comparisons.flatMap((each) => [...wordsOf(each)]));
  const before = idle.moments[1].told.map(({ kind }) => kind);
  const told = played.moments[1].told.filter(({ kind }) => !before.includes(kind));
  for (const { kind } of told) words.add(`tells ${kind}`);
  for (const trigger of played.fired) if (!idle.fired.includes(trigger)) words.add(`fires ${trigger}`);
  const usual = idle.runs.map(({ key }) => key);
  const runs = played.runs.filter(({ key }) => !usual.includes(key));
  const isDone = played.complaints.length === 0;
  return { comparisons: comparisons as [Comparison, Comparison], words, told, runs, given, isDone };
}

/** The first action of a type in a list. */
function actionIn(list: unknown, type: string): Json | undefined {
  if (typeof list !== 'object' || list === null) return undefined;
  if ((list as Json)['type'] === type) return list as Json;
  for (const member of Object.values(list)) {
    const found = actionIn(member, type);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same list with another action in place of the first of a type. */
function replaced(list: unknown, from: Json, to: readonly unknown[]): unknown {
  if (Array.isArray(list)) return list.flatMap((each) => (each === from ? to : [replaced(each, from, to)]));
  if (typeof list !== 'object' || list === null) return list;
  return Object.fromEntries(Object.entries(list).map(([key, each]) => [key, replaced(each, from, to)]));
}

const paramsOf = (type: string): [string, ParamKind<unknown>][] => Object.entries(vocabulary.actions.get(type)!.params);
const isBlock = ({ syntax }: ParamKind<unknown>): boolean => syntax === 'actions' || syntax === 'deferred';

/** The key of an operand as it is written in an action. */
function keyIn(action: Json, name: string, { aliases }: ParamKind<unknown>): string | undefined {
  return [name, ...aliases].find((key) => action[key] !== undefined);
}

function valueIn(game: ActionGame, param: ParamKind<unknown>, json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (param.name === 'group variable') return (json as Json)['variableName'];
  if (param.refersTo === 'entityVariable' || param.refersTo === 'playerVariable') {
    let at = json as Json;
    while (typeof at['variable'] === 'object') at = at['variable'] as Json;
    return at['key'];
  }
  // What belongs to a sensor is stored with its unit.
  if (param.name === 'sensor') return valueIn(game, { ...param, name: 'unit' }, (json as Json)['unit']);
  const payload = { unit: game.entity('me'), player: game.entity('human') };
  return game.value(json, { payload } as never);
}

function givenIn(game: ActionGame, type: string, action: Json): ReadonlyMap<string, Given> {
  const given = new Map<string, Given>();
  for (const [name, param] of paramsOf(type)) {
    const key = keyIn(action, name, param);
    if (key === undefined || isBlock(param) || param.syntax === 'condition') continue;
    const json = action[key];
    const value = valueIn(game, param, json);
    const isVariable = param.refersTo === 'variable' && typeof value === 'string';
    given.set(name, { json, value, ...(isVariable ? { held: game.value(the(value)) } : {}) });
  }
  return given;
}

const secondComputer = { function: 'computerPlayer', number: 2 };
const entities: Readonly<Record<string, readonly unknown[]>> = {
  u: [the('mine'), the('theirs'), the('me'), the('rival')],
  i: [the('pebble'), the('held'), the('lying'), the('bread')],
  b: [the('bullet'), { function: 'getLastCreatedProjectile' }],
  p: [the('human'), the('robot'), secondComputer],
  c: [the('human'), the('robot'), secondComputer],
  r: [the('yard'), the('meadow')],
};

/** Keys of the game, by what they refer to. */
const keys: Readonly<Record<string, readonly string[]>> = {
  attribute: ['health', 'mana', 'gold', 'silver'],
  unitType: ['citizen', 'giant', 'dwarf'],
  itemType: ['gun', 'stone', 'bread'],
  projectileType: ['bullet', 'arrow'],
  playerType: ['human', 'foe', 'friend'],
  state: ['default', 'small', 'tiny'],
  ability: ['shout', 'yell'],
  unitAbility: ['sing', 'hum'],
  variable: ['n', 'm', 'word', 'trail', 'friends', 'team'],
  shop: ['market', 'bazaar'],
  dialogue: ['hello', 'bye'],
  script: ['bump', 'shouted', 'rests'],
};

/** Other values for an operand, as they are written. */
function others(param: ParamKind<unknown>, { json, value }: Given): readonly unknown[] {
  if (param.name === 'sensor') return [the('mine'), the('me')].map((unit) => ({ function: 'getSensorOfUnit', unit }));
  if (param.name === 'group variable') return ['friends', 'team'].filter((each) => each !== value).map(the);
  if (param.refersTo === 'entityVariable' || param.refersTo === 'playerVariable')
    return ['temper', 'age'].map((key) => ({ function: 'getEntityVariable', variable: { key } }));
  if (typeof value === 'string' && value.startsWith('@')) return entities[value[1]!] ?? [];
  if (param.refersTo !== undefined && param.refersTo in keys)
    return keys[param.refersTo]!.filter((each) => each !== value);
  if (typeof value === 'number' || (typeof value === 'string' && value !== '' && !Number.isNaN(Number(value)))) {
    const number = Number(value);
    return [number + 1, number - 1, number / 2, number * 3];
  }
  if (typeof value === 'string') return value === '' ? [] : [`${value}x`, 'blue', 'vertical', 'itemTypes'];
  if (typeof value === 'object' && value !== null && typeof (value as Json)['x'] === 'number') {
    const { x, y } = value as { x: number; y: number };
    return [{ x: x + 30, y: (y ?? 0) + 20 }];
  }
  if (typeof json === 'object' && json !== null && !('function' in json) && !Array.isArray(json))
    return [{ ...json, zz: 9 }];
  return [];
}

/** Actions of a list that ran: how often before what follows the action, and after how many ms later. */
interface BlockRuns {
  readonly now: number;
  readonly later: readonly number[];
  /** The ms after an answer from the web. */
  readonly answered: number;
  /** The functions for the current element of a loop that had a value, by what they select. */
  readonly selected: ReadonlySet<string>;
}

interface Blocks {
  readonly runs: ReadonlyMap<string, BlockRuns>;
  /** What an action that follows it in its list does not reach. */
  readonly leaves: string | undefined;
}

const say = (message: string): Json => ({ type: 'sendChatMessage', message });

/** The functions for the current element of a loop, and what they return. */
const elements = [...vocabulary.values].flatMap(([name, { reads, params }]) =>
  reads.flatMap(({ aspect, kind }) =>
    aspect === 'element' && kind !== undefined && Object.keys(params).length === 0 ? [[name, kind] as const] : [],
  ),
);
const saySelected = elements.map(([name, kind]) => ({
  type: 'condition',
  conditions: [{ operandType: 'any', operator: '!=' }, { function: name }, { function: 'undefinedValue' }],
  then: [say(`selected ${kind}`)],
  else: [],
}));

function words(game: ActionGame): string[] {
  return game.outputs.flatMap(({ kind, text }) => (kind === 'chat' ? String(text) : []));
}

const blockTicks = 40;

/** Runs an action with marks in its lists and behind it. */
function blocksOf(
  type: string,
  row: ActionCase,
  actions: readonly unknown[],
  action: Json,
  dialect: DialectName,
): Blocks {
  const params = paramsOf(type).filter(([, param]) => isBlock(param));
  const marked: Json = { ...action };
  for (const [name, param] of params) {
    const key = keyIn(action, name, param) ?? name;
    const own = Array.isArray(action[key]) ? (action[key] as unknown[]) : [];
    marked[key] = [say(name), ...saySelected, ...own];
  }
  const list = replaced(actions, action, [marked, say('behind')]) as unknown[];
  const game = gameOf(row, list, dialect);
  game.run('go');
  const now = words(game);
  const isLeft = !now.includes('behind');
  const runs = new Map<string, BlockRuns>();
  if (params.length > 0) {
    const later = new Map<string, number[]>(params.map(([name]) => [name, []]));
    const start = game.world.clock.nowMs;
    const step = (): void => {
      game.outputs.length = 0;
      game.sim.run({ ticks: 1 });
      for (const word of words(game)) later.get(word)?.push(game.world.clock.nowMs - start);
    };
    for (let i = 0; i < blockTicks; i++) step();
    const answered = new Map<string, number>();
    for (const body of ['yes', undefined]) {
      const asking = gameOf(row, list, dialect);
      asking.run('go');
      asking.outputs.length = 0;
      asking.sim.input({ kind: 'httpAnswer', requestId: 1, ...(body === undefined ? {} : { body }) });
      asking.sim.run({ ticks: 1 });
      for (const word of words(asking)) answered.set(word, (answered.get(word) ?? 0) + 1);
    }
    const selected = new Set(now.flatMap((word) => (word.startsWith('selected ') ? word.slice(9) : [])));
    for (const [name] of params)
      runs.set(name, {
        now: now.filter((word) => word === name).length,
        later: later.get(name)!,
        answered: later.get(name)!.length > 0 ? 0 : (answered.get(name) ?? 0),
        selected,
      });
  }
  return { runs, leaves: isLeft ? leavingOf(row, action, dialect) : undefined };
}

/** What an action leaves: the iteration of a loop around it, the loop, or the script. */
function leavingOf(row: ActionCase, action: Json, dialect: DialectName): string {
  // In the reference, other loops do not pass `return` on.
  const loop = {
    type: 'forAllUnits',
    unitGroup: { function: 'allUnits' },
    actions: [say('begin'), action, say('end')],
  };
  const game = gameOf(row, [loop, say('behind')], dialect);
  game.run('go');
  const said = words(game);
  if (!said.includes('behind')) return 'script';
  return said.filter((word) => word === 'begin').length > 1 ? 'iteration' : 'loop';
}

/** Inputs that depend on what scripts did before; each acts in a game of `ActionGame`. */
const inputsToTry: readonly Json[] = [
  { kind: 'buyItem', player: 'p1', type: 'bread' },
  { kind: 'buyUnit', player: 'p1', type: 'giant' },
  { kind: 'dialogueOption', player: 'p1', dialogue: 'hello', option: '0' },
  { kind: 'trade', player: 'p1', type: 'start', with: 'c1' },
  { kind: 'trade', player: 'c1', type: 'start', with: 'p1' },
  { kind: 'httpAnswer', requestId: 1, body: { response: 'x' } },
];

/** Inputs that the world accepts at any time, and the questions to clients and hosts after which they come. */
const answersTo = ({ kind, event }: Told): string | undefined => {
  if (kind === 'ui.modal') return event['modal'] === 'input' ? 'customInput' : undefined;
  return { ad: 'adResult', coins: 'coinsResult' }[kind];
};
/** Actions that tell or change none of these enable no input. */
const mayEnable: ReadonlySet<string> = new Set([
  ...['page', 'trade', 'tells http', 'tells trade', 'tells ui.shop', 'tells ui.dialogue'],
]);

function inputsOf(row: ActionCase, action: Seen, list: readonly unknown[], idle: readonly unknown[]): Set<string> {
  const inputs = new Set<string>();
  for (const each of action.told) {
    const input = answersTo(each);
    if (input !== undefined) inputs.add(input);
  }
  if (![...action.words].some((word) => mayEnable.has(word))) return inputs;
  /** What an input changes in a game in which these actions ran. */
  const changes = (actions: readonly unknown[], input: Json): ReadonlySet<string> => {
    const game = gameOf(row, actions, 'standard');
    game.run('go');
    const before = leavesOfWorld(game.sim);
    game.sim.input(input as never);
    game.sim.run({ ticks: 1 });
    return wordsOf(compare(before, leavesOfWorld(game.sim)));
  };
  for (const input of inputsToTry) {
    const without = changes(idle, input);
    if ([...changes(list, input)].some((word) => !without.has(word))) inputs.add(String(input['kind']));
  }
  return inputs;
}

function textOf({ comparisons, told }: Seen): string {
  return JSON.stringify([comparisons.map(({ differences }) => differences), told]);
}

/** Plays a case of an action in a dialect. Values vary only in `standard`: what plays which role is the same in all. */
export function trialOf(type: string, row: ActionCase, dialect: DialectName): Trial {
  const list = actionsOf(type, row);
  const action = actionIn(list, type)!;
  const silent = without(list, type) as readonly unknown[];
  const idle = idleOf(row, silent, dialect);
  // Evaluates operands; nothing runs in it.
  const asked = gameOf(row, [], dialect);
  const given = givenIn(asked, type, action);
  const first = seen(row, list, dialect, idle, given);
  const varied = new Map<string, Seen>();
  const isOther = vocabulary.actions.get(type)!.effects.some(({ only }) => only === 'moddio');
  for (const [name, param] of dialect === 'standard' || isOther ? paramsOf(type) : []) {
    const operand = given.get(name);
    if (operand === undefined || !first.isDone) continue;
    for (const json of others(param, operand)) {
      const key = keyIn(action, name, param)!;
      const other = { ...action, [key]: json };
      const changed = givenIn(asked, type, other);
      if (JSON.stringify(changed.get(name)!.value) === JSON.stringify(operand.value)) continue;
      const result = seen(row, replaced(list, action, [other]) as unknown[], dialect, idle, changed);
      if (!result.isDone) continue;
      // One that does the same to another thing or with another value tells most.
      const isSame = [...first.words].every((word) => result.words.has(word));
      if (!varied.has(name) || isSame) varied.set(name, result);
      if (isSame && textOf(result) !== textOf(first)) break;
    }
  }
  return {
    ...first,
    type,
    row,
    dialect,
    varied,
    blocks: blocksOf(type, row, list, action, dialect),
    inputs: dialect === 'standard' ? inputsOf(row, first, list, silent) : new Set(),
  };
}
