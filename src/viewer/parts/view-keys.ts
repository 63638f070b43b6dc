import type { StageTools } from '../drawing/stage-tools.ts';
import { toggleTheme } from './theme.ts';

const panPixels = 60;
const zoomStep = 1.3;

interface ViewPorts {
  readonly select: (id: string | undefined) => void;
  /** Returns the ids of all units, in order. */
  readonly units: () => readonly string[];
}

/** A keyboard action and its description. Keys with the same action have the same description. */
export interface KeyBinding {
  readonly description: string;
  readonly run: (event: Pick<KeyboardEvent, 'shiftKey'>) => void;
}
export type KeyBindings = { readonly [key: string]: KeyBinding };

/** The keys that zoom. */
export function zoomKeys({ stage, fit: showAll, follow }: StageTools): KeyBindings {
  const zoomIn: KeyBinding = { description: 'zoom in', run: () => stage.zoomBy(zoomStep) };
  return {
    '+': zoomIn,
    '=': zoomIn,
    '-': { description: 'zoom out', run: () => stage.zoomBy(1 / zoomStep) },
    '0': { description: 'show the whole map, or follow again', run: () => (stage.isWhole ? follow() : showAll()) },
  };
}

/** The keys for spectators: move the view, cycle through the units, switch between light and dark. */
export function viewKeys(tools: StageTools, { select, units }: ViewPorts): KeyBindings {
  const { stage, follow } = tools;
  const selectNext = (step: 1 | -1) => {
    const ids = units();
    if (ids.length === 0) return;
    const at = ids.indexOf(stage.selectedId ?? '');
    select(ids[at < 0 ? 0 : (at + step + ids.length) % ids.length]);
  };
  const pan = (dx: number, dy: number): KeyBinding => ({
    description: 'move the view',
    run: () => stage.panBy(dx, dy),
  });
  return {
    ...zoomKeys(tools),
    f: { description: 'follow the selected entity', run: follow },
    n: { description: 'select the next unit', run: () => selectNext(1) },
    p: { description: 'select the previous unit', run: () => selectNext(-1) },
    w: pan(0, panPixels),
    a: pan(panPixels, 0),
    s: pan(0, -panPixels),
    d: pan(-panPixels, 0),
    t: { description: 'switch between light and dark', run: () => toggleTheme(stage) },
  };
}
