import { joinPointer } from '../../../engine/core/index.ts';
import { type Action, type Call, type Definition, literalText, type Operand } from '../../../engine/index.ts';
import { descriptorKey, typesByKind } from '../../../engine/tools.ts';
import { above, type BasicType, basicTypeOf, loopOf, readOf, referenceOfType } from '../../model/index.ts';
import { computerTypesOf, ownerTypesOf } from '../ai.ts';
import type { GameContext } from '../context.ts';
import { bothWays, titleOf, wordOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

/** The kinds of names that types declare and operands refer to. */
const nouns = ['attribute', 'state', 'animation', 'variable', 'script'] as const;
type Noun = (typeof nouns)[number];

function nounOf(refersTo: string | undefined): Noun | undefined {
  const noun = refersTo === 'entityVariable' ? 'variable' : refersTo === 'variable' ? undefined : refersTo;
  return nouns.find((each) => each === noun);
}

/** The names of a kind that the game declares for all types. */
function sharedOf(definition: Definition, noun: Noun): Iterable<string> {
  const { states, animationTypes: animation, entityTypeVariables: variable, scripts: script } = definition;
  return { attribute: new Map(), state: states, animation, variable, script }[noun].keys();
}

/**
 * Finds names that exist, but not where they are looked for. Either no type that the entity of the operation can have
 * declares the attribute, state, animation, variable or script; or a type, state or particle is compared with a key
 * that does not exist. The codes are those for names that do not exist at all.
 */
export const danglingAttribute: Rule = {
  because: 'The name exists, but in another type. The message says which types the entity can be of.',
  wrong: `{
  "unitTypes": { "hero": { "attributes": { "mana": { "min": 0, "max": 9, "value": 9 } } } },
  "itemTypes": { "sword": { "attributes": { "edge": { "min": 0, "max": 9, "value": 9 } } } },
  "scripts": { "s": { "triggers": [{ "type": "unitUsesItem" }], "actions": [{ "type": "setEntityAttribute", "entity": { "function": "getTriggeringUnit" }, "attribute": "edge", "value": 1 }] } }
}`,
  right: `{
  "unitTypes": { "hero": { "attributes": { "mana": { "min": 0, "max": 9, "value": 9 } } } },
  "itemTypes": { "sword": { "attributes": { "edge": { "min": 0, "max": 9, "value": 9 } } } },
  "scripts": { "s": { "triggers": [{ "type": "unitUsesItem" }], "actions": [{ "type": "setEntityAttribute", "entity": { "function": "getTriggeringUnit" }, "attribute": "mana", "value": 1 }] } }
}`,
  visit(context) {
    const { definition, entityTypes, references, types, once, reportAs, near } = context;
    const attributes = once(attributesOf);
    return {
      action: operands,
      call: operands,
      condition(node) {
        if (node.operator === '==' || node.operator === '!=')
          for (const [literal, other] of bothWays(node)) compared(literal, other);
      },
    };

    function compared(literal: Operand, other: Operand) {
      const found = wordOf(literal);
      const type = types.typeOf(other) ?? '';
      const reference = found === undefined ? undefined : type === 'attribute' ? type : referenceOfType.get(type);
      const missing = reference && references.missing(reference, found!);
      if (missing === undefined) return;
      const { code, message, known, key } = missing;
      reportAs(code, literal, message, { found, suggestion: key ?? near(found!, known) });
    }

    function operands(node: Action | Call) {
      let attribute: Operand | undefined;
      let named: Operand | undefined;
      let noun: Noun | undefined;
      let index = 0;
      const { params } = node.rule ?? {};
      for (const name in params) {
        const operand = node.operands[index++];
        const { refersTo } = params[name]!;
        if (refersTo === 'attribute') attribute = operand;
        if (named === undefined && nounOf(refersTo) !== undefined) [named, noun] = [operand, nounOf(refersTo)];
      }
      if (named === undefined || noun === undefined) return;
      const owner = node.operands.findLast((each) => each.kind === 'call' && attributes.has(basicOf(each)));
      if (attribute === undefined || owner === undefined || !ownAttribute(attribute, basicOf(owner)!))
        ofType(node, noun, named);
    }

    function basicOf(operand: Operand): BasicType | undefined {
      return basicTypeOf(types.typeOf(operand));
    }

    /** Reports an attribute that other kinds of entities have, but no `owner` type. Returns whether it was reported. */
    function ownAttribute(node: Operand, owner: BasicType) {
      const found = literalText(node);
      const own = attributes.get(owner)!;
      // A name that no type declares is reported by another rule.
      if (found === undefined || own.has(found) || references.missing('attribute', found) !== undefined) return false;
      const message = `No ${owner} type has the attribute "${found}".`;
      reportAs('dangling-attribute', node, message, { found, suggestion: near(found, own) });
      return true;
    }

    /** Reports a name that exists, but not in any type that the entity of the operation can have. */
    function ofType(node: Action | Call, noun: Noun, name: Operand) {
      const found = noun === 'variable' ? descriptorKey(name) : literalText(name);
      if (found === undefined || found === '') return;
      for (const operand of node.operands) {
        const of = operand === name ? undefined : (types.typesOf(operand) ?? playersAs(operand));
        if (of === undefined) continue;
        const keysOf = (type: object) => (type as Partial<(typeof entityTypes)[number]>)[`${noun}s`] ?? new Map();
        const known = [...sharedOf(definition, noun), ...of.types.flatMap((type) => [...keysOf(type).keys()])];
        // A name that no type declares is reported by another rule.
        const all = [...entityTypes, ...definition.playerTypes.values()];
        if (known.includes(found) || !all.some((type) => keysOf(type).has(found))) return;
        const expected = known.length === 0 ? undefined : known.slice(0, 8).join(', ');
        const whose = of.types.map(titleOf).join(' and ');
        const message = `This ${of.kind} is of type ${whose}, which has no ${noun} "${found}".`;
        reportAs(`dangling-${noun}`, name, message, expected, found, near(found, known));
        return;
      }
    }

    /** The types of the players that an operand can be: owners of units of a type, or computer players of a loop. */
    function playersAs(operand: Operand): ReturnType<typeof types.typesOf> {
      const { of = '' } = readOf(operand, 'owner') ?? {};
      const [type, ...more] = of === '' ? [] : (types.typesOf((operand as Call).operand(of))?.types ?? []);
      const loop = [...above(operand)]
        .flatMap((at) => (at.kind === 'action' ? (loopOf(at) ?? []) : []))
        .find(({ selects }) => selects === 'player');
      if (loop && readOf(operand, 'element')?.kind === 'player' && readOf(loop.group, 'entities')?.kind === 'computer')
        return as(once(computerTypesOf));
      return type === undefined || more.length > 0 ? undefined : as(ownerTypesOf(context, type.key));
    }

    function as(keys: ReadonlySet<string | undefined> | undefined): ReturnType<typeof types.typesOf> {
      const own = [...(keys ?? [])].flatMap((key = '') => definition.playerTypes.get(key) ?? []);
      return own.length === 0 ? undefined : { kind: 'player', types: own };
    }
  },
  /** Reports bonuses and damage of items for an attribute that other kinds of entities have. */
  check({ definition, references, once, report, near }) {
    for (const { bonus, damage, pointer } of definition.itemTypes.values()) {
      const { consume, passive } = bonus ?? {};
      for (const [of, path, keyed] of [
        ['unit', 'bonus/consume/unitAttribute', consume?.unitAttribute],
        ['player', 'bonus/consume/playerAttribute', consume?.playerAttribute],
        ['unit', 'bonus/passive/unitAttribute', passive?.unitAttribute],
        ['player', 'bonus/passive/playerAttribute', passive?.playerAttribute],
        ['unit', 'damage/unitAttributes', damage?.unitAttributes],
        ['player', 'damage/playerAttributes', damage?.playerAttributes],
      ] as const) {
        const own = once(attributesOf).get(of)!;
        for (const found of keyed?.keys() ?? [])
          if (!own.has(found) && references.missing('attribute', found) === undefined)
            report(joinPointer(`${pointer}/${path}`, found), `No ${of} type has the attribute "${found}".`, {
              found,
              suggestion: near(found, own),
            });
      }
    }
  },
};

/** The attributes that entities of each kind can have. */
function attributesOf({ definition }: GameContext): ReadonlyMap<BasicType | undefined, ReadonlySet<string>> {
  return new Map(
    Object.entries(typesByKind(definition)).map(([kind, types]) => [
      kind as BasicType,
      new Set([...types.values()].flatMap(({ attributes }) => [...attributes.keys()])),
    ]),
  );
}
