import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBuilt, program } from '../support/program.ts';

/** Opens pages written by the command line in a real browser. Skipped if there is none, or no build. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
);

let folder = '';
beforeAll(async () => {
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  folder = mkdtempSync(join(tmpdir(), 'reenact-pages-'));
  copyFileSync(join(root, 'scenarios/games/outbreak.json'), join(folder, 'outbreak.json'));
});
afterAll(() => {
  proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A proxy that receives every network request of the browser. */
const asked: string[] = [];
const proxy = createServer(({ url }, response) => {
  asked.push(url ?? '');
  response.end();
}).on('connect', ({ url }, socket) => {
  asked.push(url ?? '');
  socket.end();
});

interface Opened {
  readonly dom: string;
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

/** Opens the page and runs its scripts; returns their errors and the requests of the page. */
async function opened(file: string): Promise<Opened> {
  asked.length = 0;
  const { port } = proxy.address() as AddressInfo;
  const options = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--enable-logging=stderr',
    '--virtual-time-budget=5000',
    `--user-data-dir=${join(folder, 'profile')}`,
    `--proxy-server=http://127.0.0.1:${port}`,
    '--dump-dom',
    pathToFileURL(join(folder, file)).href,
  ];
  const { stdout, stderr } = await promisify(execFile)(browser!, options, { maxBuffer: 1 << 26 });
  // The browser's own requests go to its vendor; they are not the page's.
  const requests = asked.filter((url) => !/\bgoogle(apis)?\.com\b|\bgvt1\.com\b/.test(url));
  return { dom: stdout, complaints: stderr.split('\n').filter((line) => line.includes('CONSOLE')), requests };
}

/** Runs the command line, with any exit code, because the report is about a failing scenario. */
function reenact(...args: string[]): void {
  spawnSync(process.execPath, [program, ...args], { cwd: folder, stdio: 'ignore' });
}

describe.skipIf(browser === undefined || !isBuilt)('in a browser', () => {
  test('a page that is broken or asks for something is noticed', async () => {
    writeFileSync(
      join(folder, 'broken.html'),
      '<img src="http://elsewhere.example/picture.png"><script>throw new Error("boom")</script>',
    );
    const { complaints, requests } = await opened('broken.html');
    expect(complaints.join()).toContain('boom');
    expect(requests).toEqual(['http://elsewhere.example/picture.png']);
  });

  test('the report of a failing scenario shows its map, its timeline and its scripts', async () => {
    writeFileSync(
      join(folder, 'first.scenario.yaml'),
      `game: outbreak.json
scenarios:
  - name: the outbreak comes early
    given: { players: [alice, bob] }
    plot: [timeLeft, units of type human]
    when: [{ wait: 14 s }]
    then: [{ expect: state == "postoutbreak" }]
`,
    );
    reenact('test', 'first.scenario.yaml', '--reporter', 'html', '--output', 'report.html', '--coverage');
    const { dom, complaints, requests } = await opened('report.html');
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
    expect(dom).toContain('the outbreak comes early');
    expect(dom).toContain('state is "preoutbreak"');
    expect(dom.match(/<main>/g)).toHaveLength(1);
    expect(dom.match(/<svg/g)?.length).toBeGreaterThanOrEqual(1);
    // Really drawn: the plot library adds a canvas where there was none.
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).not.toContain('<canvas');
    expect(dom.match(/<canvas/g)).toHaveLength(1);
    expect(dom).toContain('show the time');
  });
});
