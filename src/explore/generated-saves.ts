import type { RandomStream } from '../../engine/core/random.ts';
import { type Definition, everyNode } from '../../engine/index.ts';
import { scriptsOf } from '../../engine/internal.ts';
import type { AccountData } from '../store/store.ts';

type Section<K extends keyof Definition> = Definition[K] extends ReadonlyMap<string, infer T> ? T : never;
type Attributes = Section<'playerTypes'>['attributes'];
type Variables = Section<'playerTypes'>['variables'];

const itemsMax = 4;
const slotsMax = 6;
const numbersMax = 300;

/**
 * Saved data of accounts, generated from the types and literals of a game. It reaches what otherwise takes hours of
 * play, but may be a state that no real player can have.
 */
export class GeneratedSaves {
  private readonly definition: Definition;
  private readonly random: RandomStream;
  private readonly numbers: readonly number[];
  private readonly texts: readonly string[];

  constructor(definition: Definition, random: RandomStream) {
    this.definition = definition;
    this.random = random;
    const numbers = new Set([0, 1, 100]);
    const texts = new Set(['']);
    for (const { actions, conditions } of scriptsOf(definition).scripts) {
      for (const root of [actions, conditions]) {
        for (const node of everyNode(root)) {
          if (node.kind !== 'literal') continue;
          if (typeof node.json === 'number' && numbers.size < numbersMax) numbers.add(node.json);
          if (typeof node.json === 'string' && node.json.length < 40 && texts.size < numbersMax) texts.add(node.json);
        }
      }
    }
    this.numbers = [...numbers];
    this.texts = [...texts];
  }

  next(): AccountData {
    const { definition, random } = this;
    const playerType = random.pick([...definition.playerTypes.values()]);
    const unitType = random.pick([...definition.unitTypes.values()]);
    return {
      ...(playerType !== undefined && { player: { ...this.parts(playerType), quests: { active: {}, completed: {} } } }),
      ...(unitType !== undefined && { unit: { ...this.parts(unitType), inventoryItems: this.items() } }),
    };
  }

  private parts({ attributes, variables }: { readonly attributes: Attributes; readonly variables: Variables }): object {
    return { attributes: this.attributes(attributes), variables: this.variables(variables) };
  }

  private attributes(attributes: Attributes): Record<string, unknown> {
    const saved: Record<string, unknown> = {};
    for (const [key, { min, max, regenerateSpeed }] of attributes) {
      if (this.random.chance(0.5)) continue;
      const least = numberOr(min, null);
      const most = numberOr(max, null);
      saved[key] = {
        value: this.within(least ?? 0, most ?? 1e6),
        min: least,
        max: most,
        regenerateSpeed: numberOr(regenerateSpeed, 0),
      };
    }
    return saved;
  }

  private within(least: number, most: number): number {
    const { random } = this;
    const kind = random.integer(0, 3);
    if (kind === 0) return most;
    if (kind === 1) return Math.floor(random.between(least, most));
    return Math.max(least, Math.min(most, random.pick(this.numbers)! + random.integer(0, 1)));
  }

  private variables(variables: Variables): Record<string, unknown> {
    const saved: Record<string, unknown> = {};
    for (const [key, { dataType }] of variables) {
      if (this.random.chance(0.5)) continue;
      const value = this.valueOf(dataType);
      if (value !== undefined) saved[key] = { dataType, value };
    }
    return saved;
  }

  private valueOf(dataType: string): unknown {
    const { random } = this;
    if (dataType === 'number') return random.pick(this.numbers);
    if (dataType === 'string') return random.pick(this.texts);
    return dataType === 'boolean' ? random.chance(0.5) : undefined;
  }

  private items(): object[] {
    const { random, definition } = this;
    const keys = [...definition.itemTypes.keys()];
    return Array.from({ length: random.integer(0, itemsMax) }, () => random.pick(keys)).flatMap((itemTypeId) => {
      if (itemTypeId === undefined) return [];
      const slotIndex = random.integer(0, slotsMax - 1);
      return [{ itemTypeId, attributes: {}, variables: {}, quantity: random.integer(1, 20), slotIndex }];
    });
  }
}

function numberOr<T>(value: unknown, otherwise: T): number | T {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : otherwise;
}
