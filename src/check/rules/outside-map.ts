import type { Action, Call, Node } from '../../../engine/index.ts';
import { creationsBy } from '../../model/index.ts';
import { type MapArea, mapAreasOf, mapSizeOf, statedPoint } from '../map-positions.ts';
import type { Rule } from '../rule.ts';

/** Checks entities only where they are created: games later hide entities by moving them off the map. */
export const outsideMap: Rule = {
  about:
    'A region or position is completely outside the map, or an operation names a layer, cell or tile that the map does not have.',
  because:
    'Nobody can see or reach it. Positions are in pixels from the top left corner of the map; layers, columns and rows are counted from 0.',
  wrong: `{
  "unitTypes": { "wolf": {} },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "computerPlayer", "number": 1 }, "unitType": "wolf", "position": { "x": -5000, "y": 9 }, "angle": 0 }] } }
}`,
  right: `{
  "unitTypes": { "wolf": {} },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "computerPlayer", "number": 1 }, "unitType": "wolf", "position": { "x": 50, "y": 9 }, "angle": 0 }] } }
}`,
  visit({ definition, uses, numbers, report }) {
    const { map } = definition;
    const size = mapSizeOf(definition);
    // A map that a script loads can have any size.
    if (map === undefined || size === undefined || uses('output', 'map.replace').length > 0) return {};
    const { layers, width, height, tilesets } = map;
    for (const { key, dataType, at, ...area } of mapAreasOf(definition))
      located(at, area, `The ${dataType} "${key}" lies`, false);
    return { action: numbered, call: numbered };

    /**
     * Reports a literal place outside the map. Games hide things there: `mayBeMeant` reports only coordinates that are
     * probably swapped.
     */
    function located(at: Node | string, place: object, what: string, mayBeMeant: boolean) {
      const { x = 0, y = 0, width: across = 0, height: down = 0 } = place as Partial<MapArea>;
      const isInside = (left: number, top: number) =>
        !(left > size!.width || top > size!.height || left + across < 0 || top + down < 0);
      const isSwapped = isInside(y, x) && x >= 0 && y >= 0;
      if (across < 0 || down < 0 || isInside(x, y) || (mayBeMeant && !isSwapped)) return;
      const hint = isSwapped ? ' Are `x` and `y` swapped?' : '';
      report(at, `${what} outside the map.${hint}`, `0, 0 to ${size!.width}, ${size!.height}`, `${x}, ${y}`);
    }

    function numbered(node: Action | Call) {
      const creations = node.kind === 'action' ? creationsBy(node) : [];
      const moves = (key: string) =>
        node.rule?.effects.some((effect) => effect.does === 'changes' && effect.to === key) === true;
      for (const [key, { name }] of Object.entries(node.rule?.params ?? {})) {
        if (name !== 'position' && name !== 'region') continue;
        const operand = node.operand(key);
        const point = statedPoint(operand);
        if (point === undefined) continue;
        const made = creations.find(({ place }) => place === operand);
        const what = made === undefined ? `This ${name} lies` : `The ${made.kind} is created`;
        located(operand, { ...(operand.json as object), ...point }, what, moves(key));
      }
      const { layer: named, x: column } = node.rule?.params ?? {};
      if (named === undefined) return;
      const layer = layers[numbers.fixed(node.operand('layer')) ?? -1];
      if (column !== undefined && layer !== undefined && layer.type !== 'tilelayer')
        report(node.operand('layer'), `The layer "${layer.name}" has no tiles.`);
      const ends = {
        layer: ['layer', layers.length],
        x: ['column', width],
        y: ['row', height],
        gid: ['tile', (tilesets[0]?.tilecount ?? 0) + 1],
      } as const;
      for (const [key, [noun, end]] of Object.entries(ends)) {
        const operand = node.rule!.params[key] && node.operand(key);
        const found = operand && numbers.fixed(operand);
        if (found === undefined || (Number.isInteger(found) && found >= 0 && found < end)) continue;
        report(operand!, `The map has no ${noun} ${found}.`, `0 to ${end - 1}`, found);
      }
    }
  },
};
