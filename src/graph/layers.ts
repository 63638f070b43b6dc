/** A box of a diagram. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** A box, or a point of a link, in its place. */
interface Placed<B extends Box> {
  readonly box: B | undefined;
  readonly height: number;
  readonly layer: number;
  /** Where it starts and ends from left to right; for a point, where its layer does. */
  left: number;
  right: number;
  middle: number;
  readonly before: Placed<B>[];
  readonly after: Placed<B>[];
}

const gap = { width: 50, height: 8 };
const sweeps = 12;

/**
 * Places boxes in layers from left to right, so that all links lead to the right (Sugiyama's method). The route of a
 * link over several layers has a point in each layer between. `links` must not form cycles.
 */
export function layersOf<B extends Box>(boxes: readonly B[], links: readonly (readonly [from: B, to: B])[]) {
  const depths = new Map<B, number>();
  const depthOf = (box: B): number => {
    const depth = depths.get(box) ?? Math.max(0, ...links.map(([from, to]) => (to === box ? depthOf(from) + 1 : 0)));
    depths.set(box, depth);
    return depth;
  };
  const layers: Placed<B>[][] = [];
  const add = (layer: number, box?: B): Placed<B> => {
    const height = box?.height ?? 2;
    const placed = { box, height, layer, left: 0, right: 0, middle: 0, before: [], after: [] };
    layers[layer] ??= [];
    layers[layer].push(placed);
    return placed;
  };
  for (const box of boxes) depthOf(box);
  const placed = new Map(
    boxes.map((box) => {
      const next = links.flatMap(([from, to]) => (from === box ? depthOf(to) - 1 : []));
      // What nothing leads to stands beside what it leads to.
      const isFirst = depthOf(box) === 0 && next.length > 0;
      return [box, add(isFirst ? Math.min(...next) : depthOf(box), box)];
    }),
  );
  const routes = links.map(([from, to]) => {
    const end = placed.get(to)!;
    const route = [placed.get(from)!];
    for (let layer = route[0]!.layer + 1; layer < end.layer; layer++) route.push(add(layer));
    route.push(end);
    for (const [i, next] of route.entries()) {
      const last = route[i - 1];
      if (last === undefined) continue;
      last.after.push(next);
      next.before.push(last);
    }
    return route;
  });
  for (const layer of layers) spread(layer);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isForward = sweep % 2 === 0;
    for (const layer of isForward ? layers : layers.toReversed()) {
      for (const each of layer) {
        const near = isForward ? each.before : each.after;
        if (near.length > 0) each.middle = near.reduce((sum, { middle }) => sum + middle, 0) / near.length;
      }
      // Later sweeps keep the order, and only straighten the links.
      if (sweep < sweeps / 2) layer.sort((one, other) => one.middle - other.middle);
      spread(layer);
    }
  }
  let left = 0;
  for (const layer of layers) {
    const right = left + Math.max(...layer.map(({ box }) => box?.width ?? 0));
    for (const each of layer) {
      each.left = left;
      each.right = each.box === undefined ? right : left + each.box.width;
    }
    left = right + gap.width;
  }
  return { placed: layers.flat(), routes };
}

/** Moves what overlaps in a layer apart, up and down alike. */
function spread(layer: readonly Placed<Box>[]): void {
  const distance = (index: number): number => (layer[index]!.height + layer[index - 1]!.height) / 2 + gap.height;
  const down = layer.map(({ middle }) => middle);
  for (let i = 1; i < down.length; i++) down[i] = Math.max(down[i]!, down[i - 1]! + distance(i));
  const up = layer.map(({ middle }) => middle);
  for (let i = up.length - 1; i > 0; i--) up[i - 1] = Math.min(up[i - 1]!, up[i]! - distance(i));
  for (const [i, each] of layer.entries()) each.middle = Math.round((down[i]! + up[i]!) / 2);
}
