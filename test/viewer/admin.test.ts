import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Serving, serve, TestClient, temporaryFolder } from '../server/support.ts';
import { canBrowse, desktop, faintTexts, launch, newPage, phone, serverScripts, takePictures } from './browser.ts';

const adminToken = 'a token of sixteen characters';

/** An administrator moderates two players. The tests form one visit and run in order. */
describe.skipIf(!canBrowse)('the page of administrators', { shuffle: false }, () => {
  const folder = temporaryFolder();
  const complaints: string[] = [];
  let serving: Serving;
  let browser: Browser;
  let page: Page;
  let ann: TestClient;
  let bob: TestClient;

  beforeAll(async () => {
    serving = await serve(folder.path, { viewer: serverScripts(), adminToken });
    ann = await TestClient.join(serving.wsUrl, { name: 'Ann' });
    const token = await serving.server.tokens.signIdentity({ userId: 'bob', name: '<b>Bob</b>' });
    bob = await TestClient.join(serving.wsUrl, { token });
    browser = await launch();
    page = await newPage(browser, { viewport: desktop });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${serving.url}/admin`);
  });
  afterAll(async () => {
    await browser?.close();
    for (const client of [ann, bob]) client?.socket.terminate();
    await serving?.server.stop();
    folder.remove();
  });

  const button = (room: string, player: string, act: string) => page.locator(`[id="${act}-${room}-${player}"]`);
  const room = () => [...serving.server.rooms.byId.keys()][0]!;

  test('asks for the token, and says when it is wrong', async () => {
    await page.locator('#admin').fill('something else, long enough');
    await page.locator('#admin').press('Enter');
    await page.locator('output', { hasText: 'This token is wrong.' }).waitFor();
    // The browser itself reports the refused requests.
    complaints.length = 0;
    await page.locator('#admin').fill(adminToken);
    await page.locator('#admin').press('Enter');
    await page.locator('.person').nth(1).waitFor();
    expect(page.url()).toBe(`${serving.url}/admin`);
  });

  test('shows players as text, whatever their names are', async () => {
    const shown = await page.locator('.person span').allTextContents();
    expect(shown[0]).toBe('Annp1 · guest · 127.0.0.1');
    expect(shown[1]).toContain('Bob');
    expect(await page.locator('.person b').count()).toBe(0);
    // Names in a right-to-left script do not reorder what is beside them.
    expect(await page.locator('.person bdi').count()).toBe(2);
  });

  test('mutes, writes and kicks', async () => {
    await button(room(), 'p1', 'mute').click();
    await page.locator('.person', { hasText: 'muted' }).waitFor();
    await page.locator('#message').click();
    await page.locator('#field-text').fill('Supper time');
    await page.locator('dialog .main').click();
    await ann.first('events', ({ events }) => JSON.stringify(events).includes('Supper time'));
    await button(room(), 'p1', 'kick').click();
    await page.locator('#field-reason').fill('Good night.');
    await page.locator('dialog .danger').click();
    expect((await ann.end()).code).toBe('kicked');
    expect(await ann.first('refused')).toMatchObject({ code: 'kicked', text: 'Good night.' });
    await page.locator('.person').nth(1).waitFor({ state: 'detached' });
  });

  test('a player reports another from the page, by keyboard', async () => {
    const cid = await newPage(browser, { viewport: phone });
    await cid.goto(serving.url);
    await cid.locator('#name').fill('Cid');
    await cid.locator('#name').press('Enter');
    await cid.waitForSelector('html[data-state=playing]');
    await cid.locator('#begin').click();
    await cid.locator('#details').click();
    await cid.locator('#tab-players').click();
    const report = cid.locator('[data-report=p2]');
    await report.focus();
    await cid.keyboard.press('Enter');
    // The keys of the game are not pressed meanwhile.
    await cid.keyboard.type('bad language');
    await takePictures(cid, 'report');
    await cid.keyboard.press('Enter');
    await cid.locator('.chat-log', { hasText: 'The operator has received your report.' }).waitFor();
    await cid.close();
  });

  test('shows a report and the play at its moment, saves it, bans, and lifts the ban', async () => {
    const link = page.locator('[id^=watch-]');
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/^\/insight\?report=[0-9a-f]+$/);
    const play = await page.context().newPage();
    await play.goto(serving.url);
    await play.evaluate(`sessionStorage.setItem('reenact-admin', '${adminToken}')`);
    await play.goto(serving.url + (await link.getAttribute('href'))!);
    await play.waitForSelector('html[data-state=ready]');
    const reports = await fetch(`${serving.url}/admin/reports`, { headers: { authorization: `Bearer ${adminToken}` } });
    const [{ tick }] = ((await reports.json()) as { reports: [{ tick: number }] }).reports;
    expect(await play.locator('body').innerText()).toContain(`tick ${tick}`);
    await play.close();
    await page.locator('li', { hasText: 'bad language' }).waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await saving).suggestedFilename()).toMatch(/^report-[0-9a-f]+\.html$/);
    await button(room(), 'p2', 'ban').click();
    await page.locator('#field-what').selectOption('account');
    await page.locator('#field-seconds').selectOption('86400');
    await page.locator('dialog .danger').click();
    expect((await bob.end()).code).toBe('kicked');
    await page.locator('li', { hasText: 'Account bob' }).waitFor();
    await takePictures(page, 'admin');
    await page.locator('li', { hasText: 'Account bob' }).getByRole('button', { name: 'Unban' }).click();
    await page.locator('li', { hasText: 'Account bob' }).waitFor({ state: 'detached' });
    // The mute of the player who was kicked.
    await page.locator('[aria-label=Mutes]').getByRole('button', { name: 'Unmute' }).click();
    await page.locator('li', { hasText: 'Nobody is muted.' }).waitFor();
  });

  test('an invitation leads into a private room, and its code does not stay in the address', async () => {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const answer = await fetch(`${serving.url}/rooms`, { method: 'POST', headers, body: '{"private":true}' });
    const { id, invitation } = (await answer.json()) as { id: string; invitation: string };
    const guest = await newPage(browser, { viewport: desktop });
    await guest.goto(serving.url + invitation);
    await guest.waitForSelector('html[data-state=playing]');
    expect(guest.url()).toBe(`${serving.url}/`);
    expect(serving.server.rooms.byId.get(id)!.seats.size).toBe(1);
    await page.goto(serving.url);
    await page.locator('#code').fill('WRONG');
    await page.locator('#code').press('Enter');
    await page.locator('output', { hasText: 'This room does not exist.' }).waitFor();
    await takePictures(page, 'lobby-code');
    await page.goto(`${serving.url}/admin`);
    await page.locator('.person').first().waitFor();
    await guest.close();
  });

  test('asks before rooms are drained, closed or ended, and Enter cancels', async () => {
    const { rooms } = serving.server;
    for (const id of ['drain', 'close', 'end']) {
      await page.locator(`[id^=${id}-]`).first().focus();
      await page.keyboard.press('Enter');
      await page.locator('dialog').waitFor();
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
      await takePictures(page, `admin-${id}`);
      await page.keyboard.press('Enter');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    const open = [...rooms.byId.values()].filter(({ state, isClosed }) => state === 'open' && !isClosed);
    expect([rooms.isEmptying, open.length]).toEqual([false, rooms.byId.size]);
    await page.locator('[id^=close-]').first().click();
    await page.locator('dialog').getByRole('button', { name: 'Close to new players' }).click();
    await page.locator('li', { hasText: 'closed to new players' }).waitFor();
    await page.locator('[id^=close-]').first().click();
    await page.locator('li', { hasText: 'closed to new players' }).waitFor({ state: 'detached' });
  });

  test('is legible and keeps to its content security policy', async () => {
    expect(await faintTexts(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
