import { adoptStyle, SimulationScene, Stage } from '../../src/viewer/index.ts';
import { ballGame, grid, velocity } from '../ball-game.ts';

/** Compares the stage of the viewer with a canvas of the same size and the same number of plain rectangles. */

const cells = 60;
const cellPx = 64;

interface Figures {
  /** The time in ms to draw the stage, including its scene, and the rectangles, per round. */
  readonly stageMs: readonly number[];
  readonly plainMs: readonly number[];
  /** Frames per second when each frame also simulates a tick, and with the rectangles alone. */
  readonly stageFrames: number;
  readonly plainFrames: number;
}

async function measure(units: number, rounds: number, seconds: number): Promise<Figures> {
  adoptStyle();
  const side = (cells - 4) * cellPx;
  const places = grid(units, 2 * cellPx, side);
  const { sim } = ballGame(
    places.map(({ x, y }, i) => ({ type: 'bouncer', x, y, ...velocity(i) })),
    cells,
  );
  const stage = new Stage({ select() {}, moved() {} });
  const plain = document.createElement('canvas');
  for (const canvas of [stage.canvas, plain]) {
    canvas.style.cssText = 'position:fixed;inset:0;width:100vw;height:100vh';
    document.body.append(canvas);
  }
  const scenes = new SimulationScene();
  const context = plain.getContext('2d')!;
  const drawStage = (): void => stage.show(scenes.of(sim));
  const drawPlain = (): void => {
    if (plain.width !== stage.canvas.width) {
      plain.width = stage.canvas.width;
      plain.height = stage.canvas.height;
    }
    const { camera } = stage;
    context.fillStyle = '#ddd';
    context.fillRect(0, 0, plain.width, plain.height);
    context.fillStyle = '#36c';
    for (const { x, y, width, height } of sim.units()) {
      const [left, top] = camera.toScreen(x - width / 2, y - height / 2);
      context.fillRect(left, top, width * camera.zoom, height * camera.zoom);
    }
  };
  // Reading a pixel back forces the browser to draw what it has queued.
  const timed = (canvas: HTMLCanvasElement, draw: () => void): number => {
    const start = performance.now();
    draw();
    canvas.getContext('2d')!.getImageData(0, 0, 1, 1);
    return performance.now() - start;
  };
  const stageFrames = await framesOf(seconds, () => {
    sim.step();
    drawStage();
  });
  stage.canvas.hidden = true;
  const plainFrames = await framesOf(seconds, drawPlain);
  stage.canvas.hidden = false;
  const stageMs: number[] = [];
  const plainMs: number[] = [];
  for (let round = -5; round < rounds; round++) {
    sim.step();
    const [a, b] = [timed(stage.canvas, drawStage), timed(plain, drawPlain)];
    if (round < 0) continue;
    stageMs.push(a);
    plainMs.push(b);
  }
  return { stageMs, plainMs, stageFrames, plainFrames };
}

function framesOf(seconds: number, draw: () => void): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    let frames = 0;
    const next = (): void => {
      draw();
      frames++;
      const passed = (performance.now() - start) / 1000;
      if (passed >= seconds) resolve(frames / passed);
      else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}

(globalThis as unknown as { measureStage: typeof measure }).measureStage = measure;
