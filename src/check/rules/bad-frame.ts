import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const badFrame: Rule = {
  about: 'A frame of an animation lies outside the cell sheet, or an animation of several frames has no speed.',
  because:
    'Clients draw nothing for a missing frame, and a still image if there is no speed. Frames are numbered from 1, row by row.',
  wrong: `{ "unitTypes": { "hero": { "cellSheet": { "url": "hero.png", "columnCount": 2, "rowCount": 1 }, "animations": { "walk": { "frames": [1, 3], "framesPerSecond": 5 } } } } }`,
  right: `{ "unitTypes": { "hero": { "cellSheet": { "url": "hero.png", "columnCount": 2, "rowCount": 1 }, "animations": { "walk": { "frames": [1, 2], "framesPerSecond": 5 } } } } }`,
  check({ entityTypes, report }) {
    for (const { cellSheet, animations } of entityTypes) {
      if (!cellSheet?.url) continue;
      const { rowCount, columnCount } = cellSheet;
      const count = Math.max(1, rowCount ?? 1) * Math.max(1, columnCount ?? 1);
      for (const animation of animations.values()) {
        const { frames, framesPerSecond, pointer } = animation;
        const what = `The animation ${titleOf(animation)}`;
        const wrong = frames.find((frame) => frame > count);
        if (wrong !== undefined) {
          report(
            `${pointer}/frames`,
            `${what} shows frame ${wrong}, but the cell sheet has only the frames 1 to ${count} (${columnCount ?? 1} x ${rowCount ?? 1}).`,
            `1 to ${count}`,
            wrong,
          );
        } else if (frames.length === 0) report(pointer, `${what} has no frames.`, 'a frame', 'none');
        else if (new Set(frames).size > 1 && !((framesPerSecond ?? 0) > 0)) {
          report(
            `${pointer}/framesPerSecond`,
            `${what} has several frames but no \`framesPerSecond\`, so it stands still.`,
            'more than 0',
            framesPerSecond ?? 'nothing',
          );
        }
      }
    }
  },
};
