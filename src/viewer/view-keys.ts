import type { Stage } from './stage.ts';

const panPixels = 60;
const zoomStep = 1.3;

interface ViewPorts {
  readonly stage: Stage;
  readonly fit: () => void;
  readonly follow: () => void;
  readonly turnTheme: () => void;
  readonly choose: (id: string | undefined) => void;
  /** Ids of the units that there are, in their order. */
  readonly units: () => readonly string[];
}

export type Keys = { readonly [key: string]: () => void };

/** Keys that change the size of the view. */
export function zoomKeys({ stage, fit }: Pick<ViewPorts, 'stage' | 'fit'>): Keys {
  const nearer = (): void => stage.zoomBy(zoomStep);
  return { '+': nearer, '=': nearer, '-': () => stage.zoomBy(1 / zoomStep), '0': fit };
}

/** Keys of those who look on: the view, the units one after the other, light and dark. */
export function viewKeys(ports: ViewPorts): Keys {
  const { stage, follow, turnTheme, choose, units } = ports;
  const chooseNext = (step: 1 | -1): void => {
    const ids = units();
    if (ids.length === 0) return;
    const at = ids.indexOf(stage.chosen ?? '');
    choose(ids[at < 0 ? 0 : (at + step + ids.length) % ids.length]);
  };
  return {
    ...zoomKeys(ports),
    f: follow,
    t: turnTheme,
    n: () => chooseNext(1),
    p: () => chooseNext(-1),
    w: () => stage.panBy(0, panPixels),
    s: () => stage.panBy(0, -panPixels),
    a: () => stage.panBy(panPixels, 0),
    d: () => stage.panBy(-panPixels, 0),
  };
}
