import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { isRecord } from './is-record.ts';

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

const closed = { additionalProperties: false } as const;
const text = (description: string) => Type.String({ description });
const named = (kind: NameKind, description?: string) =>
  Type.String({ ...(description !== undefined && { description }), [names]: kind });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

const duration = Type.Union([Type.String(), Type.Number()], {
  description: 'A length of simulated time: `15 s`, `500 ms`, `2 min`, `3 ticks`; a bare number is seconds.',
  [names]: 'duration',
});
const expression = named('expression', 'An expression, such as `units of type zombie >= 1`.');
const expressions = Type.Union([expression, Type.Array(expression)], {
  description: 'An expression, or a list of which all must hold.',
});
const json = Type.Unknown({ description: 'Any value; `@name` is an entity or player of the scenario.' });
const value = Type.Unknown({ ...json, [names]: 'value' });
const members = Type.Record(Type.String(), value, {
  description: 'Values by the names or ids of what is declared.',
  [names]: 'members',
});
const paths = Type.Record(Type.String(), value, {
  description: 'Values by what they are given to: `timeLeft`, `alice.score`, `alice.unit.health`.',
  [names]: 'paths',
});
const place = Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.String()], {
  description: '`[x, y]` in px, or the name of a region (its middle), entity or player of the scenario.',
  [names]: 'place',
});
const result = {
  of: (options: readonly string[], description: string) =>
    Type.Union(
      options.map((option) => Type.Literal(option)),
      { description },
    ),
};

const playerFields = {
  type: optional(named('player type', 'Player type, by name or id.')),
  attributes: optional(members),
  variables: optional(members),
  userId: optional(text('Id of the account.')),
  roles: optional(Type.Array(named('role'), { description: 'Ids of roles.' })),
  unit: optional(
    Type.Object(
      {
        type: optional(
          named('unit type', 'Unit type, by name or id. A unit is made where the game gave the player none.'),
        ),
        at: optional(place),
        attributes: optional(members),
        variables: optional(members),
        items: optional(Type.Array(named('item type'), { description: 'Item types the unit is given.' })),
      },
      { ...closed, description: 'The selected unit of the player.' },
    ),
  ),
};
const player = Type.Union([
  Type.String(),
  Type.Object(
    { name: text('What the scenario calls the player.'), ...playerFields },
    { ...closed, description: 'A player who joins.' },
  ),
]);
export type PlayerPlan = Static<typeof player>;

const entity = Type.Object(
  {
    unit: optional(named('unit type', 'Unit type, by name or id.')),
    item: optional(named('item type', 'Item type, by name or id.')),
    projectile: optional(named('projectile type', 'Projectile type, by name or id.')),
    name: optional(text('What the scenario calls it.')),
    at: optional(place),
    angle: optional(Type.Number({ description: 'Degrees, 0 up, clockwise.' })),
    owner: optional(named('entity', 'Player of a unit; `computer1` … `computer10` are those nobody plays.')),
    heldBy: optional(named('entity', 'Unit an item is given to.')),
    quantity: optional(Type.Number({ description: 'How many the item counts as.' })),
    count: optional(Type.Integer({ minimum: 1, description: 'As many of them, named name1, name2 …' })),
    state: optional(named('state', 'State, by name or id.')),
    attributes: optional(members),
    variables: optional(members),
  },
  { ...closed, description: 'Exactly one of unit, item, projectile.' },
);
export type EntityPlan = Static<typeof entity>;

const common = {
  at: optional(Type.Union([duration], { description: 'Let time pass until so long after `given` was done.' })),
  because: optional(text('Said when it fails.')),
};
const by = { by: named('player', 'The player.') };
const step = <T extends Record<string, TSchema>>(description: string, fields: T) =>
  Type.Object({ ...fields, ...common }, { ...closed, description });
const matching = {
  on: optional(named('entity', 'Only those on this entity.')),
  where: optional(
    Type.Record(Type.String(), json, {
      description: 'What the event must say, member by member.',
      [names]: 'event members',
    }),
  ),
};
const times = {
  times: optional(Type.Integer({ minimum: 0, description: 'Exactly so often.' })),
  atLeast: optional(Type.Integer({ minimum: 0, description: 'So often or more.' })),
  atMost: optional(Type.Integer({ minimum: 0, description: 'So often or less.' })),
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
    swap: Type.Tuple([Type.Integer(), Type.Integer()], { description: 'The two slots.' }),
    ...by,
  }),
  ad: step('An advertisement ended for a player.', {
    ad: result.of(['Completed', 'Skipped', 'Blocked', 'Failed'], 'How it ended.'),
    ...by,
  }),
  coins: step('A payment of coins ended for a player.', {
    coins: result.of(['success', 'insufficientCoins', 'dailyLimit'], 'How it ended.'),
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
      Type.Record(Type.String(), named('entity'), {
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
    quantity: optional(Type.Number({ description: 'How many the item counts as.' })),
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
    order: Type.Array(
      Type.Union([
        named('trigger or output'),
        Type.Object({ event: named('trigger', 'Type of trigger.'), ...matching }, closed),
        Type.Object({ output: named('output', 'Kind of output event.'), ...matching }, closed),
      ]),
      { minItems: 2, description: 'Types of triggers and kinds of outputs, the earliest first.' },
    ),
  }),
} as const satisfies Readonly<Record<string, TObject>>;

export type StepKind = keyof typeof steps;
export type StepOf<K extends StepKind> = Static<(typeof steps)[K]>;
export type Step = { [K in StepKind]: StepOf<K> }[StepKind];

const stepList = Type.Array(Type.Union(Object.values(steps) as unknown as TObject[]), {
  description: 'One after the other.',
});

export const given = Type.Object(
  {
    players: optional(Type.Array(player, { description: 'People who join, in this order.' })),
    bots: optional(Type.Integer({ minimum: 0, description: 'Players that do what people do.' })),
    variables: optional(paths),
    entities: optional(Type.Array(entity, { description: 'What is made besides, in this order.' })),
    snapshot: optional(
      named('file', 'To begin from, beside the scenario: a journal, from where it ends, or the bytes of a snapshot.'),
    ),
  },
  { ...closed, description: 'How things stand when the scenario begins.' },
);

const budget = Type.Object(
  {
    ticks: optional(Type.Integer({ minimum: 1, description: 'Ticks of the game.' })),
    wall: optional(Type.Union([duration], { description: 'Real time.', [names]: 'real time' })),
    actions: optional(Type.Integer({ minimum: 1, description: 'Actions of scripts, all together.' })),
    events: optional(Type.Integer({ minimum: 1, description: 'Triggers and outputs, all together.' })),
  },
  { ...closed, description: 'What more than this uses fails.' },
);

const oneOrMore = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Array(schema, { minItems: 1 })], { description });

/** The settings that a file can give once for all its scenarios, and each scenario for itself. */
const shared = {
  game: optional(oneOrMore(Type.String(), 'The definition, beside this file; of several, each is played.')),
  definition: optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Laid over the data of the definition: objects member by member, everything else as a whole; null takes away.',
    }),
  ),
  dialect: optional(
    oneOrMore(
      result.of(['standard', 'moddio'], 'A dialect.'),
      'Meaning where specification and reference engine differ; of several, each is played.',
    ),
  ),
  seed: optional(Type.Union([Type.String(), Type.Number()], { description: 'Of all chance.' })),
  seeds: optional(
    Type.Union(
      [Type.Integer({ minimum: 1 }), Type.Array(Type.Union([Type.String(), Type.Number()]), { minItems: 1 })],
      {
        description: 'So many seeds, or these.',
      },
    ),
  ),
  tags: optional(Type.Array(Type.String(), { description: 'Words by which scenarios are chosen.' })),
  faults: optional(
    Type.Union([result.of(['fail', 'allow'], 'Of all faults.'), Type.Array(Type.String())], {
      description: 'Whether faults of the game fail a scenario; a list names the codes that do not.',
    }),
  ),
  budget: optional(budget),
  plot: optional(Type.Array(expression, { description: 'What the HTML report draws over time.' })),
  given: optional(given),
};

export const scenario = Type.Object(
  {
    name: text('What is to be true, in a sentence.'),
    description: optional(text('More about it, for readers.')),
    ...shared,
    only: optional(Type.Boolean({ description: 'Run this one and no other.' })),
    skip: optional(Type.Union([Type.Boolean(), Type.String()], { description: 'The reason.' })),
    knownFailure: optional(text('The reason. It fails the day it passes.')),
    each: optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        minItems: 1,
        description: 'A table: once for each row, with what it says in place of `<column>`, wherever that stands.',
      }),
    ),
    steps: optional(stepList),
    when: optional(stepList),
    then: optional(stepList),
  },
  { ...closed, description: 'Given, when, then; or steps, where things happen and are expected by turns.' },
);
export type ScenarioPlan = Static<typeof scenario>;

export const scenarioFile = Type.Object(
  {
    $schema: optional(text('Where editors find the schema of this file.')),
    ...shared,
    scenarios: Type.Array(scenario, { description: 'The scenarios, each by itself.' }),
  },
  { ...closed, description: 'Scenarios, and what they have in common.' },
);
export type FilePlan = Static<typeof scenarioFile>;
export type Shared = Omit<FilePlan, 'scenarios' | '$schema'>;

/** JSON Schema 2020-12 of `*.scenario.yaml` and `*.scenario.json`. */
export function scenarioSchema(): Record<string, unknown> {
  const { properties, ...file } = JSON.parse(JSON.stringify(scenarioFile));
  const fields: Record<string, unknown> = properties.scenarios.items.properties;
  // The three lists are of the same steps, which are most of the text.
  const list = withColumns(fields['steps']);
  for (const [key, field] of Object.entries(fields))
    if (key !== 'name' && key !== 'each') fields[key] = withColumns(field);
  for (const key of ['steps', 'when', 'then']) fields[key] = { $ref: '#/$defs/steps' };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Reenact scenario file',
    ...file,
    properties,
    $defs: {
      steps: list,
      column: {
        type: 'string',
        pattern: '^<[A-Za-z_][\\w ]*>$',
        description: 'A column of the table of the scenario.',
      },
    },
  };
}

/** Where a table is, `<column>` may stand for anything that is no text, too. */
function withColumns(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const inner: Record<string, unknown> = { ...schema };
  for (const key of ['properties', 'patternProperties']) {
    const members = inner[key];
    if (isRecord(members)) {
      inner[key] = Object.fromEntries(Object.entries(members).map(([name, each]) => [name, withColumns(each)]));
    }
  }
  for (const key of ['anyOf', 'items', 'additionalProperties']) {
    const each = inner[key];
    inner[key] = Array.isArray(each) ? each.map(withColumns) : withColumns(each);
    if (inner[key] === undefined) delete inner[key];
  }
  const { type, const: constant, anyOf } = schema;
  const isOther =
    type === 'number' || type === 'integer' || type === 'boolean' || type === 'array' || constant !== undefined;
  if (!isOther || anyOf !== undefined) return inner;
  const { description, ...rest } = inner;
  return { ...(description !== undefined && { description }), anyOf: [rest, { $ref: '#/$defs/column' }] };
}
