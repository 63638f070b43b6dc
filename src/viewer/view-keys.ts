import type { Stage } from './stage.ts';

const panPixels = 60;
const zoomStep = 1.3;

interface ViewPorts {
  readonly stage: Stage;
  readonly fit: () => void;
  readonly follow: () => void;
  readonly turnTheme: () => void;
  readonly choose: (id: string | undefined) => void;
  /** The ids of all units, in order. */
  readonly units: () => readonly string[];
}

/** A keyboard action and its description. Keys with the same action have the same description. */
export interface KeyAct {
  readonly does: string;
  readonly act: () => void;
}
export type Keys = { readonly [key: string]: KeyAct };

/** Keys that zoom. */
export function zoomKeys({ stage, fit }: Pick<ViewPorts, 'stage' | 'fit'>): Keys {
  const nearer: KeyAct = { does: 'nearer', act: () => stage.zoomBy(zoomStep) };
  return {
    '+': nearer,
    '=': nearer,
    '-': { does: 'farther', act: () => stage.zoomBy(1 / zoomStep) },
    '0': { does: 'the whole map', act: fit },
  };
}

/** Keys for spectators: move the view, cycle through the units, switch between light and dark. */
export function viewKeys(ports: ViewPorts): Keys {
  const { stage, follow, turnTheme, choose, units } = ports;
  const chooseNext = (step: 1 | -1): void => {
    const ids = units();
    if (ids.length === 0) return;
    const at = ids.indexOf(stage.chosen ?? '');
    choose(ids[at < 0 ? 0 : (at + step + ids.length) % ids.length]);
  };
  const pan = (dx: number, dy: number): KeyAct => ({ does: 'move the view', act: () => stage.panBy(dx, dy) });
  return {
    ...zoomKeys(ports),
    f: { does: 'follow the chosen entity', act: follow },
    n: { does: 'the next unit', act: () => chooseNext(1) },
    p: { does: 'the unit before', act: () => chooseNext(-1) },
    w: pan(0, panPixels),
    a: pan(panPixels, 0),
    s: pan(0, -panPixels),
    d: pan(-panPixels, 0),
    t: { does: 'light or dark', act: turnTheme },
  };
}
