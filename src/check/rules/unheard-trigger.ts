import { firesFor } from '../../model/index.ts';
import type { Rule } from '../rule.ts';
import { isDeaf, kindNames } from '../triggers.ts';

export const unheardTrigger: Rule = {
  severity: 'info',
  about: 'One of the triggers of a script never fires for this kind of script.',
  because:
    'Triggers of a single entity start only scripts of its type, and global triggers start only global scripts. Move the script, or remove the trigger.',
  wrong: `{ "scripts": { "greet": { "triggers": [{ "type": "playerJoinsGame" }, { "type": "thisUnitUsesItem" }], "actions": [] } } }`,
  right: `{ "scripts": { "greet": { "triggers": [{ "type": "playerJoinsGame" }, { "type": "unitUsesItem" }], "actions": [] } } }`,
  check({ program, report }) {
    for (const script of program.scripts) {
      const { node, name, pointer, owner, triggerTable } = script;
      const kind = kindNames[owner.kind];
      if (isDeaf(script)) continue;
      node.source.triggers.forEach((type, i) => {
        const { index, types, rows } = triggerTable;
        const trigger = index(type);
        if (trigger < 0) return;
        const { delivery } = rows[types[trigger]!];
        // Scripts that run on both server and clients deliberately list triggers that only clients fire.
        if (delivery === 'never' || firesFor(triggerTable, trigger, owner)) return;
        const kinds = Object.keys(kindNames) as (keyof typeof kindNames)[];
        const able = kinds.filter((each) => firesFor(triggerTable, trigger, { kind: each }));
        const expected = able.map((each) => kindNames[each]).join(', ');
        report(`${pointer}/triggers/${i}`, `"${name}" is ${kind}, for which ${type} never fires.`, expected, kind);
      });
    }
  },
};
