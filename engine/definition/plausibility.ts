import { defined } from '../core/plain-object.ts';
import { suggest } from '../core/suggest.ts';
import type { AttributeDefinition } from './attribute.ts';
import type { BodyType } from './body.ts';
import { colourMeant, colourNames, isColour } from './colour.ts';
import type { Definition } from './definition.ts';
import { keyNames } from './keys.ts';
import { projectileTypesOf } from './projectile-types.ts';
import type { ReferenceReport } from './reference-report.ts';
import { guestUsers, loggedInUsers } from './role.ts';
import { checkTypeSense } from './sense-types.ts';
import type { UnitType } from './unit.ts';
import type { VariableDefinition } from './variable.ts';

/** Reports data that is well-formed but implausible: unknown words, negative sizes, regions outside the map. */
export function checkPlausibility(definition: Definition, report: ReferenceReport): void {
  const { unitTypes, itemTypes, playerTypes } = definition;
  for (const each of [definition.variables, definition.entityTypeVariables, definition.playerTypeVariables])
    typed(each);
  for (const { variables } of playerTypes.values()) typed(variables);
  for (const types of [unitTypes, itemTypes, projectileTypesOf(definition)]) {
    for (const { variables, bodies } of types.values()) {
      typed(variables);
      bodySizes(bodies);
      for (const body of bodies.values()) substance(body);
    }
  }
  bodySizes(definition.bodyTypes);
  for (const type of unitTypes.values()) {
    keys(type);
    defaultItems(type);
    slots(type);
  }
  for (const types of [unitTypes, itemTypes, projectileTypesOf(definition), playerTypes])
    for (const { attributes } of types.values()) {
      for (const each of attributes.values()) {
        bars(each);
        colour(each);
      }
    }
  for (const type of playerTypes.values()) colour(type);
  for (const { damage, pointer } of itemTypes.values()) {
    damage?.targetsAffected.forEach((word, i) => {
      if (!affected.has(word))
        unknown('kind of target', word, affected, pointer, 'damage', 'targetsAffected', String(i));
    });
  }
  roles();
  places();
  dialogues();
  map();
  numbers();
  checkTypeSense(definition, report);

  function unknown(noun: string, word: string, known: ReadonlySet<string>, base: string, ...below: string[]): void {
    const suggestion = suggest(word, known);
    const details = {
      found: word,
      ...(suggestion === undefined ? { expected: [...known].slice(0, 8).join(', ') } : { suggestion }),
    };
    report.add('unknown-value', `There is no ${noun} "${word}".`, details, base, ...below);
  }

  /** Reports only likely misspellings, because the list of places that clients know is not complete. */
  function bars({ isVisible, pointer }: AttributeDefinition): void {
    isVisible.forEach((word, i) => {
      if (!shownAt.has(word) && suggest(word, shownAt) !== undefined)
        unknown('place for a bar', word, shownAt, pointer, 'isVisible', String(i));
    });
  }

  function colour({ color, pointer }: { readonly color: string | undefined; readonly pointer: string }): void {
    if (color === undefined || isColour(color)) return;
    const suggestion = colourMeant(color) ?? suggest(color, colourNames);
    const details = {
      found: color,
      ...(suggestion === undefined ? { expected: 'a name, or #rrggbb' } : { suggestion }),
    };
    report.add('unknown-value', `There is no colour "${color}".`, details, pointer, 'color');
  }

  /** Reports misspelt permissions, and roles that keep everybody out. Scripts can ask for permissions of their own. */
  function roles(): void {
    const { roles, pointer } = definition;
    roles.forEach(({ permissions }, i) => {
      for (const word of permissions.keys())
        if (!permitted.has(word) && suggest(word, permitted) !== undefined)
          unknown('permission', word, permitted, pointer, 'roles', String(i), 'permissions', word);
    });
    const isClosed = [loggedInUsers, guestUsers].every((type) => roles.some((role) => role.type === type));
    if (!isClosed || roles.some(({ permissions }) => permissions.get('playGame') === true)) return;
    const details = { expected: '`playGame`: true for logged-in users or guests', found: 'none' };
    report.add('nobody-may-play', 'No role has the permission `playGame`: nobody may join.', details, pointer, 'roles');
  }

  function typed(variables: ReadonlyMap<string, VariableDefinition>): void {
    for (const { dataType, pointer } of variables.values()) {
      if (dataType !== '' && !dataTypes.has(dataType)) unknown('data type', dataType, dataTypes, pointer, 'dataType');
    }
  }

  function bodySizes(bodies: ReadonlyMap<string, BodyType>): void {
    for (const { width, height, fixtures, pointer } of bodies.values()) {
      sized({ width, height }, pointer);
      fixtures.forEach(({ size, shape }, i) => {
        const at = ['fixtures', String(i)];
        if (size !== undefined) sized({ width: size.width, height: size.height }, pointer, ...at, 'size');
        const { radius, halfWidth, halfHeight } = shape.data ?? {};
        sized({ radius, halfWidth, halfHeight }, pointer, ...at, 'shape', 'data');
      });
    }
  }

  /** Reports a physical body that collides with nothing or has no mass. */
  function substance({ name, key, type, width, height, fixtures, pointer }: BodyType): void {
    if (type === 'none' || type === 'spriteOnly') return;
    const which = `The body "${name === '' ? key : name}"`;
    if (fixtures.length === 0) {
      const details = { expected: 'a fixture', found: 'none' };
      report.add('empty-body', `${which} has no fixtures: it collides with nothing.`, details, pointer);
    }
    fixtures.forEach(({ density, shape, size }, i) => {
      const at = ['fixtures', String(i)];
      if (density < 0) {
        const details = { expected: '0 or more', found: String(density), suggestion: String(-density) };
        report.add('empty-body', `${which} has a negative density.`, details, pointer, ...at, 'density');
      }
      const hasOwnSize = size !== undefined || Object.values(shape.data ?? {}).some((side) => side !== undefined);
      const empty = hasOwnSize ? undefined : width === 0 ? 'width' : height === 0 ? 'height' : undefined;
      if (empty === undefined) return;
      const details = { expected: 'more than 0', found: '0' };
      report.add('empty-body', `${which} has a ${empty} of 0: it collides with nothing.`, details, pointer, empty);
    });
  }

  function sized(sides: Readonly<Record<string, number | undefined>>, base: string, ...below: string[]): void {
    for (const [side, length] of Object.entries(sides)) {
      if (length === undefined || length >= 0) continue;
      const details = { expected: '0 or more', found: String(length), suggestion: String(-length) };
      report.add('negative-size', `The ${side} is negative: ${length} pixels.`, details, base, ...below, side);
    }
  }

  /** Reports keys that no client sends. Clients send letters in lower case. */
  function keys(type: UnitType): void {
    for (const bindings of [type.controls?.abilities, type.legacyAbilities]) {
      for (const { key, pointer } of bindings?.values() ?? []) {
        if (key.length === 1 ? key === key.toLowerCase() : keyNames.has(key)) continue;
        const suggestion = key.length === 1 ? key.toLowerCase() : suggest(key, keyNames);
        const details = { found: key, ...defined({ suggestion }) };
        report.add('unknown-key', `Clients have no key named "${key}".`, details, pointer);
      }
    }
  }

  /** Reports default items that find no slot: each takes the first free one that its type permits, as in play. */
  function slots(type: UnitType): void {
    const { inventorySize, backpackSize } = type;
    const taken = new Map<number, string>();
    const placed = new Set<string>();
    for (const { key } of type.defaultItems) {
      const item = key === undefined ? undefined : definition.itemTypes.get(key);
      if (key === undefined || item === undefined || placed.has(key)) continue;
      const permitted = item.controls?.permittedInventorySlots ?? [];
      const backpack = Array.from({ length: backpackSize }, (_, i) => inventorySize + i + 1);
      const inventory = Array.from({ length: inventorySize }, (_, i) => i + 1);
      const mayLieInBackpack = item.controls?.backpackAllowed !== false;
      const slots =
        permitted.length === 0
          ? [...inventory, ...(mayLieInBackpack ? backpack : [])]
          : permitted.flatMap((slot) => (typeof slot === 'number' ? [slot] : backpack));
      const free = slots.find((slot) => slot >= 1 && slot <= inventorySize + backpackSize && !taken.has(slot));
      placed.add(key);
      if (free !== undefined) {
        taken.set(free, item.name);
        continue;
      }
      const holder = slots.map((slot) => taken.get(slot)).find((name) => name !== undefined);
      const why =
        holder === undefined
          ? `it has ${inventorySize} slots, and none that the item may take`
          : `"${holder}" already has the slot`;
      const details = {
        expected: permitted.length === 0 ? 'more `inventorySize`' : `a free slot of ${permitted.join(', ')}`,
        found: `${inventorySize} slots, ${backpackSize} in the backpack`,
      };
      const message = `"${type.name}" starts with "${item.name}", which finds no slot: ${why}.`;
      report.addFor(key, 'slot-conflict', message, details, type.pointer, 'defaultItems', '*');
    }
  }

  function defaultItems(type: UnitType): void {
    type.defaultItems.forEach(({ key }) => {
      const item = key === undefined ? undefined : definition.itemTypes.get(key);
      if (key === undefined || item === undefined || item.carriedBy.length === 0 || item.carriedBy.includes(type.key))
        return;
      const details = { expected: item.carriedBy.join(', '), found: type.key };
      const message = `Units of type "${type.name}" start with "${item.name}", but are not in its \`carriedBy\`.`;
      report.addFor(key, 'item-not-carried', message, details, type.pointer, 'defaultItems', '*');
    });
  }

  function places(): void {
    const { map, variables, cellSize } = definition;
    for (const { dataType, default: initial, pointer, key } of variables.values()) {
      if (typeof initial !== 'object' || initial === null || Array.isArray(initial)) continue;
      const { x = 0, y = 0, width = 0, height = 0 } = initial as Readonly<Record<string, number>>;
      if (dataType === 'region') sized({ width, height }, pointer, 'default');
      if (dataType === 'region' && (width === 0 || height === 0)) {
        const details = { expected: 'a width and a height above 0', found: `${width} x ${height}` };
        report.add('empty-region', `The region "${key}" has no size: nothing enters it.`, details, pointer, 'default');
      }
      if (map === undefined || map.width === 0 || map.height === 0) continue;
      if (dataType === 'region') tiny(key, { x, y, width, height }, pointer);
      if ((dataType !== 'region' && dataType !== 'position') || width < 0 || height < 0) continue;
      const all = { width: map.width * cellSize.width, height: map.height * cellSize.height };
      if (x < all.width && y < all.height && x + width >= 0 && y + height >= 0) continue;
      const details = {
        expected: `0, 0 to ${all.width}, ${all.height}`,
        found: `${x}, ${y} to ${x + width}, ${y + height}`,
      };
      report.add('outside-map', `The ${dataType} "${key}" lies outside the map.`, details, pointer, 'default');
    }
  }

  /** Reports a region that is smaller than a tile both ways, and lies within the map if its numbers are tiles. */
  function tiny(
    key: string,
    region: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
    pointer: string,
  ): void {
    const { map, cellSize } = definition;
    const { x, y, width, height } = region;
    if (width <= 0 || height <= 0 || width >= cellSize.width / 2 || height >= cellSize.height / 2) return;
    if (x + width > map!.width || y + height > map!.height) return;
    const message = `The region "${key}" is smaller than a tile: its numbers are pixels, and a tile has ${cellSize.width}.`;
    const details = { expected: 'pixels', found: `${width} x ${height} at ${x}, ${y}` };
    report.add('wrong-unit', message, details, pointer, 'default');
  }

  function dialogues(): void {
    for (const { options } of definition.dialogues.values()) {
      for (const { name, scriptName, followUpDialogue, pointer } of options) {
        if (name === '' && scriptName === undefined && followUpDialogue === undefined)
          report.add('empty-option', 'This option has no text and does nothing.', { expected: 'name' }, pointer);
        else if (name === '') report.add('empty-option', 'This option has no text.', { expected: 'name' }, pointer);
      }
    }
  }

  /** Reports a map that has no walls, because its layer is missing or spelt otherwise, and one without the size of its cells. */
  function map(): void {
    const { map } = definition;
    if (map === undefined || map.width === 0 || map.height === 0) return;
    const at = report.has(`${definition.pointer}/map`) ? `${definition.pointer}/map` : '';
    if (!map.layerByName.has('walls')) {
      const names = [...map.layerByName.keys()];
      const near = names.find((name) => name.toLowerCase() === 'walls') ?? suggest('walls', names);
      const details = { expected: 'walls', ...(near === undefined ? {} : { found: near, suggestion: 'walls' }) };
      const message = 'The map has no layer "walls": nothing stops bodies, not even at the edges.';
      report.add('no-walls', message, details, at, 'layers');
    }
    const [walls, ...more] = map.layers.filter(({ name }) => name === 'walls');
    if (walls !== undefined && more.length > 0) {
      const message = `The map has ${more.length + 1} layers "walls": only the last one counts.`;
      report.add('same-layer', message, { expected: '1', found: String(more.length + 1) }, walls.pointer, 'name');
    }
    for (const field of ['tilewidth', 'tileheight'] as const) {
      if (map[field] > 0 && report.has(`${at}/${field}`)) continue;
      const details = { expected: 'px, as in `tilesets`', found: 'nothing' };
      report.add('out-of-range', `The map has no \`${field}\`: ${map[field]} px is assumed.`, details, at);
    }
  }

  /** Reports numbers outside the range in which they have the intended effect. */
  function numbers(): void {
    const { frameRate, engineTickRate, defaultMaxPlayers } = definition.defaultData;
    for (const [field, rate] of Object.entries({ frameRate, engineTickRate })) {
      if (rate === undefined) continue;
      if (rate <= 0)
        number('rate-not-positive', field, rate, 'more than 0', `\`${field}\` is ${rate}; it must be greater than 0.`);
      else if (rate > 240)
        number('out-of-range', field, rate, '1 to 240', `\`${field}\` is ${rate}; the game runs at 240.`);
    }
    if (defaultMaxPlayers !== undefined && defaultMaxPlayers < 1)
      number(
        'out-of-range',
        'defaultMaxPlayers',
        defaultMaxPlayers,
        '1 or more',
        `\`defaultMaxPlayers\` is ${defaultMaxPlayers}; nobody can join.`,
      );
    const { unitTypes, itemTypes } = definition;
    for (const types of [unitTypes, itemTypes, projectileTypesOf(definition)]) {
      for (const type of types.values()) {
        const lifeSpan = 'lifeSpan' in type ? type.lifeSpan : undefined;
        if (lifeSpan === undefined || !(lifeSpan < 0)) continue;
        const details = { expected: '0 or more', found: String(lifeSpan) };
        const message = `"${type.name}" lives ${lifeSpan} ms: it ends when it is made.`;
        report.add('out-of-range', message, details, type.pointer, 'lifeSpan');
      }
    }
  }

  function number(
    code: 'rate-not-positive' | 'out-of-range',
    field: string,
    found: number,
    expected: string,
    message: string,
  ): void {
    report.add(code, message, { expected, found: String(found) }, report.metadata(definition, field), field);
  }
}

/** Data types that the engines or editors have (reference: variables#data-types). */
export const dataTypes: ReadonlySet<string> = new Set([
  'number',
  'string',
  'boolean',
  'position',
  'region',
  'object',
  'array',
  'color',
  'time',
  'any',
  'unit',
  'item',
  'projectile',
  'player',
  'debris',
  'sensor',
  'entity',
  'attribute',
  'script',
  'particleEmitter',
  'unitType',
  'itemType',
  'projectileType',
  'playerType',
  'attributeType',
  'particleType',
  'entityType',
  'variableType',
  'animationType',
  'bodyType',
  'state',
  'animation',
  'sound',
  'music',
  'shop',
  'dialogue',
  'unitGroup',
  'itemGroup',
  'projectileGroup',
  'playerGroup',
  'entityGroup',
  'regionGroup',
  'debrisGroup',
  'unitTypeGroup',
  'itemTypeGroup',
  'projectileTypeGroup',
  'playerTypeGroup',
  'particle',
  'ability',
  'buff',
  'quest',
  'video',
  'image',
  'body',
  'key',
  'model',
  'timer',
  'stringGroup',
]);

/** Relationships between players (reference: players#relationships), and `everything` for all of them. */
const affected: ReadonlySet<string> = new Set(['hostile', 'friendly', 'neutral', 'everything']);

/** Where clients show the bar of an attribute (specification, Attribute); `everywhere` is what `true` is read as. */
const shownAt: ReadonlySet<string> = new Set([
  'centerBar',
  'unitBar',
  'unitBarFriendly',
  'unitBarNeutral',
  'unitBarHostile',
  'scoreboard',
  'everywhere',
]);

/** Permissions of roles (specification, Authentication). */
const permitted: ReadonlySet<string> = new Set(['contributor', 'moderator', 'communityChat', 'serverChat', 'playGame']);
