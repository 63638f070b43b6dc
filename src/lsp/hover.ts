import type { Dictionary } from '../../engine/core/index.ts';
import { catalogue, type Definition } from '../../engine/index.ts';
import { nodeAt } from '../../engine/tools.ts';
import { operationOf, operationPage, schemaAt, triggerPage } from '../language/index.ts';
import { actionText, conditionText, scriptLines } from '../run/index.ts';
import { amount } from '../text/index.ts';
import type { GameFile } from './game-file.ts';
import { type GameNames, nounOf, type Occurrence } from './game-names.ts';
import { type JsonCursor, valueAt } from './json-text.ts';
import { scriptAt } from './script-at.ts';

/** Markdown about the position of a cursor; undefined if there is nothing to show. */
export function hoverText(file: GameFile, place: JsonCursor): string | undefined {
  const { keys, pointer, isMember } = place;
  const { game, names, document } = file;
  const parts: string[] = [];
  const occurrence = names?.at(pointer, isMember);
  if (occurrence !== undefined && names !== undefined) parts.push(aboutName(occurrence, names));
  const script = game && scriptAt(game.definition, pointer);
  if (script !== undefined && script.pointer === pointer) parts.push(fenced(linesText(scriptLines(script))));
  const word = isMember ? undefined : aboutWord(place, document, game?.definition);
  if (word !== undefined) parts.push(word);
  else if (occurrence?.role !== 'declaration') {
    const about = schemaAt(keys, document, game?.definition)?.about;
    if (about !== undefined) parts.push(about);
  }
  if (script !== undefined) {
    const node = nodeAt(script, keys.slice(script.keys.length));
    const inside = node.parent?.pointer === pointer || node.pointer === pointer ? node : undefined;
    if (inside?.kind === 'condition' && !inside.isEmpty) parts.push(fenced(conditionText(inside)));
    if (node.kind === 'action' && (word !== undefined || node.pointer === pointer))
      parts.push(fenced(actionText(node)));
  }
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

const linesMax = 200;

function linesText(lines: ReturnType<typeof scriptLines>) {
  const shown = lines.slice(0, linesMax).map(({ depth, text }) => `${'  '.repeat(depth)}${text}`);
  return `${shown.join('\n')}${lines.length > linesMax ? '\n…' : ''}`;
}

/** The documentation of an action, function or trigger if the cursor is on its name; otherwise undefined. */
function aboutWord({ keys }: JsonCursor, document: unknown, game?: Definition) {
  const last = keys.at(-1);
  if (last !== 'type' && last !== 'function') return undefined;
  const name = valueAt(document, keys);
  const object = valueAt(document, keys.slice(0, -1));
  if (keys.at(-3) === 'triggers') {
    const { triggers } = catalogue(game);
    const trigger = triggers.find(({ type, aliases }) => [type, ...aliases].includes(String(name)));
    return trigger && page(triggerPage(trigger));
  }
  const operation = operationOf(object, game);
  return operation && page(operationPage(operation));
}

/** Converts a documentation page to Markdown. The first line of a page is code. */
function page(text: string) {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  return `${fenced(head)}\n\n${lines.map((line) => line.trim()).join('\n\n')}`;
}

function aboutName({ kind, key }: Occurrence, names: GameNames) {
  const all = names.of(kind, key);
  const declared = all.filter(({ role }) => role === 'declaration');
  const uses = all.filter(({ role }) => role === 'use');
  const named = new Set(declared.flatMap(({ thing }) => (thing?.name && thing.name !== key ? [thing.name] : [])));
  const title = `**${nounOf(kind)}** \`${key}\`${named.size === 0 ? '' : ` ${[...named].slice(0, 3).join(', ')}`}`;
  const values = [...new Set(declared.map(({ thing }) => valueText(thing)))].filter((text) => text !== '');
  const writes = uses.filter(({ isWritten }) => isWritten === true);
  const written =
    writes.length === 0 ? '' : `, ${writes.length} of them ${writes.length === 1 ? 'changes' : 'change'} it`;
  const lines = [
    title,
    ...values.slice(0, 5),
    declared.length === 0 ? 'Not declared in this game.' : `${amount(uses.length, 'use')}${written}.`,
  ];
  return lines.join('\n\n');
}

function valueText(thing: unknown) {
  const { dataType, default: initial, value, min, max } = (thing ?? {}) as Dictionary;
  if (typeof dataType === 'string')
    return `${dataType}${initial === undefined ? '' : ` = \`${JSON.stringify(initial).slice(0, 200)}\``}`;
  if (typeof value !== 'number' && typeof min !== 'number') return '';
  return `value ${String(value)}, from ${String(min ?? 'anything')} to ${String(max ?? 'anything')}`;
}

function fenced(text: string) {
  return `\`\`\`text\n${text.replaceAll('```', "'''")}\n\`\`\``;
}
