import type { Issues } from '../../engine/core/issue.ts';
import {
  type Action,
  type Call,
  type Condition,
  type Definition,
  literalText,
  type Operand,
} from '../../engine/index.ts';
import {
  type Assignment,
  assignmentsBy,
  colourMeant,
  colourNames,
  isColour,
  type Reference,
  type References,
  referenceOfType,
  toNumber,
  typesGivenBy,
  type ValueTypes,
  variableReadBy,
} from '../../engine/internal.ts';
import type { WalkedScript } from './walk.ts';

/** The areas of the screen in which clients show texts. */
const screenAreas: ReadonlySet<string> = new Set(['top', 'center', 'center-lg', 'scoreboard']);

/** Placeholders in the syntax of other languages: `${score}`, `{{score}}`. */
const placeholder = /(?:\$\{|\{\{)\s*([^{}\s]+)\s*\}/;

/**
 * Reports literals that cannot work: a comparison with the key of a missing type or with a text that no script assigns,
 * a misspelt text of a variable, players of a type that no script assigns, a text with the name of a variable in braces.
 */
export function checkLiterals(
  definition: Definition,
  scripts: readonly WalkedScript[],
  types: ValueTypes,
  references: References,
  issues: Issues,
): void {
  const assigned = assignedTexts(definition, scripts);
  const playerTypes = assignedPlayerTypes(scripts);
  /** Reports players of a type that exists but that no script assigns. */
  const unassigned = (literal: Operand): void => {
    const key = literalText(literal);
    const type = key === undefined ? undefined : definition.playerTypes.get(key);
    if (type === undefined || playerTypes === undefined || playerTypes.has(type.key)) return;
    const message = `No player is ever of type "${type.name || type.key}": no script assigns it.`;
    issues.add('never-assigned', () => literal.pointer, message, {
      expected: `assignPlayerType, \`playerType\`: "${type.key}"`,
      found: 'nothing',
    });
  };
  const names = (node: Action | Call): void => {
    if (node.operation === 'assignPlayerType') return;
    Object.values(node.rule?.params ?? {}).forEach((param, i) => {
      if ((param as { refersTo?: Reference }).refersTo === 'playerType') unassigned(node.operands[i]!);
    });
  };
  const unfilled = (literal: Operand): void => {
    const name = placeholder.exec(literalText(literal) ?? '')?.[1];
    if (name === undefined || !definition.variables.has(name)) return;
    const message = `Names in braces are not replaced: use \`concat\` to insert the variable "${name}".`;
    issues.add('unfilled-text', () => literal.pointer, message, { expected: 'concat', found: name });
  };
  const compare = (node: Condition, literal: Operand, other: Operand): void => {
    const text = literalText(literal);
    if (text === undefined || text === '') return;
    const reference = referenceOfType.get(types.typeOf(other) ?? '');
    if (reference !== undefined) {
      const missing = references.missing(reference, text);
      if (missing === undefined) {
        if (reference === 'playerType') unassigned(literal);
        return;
      }
      const suggestion = missing.key ?? issues.near(missing.code, text, missing.known);
      issues.add(missing.code, () => literal.pointer, missing.message, {
        found: text,
        ...(suggestion === undefined ? {} : { suggestion }),
      });
      return;
    }
    const name = variableReadBy(other);
    const texts = name === undefined ? undefined : assigned.get(name);
    if (texts === undefined || texts.has(text)) return;
    const suggestion = issues.near('never-assigned', text, texts);
    const details = {
      expected: [...texts]
        .slice(0, 8)
        .map((each) => JSON.stringify(each))
        .join(', '),
      found: JSON.stringify(text),
      ...(suggestion === undefined ? {} : { suggestion }),
    };
    issues.add(
      'never-assigned',
      () => literal.pointer,
      `Nothing sets "${name}" to "${text}": \`${node.operator}\` always has the same result.`,
      details,
    );
  };
  const area = (node: Action): void => {
    const at = Object.values(node.rule?.params ?? {}).findIndex(
      (param) => (param as { name?: string }).name === 'screen area',
    );
    const target = node.operands[at];
    if (target === undefined) return;
    const name = literalText(target);
    if (name === undefined || screenAreas.has(name)) return;
    // Clients may have other areas, so only likely misspellings are reported.
    const suggestion = issues.near('unknown-value', name, screenAreas);
    if (suggestion === undefined) return;
    const message = `There is no area "${name}" of the screen.`;
    issues.add('unknown-value', () => target.pointer, message, { found: name, suggestion });
  };
  const colour = (node: Action): void => {
    const at = Object.keys(node.rule?.params ?? {}).indexOf('color');
    const operand = node.operands[at];
    const text = operand && literalText(operand);
    if (operand === undefined || text === undefined || isColour(text)) return;
    const suggestion = colourMeant(text) ?? issues.near('unknown-value', text, colourNames);
    const details = {
      found: text,
      ...(suggestion === undefined ? { expected: 'a name, or #rrggbb' } : { suggestion }),
    };
    issues.add('unknown-value', () => operand.pointer, `There is no colour "${text}".`, details);
  };
  const compared = comparedTexts(scripts);
  /**
   * Reports a text that differs only in case, spaces or punctuation from one that conditions know. Others may be meant:
   * "team2" where conditions ask for "team1".
   */
  const assign = (node: Action): void => {
    const [{ name, value, by } = {}] = assignmentsBy(node);
    if (value === undefined || by !== undefined) return;
    const text = literalText(value);
    const texts = compared.get(name ?? '');
    if (!text || texts === undefined || texts.has(text)) return;
    const suggestion = [...texts].find((each) => plain(each) === plain(text));
    if (suggestion === undefined) return;
    const message = `No condition compares "${name}" with "${text}".`;
    issues.add('never-compared', () => value.pointer, message, { found: text, suggestion });
  };
  const ranges = numberRanges(definition, scripts);
  /** Reports a comparison that no value of a variable, which only counts up or only down, satisfies. */
  const reaches = (node: Condition, literal: Operand, other: Operand, operator: string | undefined): void => {
    const bound = numberOf(literal);
    const name = bound === undefined ? undefined : variableReadBy(other);
    const range = name === undefined ? undefined : ranges.get(name);
    if (bound === undefined || range === undefined) return;
    const { low, high } = range;
    const canHold =
      operator === '<'
        ? low < bound
        : operator === '<='
          ? low <= bound
          : operator === '>'
            ? high > bound
            : operator === '>='
              ? high >= bound
              : operator !== '==' || (low <= bound && bound <= high);
    if (canHold) return;
    const limit = bound < low ? `less than ${low}` : bound > high ? `more than ${high}` : `beyond ${bound}`;
    const message = `This never holds: nothing sets "${name}" to ${limit}.`;
    issues.add('constant-condition', () => node.pointer, message, { found: `${operator} ${bound}` });
  };
  for (const { nodes } of scripts) {
    for (const node of nodes) {
      if (node.kind === 'action' || node.kind === 'call') names(node);
      if (node.kind === 'action') {
        area(node);
        colour(node);
        assign(node);
      } else if (node.kind === 'literal') unfilled(node);
      if (node.kind !== 'condition' || node.isJunction || !node.isList || node.sideCount !== 2) continue;
      const [left, right] = node.sides;
      reaches(node, right, left, node.operator);
      reaches(node, left, right, mirrored.get(node.operator ?? '') ?? node.operator);
      if (node.operator !== '==' && node.operator !== '!=') continue;
      compare(node, left, right);
      compare(node, right, left);
    }
  }
}

/**
 * The texts that each global text variable can hold: its default and all literals that scripts assign. Variables that a script sets to anything computed,
 * or whose name is computed, are left out.
 */
function assignedTexts(
  definition: Definition,
  scripts: readonly WalkedScript[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const texts = new Map<string, Set<string>>();
  for (const { key, dataType, default: initial } of definition.variables.values()) {
    if (dataType === 'string') texts.set(key, new Set(typeof initial === 'string' ? [initial] : []));
  }
  for (const { actions } of scripts) {
    for (const node of actions) {
      for (const { name, value, by } of assignmentsBy(node)) {
        if (name === undefined) return new Map();
        const text = by === undefined && value !== undefined ? literalText(value) : undefined;
        if (text === undefined) texts.delete(name);
        else texts.get(name)?.add(text);
      }
    }
  }
  return texts;
}

/** The texts with which conditions compare each global variable. */
function comparedTexts(scripts: readonly WalkedScript[]): ReadonlyMap<string, ReadonlySet<string>> {
  const texts = new Map<string, Set<string>>();
  for (const { nodes } of scripts) {
    for (const node of nodes) {
      if (node.kind !== 'condition' || node.isJunction || !node.isList || node.sideCount !== 2) continue;
      const [left, right] = node.sides;
      for (const [literal, other] of [[left, right] as const, [right, left] as const]) {
        const text = literalText(literal);
        const name = text === undefined ? undefined : variableReadBy(other);
        if (text !== undefined && name !== undefined) texts.set(name, (texts.get(name) ?? new Set()).add(text));
      }
    }
  }
  return texts;
}

/** Only the letters and digits of a text, without case. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** The operators with their sides exchanged. */
const mirrored: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
]);

interface NumberRange {
  readonly low: number;
  readonly high: number;
}

/**
 * The range of each global number that scripts count in literal steps and otherwise only set to literals. Variables without a default are left out, and
 * those that no script counts: they may be settings.
 */
function numberRanges(definition: Definition, scripts: readonly WalkedScript[]): ReadonlyMap<string, NumberRange> {
  const ranges = new Map<string, NumberRange>();
  for (const { key, dataType, default: initial } of definition.variables.values())
    if (dataType === 'number' && typeof initial === 'number') ranges.set(key, { low: initial, high: initial });
  const counted = new Set<string>();
  for (const { actions } of scripts) {
    for (const node of actions) {
      for (const assignment of assignmentsBy(node)) {
        const { name } = assignment;
        if (name === undefined) return new Map();
        const range = ranges.get(name);
        const step = stepOf(assignment, name);
        const isSet = assignment.by === undefined && assignment.value !== undefined;
        const value = isSet ? numberOf(assignment.value!) : undefined;
        if (step !== undefined) counted.add(name);
        if (range === undefined || (step === undefined && value === undefined)) ranges.delete(name);
        else if (value !== undefined)
          ranges.set(name, { low: Math.min(range.low, value), high: Math.max(range.high, value) });
        else if (step! > 0) ranges.set(name, { ...range, high: Number.POSITIVE_INFINITY });
        else if (step! < 0) ranges.set(name, { ...range, low: Number.NEGATIVE_INFINITY });
      }
    }
  }
  return new Map([...ranges].filter(([name]) => counted.has(name)));
}

/** The literal step by which an action changes a variable. */
function stepOf({ value, by }: Assignment, name: string): number | undefined {
  if (value === undefined || by === 'counting') return undefined;
  if (by !== undefined) {
    const amount = numberOf(value);
    return amount === undefined || by === 'adding' ? amount : -amount;
  }
  const items = value.kind === 'call' ? value.operands.find(({ kind }) => kind === 'calculation') : undefined;
  if (items?.kind !== 'calculation' || (items.operator !== '+' && items.operator !== '-')) return undefined;
  const [left, right] = items.sides;
  const reads = (side: Operand): boolean => variableReadBy(side) === name;
  if (reads(left)) {
    const step = numberOf(right);
    return step === undefined || items.operator === '+' ? step : -step;
  }
  return items.operator === '+' && reads(right) ? numberOf(left) : undefined;
}

function numberOf(operand: Operand): number | undefined {
  return operand.kind === 'literal' ? toNumber(operand.json) : undefined;
}

/** The player types that scripts assign; undefined if one of them is computed, or if no script assigns any, which is another issue. */
function assignedPlayerTypes(scripts: readonly WalkedScript[]): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (const { actions } of scripts) {
    for (const node of actions) {
      for (const { type } of typesGivenBy(node, 'player')) {
        const key = literalText(type);
        if (key === undefined) return undefined;
        keys.add(key);
      }
    }
  }
  return keys.size === 0 ? undefined : keys;
}
