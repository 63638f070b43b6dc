import type { ResvgRenderOptions } from '@resvg/resvg-js';
import { UserError } from '../../engine/core/index.ts';

/** Thrown if the rendering library is not installed. */
class NoRenderer extends UserError {
  readonly code = 'no-renderer';
}

// The renderer needs the name of a font, because it does not choose one. Most machines have this font.
const font = { sansSerifFamily: 'DejaVu Sans', defaultFontFamily: 'DejaVu Sans' };

/**
 * Renders an SVG as a PNG, `width` pixels wide. Needs the package `@resvg/resvg-js`; throws `NoRenderer` without it.
 */
export async function pngOf(svg: string, width: number): Promise<Uint8Array> {
  const { buffer, byteOffset, length } = (await rendered(svg, width)).asPng();
  return new Uint8Array(buffer, byteOffset, length);
}

/** Renders an SVG to pixels, `width` pixels wide. Throws `NoRenderer` if the rendering library is missing. */
export async function rendered(svg: string, width: number) {
  const { Resvg } = await renderer();
  const options: ResvgRenderOptions = { fitTo: { mode: 'width', value: width }, font };
  return new Resvg(svg, options).render();
}

/** Imports the rendering library. Throws `NoRenderer` if it is missing. */
export async function renderer(): Promise<typeof import('@resvg/resvg-js')> {
  try {
    return await import('@resvg/resvg-js');
  } catch {
    throw new NoRenderer(
      'PNG and GIF need the package @resvg/resvg-js: npm install @resvg/resvg-js. SVG works without it.',
    );
  }
}
