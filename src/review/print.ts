import type { ScriptNode } from '../../engine/index.ts';
import { amount, printable } from '../text/index.ts';
import { type GameParts, type Section, scriptsIn, type Thing, thingText } from './game-parts.ts';
import { isTileLayer, layersOf, mapSize, tilesText } from './map-parts.ts';
import { completeLines } from './script-diff.ts';
import { type JsonRecord, membersOf, valueLines } from './value-text.ts';

/**
 * A game as text that does not depend on the order of its keys: every value that is not blank, with scripts as
 * readable lines.
 */
export function gameText(game: GameParts): string {
  const { title, sections, map, rest } = game;
  const { settings, ...others } = rest;
  const blocks = [
    `game ${JSON.stringify(title ?? '')}`,
    valueLines('settings', settings).join('\n'),
    ...sections.map((section) => sectionText(section, game)),
    ...(map === undefined ? [] : [mapLines(map).join('\n')]),
    ...membersOf(others).map(([key, value]) => valueLines(key, value).join('\n')),
  ];
  return safe(
    blocks
      .filter((block) => block !== '')
      .map((block) => `${block}\n`)
      .join('\n'),
  );
}

/** One script as text. */
export function scriptText(script: ScriptNode): string {
  const { source, name, place } = script;
  return safe(`${[`${headOf(source.key, name, source.triggers)}  ${place}`, ...bodyOf(script)].join('\n')}\n`);
}

/** Escapes control characters except line breaks. */
function safe(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function sectionText({ key, noun, things }: Section, game: GameParts): string {
  const blocks = things.map((thing) =>
    key === 'scripts' ? scriptThingLines(thing, game, 0) : thingLines(noun, thing, game),
  );
  const isSmall = blocks.every((lines) => lines.length === 1);
  return blocks.map((lines) => lines.join('\n')).join(isSmall ? '\n' : '\n\n');
}

function thingLines(noun: string, thing: Thing, game: GameParts): string[] {
  const { scripts: _scripts, name: _name, ...own } = thing.json;
  const [head = `${noun} ${thingText(thing)}`, ...lines] = valueLines(`${noun} ${thingText(thing)}`, own);
  return [head, ...lines, ...scriptsIn(thing).flatMap((script) => scriptThingLines(script, game, 1))];
}

function scriptThingLines(thing: Thing, game: GameParts, depth: number): string[] {
  const indent = '  '.repeat(depth);
  const script = game.scripts.get(thing.json);
  // A folder of scripts.
  if (script === undefined) return valueLines(`script folder ${thingText(thing)}`, otherMembers(thing), depth);
  const others = membersOf(otherMembers(thing)).flatMap(([key, value]) => valueLines(key, value, 1));
  const lines = [headOf(thing.key, thing.name, script.source.triggers), ...others, ...bodyOf(script)];
  return lines.map((line) => `${indent}${line}`);
}

/** The members of a script that its printed lines do not show. */
export function otherMembers({ key, json }: Thing): JsonRecord {
  const { name: _name, folderName: _folder, triggers: _t, conditions: _c, actions: _a, key: own, ...others } = json;
  return { ...others, ...(own !== key && { key: own }) };
}

function headOf(key: string, name: string, triggers: readonly string[]): string {
  return `script ${thingText({ key, name })}: ${triggersText(triggers)}`;
}

export function triggersText(triggers: readonly string[]): string {
  return triggers.length === 0 ? 'when called' : `when ${triggers.join(', ')}`;
}

function bodyOf(script: ScriptNode): string[] {
  return completeLines(script).map(({ depth, text }) => `${'  '.repeat(depth + 1)}${text}`);
}

function mapLines(map: JsonRecord): string[] {
  const { layers: _layers, width: _w, height: _h, tilewidth: _tw, tileheight: _th, ...others } = map;
  const lines = layersOf(map).flatMap(({ name, json }) => {
    if (isTileLayer(json)) {
      const { data: _data, name: _name, ...rest } = json;
      return [`  layer ${name}: ${tilesText(json.data)}`, ...membersOf(rest).flatMap(([k, v]) => valueLines(k, v, 2))];
    }
    const { name: _name, objects, ...rest } = json;
    const count = Array.isArray(objects) ? objects.length : 0;
    return [
      `  layer ${name}: ${amount(count, 'object')}`,
      ...membersOf({ ...rest, objects }).flatMap(([k, v]) => valueLines(k, v, 2)),
    ];
  });
  return [`map: ${mapSize(map)}`, ...membersOf(others).flatMap(([k, v]) => valueLines(k, v, 1)), ...lines];
}
