import { suggest } from '../core/suggest.ts';
import type { BodyType } from './body.ts';
import type { Definition } from './definition.ts';
import { keyNames } from './keys.ts';
import { projectileTypesOf } from './projectile-types.ts';
import type { ReferenceReport } from './reference-report.ts';
import type { UnitType } from './unit.ts';
import type { VariableDefinition } from './variable.ts';

/** Reports data that is well-formed but makes no sense: unknown words, negative sizes, regions outside the map. */
export function checkSense(definition: Definition, report: ReferenceReport): void {
  new Sense(definition, report).check();
}

/** Data types that the engines or editors have (reference: variables#data-types). */
export const dataTypes: ReadonlySet<string> = new Set([
  ...['number', 'string', 'boolean', 'position', 'region', 'object', 'array', 'color', 'time', 'any'],
  ...['unit', 'item', 'projectile', 'player', 'debris', 'sensor', 'entity', 'attribute', 'script', 'particleEmitter'],
  ...['unitType', 'itemType', 'projectileType', 'playerType', 'attributeType', 'particleType', 'entityType'],
  ...['variableType', 'animationType', 'bodyType', 'state', 'animation', 'sound', 'music', 'shop', 'dialogue'],
  ...['unitGroup', 'itemGroup', 'projectileGroup', 'playerGroup', 'entityGroup', 'regionGroup', 'debrisGroup'],
  ...['unitTypeGroup', 'itemTypeGroup', 'projectileTypeGroup', 'playerTypeGroup'],
  ...['particle', 'ability', 'buff', 'quest', 'video', 'image', 'body', 'key', 'model', 'timer', 'stringGroup'],
]);

/** Relationships between players (reference: players#relationships), and `everything` for all of them. */
const affected: ReadonlySet<string> = new Set(['hostile', 'friendly', 'neutral', 'everything']);

class Sense {
  private readonly definition: Definition;
  private readonly report: ReferenceReport;

  constructor(definition: Definition, report: ReferenceReport) {
    this.definition = definition;
    this.report = report;
  }

  check(): void {
    const { definition } = this;
    const { unitTypes, itemTypes, playerTypes } = definition;
    for (const each of [definition.variables, definition.entityTypeVariables, definition.playerTypeVariables])
      this.variables(each);
    for (const { variables } of playerTypes.values()) this.variables(variables);
    for (const types of [unitTypes, itemTypes, projectileTypesOf(definition)]) {
      for (const { variables, bodies } of types.values()) {
        this.variables(variables);
        this.bodies(bodies);
      }
    }
    this.bodies(definition.bodyTypes);
    for (const type of unitTypes.values()) {
      this.keys(type);
      this.defaultItems(type);
    }
    for (const { damage, pointer } of itemTypes.values()) {
      damage?.targetsAffected.forEach((word, i) => {
        if (!affected.has(word))
          this.unknown('kind of target', word, affected, pointer, 'damage', 'targetsAffected', String(i));
      });
    }
    this.places();
    this.rates();
  }

  private unknown(noun: string, word: string, known: ReadonlySet<string>, base: string, ...below: string[]): void {
    const suggestion = suggest(word, known);
    const details = {
      found: word,
      ...(suggestion === undefined ? { expected: [...known].slice(0, 8).join(', ') } : { suggestion }),
    };
    this.report.add('unknown-value', `There is no ${noun} "${word}".`, details, base, ...below);
  }

  private variables(variables: ReadonlyMap<string, VariableDefinition>): void {
    for (const { dataType, pointer } of variables.values()) {
      if (dataType !== '' && !dataTypes.has(dataType))
        this.unknown('data type', dataType, dataTypes, pointer, 'dataType');
    }
  }

  private bodies(bodies: ReadonlyMap<string, BodyType>): void {
    for (const { width, height, fixtures, pointer } of bodies.values()) {
      this.size({ width, height }, pointer);
      fixtures.forEach(({ size, shape }, i) => {
        const at = ['fixtures', String(i)];
        if (size !== undefined) this.size({ width: size.width, height: size.height }, pointer, ...at, 'size');
        const { radius, halfWidth, halfHeight } = shape.data ?? {};
        this.size({ radius, halfWidth, halfHeight }, pointer, ...at, 'shape', 'data');
      });
    }
  }

  private size(sides: Readonly<Record<string, number | undefined>>, base: string, ...below: string[]): void {
    for (const [side, length] of Object.entries(sides)) {
      if (length === undefined || length >= 0) continue;
      const details = { expected: '0 or more', found: String(length), suggestion: String(-length) };
      this.report.add('negative-size', `The ${side} is negative: ${length} pixels.`, details, base, ...below, side);
    }
  }

  /** Reports keys that no client sends. Clients send letters in lower case. */
  private keys(type: UnitType): void {
    for (const bindings of [type.controls?.abilities, type.legacyAbilities]) {
      for (const { key, pointer } of bindings?.values() ?? []) {
        if (key.length === 1 ? key === key.toLowerCase() : keyNames.has(key)) continue;
        const suggestion = key.length === 1 ? key.toLowerCase() : suggest(key, keyNames);
        const details = { found: key, ...(suggestion === undefined ? {} : { suggestion }) };
        this.report.add('unknown-key', `Clients have no key named "${key}".`, details, pointer);
      }
    }
  }

  private defaultItems(type: UnitType): void {
    type.defaultItems.forEach(({ key }) => {
      const item = key === undefined ? undefined : this.definition.itemTypes.get(key);
      if (key === undefined || item === undefined || item.carriedBy.length === 0 || item.carriedBy.includes(type.key))
        return;
      const details = { expected: item.carriedBy.join(', '), found: type.key };
      const message = `Units of type "${type.name}" start with "${item.name}", but are not in its \`carriedBy\`.`;
      this.report.addFor(key, 'item-not-carried', message, details, type.pointer, 'defaultItems', '*');
    });
  }

  private places(): void {
    const { map, variables, cellSize } = this.definition;
    for (const { dataType, default: initial, pointer, key } of variables.values()) {
      if (typeof initial !== 'object' || initial === null || Array.isArray(initial)) continue;
      const { x = 0, y = 0, width = 0, height = 0 } = initial as Readonly<Record<string, number>>;
      if (dataType === 'region') this.size({ width, height }, pointer, 'default');
      if (map === undefined || map.width === 0 || map.height === 0) continue;
      if ((dataType !== 'region' && dataType !== 'position') || width < 0 || height < 0) continue;
      const all = { width: map.width * cellSize.width, height: map.height * cellSize.height };
      if (x < all.width && y < all.height && x + width >= 0 && y + height >= 0) continue;
      const details = {
        expected: `0, 0 to ${all.width}, ${all.height}`,
        found: `${x}, ${y} to ${x + width}, ${y + height}`,
      };
      this.report.add('outside-map', `The ${dataType} "${key}" lies outside the map.`, details, pointer, 'default');
    }
  }

  private rates(): void {
    const { frameRate, engineTickRate } = this.definition.defaultData;
    for (const [field, rate] of Object.entries({ frameRate, engineTickRate })) {
      if (rate === undefined || rate > 0) continue;
      const details = { expected: 'more than 0', found: String(rate) };
      const { report } = this;
      report.add(
        'rate-not-positive',
        `\`${field}\` is ${rate}; it must be greater than 0.`,
        details,
        report.metadata(this.definition, field),
        field,
      );
    }
  }
}
