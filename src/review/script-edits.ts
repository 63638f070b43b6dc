import { diffArrays } from 'diff';
import { type Edit, type Node, parseTree } from 'jsonc-parser';
import { isRecord, isSameJson, locateNearest } from '../../engine/core/index.ts';
import { type Definition, loadDefinition, type ScriptNode } from '../../engine/index.ts';
import { scriptsOf } from '../../engine/tools.ts';
import { JsonEditor } from '../load/index.ts';
import { readScriptText, type ScriptLine, scriptLines, TextRefusal } from '../run/index.ts';
import { printable } from '../text/index.ts';
import type { JsonRecord } from './value-text.ts';

/** A line of an edited script. */
interface EditedLine {
  readonly number: number;
  readonly depth: number;
  readonly text: string;
  /** The line of the script that is equal, or else that it replaces. */
  readonly was: ScriptLine | undefined;
  readonly isSame: boolean;
}

const emptyGuard = [{ operandType: 'boolean', operator: '==' }, true, true];
const guardWords = 'only if ';

/**
 * The edits of a definition's text that make a script read as the edited lines; the JSON of unchanged lines stays
 * untouched. `triggers`: undefined if they are unchanged. `first`: the number of the first line. Throws `TextRefusal`.
 */
export function scriptEdits(
  text: string,
  { host }: Pick<Definition, 'host'>,
  script: ScriptNode,
  triggers: readonly string[] | undefined,
  lines: readonly string[],
  first: number,
): Edit[] {
  const { offset, endOffset } = locateNearest(text, [script.pointer]).get(script.pointer)!;
  const was = text.slice(offset, endOffset);
  const now = new EditedScript(script, lines, first).json(JSON.parse(was) as JsonRecord, triggers);
  const { game } = loadDefinition({ scripts: { x: now } }, host);
  const shown = textsOf(scriptLines(scriptsOf(game!.definition).scripts[0]!, { isComplete: true }));
  const differs = [...lines, undefined].findIndex((line, i) => line?.trim() !== shown[i]);
  if (differs >= 0) {
    const at = Math.min(differs, lines.length - 1);
    const message = shown[differs] === undefined ? 'Nothing shows this line.' : `Write this as: ${shown[differs]}`;
    throw new TextRefusal('text-not-exact', message, indentOf(lines[at] ?? ''), first + at);
  }
  const root = parseTree(was)!;
  shift(root, offset);
  return new JsonEditor(text).value(root, now);
}

function shift(node: Node, by: number): void {
  Object.assign(node, { offset: node.offset + by });
  for (const child of node.children ?? []) shift(child, by);
}

function textsOf(lines: readonly ScriptLine[]): string[] {
  return lines.map(({ text }) => printable(text).trim());
}

function indentOf(line: string): number {
  return line.search(/\S|$/);
}

class EditedScript {
  private readonly lines: EditedLine[] = [];
  private at = 0;

  constructor(
    private readonly script: ScriptNode,
    lines: readonly string[],
    first: number,
  ) {
    const shown = scriptLines(script, { isComplete: true });
    const now = lines.map((line) => line.trim());
    const whole = [{ value: now, added: true, removed: false }];
    let next = 0;
    let replaced: readonly ScriptLine[] = [];
    // Lines at another depth are the same.
    for (const { value, added, removed } of diffArrays(textsOf(shown), now, { maxEditLength: 2000 }) ?? whole) {
      const old = added ? replaced : shown.slice(next, next + value.length);
      if (!added) next += value.length;
      replaced = removed ? old : [];
      for (const [i, text] of removed ? [] : value.entries()) {
        const number = first + this.lines.length;
        const indent = indentOf(lines[this.lines.length]!);
        if (indent % 2 > 0 || indent < 2 || text === '')
          throw new TextRefusal('text-indentation', 'Lines are indented by two spaces per level.', 0, number);
        this.lines.push({ number, depth: indent / 2 - 1, text, was: old[i], isSame: !added });
      }
    }
  }

  json(was: JsonRecord, triggers: readonly string[] | undefined): JsonRecord {
    const [guard] = this.lines;
    const { conditions } = this.script;
    let condition: unknown = scriptLines(this.script)[0]?.node === conditions ? emptyGuard : was['conditions'];
    if (guard?.text.startsWith(guardWords)) {
      this.at++;
      const isSame = guard.isSame && guard.was?.node === conditions;
      condition = isSame ? was['conditions'] : this.read('condition', guard, guardWords.length);
    }
    const actions = this.list(0);
    const rest = this.lines[this.at];
    if (rest !== undefined)
      throw new TextRefusal('text-indentation', 'This line is nested in nothing.', 0, rest.number);
    const { triggers: had } = was;
    const named = (type: string) => Array.isArray(had) && had.find((each) => isRecord(each) && each['type'] === type);
    return {
      ...was,
      ...(triggers !== undefined && { triggers: triggers.map((type) => named(type) || { type }) }),
      ...(condition !== undefined && { conditions: condition }),
      actions,
    };
  }

  private list(depth: number): unknown[] {
    const list: unknown[] = [];
    for (let line = this.lines[this.at]; line?.depth === depth; line = this.lines[this.at]) {
      this.at++;
      list.push(this.withLists(line));
    }
    return list;
  }

  /** The JSON of a line, with what it does not show of the line that it replaces. */
  private own(line: EditedLine): unknown {
    const { was, isSame } = line;
    if (isSame) return was!.node.json;
    const now = this.read('line', line, 0);
    if (was?.node.kind !== 'action') return now;
    return merged(was.node.json, readScriptText('line', was.text, this.script.grammar, true), now);
  }

  /** The JSON of an action with the lists of actions that are nested in it. */
  private withLists(line: EditedLine): unknown {
    const { depth, isSame } = line;
    const json = this.own(line);
    if (!isRecord(json)) return json;
    const params = Object.entries(this.script.grammar.actions.get(String(json['type']))?.params ?? {});
    const keys = params.flatMap(([key, { syntax, aliases }]) => {
      const isList = syntax === 'actions' || syntax === 'deferred';
      return isList ? ([key, ...aliases].find((each) => json[each] !== undefined) ?? key) : [];
    });
    const empty = keys.filter((key) => !isSame || Array.isArray(json[key]));
    const lists: Record<string, unknown> = Object.fromEntries(empty.map((key) => [key, []]));
    for (let head = this.lines[this.at]; head?.depth === depth + 1; head = this.lines[this.at]) {
      const key = head.text === 'do' ? 'actions' : head.text;
      if (!keys.includes(key)) {
        const known = keys.map((each) => (each === 'actions' ? '"do"' : `"${each}"`)).join(' or ');
        const message = `Expected ${known || 'no nested line here'}.`;
        throw new TextRefusal('text-indentation', message, 2 * depth + 4, head.number);
      }
      this.at++;
      lists[key] = this.list(depth + 2);
    }
    return { ...json, ...lists };
  }

  private read(part: 'line' | 'condition', { text, number, depth }: EditedLine, start: number): unknown {
    try {
      // Drops members that are undefined.
      return JSON.parse(JSON.stringify(readScriptText(part, text.slice(start), this.script.grammar)));
    } catch (error) {
      if (!(error instanceof TextRefusal)) throw error;
      throw new TextRefusal(error.code, error.message, 2 * depth + 2 + start + error.column, number);
    }
  }
}

/** A value with the differences of two readings of its text, so that it keeps what the text does not show. */
function merged(value: unknown, before: unknown, after: unknown): unknown {
  if (isSameJson(before, after)) return value;
  if (Array.isArray(value) && Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.map((each, i) => merged(value[i], before[i], each));
  if (!isRecord(value) || !isRecord(before) || !isRecord(after)) return after;
  const isOther = (key: string): boolean => before[key] !== after[key];
  if (isOther('type') || isOther('function') || Object.keys(before).some((key) => !(key in value))) return after;
  const others = Object.entries(value).filter(([key]) => !(key in before));
  const now = Object.entries(after).map(([key, each]) => [key, merged(value[key], before[key], each)] as const);
  return { ...Object.fromEntries(now), ...Object.fromEntries(others) };
}
