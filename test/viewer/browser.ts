import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { viewerScripts } from '../../src/server/web/page.ts';

/** Helpers for tests of pages: a real browser if there is one, screenshots, and checks that all text is readable. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

export const builtPage = join(root, 'dist/viewer/page.js');
const built = join(root, 'src/server/dist/viewer');
export const outbreak = join(root, 'scenarios/games/outbreak.json');

/** The scripts of a server's pages. */
export const serverScripts = () => viewerScripts()!;

/** Whether there are a browser and a build; otherwise tests of pages are skipped. */
export const canBrowse = executable !== undefined && existsSync(builtPage) && existsSync(join(built, 'live.js'));

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: executable!, args: ['--no-sandbox'] });
}

/** Nearly the timeout of a test, because the speed of a page depends on the machine. */
const patienceMs = 100_000;

/**
 * Four frames a second instead of sixty: without a graphics card, each frame of a map takes some milliseconds of
 * processor time.
 */
const fewerFrames = `{
  const native = requestAnimationFrame;
  window.requestAnimationFrame = (draw) => setTimeout(native, 250, draw);
  window.cancelAnimationFrame = clearTimeout;
}`;

/** Opens a page in its own browser context, which shares nothing with others. */
export async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  await context.addInitScript(fewerFrames);
  context.setDefaultTimeout(patienceMs);
  return context.newPage();
}

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 360, height: 740 };
/** A phone in landscape orientation. */
export const flatPhone = { width: 844, height: 390 };

/** Folder for screenshots, outside of the project. */
/** Set it to a folder to look at the pages. Pictures cost more time than what the tests check. */
const pictures = process.env['REENACT_SCREENS'];

export async function takePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/**
 * Looks at the page in light and dark, on a desktop and a phone, and restores it. Throws if any text is unreadable or
 * if the page overflows to the side.
 */
export async function takePictures(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Two frames: the first does the layout, the second draws.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await takePicture(page, `${name}-${size}-${colorScheme}`);
      const faint = (await faintTexts(page)) as readonly string[];
      if (faint.length > 0) throw new Error(`${name}, ${size}, ${colorScheme}: cannot be read: ${faint.join('; ')}`);
      if (await standsOut(page)) throw new Error(`${name}, ${size}, ${colorScheme}: something stands out to the side.`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(desktop);
}

/**
 * Texts whose contrast with their background is below AA: 4.5, or 3 for large ones. Disabled buttons are exempt, and so
 * are texts that the game colours.
 */
export function faintTexts(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const parse = (text) => {
      const [, inside] = /^rgba?\\(([^)]+)\\)$/.exec(text) ?? [];
      if (inside !== undefined) {
        const [r, g, b, a = 1] = inside.split(/[\\s,/]+/).filter(Boolean).map(Number);
        return { r, g, b, a };
      }
      const [, srgb] = /^color\\(srgb ([^)]+)\\)$/.exec(text) ?? [];
      const [r, g, b, a = 1] = srgb.split(/[\\s/]+/).filter(Boolean).map(Number);
      return { r: r * 255, g: g * 255, b: b * 255, a };
    };
    const over = (top, under) => ({
      r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a), b: top.b * top.a + under.b * (1 - top.a), a: 1,
    });
    const behind = (element) => {
      const layers = [];
      for (let each = element; each !== null; each = each.parentElement) layers.push(parse(getComputedStyle(each).backgroundColor));
      return layers.reverse().reduce((under, top) => over(top, under), { r: 255, g: 255, b: 255, a: 1 });
    };
    const light = ({ r, g, b }) => {
      const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const faint = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      const text = texts.currentNode.data.trim();
      if (text === '' || element.closest('script,option,:disabled,[data-area] [style]') !== null || element.getClientRects().length === 0) continue;
      const style = getComputedStyle(element);
      if (style.visibility !== 'visible') continue;
      const back = behind(element);
      const [a, b] = [light(over(parse(style.color), back)), light(back)];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (contrast < (isLarge ? 3 : 4.5)) faint.push(text.slice(0, 40) + ' ' + contrast.toFixed(2));
    }
    // Texts on the canvas have an outline in the colour of the floor.
    for (const stage of document.querySelectorAll('.stage')) {
      const colors = ['text', 'region', 'floor'].map((name) => {
        const probe = stage.appendChild(document.createElement('i'));
        probe.style.color = 'var(--' + name + ')';
        const color = light(parse(getComputedStyle(probe).color));
        probe.remove();
        return color;
      });
      for (const [i, name] of ['names', 'names of regions'].entries()) {
        const contrast = (Math.max(colors[i], colors[2]) + 0.05) / (Math.min(colors[i], colors[2]) + 0.05);
        if (!(contrast >= 4.5)) faint.push(name + ' on the map ' + contrast.toFixed(2));
      }
    }
    for (const input of document.querySelectorAll('input[placeholder]')) {
      if (input.getClientRects().length === 0) continue;
      const back = behind(input);
      const color = parse(getComputedStyle(input, '::placeholder').color);
      const [a, b] = [light(over(color, back)), light(back)];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) faint.push(input.placeholder + ' ' + contrast.toFixed(2));
    }
    return faint;
  })()`);
}

/**
 * For desktop and phone, in each tab: unreadable texts, and what overflows to the side. Restores the page. `name`: of
 * the pictures.
 */
export async function faultsOfTabs(
  page: Page,
  colorScheme: 'light' | 'dark',
  tabs: readonly string[],
  name: string,
): Promise<readonly string[]> {
  const faults: string[] = [];
  await page.emulateMedia({ colorScheme });
  for (const [size, viewport] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(viewport);
    for (const tab of tabs) {
      await page.locator(`#tab-${tab}`).click();
      await takePicture(page, `${name}-${tab}-${size}-${colorScheme}`);
      for (const text of (await faintTexts(page)) as readonly string[]) faults.push(`${size}, ${tab}: ${text}`);
      if (await standsOut(page)) faults.push(`${size}, ${tab}: something stands out`);
    }
  }
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}

/** What axe finds wrong in a page for people who use a keyboard, a screen reader or other colours. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)) as readonly string[];
}

/** Whether the page overflows to the side. */
export async function standsOut(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean;
}

/** A description of an element that does not change while its page lives. */
const nameOf = `((one) => [one.tagName, one.id, one.getAttribute('aria-label'), one.id === '' ? one.textContent : ''].join(' '))`;

/** Buttons, links and fields that the Tab key does not reach. Ids in lists change meanwhile, and are ignored. */
export async function unreachable(page: Page): Promise<readonly string[]> {
  const names = (await page.evaluate(`[...document.querySelectorAll('button, input, a[href], summary, [tabindex="0"]')]
    .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0 && one.dataset.id === undefined)
    .map(${nameOf})`)) as readonly string[];
  if (names.length === 0) throw new Error('There is nothing to reach.');
  const wanted = new Set(names);
  await page.evaluate('document.activeElement.blur()');
  for (let presses = 0; presses < 400 && wanted.size > 0; presses++) {
    await page.keyboard.press('Tab');
    wanted.delete(String(await page.evaluate(`${nameOf}(document.activeElement)`)));
  }
  return [...wanted];
}

/** Pairs of visible elements of a selector that overlap, by description; and those outside of the window. */
export async function overlaps(page: Page, selector: string): Promise<readonly string[]> {
  return (await page.evaluate(`(() => {
    scrollTo(0, 0);
    const all = [...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => one.checkVisibility());
    if (all.length < 2) return ['there are fewer than two of ' + ${JSON.stringify(selector)}];
    const name = (one) => one.getAttribute('aria-label') ?? (one.className + ' ' + one.textContent).trim();
    const seen = (one) => {
      let { left, top, right, bottom } = one.getBoundingClientRect();
      for (let each = one.parentElement; each !== null && each !== document.body; each = each.parentElement) {
        if (getComputedStyle(each).overflow === 'visible') continue;
        const clip = each.getBoundingClientRect();
        [left, top, right, bottom] = [Math.max(left, clip.left), Math.max(top, clip.top), Math.min(right, clip.right), Math.min(bottom, clip.bottom)];
      }
      return { left, top, right: Math.min(right, innerWidth), bottom: Math.min(bottom, innerHeight) };
    };
    const places = all.map(seen);
    const faults = [];
    for (const [i, a] of places.entries()) {
      const whole = all[i].getBoundingClientRect();
      if (a.right - a.left < whole.width - 1 || a.bottom - a.top < whole.height - 1) faults.push(name(all[i]) + ' is cut off');
      for (const [j, b] of places.entries()) {
        if (j > i && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) faults.push(name(all[i]) + ' on ' + name(all[j]));
      }
    }
    return faults;
  })()`)) as readonly string[];
}

/** Touch targets smaller than 44 px in height, or 36 px in width. */
export async function tooSmallToTouch(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`[...document.querySelectorAll('button, header > a, input:not([type=range]), summary')]
    // Buttons in a game's HTML are not ours.
    .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && one.closest('[data-area]') === null)
    .map((one) => ({ name: one.getAttribute('aria-label') ?? one.textContent, ...one.getBoundingClientRect().toJSON() }))
    .filter(({ width, height }) => height < 43.5 || width < 35.5)
    .map(({ name, width, height }) => name + ' ' + width.toFixed(0) + 'x' + height.toFixed(0))`)) as readonly string[];
}

/** Words in elements of a selector that are broken across lines. */
export async function brokenWords(page: Page, selector: string): Promise<readonly string[]> {
  return (await page.evaluate(`(() => {
    const broken = [];
    const elements = [...document.querySelectorAll(${JSON.stringify(selector)})];
    if (elements.length === 0) return ['there is none of ' + ${JSON.stringify(selector)}];
    for (const element of elements) {
      const texts = document.createTreeWalker(element.shadowRoot ?? element, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\S+/g)) {
          const range = document.createRange();
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + word.length);
          if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) broken.push(word);
        }
      }
    }
    return broken;
  })()`)) as readonly string[];
}
