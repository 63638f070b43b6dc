import { getNodeValue, parseTree } from 'jsonc-parser';
import { type Dictionary, isRecord } from '../../engine/core/index.ts';
import { dataTypes, type Grammar, readOperand } from '../../engine/tools.ts';
import { closestHint } from '../text/index.ts';
import { assignments, comparedType, conditionWords, members, variableRead } from './script-text.ts';

type Json = unknown;
type JsonObject = Dictionary<Json>;

/** Why an edited text cannot be read as a game. */
export const textCodes = {
  'text-not-exact': 'A line is correct, but Reenact would print the line in another way.',
  'text-read-only':
    'A changed line is not part of the triggers, conditions or actions of a script, so it cannot be edited as text.',
  'text-syntax':
    'A line cannot be read, or its indentation is wrong. Each level is indented by two spaces, in an action that contains such a list.',
  'text-unknown-word': 'There is no action, function, variable or trigger of this name.',
} as const;

export class TextRefusal extends Error {
  constructor(
    readonly code: keyof typeof textCodes,
    message: string,
    /** The line, from 0. */
    readonly line = 0,
    /** The offset in the line. */
    readonly column = 0,
  ) {
    super(message);
  }
}

/** A line of a text; its number only matters for errors. */
export interface TextLine {
  readonly text: string;
  readonly number: number;
}

/** A word, or a name in backticks (\x60). */
const nameText = /\x60(?:[^\x60\\]|\\.)*\x60|[\p{L}_$@][\p{L}\p{N}_$@]*/uy;
const operandName = /([\p{L}_$@][\p{L}\p{N}_$@]*):/uy;
const startOfJson = /(?=["[{]|-?\d)/y;
const keyword = /(?:true|false|null|nothing)(?![\p{L}\p{N}_$@])/uy;
const comment = /#\s*(.*)$/y;

/** The names of the variables that a text may use. */
export interface KnownNames {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/**
 * Reads the action, without what is nested in it, or the condition on a printed line. What follows it is not read.
 * Throws `TextRefusal`. Without `variables`, operations, operators and variables may be unknown.
 */
export function readScriptText(
  part: 'action' | 'condition',
  { text, number }: TextLine,
  grammar: Grammar,
  variables?: KnownNames,
): Json {
  const json = new ScriptReader(text, number, grammar, variables)[part]();
  // Drops members that are undefined.
  return JSON.parse(JSON.stringify(json));
}

class ScriptReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly line: number,
    private readonly grammar: Grammar,
    private readonly variables: KnownNames | undefined,
  ) {}

  action(): Json {
    const isOff = this.take(/off:/y) !== undefined;
    const whole = this.take(comment);
    const action = whole === undefined ? this.bare() : { type: 'comment' };
    const said = whole ?? this.take(comment);
    return { ...action, ...(isOff && { disabled: true }), ...(said && { comment: said }) };
  }

  condition(): Json {
    this.take(/only if/y);
    const json = this.expression();
    if (json === true) return [];
    return Array.isArray(json) ? json : this.fail('Expected a comparison, such as "== true".');
  }

  operand(): Json {
    let json = this.primary();
    // Spaces before these signs are not skipped, because a list can follow an operand.
    for (let sign = this.text[this.at]; sign === '.' || sign === '['; sign = this.text[this.at]) {
      this.at++;
      const owner = this.typeOf(json) === 'player' ? 'player' : 'entity';
      const aspect = sign === '.' ? 'attribute' : 'variable';
      const { read, of, descriptor } = members.find((each) => each.aspect === aspect && each.owner === owner)!;
      const name = this.name('a name');
      const key = descriptor === undefined ? name : { function: descriptor, variable: { key: name } };
      json = { function: read, [of]: json, [aspect]: key };
      if (sign === '[') this.need(/\]/y, '"]"');
    }
    return json;
  }

  /** `back`: how far the error is before the next character. */
  private fail(message: string, back = 0, code: TextRefusal['code'] = 'text-syntax'): never {
    throw new TextRefusal(code, message, this.line, this.at - back);
  }

  /** Takes what a sticky pattern matches after spaces; returns its group, if it has one. */
  private take(pattern: RegExp) {
    while (this.text[this.at] === ' ') this.at++;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    this.at += found?.[0].length ?? 0;
    return found?.[1] ?? found?.[0];
  }

  private need(pattern: RegExp, what: string) {
    return this.take(pattern) ?? this.fail(`Expected ${what}.`);
  }

  /** An action without the words around it. */
  private bare(): JsonObject {
    const json = this.json();
    if (isRecord(json)) return json;
    const type = this.name('an action, such as "set score = 1"');
    const conditional = keyOf(conditionWords, type);
    if (conditional !== undefined) return { type: conditional, conditions: this.condition() };
    if (type === 'set') return this.assignment();
    this.know('action', type, this.grammar.actions);
    return { type, ...this.operands() };
  }

  private assignment(): JsonObject {
    const target = this.operand() as JsonObject;
    const sign = this.need(/[-+]?=/y, '"=", "+=" or "-="');
    const value = this.operand();
    const { function: read, ...operands } = isRecord(target) ? target : {};
    const member = members.find((each) => each.read === read);
    if (member !== undefined && sign !== '=' && this.variables)
      this.fail('"+=" and "-=" change global variables only; write "set unit.speed = (unit.speed + 3)".');
    if (member !== undefined && sign === '=') return { type: member.write, ...operands, value };
    const type = keyOf(assignments, sign)!;
    const [name, given] = Object.keys(this.grammar.actions.get(type)!.params);
    const key = read === variableRead ? operands[variableKey] : undefined;
    return { type, [name!]: typeof key === 'string' ? key : target, [given!]: value };
  }

  /** Operands with their names; none if no name comes next. */
  private operands(): JsonObject {
    const operands: [string, Json][] = [];
    let name = this.take(operandName);
    while (name !== undefined) {
      operands.push([name, this.operand()]);
      name = this.take(/,/y) && this.need(operandName, 'the name of an operand, such as "value:"');
    }
    return Object.fromEntries(operands);
  }

  /** A comparison, or an operand. */
  private expression(): Json {
    const left = this.operand();
    const operator = this.take(/[=!<>]+/y);
    if (operator === undefined) return left;
    if (this.variables && !/^(?:[=!]=|[<>]=?)$/.test(operator))
      this.fail(`"${operator}" is not a comparison. Expected ==, !=, <, <=, > or >=.`, operator.length);
    const right = this.operand();
    const sides = [left, right].map((side) => readOperand(undefined, '', side, this.grammar));
    const type = this.take(/as (\w+)/y) ?? comparedType(operator, sides);
    const head = { ...(type !== undefined && dataTypes.has(type) && { operandType: type }), operator };
    return right === undefined ? [head, left] : [head, left, right];
  }

  private typeOf(json: Json) {
    return isRecord(json) ? this.grammar.values.get(String(json['function']))?.returns : undefined;
  }

  private primary(): Json {
    if (this.take(/\(/y) !== undefined) return this.joined();
    const json = this.json();
    if (json !== undefined) return json;
    const constant = this.take(keyword);
    if (constant !== undefined) return constant === 'nothing' ? undefined : JSON.parse(constant);
    const name = this.name('a value');
    if (this.text[this.at] === '(') return this.call(name);
    this.know('variable', name, this.variables);
    return { function: variableRead, [variableKey]: name };
  }

  /** What is inside parentheses: two conditions, or a calculation. */
  private joined(): Json {
    const left = this.expression();
    const operator = this.need(/and\b|or\b|[-+*/%]/y, '"and", "or", +, -, *, / or %');
    const right = this.expression();
    this.need(/\)/y, '")"');
    if (!/\w/.test(operator)) return { function: 'calculate', items: [{ operator }, left, right] };
    const sides = [left, right].map((side) => (side === true ? [] : side));
    return [{ operandType: operator, operator: operator.toUpperCase() }, ...sides];
  }

  private call(operation: string): JsonObject {
    this.know('function', operation, this.grammar.values);
    this.at++;
    const operands = this.operands();
    const [key] = Object.keys(this.grammar.values.get(operation)?.params ?? {});
    const isSingle = key !== undefined && Object.keys(operands).length === 0 && this.text[this.at] !== ')';
    const json = { function: operation, ...operands, ...(isSingle && { [key]: this.operand() }) };
    this.need(/\)/y, '")"');
    return json;
  }

  private name(what: string) {
    return this.need(nameText, what).replaceAll(/^\x60|\x60$|\\(.)/g, '$1');
  }

  /** A string, number, object or list; undefined if something else comes next. */
  private json(): Json {
    if (this.take(startOfJson) === undefined) return undefined;
    const node = parseTree(this.text.slice(this.at))!;
    this.at += node.length;
    return getNodeValue(node);
  }

  /** Requires that the name that was read last is known. */
  private know(noun: string, name: string, known: KnownNames | undefined) {
    if (this.variables === undefined || known!.has(name)) return;
    const hint = closestHint(name, known!.keys());
    this.fail(`There is no ${noun} ${name}.${hint}`, name.length, 'text-unknown-word');
  }
}

/** The key of the operand with the name of a variable. */
const variableKey = 'variableName';

function keyOf(table: Dictionary<string>, value: string) {
  return Object.keys(table).find((key) => table[key] === value);
}
