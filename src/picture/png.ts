import type { ResvgRenderOptions } from '@resvg/resvg-js';

/** The library that draws pixels is not there. */
export class NoRenderer extends Error {}

// Renderers have no font of the system; most machines have this one.
const font = { sansSerifFamily: 'DejaVu Sans', defaultFontFamily: 'DejaVu Sans' };

/** An SVG as PNG, `width` pixels wide. Needs `@resvg/resvg-js` beside this package; throws `NoRenderer` without it. */
export async function pngOf(svg: string, width: number): Promise<Uint8Array> {
  const { buffer, byteOffset, length } = (await rendered(svg, width)).asPng();
  return new Uint8Array(buffer, byteOffset, length);
}

/** An SVG as pixels. Throws as `pngOf`. */
export async function rendered(svg: string, width: number) {
  let library: typeof import('@resvg/resvg-js');
  try {
    library = await import('@resvg/resvg-js');
  } catch {
    throw new NoRenderer('Pixels need the package @resvg/resvg-js: npm install @resvg/resvg-js. SVG needs nothing.');
  }
  const options: ResvgRenderOptions = { fitTo: { mode: 'width', value: width }, font };
  return new library.Resvg(svg, options).render();
}
