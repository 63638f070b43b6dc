import type { DialectName } from '../../engine/index.ts';
import { dialectName } from './dialect-name.ts';
import {
  anyOf,
  anything,
  array,
  boolean,
  type Fields,
  type Infer,
  integer,
  number,
  object,
  optional,
  pair,
  record,
  type Schema,
  string,
  words,
} from './json-schema.ts';

/**
 * The contents of a scenario file. One description gives the published JSON Schema, the check of a file and the types of the program. A step is
 * distinguished by the one word it must have; everything about a step stands beside that word.
 */

/**
 * A text of a schema with this member names something of the game or of the scenario. A misspelling is found before the play.
 * On a record it is about the keys. It is no part of the published schema.
 */
export const names: unique symbol = Symbol('names');
export type NameKind =
  | 'expression'
  | 'player'
  | 'audience'
  | 'entity'
  | 'place'
  | 'unit type'
  | 'item type'
  | 'projectile type'
  | 'player type'
  | 'role'
  /** Of the type that stands beside it. */
  | 'state'
  | 'dialogue'
  /** Of the dialogue that stands beside it. */
  | 'dialogue option'
  | 'key'
  | 'script'
  | 'trigger'
  | 'output'
  | 'trigger or output'
  /** Members of the event of the same object. */
  | 'event members'
  /** Members of what triggers a script. */
  | 'payload members'
  /** Attributes and variables of an entity or player. */
  | 'members'
  /** Variables of the game, and members behind an expression: `alice.score`. */
  | 'paths'
  /** A value in which `@name` is an entity or player. */
  | 'value'
  | 'duration'
  | 'real time'
  | 'file';

const text = (description: string) => string({ description });
const named = (kind: NameKind, description?: string) =>
  string({ ...(description !== undefined && { description }), [names]: kind });

const duration = anyOf([string(), number()], {
  description: 'A length of simulated time: `15 s`, `500 ms`, `2 min`, `3 ticks`; a bare number is seconds.',
  [names]: 'duration',
});
const expression = named('expression', 'An expression, such as `units of type zombie >= 1`.');
const expressions = anyOf([expression, array(expression)], {
  description: 'An expression, or a list of which all must hold.',
});
const json = anything({ description: 'Any value; `@name` is an entity or player of the scenario.' });
const value = anything({ ...json, [names]: 'value' });
const members = record(value, {
  description: 'Values by the names or ids of what is declared.',
  [names]: 'members',
});
const paths = record(value, {
  description: 'Values by what they are given to: `timeLeft`, `alice.score`, `alice.unit.health`.',
  [names]: 'paths',
});
const place = anyOf([pair(number()), string()], {
  description: '`[x, y]` in px, or the name of a region (its middle), entity or player of the scenario.',
  [names]: 'place',
});
const playerFields = {
  type: optional(named('player type', 'Player type, by name or id.')),
  attributes: optional(members),
  variables: optional(members),
  userId: optional(text('Id of the account.')),
  roles: optional(array(named('role'), { description: 'Ids of roles.' })),
  unit: optional(
    object(
      {
        type: optional(
          named('unit type', 'Unit type, by name or id. A unit is made where the game gave the player none.'),
        ),
        at: optional(place),
        attributes: optional(members),
        variables: optional(members),
        items: optional(array(named('item type'), { description: 'Item types the unit is given.' })),
      },
      { description: 'The selected unit of the player.' },
    ),
  ),
};
const player = anyOf([
  string(),
  object(
    { name: text('What the scenario calls the player.'), ...playerFields },
    { description: 'A player who joins.' },
  ),
]);
export type PlayerPlan = Infer<typeof player>;

const entity = object(
  {
    unit: optional(named('unit type', 'Unit type, by name or id.')),
    item: optional(named('item type', 'Item type, by name or id.')),
    projectile: optional(named('projectile type', 'Projectile type, by name or id.')),
    name: optional(text('What the scenario calls it.')),
    at: optional(place),
    angle: optional(number({ description: 'Degrees, 0 up, clockwise.' })),
    owner: optional(named('entity', 'Player of a unit; `computer1` … `computer10` are those nobody plays.')),
    heldBy: optional(named('entity', 'Unit an item is given to.')),
    quantity: optional(number({ description: 'How many the item counts as.' })),
    count: optional(integer({ minimum: 1, description: 'As many of them, named name1, name2 …' })),
    state: optional(named('state', 'State, by name or id.')),
    attributes: optional(members),
    variables: optional(members),
  },
  { description: 'Exactly one of unit, item, projectile.' },
);
export type EntityPlan = Infer<typeof entity>;

const common = {
  at: optional(anyOf([duration], { description: 'Let time pass until so long after `given` was done.' })),
  because: optional(text('Said when it fails.')),
};
const by = { by: named('player', 'The player.') };
const step = <const F extends Fields>(description: string, fields: F) =>
  object({ ...fields, ...common }, { description });
const matching = {
  on: optional(named('entity', 'Only those on this entity.')),
  where: optional(
    record(json, {
      description: 'What the event must say, member by member.',
      [names]: 'event members',
    }),
  ),
};
const times = {
  times: optional(integer({ minimum: 0, description: 'Exactly so often.' })),
  atLeast: optional(integer({ minimum: 0, description: 'So often or more.' })),
  atMost: optional(integer({ minimum: 0, description: 'So often or less.' })),
  within: optional(duration),
};

/** One schema for each kind of step, by the word that distinguishes it. */
export const steps = {
  wait: step('Time passes.', { wait: duration }),
  until: step('Time passes until something is true; it fails when that takes too long.', {
    until: expression,
    within: optional(duration),
  }),
  join: step('A player joins.', { join: text('What the scenario calls the player.'), ...playerFields }),
  leave: step('A player leaves.', { leave: named('player', 'The player.') }),
  press: step('A key goes down, for a time or until it is released. `button1` and `button3` are the mouse.', {
    press: named('key', 'The key.'),
    ...by,
    for: optional(duration),
  }),
  release: step('A key goes up.', { release: named('key', 'The key.'), ...by }),
  point: step('The mouse of a player points somewhere.', { point: place, ...by }),
  say: step('A player says something in the chat.', { say: text('The message.'), ...by }),
  answer: step('A player answers an input box.', { answer: text('The answer.'), ...by }),
  buy: step('A player buys an item of the shop that is open.', {
    buy: named('item type', 'Item type, by name or id.'),
    ...by,
  }),
  buyUnit: step('A player buys a unit of the shop that is open.', {
    buyUnit: named('unit type', 'Unit type, by name or id.'),
    ...by,
  }),
  choose: step('A player chooses an option of a dialogue.', {
    choose: named('dialogue option', 'The option, by name or id.'),
    dialogue: named('dialogue', 'The dialogue, by name or id.'),
    ...by,
  }),
  click: step('A player clicks an element of the user interface.', { click: json, ...by }),
  send: step("A player's client sends data.", { send: json, ...by }),
  swap: step('A player swaps two slots, counted from 0.', {
    swap: pair(integer(), { description: 'The two slots.' }),
    ...by,
  }),
  ad: step('An advertisement ended for a player.', {
    ad: words(['Completed', 'Skipped', 'Blocked', 'Failed'], { description: 'How it ended.' }),
    ...by,
  }),
  coins: step('A payment of coins ended for a player.', {
    coins: words(['success', 'insufficientCoins', 'dailyLimit'], { description: 'How it ended.' }),
    ...by,
  }),
  trade: step('A player clicks the trade option of a unit.', { trade: named('entity', 'The unit.'), ...by }),
  replay: step('What a journal holds is played, tick by tick.', {
    replay: named('file', 'A file of `reenact run --record`.'),
  }),
  run: step('A script runs, as if called.', {
    run: named('script', 'Its name or id.'),
    as: optional(named('entity', 'The entity whose script it is.')),
    with: optional(
      record(named('entity'), {
        description: 'What triggered it: unit, player, item …',
        [names]: 'payload members',
      }),
    ),
  }),
  set: step('Variables and attributes get values: `timeLeft`, `alice.score`, `alice.unit.health`.', { set: paths }),
  spawn: step('An entity is made.', { spawn: entity }),
  destroy: step('An entity is destroyed.', { destroy: named('entity', 'The entity.') }),
  move: step('An entity is put somewhere.', { move: named('entity', 'The entity.'), to: place }),
  give: step('A unit is given an item.', {
    give: named('item type', 'Item type, by name or id.'),
    to: named('entity', 'The unit.'),
    quantity: optional(number({ description: 'How many the item counts as.' })),
  }),
  expect: step('True now; `within` a time; then `for` a time.', {
    expect: expressions,
    within: optional(duration),
    for: optional(duration),
  }),
  eventually: step('True at some time; default within 60 s.', { eventually: expressions, within: optional(duration) }),
  always: step('True from now on: for a time, or to the end of the scenario.', {
    always: expressions,
    for: optional(duration),
  }),
  never: step('Not true from now on: for a time, or to the end of the scenario.', {
    never: expressions,
    for: optional(duration),
  }),
  value: step('A value; `reenact test --update` writes down what it is.', { value: expression, is: optional(json) }),
  event: step('A trigger fired; at least once, or as often as said, since the scenario began.', {
    event: named('trigger', 'Type of trigger.'),
    ...matching,
    ...times,
  }),
  output: step('An effect was published; at least once, or as often as said, since the scenario began.', {
    output: named('output', 'Kind of output event.'),
    to: optional(named('audience', 'The player who is to see it.')),
    ...matching,
    ...times,
  }),
  ran: step('A script ran; at least once, or as often as said, since the scenario began.', {
    ran: named('script', 'Its name or id.'),
    ...times,
  }),
  order: step('Triggers and outputs came one after the other.', {
    order: array(
      anyOf([
        named('trigger or output'),
        object({ event: named('trigger', 'Type of trigger.'), ...matching }),
        object({ output: named('output', 'Kind of output event.'), ...matching }),
      ]),
      { minItems: 2, description: 'Types of triggers and kinds of outputs, the earliest first.' },
    ),
  }),
} as const;

export type StepKind = keyof typeof steps;
export type StepOf<K extends StepKind> = Infer<(typeof steps)[K]>;
export type Step = { [K in StepKind]: StepOf<K> }[StepKind];

const stepList = array(anyOf(Object.values(steps)), {
  description: 'One after the other.',
});

const given = object(
  {
    players: optional(array(player, { description: 'People who join, in this order.' })),
    bots: optional(integer({ minimum: 0, description: 'Players that do what people do.' })),
    variables: optional(paths),
    entities: optional(array(entity, { description: 'What is made besides, in this order.' })),
    snapshot: optional(
      named('file', 'To begin from, beside the scenario: a journal, from where it ends, or the bytes of a snapshot.'),
    ),
  },
  { description: 'How things stand when the scenario begins.' },
);

const budget = object(
  {
    ticks: optional(integer({ minimum: 1, description: 'Ticks of the game.' })),
    wall: optional(anyOf([duration], { description: 'Real time.', [names]: 'real time' })),
    actions: optional(integer({ minimum: 1, description: 'Actions of scripts, all together.' })),
    events: optional(integer({ minimum: 1, description: 'Triggers and outputs, all together.' })),
  },
  { description: 'What more than this uses fails.' },
);

const oneOrMore = <T>(schema: Schema<T>, description: string) =>
  anyOf([schema, array(schema, { minItems: 1 })], { description });

const dialect: Schema<DialectName> = dialectName(
  'A dialect, or all but some of its differences: `moddio except lastKeyWins, dropsKeepHeldAngle`.',
);

/** The settings that a file can give once for all its scenarios, and each scenario for itself. */
const shared = {
  game: optional(oneOrMore(string(), 'The definition, beside this file; of several, each is played.')),
  definition: optional(
    record(anything(), {
      description:
        'Laid over the data of the definition: objects member by member, everything else as a whole; null takes away.',
    }),
  ),
  dialect: optional(
    oneOrMore(dialect, 'Meaning where specification and reference engine differ; of several, each is played.'),
  ),
  seed: optional(anyOf([string(), number()], { description: 'Of all chance.' })),
  seeds: optional(
    anyOf([integer({ minimum: 1 }), array(anyOf([string(), number()]), { minItems: 1 })], {
      description: 'So many seeds, or these.',
    }),
  ),
  tags: optional(array(string(), { description: 'Words by which scenarios are chosen.' })),
  faults: optional(
    anyOf([words(['fail', 'allow'], { description: 'Of all faults.' }), array(string())], {
      description: 'Whether faults of the game fail a scenario; a list names the codes that do not.',
    }),
  ),
  budget: optional(budget),
  plot: optional(array(expression, { description: 'What the HTML report draws over time.' })),
  given: optional(given),
};

export const scenario = object(
  {
    name: text('What is to be true, in a sentence.'),
    description: optional(text('More about it, for readers.')),
    ...shared,
    only: optional(boolean({ description: 'Run this one and no other.' })),
    skip: optional(anyOf([boolean(), string()], { description: 'The reason.' })),
    knownFailure: optional(text('The reason. It fails the day it passes.')),
    each: optional(
      array(record(anything()), {
        minItems: 1,
        description: 'A table: once for each row, with what it says in place of `<column>`, wherever that stands.',
      }),
    ),
    steps: optional(stepList),
    when: optional(stepList),
    then: optional(stepList),
  },
  { description: 'Given, when, then; or steps, where things happen and are expected by turns.' },
);
export type ScenarioPlan = Infer<typeof scenario>;

export const scenarioFile = object(
  {
    $schema: optional(text('Where editors find the schema of this file.')),
    ...shared,
    scenarios: array(scenario, { description: 'The scenarios, each by itself.' }),
  },
  { description: 'Scenarios, and what they have in common.' },
);
export type FilePlan = Infer<typeof scenarioFile>;
export type Shared = Omit<FilePlan, 'scenarios' | '$schema'>;

/** JSON Schema 2020-12 of `*.scenario.yaml` and `*.scenario.json`. */
export function scenarioSchema(): Record<string, unknown> {
  const fields = Object.entries(scenario.properties).map(([key, field]): [string, Schema] => {
    // The three lists are of the same steps, which are most of the text.
    if (key === 'steps' || key === 'when' || key === 'then') return [key, { $ref: '#/$defs/steps' }];
    return [key, key === 'name' || key === 'each' ? field : withColumns(field)];
  });
  const { scenarios } = scenarioFile.properties;
  const list = { ...scenarios, items: { ...scenario, properties: Object.fromEntries(fields) } };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Reenact scenario file',
    ...scenarioFile,
    properties: { ...scenarioFile.properties, scenarios: list },
    $defs: {
      steps: withColumns(stepList),
      column: {
        type: 'string',
        pattern: '^<[A-Za-z_][\\w ]*>$',
        description: 'A column of the table of the scenario.',
      },
    },
  };
}

/** Where a table is, `<column>` may stand for anything that is no text, too. */
function withColumns(schema: Schema): Schema {
  const { properties = {}, items, additionalProperties: others, anyOf: alternatives, type } = schema;
  const members = Object.entries(properties).map(([name, member]) => [name, withColumns(member)]);
  const inner: Schema = {
    ...schema,
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...(items && { items: withColumns(items) }),
    ...(others && { additionalProperties: withColumns(others) }),
    ...(alternatives && { anyOf: alternatives.map(withColumns) }),
  };
  const isOther = schema.enum !== undefined || (type !== undefined && type !== 'string' && type !== 'object');
  if (!isOther) return inner;
  const { description, ...rest } = inner;
  return { ...(description !== undefined && { description }), anyOf: [rest, { $ref: '#/$defs/column' }] };
}
