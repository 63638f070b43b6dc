import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../server/support.ts';
import { program } from '../support/program.ts';
import { canBrowse, desktop, flatPhone, launch, newPage, outbreak, takePicture, takePictures } from './browser.ts';

const scenarios = `game: ${outbreak}
scenarios:
  - name: nobody falls ill
    given: { bots: 4 }
    when: [{ wait: 20 s }]
    then: [{ expect: state == "preoutbreak", because: the outbreak takes a minute }]
  - name: it is over at once
    given: { bots: 2 }
    when: [{ wait: 4 s }]
    then: [{ expect: state == "gameover" }]
  - name: the time stands still
    given: { bots: 1 }
    when: [{ wait: 4.5 s }]
    then: [{ expect: timeLeft == 5 }]
`;

/** The pages beside a report: replays of failed scenarios. */
describe.skipIf(!canBrowse)('the page of a failure', () => {
  const folder = temporaryFolder();
  let browser: Browser;
  beforeAll(async () => {
    writeFileSync(join(folder.path, 'f.scenario.yaml'), scenarios);
    const { status } = spawnSync(process.execPath, [program, 'test', 'f.scenario.yaml'], { cwd: folder.path });
    expect(status).toBe(1);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    folder.remove();
  });

  async function pageOf(title: string, viewport = desktop): Promise<Page> {
    const pictures = join(folder.path, '.reenact');
    const file = readdirSync(pictures).find(
      (name) => name.endsWith('.html') && name.includes(title.replaceAll(' ', '-')),
    );
    const page = await newPage(browser, { viewport });
    await page.goto(pathToFileURL(join(pictures, file!)).href);
    await page.waitForSelector('html[data-state=ready]');
    return page;
  }

  const tickOf = async (page: Page): Promise<number> => Number(await page.locator('#tick').textContent());

  test('opens at the tick at which the expectation stopped holding, with the value found and the reason', async () => {
    const page = await pageOf('nobody falls ill');
    const head = page.getByRole('region', { name: 'The failure' });
    expect(await head.locator('p').allTextContents()).toEqual([
      '✗ nobody falls ill',
      'expected: state == "preoutbreak"',
      'state is "postoutbreak"',
      'because the outbreak takes a minute',
    ]);
    expect(await page.locator('#panel > p').allTextContents()).toEqual(
      expect.arrayContaining([
        'state became "postoutbreak" (before: "preoutbreak") at tick 300: set state = "postoutbreak"  (scripts/outbreak/actions/0) in script "outbreak".',
        '"reset" would: set state = "preoutbreak", but timeLeft <= 0 was false 5 times in "every second" (last: timeLeft was 25).',
        expect.stringContaining('timeLeft: tick 400 (20.00 s): 26 → 25 by set timeLeft = (timeLeft - 1)'),
      ]),
    );
    // The states of `state`, drawn with the transitions that happened (solid) and that did not (dashed).
    const states = page.getByAltText('A diagram of states');
    expect(
      await states.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBeGreaterThan(100);
    const drawing = decodeURIComponent((await states.getAttribute('src'))!);
    for (const state of ['preoutbreak', 'postoutbreak', 'gameover']) expect(drawing).toContain(`>${state}<`);
    expect(drawing).toContain('stroke-dasharray');
    expect(await page.title()).toContain('✗ nobody falls ill');
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Failure');
    const onset = await tickOf(page);
    expect(onset).toBeGreaterThan(0);
    expect(onset).toBeLessThan(401);
    expect(await page.locator('#panel').textContent()).toContain(`The expectation held until tick ${onset}.`);
    // The game's state agrees.
    await page.locator('#tab-all').click();
    const state = page.locator('#panel tr', { hasText: /^state/ }).locator('td');
    expect(await state.textContent()).toBe('postoutbreak');
    await page.locator('#back').click();
    await page.locator('#tick', { hasText: new RegExp(`^${onset - 1}$`) }).waitFor();
    // The rows of the panel follow the tick a moment later.
    await state.filter({ hasText: /^preoutbreak$/ }).waitFor();
    await page.close();
  });

  test('explains the failure, with links to ticks', async () => {
    const page = await pageOf('nobody falls ill');
    const panel = page.locator('#panel');
    expect(await panel.locator('h3').allTextContents()).toEqual([
      'States',
      'Changes since the last passed expectation',
      'Conditions that were false',
      'Scripts that ran',
      'Last events',
    ]);
    const onset = await tickOf(page);
    await panel.getByRole('button', { name: /^Failed at tick/ }).click();
    const last = Number(
      /tick (\d+)/.exec((await panel.getByRole('button', { name: /^Failed at tick/ }).textContent())!)![1],
    );
    expect(await tickOf(page)).toBe(last);
    await panel.getByRole('button', { name: /^Wrong since tick/ }).click();
    expect(await tickOf(page)).toBe(onset);
    await takePictures(page, 'failure');
    await page.setViewportSize(flatPhone);
    await takePicture(page, 'failure-flat');
    await page.close();
  });

  test('opens where the value was set if the expectation never held, or at the failure', async () => {
    const page = await pageOf('it is over at once');
    expect(await page.locator('#panel').textContent()).toContain(
      'The expectation never held, and its value never changed.',
    );
    expect(await tickOf(page)).toBeGreaterThan(79);
    await page.close();
    const other = await pageOf('the time stands still');
    const tick = await tickOf(other);
    expect(await other.locator('#panel').textContent()).toContain(
      `The expectation never held. Its value last changed at tick ${tick}.`,
    );
    // The game counts each second.
    expect(tick).toBeLessThan(90);
    await other.close();
  });
});
