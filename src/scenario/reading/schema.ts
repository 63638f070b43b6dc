import { defined } from '../../../engine/core/index.ts';
import { type DialectName, dialectNamed } from '../../../engine/index.ts';
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
  validate,
  words,
} from '../../schema/index.ts';

/**
 * The contents of a scenario file. One declaration gives the published JSON Schema, the validation and the types. The
 * kind of a step is determined by its one required key; everything about a step is declared with that key.
 */

/**
 * Marks strings that name something of the game or the scenario, so that unknown names are reported before the run. On
 * a record, the mark refers to the keys. It is not part of the published schema.
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
  /** A state of the type that is named in the same object. */
  | 'state'
  | 'dialogue'
  /** An option of the dialogue that is named in the same object. */
  | 'dialogue option'
  | 'key'
  | 'script'
  | 'trigger'
  | 'output'
  | 'trigger or output'
  /** Members of the event that is named in the same object. */
  | 'event members'
  /** Members of a trigger payload. */
  | 'payload members'
  /** Attributes and variables of an entity or player. */
  | 'members'
  /** Global variables, and members after an expression, such as `alice.score`. */
  | 'paths'
  /** A value in which `@name` refers to an entity or player. */
  | 'value'
  | 'duration'
  | 'real time'
  | 'file';

const text = (description: string) => string({ description });
const named = (kind: NameKind, description?: string) => string({ ...defined({ description }), [names]: kind });

const duration = anyOf([string(), number()], {
  description: 'Simulated time: `15 s`, `500 ms`, `2 min`, `3 ticks`; a plain number is in seconds.',
  [names]: 'duration',
});
const expression = named('expression', 'An expression, such as `units of type zombie >= 1`.');
const expressions = anyOf([expression, array(expression)], {
  description: 'An expression, or a list of expressions that must all hold.',
});
const json = anything({ description: 'Any value; `@name` refers to an entity or player of the scenario.' });
const value = anything({ ...json, [names]: 'value' });
const members = record(value, {
  description: 'Values of attributes and variables, by name or id.',
  [names]: 'members',
});
const paths = record(value, {
  description: 'Values of variables and attributes, by path: `timeLeft`, `alice.score`, `alice.unit.health`.',
  [names]: 'paths',
});
const place = anyOf([pair(number()), string()], {
  description: '`[x, y]` in pixels, or the name of a region (its centre), entity or player of the scenario.',
  [names]: 'place',
});
const playerFields = {
  type: optional(named('player type', 'Player type, by name or id.')),
  attributes: optional(members),
  variables: optional(members),
  userId: optional(text('The id of the account.')),
  roles: optional(array(named('role'), { description: 'The ids of the roles of the player.' })),
  unit: optional(
    object(
      {
        type: optional(named('unit type', 'Unit type, by name or id. If the player has no unit, a unit is created.')),
        at: optional(place),
        attributes: optional(members),
        variables: optional(members),
        items: optional(array(named('item type'), { description: 'Item types that the unit gets.' })),
      },
      { description: 'The selected unit of the player.' },
    ),
  ),
};
const player = anyOf([
  string(),
  object(
    { name: text('The name of the player in the scenario.'), ...playerFields },
    { description: 'A player who joins.' },
  ),
]);
export type PlayerPlan = Infer<typeof player>;

const entity = object(
  {
    unit: optional(named('unit type', 'Unit type, by name or id.')),
    item: optional(named('item type', 'Item type, by name or id.')),
    projectile: optional(named('projectile type', 'Projectile type, by name or id.')),
    name: optional(text('The name of the entity in the scenario.')),
    at: optional(place),
    angle: optional(number({ description: 'The angle in degrees, clockwise; 0 is up.' })),
    owner: optional(named('entity', 'The owner; `computer1` … `computer10` are the computer players.')),
    heldBy: optional(named('entity', 'The unit that gets the item.')),
    quantity: optional(number({ description: 'The quantity of the item.' })),
    count: optional(integer({ minimum: 1, description: 'How many to create; they are named name1, name2 …' })),
    state: optional(named('state', 'State, by name or id.')),
    attributes: optional(members),
    variables: optional(members),
  },
  { description: 'An entity: exactly one of unit, item, projectile.' },
);
export type EntityPlan = Infer<typeof entity>;

const common = {
  at: optional(anyOf([duration], { description: 'Waits until this time, measured from the end of `given`.' })),
  because: optional(text('An explanation that is shown on failure.')),
};
const by = { by: named('player', 'The player.') };
const step = <const F extends Fields>(description: string, fields: F) =>
  object({ ...fields, ...common }, { description });
const matching = {
  on: optional(named('entity', 'Only events on this entity.')),
  where: optional(
    record(json, {
      description: 'The details that the event must have.',
      [names]: 'event members',
    }),
  ),
};
const times = {
  times: optional(integer({ minimum: 0, description: 'Exactly this many times.' })),
  atLeast: optional(integer({ minimum: 0, description: 'At least this many times.' })),
  atMost: optional(integer({ minimum: 0, description: 'At most this many times.' })),
  within: optional(duration),
};

/** One schema per kind of step, by its distinguishing key. */
export const steps = {
  wait: step('Waits.', { wait: duration }),
  until: step('Waits until an expression is true. The step fails if this takes too long.', {
    until: expression,
    within: optional(duration),
  }),
  join: step('A player joins.', { join: text('The name of the player in the scenario.'), ...playerFields }),
  leave: step('A player leaves.', { leave: named('player', 'The player.') }),
  press: step('A player presses a key, for a time or until it is released. `button1` and `button3` are the mouse.', {
    press: named('key', 'The key.'),
    ...by,
    for: optional(duration),
  }),
  release: step('A player releases a key.', { release: named('key', 'The key.'), ...by }),
  point: step('A player moves the mouse.', { point: place, ...by }),
  say: step('A player writes a chat message.', { say: text('The message.'), ...by }),
  answer: step('A player answers an input box.', { answer: text('The answer.'), ...by }),
  buy: step('A player buys an item in the open shop.', {
    buy: named('item type', 'Item type, by name or id.'),
    ...by,
  }),
  buyUnit: step('A player buys a unit in the open shop.', {
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
  swap: step('A player swaps two inventory slots, counted from 0.', {
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
  fire: step('The host fires one of its triggers.', {
    fire: named('trigger', 'The trigger.'),
    with: optional(json),
  }),
  tell: step('The host sets the value of one of its functions.', {
    tell: string({ description: 'The function.' }),
    to: json,
    with: optional(json),
  }),
  trade: step('A player clicks the trade option of a unit.', { trade: named('entity', 'The unit.'), ...by }),
  replay: step('Replays a journal, tick by tick.', {
    replay: named('file', 'A file written by `reenact run --record`.'),
  }),
  run: step('Runs a script, as if another script called it.', {
    run: named('script', 'The script, by name or id.'),
    as: optional(named('entity', 'The entity whose script it is.')),
    with: optional(
      record(named('entity'), {
        description: 'The payload of the trigger: unit, player, item …',
        [names]: 'payload members',
      }),
    ),
  }),
  set: step('Sets variables and attributes: `timeLeft`, `alice.score`, `alice.unit.health`.', { set: paths }),
  spawn: step('Creates an entity.', { spawn: entity }),
  destroy: step('Destroys an entity.', { destroy: named('entity', 'The entity.') }),
  move: step('Moves an entity.', { move: named('entity', 'The entity.'), to: place }),
  give: step('Gives an item to a unit.', {
    give: named('item type', 'Item type, by name or id.'),
    to: named('entity', 'The unit.'),
    quantity: optional(number({ description: 'The quantity of the item.' })),
  }),
  expect: step('Expects expressions to be true now, or `within` a time, and then to stay true `for` a time.', {
    expect: expressions,
    within: optional(duration),
    for: optional(duration),
  }),
  eventually: step('Expects expressions to become true within a time (default: 60 s).', {
    eventually: expressions,
    within: optional(duration),
  }),
  always: step('Expects expressions to stay true, for a time or until the end of the scenario.', {
    always: expressions,
    for: optional(duration),
  }),
  never: step('Expects expressions to stay false, for a time or until the end of the scenario.', {
    never: expressions,
    for: optional(duration),
  }),
  value: step('Expects a value; `reenact test --update` saves the value found.', {
    value: expression,
    is: optional(json),
  }),
  event: step('Expects that a trigger has fired since the start: at least once, or the given number of times.', {
    event: named('trigger', 'Type of trigger.'),
    ...matching,
    ...times,
  }),
  output: step(
    'Expects that an output event was published since the start: at least once, or the given number of times.',
    {
      output: named('output', 'Kind of output event.'),
      to: optional(named('audience', 'The player that the output is for.')),
      ...matching,
      ...times,
    },
  ),
  ran: step('Expects that a script has run since the start: at least once, or the given number of times.', {
    ran: named('script', 'The script, by name or id.'),
    ...times,
  }),
  order: step('Expects triggers and outputs in this order.', {
    order: array(
      anyOf([
        named('trigger or output'),
        object({ event: named('trigger', 'Type of trigger.'), ...matching }),
        object({ output: named('output', 'Kind of output event.'), ...matching }),
      ]),
      { minItems: 2, description: 'Trigger types and kinds of outputs, earliest first.' },
    ),
  }),
} as const;

export type StepKind = keyof typeof steps;
export type StepOf<K extends StepKind> = Infer<(typeof steps)[K]>;
export type Step = { [K in StepKind]: StepOf<K> }[StepKind];

const stepList = array(anyOf(Object.values(steps)), {
  description: 'Steps, performed in order.',
});

const given = object(
  {
    players: optional(array(player, { description: 'Players that join, in this order.' })),
    bots: optional(integer({ minimum: 0, description: 'The number of bots that join and play.' })),
    variables: optional(paths),
    entities: optional(array(entity, { description: 'Entities to create, in this order.' })),
    snapshot: optional(
      named(
        'file',
        'The file with the initial state, relative to the scenario file: a snapshot, or a journal whose last state is used.',
      ),
    ),
  },
  { description: 'The situation at the start of the scenario.' },
);

const budget = object(
  {
    ticks: optional(integer({ minimum: 1, description: 'Maximum number of ticks.' })),
    wall: optional(anyOf([duration], { description: 'Maximum real time.', [names]: 'real time' })),
    actions: optional(integer({ minimum: 1, description: 'Maximum number of script actions in total.' })),
    events: optional(integer({ minimum: 1, description: 'Maximum number of triggers and outputs in total.' })),
  },
  { description: 'Limits; a scenario that exceeds one fails.' },
);

const oneOrMore = <T>(schema: Schema<T>, description: string) =>
  anyOf([schema, array(schema, { minItems: 1 })], { description });

const dialect: Schema<DialectName> = {
  type: 'string',
  examples: ['standard', 'moddio', 'moddio except lastKeyWins'],
  description: 'A dialect, or all but some of its differences: `moddio except lastKeyWins, dropsKeepHeldAngle`.',
  [validate]: wrongDialect,
};

function wrongDialect(name: unknown) {
  try {
    dialectNamed(name);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Settings that a file can declare for all its scenarios, and each scenario for itself. */
const shared = {
  game: optional(oneOrMore(string(), 'The game definition, relative to this file; with several, each is run.')),
  definition: optional(
    record(anything(), {
      description:
        'Changes to the data of the definition: objects are merged key by key, everything else is replaced; null deletes.',
    }),
  ),
  dialect: optional(
    oneOrMore(dialect, 'The rules where the specification and the original engine differ; with several, each is run.'),
  ),
  seed: optional(anyOf([string(), number()], { description: 'The seed of all random numbers.' })),
  seeds: optional(
    anyOf([integer({ minimum: 1 }), array(anyOf([string(), number()]), { minItems: 1 })], {
      description: 'A number of seeds, or a list of seeds; the scenario is run with each.',
    }),
  ),
  tags: optional(array(string(), { description: 'Tags by which scenarios can be selected.' })),
  faults: optional(
    anyOf([words(['fail', 'allow'], { description: 'For all faults.' }), array(string())], {
      description: 'Whether faults of the game fail the scenario; a list names the codes that do not fail it.',
    }),
  ),
  budget: optional(budget),
  plot: optional(array(expression, { description: 'Expressions that the HTML report plots over time.' })),
  given: optional(given),
};

export const scenario = object(
  {
    name: text('What should be true, as a sentence.'),
    description: optional(text('A longer description for readers.')),
    ...shared,
    only: optional(boolean({ description: 'Run only this scenario.' })),
    skip: optional(
      anyOf([boolean(), string()], { description: 'Whether to skip the scenario, or the reason for skipping it.' }),
    ),
    knownFailure: optional(text('Why the scenario is known to fail. If it passes, it is reported as failed.')),
    each: optional(
      array(record(anything()), {
        minItems: 1,
        description: 'A table: the scenario is run once per row, with `<column>` replaced by the value in that row.',
      }),
    ),
    steps: optional(stepList),
    when: optional(stepList),
    then: optional(stepList),
  },
  { description: 'A scenario: `given`, `when` and `then`; or `steps` that mix actions and expectations.' },
);
export type ScenarioPlan = Infer<typeof scenario>;

export const scenarioFile = object(
  {
    $schema: optional(text('The schema of this file, for editors.')),
    ...shared,
    scenarios: array(scenario, { description: 'The scenarios; each runs independently.' }),
  },
  { description: 'Scenarios and their shared settings.' },
);
export type FilePlan = Infer<typeof scenarioFile>;
export type Shared = Omit<FilePlan, 'scenarios' | '$schema'>;

/** The JSON Schema (2020-12) of `*.scenario.yaml` and `*.scenario.json`. */
export function scenarioSchema(): Record<string, unknown> {
  const fields = Object.entries(scenario.properties).map(([key, field]): [string, Schema] => {
    // The three lists refer to one schema of the steps, which makes up most of the whole schema.
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
        description: 'A placeholder, which is replaced by the value of this column of the table `each`.',
      },
    },
  };
}

/** In a scenario with a table, `<column>` may also replace any value that is not a string. */
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
  return { ...defined({ description }), anyOf: [rest, { $ref: '#/$defs/column' }] };
}
