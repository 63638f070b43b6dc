import type { Call } from '../../../engine/index.ts';
import { type BodyType, type CompiledScript, typesByKind } from '../../../engine/tools.ts';
import { readOf } from '../../model/index.ts';
import { isSteered } from '../controls.ts';
import { bodyOf, isPhysical } from '../items.ts';
import { bothWays, titleOf, wordOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

type Kind = 'unit' | 'item' | 'projectile';

const touchTrigger = /^(unit|item|projectile|entity)(?:Touches(Unit|Item|Projectile)|(?:Enters|Leaves)(Region))$/;

export const neverTouches: Rule = {
  about:
    'A script waits for a contact between bodies that never collide with each other, or for a region that these bodies never enter.',
  because:
    'Two bodies touch if each names the other in `collidesWith`, and one of them is dynamic. Only dynamic bodies enter regions.',
  wrong: `{
  "unitTypes": { "hero": { "states": { "default": { "body": "b" } }, "bodies": { "b": { "type": "dynamic", "width": 9, "height": 9, "fixtures": [{ "density": 1, "shape": { "type": "rectangle" } }], "collidesWith": { "units": false } } } } },
  "scripts": { "bump": { "triggers": [{ "type": "unitTouchesUnit" }], "actions": [{ "type": "endGame" }] } }
}`,
  right: `{
  "unitTypes": { "hero": { "states": { "default": { "body": "b" } }, "bodies": { "b": { "type": "dynamic", "width": 9, "height": 9, "fixtures": [{ "density": 1, "shape": { "type": "rectangle" } }], "collidesWith": { "units": true } } } } },
  "scripts": { "bump": { "triggers": [{ "type": "unitTouchesUnit" }], "actions": [{ "type": "endGame" }] } }
}`,
  check({ definition, program, itemScripts, report }) {
    const { unitTypes, itemTypes } = definition;
    const typesOf = typesByKind(definition);
    for (const script of program.scripts) {
      const [trigger] = script.triggers;
      if (trigger !== undefined && script.node.actions.actions.length > 0)
        contact(script, script.triggerTable.types[trigger]!);
    }
    for (const type of typesOf.projectile.values()) {
      const { destroyOnContactWith: ends, bodies, pointer } = type;
      const all = [...bodies.values()].filter(isPhysical);
      for (const kind of ['units', 'walls'] as const)
        if (ends?.[kind] && all.length > 0 && !all.some(({ collidesWith }) => collidesWith[kind]))
          report(
            `${pointer}/destroyOnContactWith/${kind}`,
            `${titleOf(type)} flies through ${kind}: its body does not name ${kind} in \`collidesWith\`.`,
            `\`collidesWith.${kind}\`: true`,
            'false',
          );
    }
    if (!itemScripts.pickUp) return;
    for (const type of itemTypes.values())
      unnamed(
        bodyOf(type, 'dropped'),
        'units',
        `Units cannot touch ${titleOf(type)} on the ground: its body does not name units in \`collidesWith\`.`,
      );
    for (const type of [...unitTypes.values()].filter(isSteered))
      unnamed(
        bodyOf(type),
        'items',
        `${titleOf(type)} cannot touch items on the ground: its body does not name items in \`collidesWith\`.`,
      );

    /** Reports a body that should touch items or units for a pick-up, but does not collide with them. */
    function unnamed(body: BodyType | undefined, of: 'units' | 'items', message: string) {
      if (body === undefined || !isPhysical(body) || body.collidesWith[of]) return;
      report(`${body.pointer}/collidesWith`, message, `\`${of}\`: true`, 'false');
    }

    /** Reports a trigger for contacts between two kinds of entities whose bodies never collide. */
    function contact({ node: { owner }, pointer }: CompiledScript, found: string) {
      const [, first, second = '', region] = touchTrigger.exec(found) ?? [];
      if (first === undefined) return;
      const isOwn = first === 'entity';
      if (isOwn && owner.kind === 'game') return;
      const one = (isOwn ? owner.kind : first) as Kind;
      const other = second.toLowerCase() as Kind;
      const all = [...typesOf[one].values()];
      const a = (isOwn ? [all[owner.type]!] : all).flatMap(physicalBodies);
      if (region !== undefined) {
        if (a.length === 0 || a.some(({ type }) => type === 'dynamic')) return;
        report(
          `${pointer}/triggers/0`,
          `No ${isOwn ? `${one} of this type` : one} ever enters a region: its body is ${a[0]!.type}, and only dynamic bodies do.`,
          'dynamic',
          a[0]!.type,
        );
        return;
      }
      const b = [...typesOf[other].values()].flatMap(physicalBodies);
      if (mayTouch(a, one, b, other)) return;
      const expected = `\`collidesWith.${other}s\` in a body of ${article(one)} ${one}, and \`collidesWith.${one}s\` in one of ${article(other)} ${other}`;
      report(
        `${pointer}/triggers/0`,
        `No ${isOwn ? `${one} of this type` : one} ever touches ${article(other)} ${other}: no two of their bodies name each other in \`collidesWith\`.`,
        expected,
        found,
      );
    }
  },
  /** Reports a script that waits for a contact with entities of a type whose bodies never collide. */
  visit({ definition, report }) {
    const typesOf = typesByKind(definition);
    return {
      condition(node) {
        const { source, owner } = node.script;
        const [, first = '', second] = touchTrigger.exec(source.triggers.join()) ?? [];
        if (second === undefined || node.operator !== '==') return;
        const kinds = [first === 'entity' ? owner.kind : first, second.toLowerCase()] as const;
        for (const [literal, side] of bothWays(node)) {
          const { of } = readOf(side, 'type') ?? {};
          const touched = side.kind === 'call' && of !== undefined ? side.operand(of) : literal;
          if (!readOf(touched, 'payload') && !readOf(touched, 'last')?.kind?.startsWith('touch')) continue;
          const at = kinds.findIndex((kind) => `${kind} type` === (side as Call).rule?.returns);
          const [one, other] = [kinds[at] as Kind, kinds[1 - at] as Kind];
          const type = at < 0 ? undefined : typesOf[one].get(wordOf(literal) ?? '');
          if (
            type === undefined ||
            mayTouch(physicalBodies(type), one, [...typesOf[other].values()].flatMap(physicalBodies), other)
          )
            continue;
          report(
            literal,
            `${titleOf(type)} never touches ${article(other)} ${other}: no two of their bodies name each other in \`collidesWith\`.`,
          );
        }
      },
    };
  },
};

function physicalBodies({ bodies }: { readonly bodies: ReadonlyMap<string, BodyType> }): readonly BodyType[] {
  return [...bodies.values()].filter(isPhysical);
}

/** Whether some of the bodies collide; true if there are none on a side, which other rules report. */
function mayTouch(all: readonly BodyType[], kindOfA: Kind, others: readonly BodyType[], kindOfB: Kind) {
  const collide = (a: BodyType, b: BodyType) =>
    a.collidesWith[`${kindOfB}s`] && b.collidesWith[`${kindOfA}s`] && (a.type === 'dynamic' || b.type === 'dynamic');
  return all.length === 0 || others.length === 0 || all.some((a) => others.some((b) => collide(a, b)));
}

function article(noun: string): 'a' | 'an' {
  return noun === 'item' ? 'an' : 'a';
}
