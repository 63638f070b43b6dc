import { cached } from '../../core/cached.ts';
import { type Dictionary, isRecord, mapMembers } from '../../core/plain-object.ts';
import { formatValue, UsageError, unknownWord } from '../../core/usage-error.ts';
import type { Definition } from '../../definition/definition.ts';
import {
  type Host,
  type HostOperand,
  type HostOperation,
  type HostWords,
  hostKey,
  kindOf,
} from '../../definition/host.ts';
import { plainCopy } from '../../rules/client/plain.ts';
import { payload as payloadRead, reads, tells } from '../../rules/effects.ts';
import { type Entity, noEntity } from '../../world/entity.ts';
import { outputKinds } from '../../world/outbox.ts';
import { type PayloadKey, triggerIndex } from '../../world/triggers.ts';
import type { World } from '../../world/world.ts';
import type { Vocabulary } from '../compiling/compiler.ts';
import { type ActionRow, action, compiledValue, family, merge, type ValueRow } from '../op.ts';
import type { Params } from '../param-kind.ts';
import * as P from '../params.ts';
import { vocabulary } from './vocabulary.ts';

/**
 * The kinds of values that a host may declare. Functions may return only the first three; members of payloads and
 * operands of functions may be of all these kinds.
 */
const toldKinds = [P.number, P.text, P.boolean, P.unit, P.item, P.projectile, P.player] as const;
const hostTypes = toldKinds.slice(0, 3).map(({ name }) => name);
const entityKinds = toldKinds.slice(3).map(({ name }) => name);
/** The kinds that operands of host actions may have, by the names that the catalogue gives them. */
const kinds: Dictionary<P.ParamKind<unknown>> = Object.fromEntries(
  [
    ...toldKinds,
    P.any,
    P.record,
    P.position,
    P.entity,
    P.attribute,
    P.unitType,
    P.itemType,
    P.projectileType,
    P.playerType,
    P.shop,
    P.dialogue,
    P.sound,
    P.music,
    P.particle,
  ].map((each) => [each.name, each]),
);

const vocabularies = new WeakMap<Host, Vocabulary>();

/** All operations that the scripts of a game can use: those of the language and those of the game's host. */
export function vocabularyOf({ host }: Pick<Definition, 'host'>): Vocabulary {
  if (host === undefined) return vocabulary;
  return cached(vocabularies, host, () => {
    const actions: Record<string, ActionRow> = {};
    const values: Record<string, ValueRow> = {};
    for (const [name, operation] of Object.entries(host.operations)) {
      if (operation.returns === undefined) actions[name] = actionOf(name, operation);
      else values[name] = functionOf(name, operation);
    }
    return {
      actions: new Map([...vocabulary.actions, ...merge(family('host', actions))]),
      values: new Map([...vocabulary.values, ...merge(family('host', values))]),
    };
  });
}

function paramsOf({ params = {} }: HostOperation): Params {
  return mapMembers(params, (operand) => {
    const { kind, optional } = kindOf(operand);
    return optional ? P.optional(kinds[kind]!) : kinds[kind]!;
  });
}

/** An action that publishes the values of its operands, and changes nothing. */
function actionOf(operation: string, declared: HostOperation): ActionRow {
  const params = paramsOf(declared);
  return action(
    declared.about,
    params,
    ({ world }, given) => {
      const values = Object.entries(given).map(([key, each]) => [key, plainCopy(toldBy(world, params[key]!, each))]);
      world.post('host', { operation, values: Object.fromEntries(values) });
    },
    tells('host'),
  );
}

/** A function that returns the value that the host has set for its operands, or a member of the trigger's payload. */
function functionOf(operation: string, declared: HostOperation): ValueRow {
  const { about, returns, payload } = declared;
  const params = paramsOf(declared);
  return compiledValue(
    about,
    params,
    returns!,
    (operands) => {
      if (payload !== undefined) return (context) => context.payload.host?.[payload];
      const evaluated = Object.entries(operands);
      return (context) => {
        const { world } = context;
        if (world.hostValues.size === 0) return undefined;
        const told = evaluated.map(([key, evaluate]) => toldBy(world, params[key]!, evaluate(context)));
        return world.hostValues.get(hostKey(operation, told));
      };
    },
    payload === undefined ? reads('host') : payloadRead(payload as PayloadKey),
  );
}

/** Converts the value of an operand to the form that the host gets: an entity becomes its id. */
function toldBy(world: World, { none }: P.ParamKind<unknown>, of: unknown): unknown {
  return none === noEntity ? world.handle(of as Entity)?.id : of;
}

/**
 * Checks and copies the operations and triggers that a host declares; undefined if it declares none. Throws
 * `UsageError` for the first mistake, with its path.
 */
export function readHost(words: HostWords = {}): Host | undefined {
  // `words` can be the whole module of a host, including the handlers that servers run.
  requireMembers('the host', words, ['operations', 'triggers', 'handlers']);
  const { operations = {}, triggers = {} } = words;
  const told = new Map<string, string>();
  for (const [name, trigger] of wordsIn('triggers', triggers)) {
    const place = `triggers.${name}`;
    requireMembers(place, trigger, ['about', 'payload', 'fromClients']);
    const isTaken = triggerIndex(name) >= 0 || (outputKinds as readonly string[]).includes(name);
    requireWord(place, name, isTaken, trigger.about);
    for (const [member, operand] of wordsIn(`${place}.payload`, trigger.payload ?? {})) {
      const at = `${place}.payload.${member}`;
      const kind = requireKind(at, operand, [...hostTypes, ...entityKinds]);
      if ((entityKinds.includes(kind) || entityKinds.includes(member)) && kind !== member)
        throw wrong(
          at,
          `has the kind ${kind}; a member must have the name of a kind of entity if, and only if, it has this kind`,
        );
      told.set(`${member} ${kind}`, member);
    }
    const { fromClients = false } = trigger;
    if (typeof fromClients !== 'boolean') throw wrong(`${place}.fromClients`, 'must be true or false');
    if (fromClients && trigger.payload?.['player'] !== 'player')
      throw wrong(
        `${place}.fromClients`,
        "needs a payload with `player: 'player'`, the player whose client fires the trigger",
      );
  }
  for (const [name, operation] of wordsIn('operations', operations)) {
    const place = `operations.${name}`;
    requireMembers(place, operation, ['about', 'params', 'returns', 'payload']);
    const { about, params = {}, returns, payload } = operation;
    const isTaken = vocabulary.actions.has(name) || vocabulary.values.has(name);
    requireWord(place, name, isTaken, isRecord(about) ? about.sentence : about);
    if (isRecord(about)) requireMembers(`${place}.about`, about, ['sentence', 'example', 'operands']);
    const allowed = returns === undefined ? Object.keys(kinds) : [...hostTypes, ...entityKinds];
    for (const [key, operand] of wordsIn(`${place}.params`, params))
      requireKind(`${place}.params.${key}`, operand, allowed);
    if (returns !== undefined) requireKind(`${place}.returns`, returns, hostTypes);
    if (payload === undefined) continue;
    if (!told.has(`${payload} ${returns}`) || Object.keys(params).length > 0)
      throw wrong(
        `${place}.payload`,
        `must name a member of type ${returns} in the payload of a trigger, and the operation must have no operands`,
      );
  }
  if (Object.keys(operations).length + Object.keys(triggers).length === 0) return undefined;
  return JSON.parse(JSON.stringify({ operations, triggers })) as Host;
}

function wrong(place: string, what: string): UsageError {
  return new UsageError('bad-word', `${place} ${what}.`);
}

function requireMembers(place: string, value: unknown, known: readonly string[]) {
  if (!isRecord(value)) throw wrong(place, `must be an object, not ${formatValue(value)}`);
  for (const name of Object.keys(value))
    if (!known.includes(name)) throw unknownWord('bad-word', `member of ${place} called`, name, known);
}

function wordsIn<T>(place: string, value: Dictionary<T>): [string, T][] {
  if (!isRecord(value)) throw wrong(place, `must be an object, not ${formatValue(value)}`);
  const entries = Object.entries(value);
  for (const [name] of entries)
    if (!/^[a-z]\w*$/i.test(name)) throw wrong(`${place}.${name}`, 'must be a name of letters, digits and _');
  return entries;
}

function requireWord(place: string, name: string, isTaken: boolean, sentence: unknown) {
  if (isTaken) throw new UsageError('word-taken', `${place}: the script language already uses the name ${name}.`);
  if (typeof sentence !== 'string' || sentence.trim() === '') throw wrong(`${place}.about`, 'must be a sentence');
}

/** Returns the name of an operand's kind. Throws `UsageError` if that kind is not among those allowed. */
function requireKind(place: string, operand: HostOperand, allowed: readonly string[]) {
  if (isRecord(operand)) requireMembers(place, operand, ['kind', 'optional']);
  const kind = typeof operand === 'string' ? operand : operand?.kind;
  if (allowed.includes(kind)) return kind;
  throw unknownWord('unknown-kind', `kind for ${place} called`, kind, allowed);
}
