import { type Edit, getNodeValue, type Node } from 'jsonc-parser';
import { isRecord, isSameJson } from '../../engine/core/index.ts';
import { type Definition, loadDefinition, type ScriptNode } from '../../engine/index.ts';
import { scriptsOf } from '../../engine/tools.ts';
import { counterparts, JsonEditor, nodeAt } from '../load/index.ts';
import {
  constantOf,
  type KnownNames,
  readScriptText,
  type ScriptLine,
  scriptLines,
  type TextLine,
  TextRefusal,
} from '../run/index.ts';
import { printable } from '../text/index.ts';
import type { JsonRecord } from './value-text.ts';

/** A line of an edited script. */
interface EditedLine extends TextLine {
  /** The number of spaces before the text of the line. */
  readonly indent: number;
  /** The line of the original script that equals this line, or else that this line replaces. */
  readonly was: ScriptLine | undefined;
  readonly isSame: boolean;
}

const emptyGuard = [{ operandType: 'boolean', operator: '==' }, true, true];

/**
 * The edits of a definition's text, whose tree has this root, that make a script read as the edited lines; the JSON of
 * unchanged lines stays untouched. `triggers`: undefined if they are unchanged. `first`: the number of the first line.
 * Throws `TextRefusal`.
 */
export function scriptEdits(
  text: string,
  root: Node,
  { host, variables }: Pick<Definition, 'host'> & { readonly variables: KnownNames },
  script: ScriptNode,
  triggers: readonly string[] | undefined,
  lines: readonly string[],
  first: number,
): Edit[] {
  const node = nodeAt(root, script.pointer)!;
  const was = getNodeValue(node);
  const before = JSON.stringify(was);
  // An author may keep names that the game does not declare.
  const isKept = (name: string) => before.includes(JSON.stringify(name));
  const names = { has: (name: string) => variables.has(name) || isKept(name), keys: () => variables.keys() };
  const now = new EditedScript(script, names, lines, first).json(was, triggers);
  const { game } = loadDefinition({ scripts: { x: now } }, host);
  const shown = textsOf(scriptLines(scriptsOf(game!.definition).scripts[0]!, { isComplete: true }));
  const differs = [...lines, undefined].findIndex((line, i) => line?.trim() !== shown[i]);
  if (differs >= 0) {
    const at = Math.min(differs, lines.length - 1);
    const line = lines[at] ?? '';
    const text = shown[differs];
    let column = indentOf(line);
    if (text !== undefined && line.trim().startsWith(text)) {
      column += text.length;
      throw new TextRefusal('text-syntax', unread, first + at, column);
    }
    const message =
      text === undefined
        ? 'This line would be lost, because it corresponds to nothing in a game.'
        : `Write this line as: ${text}`;
    throw new TextRefusal('text-not-exact', message, first + at, column);
  }
  return new JsonEditor(text).value(node, now);
}

const unread =
  'The rest of this line has no meaning here. Put calculations and combined conditions in parentheses, and write operands as `name: value`, with the names of `reenact ops`.';

function textsOf(lines: readonly ScriptLine[]) {
  return lines.map(({ text }) => printable(text).trim());
}

function indentOf(line: string) {
  return line.search(/\S|$/);
}

class EditedScript {
  private readonly lines: readonly EditedLine[];
  private at = 0;

  constructor(
    private readonly script: ScriptNode,
    private readonly variables: KnownNames,
    lines: readonly string[],
    first: number,
  ) {
    const shown = scriptLines(script, { isComplete: true });
    const texts = textsOf(shown);
    const now = lines.map((line) => line.trim());
    // Lines are compared without their indentation, so a line counts as unchanged if only its nesting has changed.
    const replaced = counterparts(texts, now);
    this.lines = lines.map((text, i) => {
      const old = replaced[i] ?? -1;
      return { number: first + i, text, indent: indentOf(text), was: shown[old], isSame: texts[old] === now[i] };
    });
  }

  json(was: JsonRecord, triggers: readonly string[] | undefined): JsonRecord {
    const { conditions } = this.script;
    const [guard] = this.lines;
    let condition = constantOf(conditions) === true ? was['conditions'] : emptyGuard;
    if (guard?.text.trim().startsWith('only if ')) {
      this.at++;
      condition = guard.isSame
        ? was['conditions']
        : readScriptText('condition', guard, this.script.grammar, this.variables);
    }
    const actions = this.list(2);
    const rest = this.lines[this.at];
    if (rest !== undefined)
      throw new TextRefusal('text-syntax', 'No line above can contain this line.', rest.number, rest.indent);
    const had = Object.values(was['triggers'] ?? {});
    const named = (type: string) => had.find((each) => isRecord(each) && each['type'] === type) ?? { type };
    return {
      ...was,
      ...(triggers && { triggers: triggers.map(named) }),
      ...(condition !== undefined && { conditions: condition }),
      actions,
    };
  }

  private list(indent: number): unknown[] {
    const list: unknown[] = [];
    for (let line = this.lines[this.at]; line?.indent === indent; line = this.lines[this.at]) {
      this.at++;
      list.push(this.withLists(line));
    }
    return list;
  }

  /** The JSON of a line. What the line does not show is taken from the line that it replaces. */
  private own(line: EditedLine): unknown {
    const { was, isSame } = line;
    if (isSame) return was!.node.json;
    const { grammar } = this.script;
    const now = readScriptText('action', line, grammar, this.variables);
    if (was?.node.kind !== 'action') return now;
    return merged(was.node.json, readScriptText('action', { text: was.text, number: 0 }, grammar), now);
  }

  /** The JSON of an action with the lists of actions that are nested in it. */
  private withLists(line: EditedLine): unknown {
    const { indent, was } = line;
    const json = this.own(line);
    if (!isRecord(json)) return json;
    const params = Object.entries(this.script.grammar.actions.get(String(json['type']))?.params ?? {});
    const keys = params.flatMap(([key, { syntax, aliases }]) => {
      const isList = syntax === 'actions' || syntax === 'deferred';
      return isList ? ([key, ...aliases].find((each) => json[each] !== undefined) ?? key) : [];
    });
    const isNew = !isRecord(was?.node.json) || was.node.json['type'] !== json['type'];
    const empty = keys.filter((key) => isNew || Array.isArray(json[key]));
    const lists: Record<string, unknown> = Object.fromEntries(empty.map((key) => [key, []]));
    for (let head = this.lines[this.at]; head?.indent === indent + 2; head = this.lines[this.at]) {
      const word = head.text.trim();
      const key = word === 'do' ? 'actions' : word;
      if (!keys.includes(key)) break;
      this.at++;
      lists[key] = this.list(indent + 4);
    }
    return { ...json, ...lists };
  }
}

/**
 * Applies the differences between two readings of a text to the value that the text shows, so that the value keeps what
 * the text does not show.
 */
function merged(value: unknown, before: unknown, after: unknown): unknown {
  if (isSameJson(before, after)) return value;
  if (Array.isArray(value) && Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.map((each, i) => merged(value[i], before[i], each));
  if (!isRecord(value) || !isRecord(before) || !isRecord(after)) return after;
  const isOther = (key: string) => before[key] !== after[key];
  if (isOther('type') || isOther('function') || Object.keys(before).some((key) => !(key in value))) return after;
  const others = Object.entries(value).filter(([key]) => !(key in before));
  const now = Object.entries(after).map(([key, each]) => [key, merged(value[key], before[key], each)] as const);
  return { ...Object.fromEntries(now), ...Object.fromEntries(others) };
}
