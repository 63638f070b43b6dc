import type { Issues } from '../core/issue.ts';
import { suggest } from '../core/suggest.ts';
import type { KeyBinding } from '../definition/ability.ts';
import type { Definition } from '../definition/definition.ts';
import type { UnitType } from '../definition/unit.ts';
import { type Action, literalText, type ScriptNode } from './ast.ts';
import { whatRuns } from './check-kinds.ts';

/** Reports what keeps people from playing: no unit for a new player, a unit that cannot walk, `thisEntity` where there is none. */
export function checkPlay(definition: Definition, scripts: readonly ScriptNode[], issues: Issues): void {
  new PlayCheck(definition, issues).check(scripts);
}

/** Actions by which a player can come to have a unit. */
const giving: ReadonlySet<string> = new Set(['createUnitAtPosition', 'setUnitOwner', 'makePlayerSelectUnit']);

const steeringKeys: readonly string[] = ['w', 'a', 's', 'd', 'up', 'down', 'left', 'right'];

class PlayCheck {
  private readonly definition: Definition;
  private readonly issues: Issues;
  /** Unit types of which a script makes a unit for a player whom its trigger names. */
  private readonly played = new Set<string>();
  private givesUnits = false;

  constructor(definition: Definition, issues: Issues) {
    this.definition = definition;
    this.issues = issues;
  }

  check(scripts: readonly ScriptNode[]): void {
    for (const script of scripts) {
      for (const node of whatRuns(script)) {
        if (node.kind === 'action') this.action(node);
        else if (node.kind === 'call' && node.calls('thisEntity') && script.owner.kind === 'game') {
          const details = { expected: 'a script of a unit, item or projectile type', found: 'a script of the game' };
          const message = `thisEntity gives nothing in "${script.name}": a script of the game runs for no entity.`;
          this.issues.add('no-this-entity', node.pointer, message, details);
        }
      }
    }
    const { unitTypes, pointer } = this.definition;
    for (const key of this.played) {
      const type = unitTypes.get(key);
      if (type !== undefined) this.movement(type);
    }
    // A game without keys or without scripts is a world to look at.
    const steered = [...unitTypes.values()].find(({ controls }) => controls?.movementControlScheme !== undefined);
    if (this.givesUnits || scripts.length === 0 || steered === undefined) return;
    const details = { expected: 'createUnitAtPosition for the player of `playerJoinsGame`', found: 'nothing' };
    const message = 'No script gives a unit to anybody: people who join see the world and can do nothing.';
    this.issues.add('nobody-gets-a-unit', `${pointer}/scripts`, message, details);
  }

  private action(node: Action): void {
    if (giving.has(node.operation)) this.givesUnits = true;
    if (node.operation !== 'createUnitAtPosition') return;
    const key = literalText(node.operand('unitType'));
    if (key !== undefined && node.operand('entity').calls('getTriggeringPlayer')) this.played.add(key);
  }

  private movement({ name, controls, attributes, baseSpeed, pointer }: UnitType): void {
    if (controls === undefined || controls.abilities.size === 0) return;
    const { movementControlScheme: scheme, abilities } = controls;
    // A game that binds the keys of walking itself moves its units by scripts.
    if (steeringKeys.some((key) => isBound(abilities.get(key)))) return;
    if (scheme === undefined) {
      const details = { expected: 'wasd, ad, wasdRelativeToUnit or followCursor', found: 'nothing' };
      const message = `"${name}" has keys and no movement scheme: its player cannot make it walk.`;
      this.issues.add('no-movement', `${pointer}/controls`, message, details);
      return;
    }
    if (attributes.has('speed') || (baseSpeed ?? 0) !== 0) return;
    const near = suggest('speed', attributes.keys());
    const details = {
      expected: 'an attribute `speed`',
      ...(near === undefined ? {} : { found: near, suggestion: 'speed' }),
    };
    const message = `"${name}" is steered (${scheme}) and has no attribute \`speed\`: it cannot walk.`;
    this.issues.add('no-movement', pointer, message, details);
  }
}

function isBound(binding: KeyBinding | undefined): boolean {
  return binding?.keyDown !== undefined || binding?.keyUp !== undefined;
}
