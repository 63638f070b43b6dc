import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { samplesFolder } from '../support/samples.ts';
import { file, reenact } from './support.ts';

const game = join(samplesFolder, 'outbreak.json');
const journal = file('watched.rj', '');
const recording = reenact(['run', game, '--ticks', '20', '--bots', '2', '--record', journal]);
const script = new URL('../../dist/viewer/page.js', import.meta.url);

/** The content of the element with an id. */
function embedded(page: string, id: string): Uint8Array {
  const packed = new RegExp(`id="${id}">([^<]*)<`).exec(page)?.[1] ?? '';
  return new Uint8Array(gunzipSync(new Uint8Array(Buffer.from(packed, 'base64'))));
}

// The script of the page is created by the build.
describe.skipIf(!existsSync(script))('reenact view', () => {
  test('writes a page that contains the definition and the journal', async () => {
    await recording;
    const page = join(dirname(journal), 'watched.html');
    const { code, stdout } = await reenact(['view', journal, '--html', page]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${page}\n` });
    const text = readFileSync(page, 'utf8');
    expect(new TextDecoder().decode(embedded(text, 'definition'))).toBe(readFileSync(game, 'utf8'));
    const { records } = readJournalBytes(new Uint8Array(readFileSync(journal)))!;
    expect(readJournalBytes(embedded(text, 'journal'))!.records).toEqual(records);
    expect(text).toContain("default-src 'none'");
  });

  test('titles the page with the name of the game, or else with that of its file', async () => {
    const titleOf = async (name: string, change: (data: Record<string, unknown>) => void) => {
      const document = JSON.parse(readFileSync(game, 'utf8'));
      change(document.gameJson?.data ?? document.data);
      const path = file(name, JSON.stringify(document));
      const own = file('titled.rj', '');
      await reenact(['run', path, '--ticks', '2', '--record', own]);
      const page = join(dirname(own), 'titled.html');
      expect(await reenact(['view', own, '--html', page])).toMatchObject({ code: 0 });
      return /<title>(.*)<\/title>/.exec(readFileSync(page, 'utf8'))?.[1];
    };
    expect(await titleOf('a.json', (data) => (data['title'] = 'The <hill>'))).toBe('The &lt;hill&gt; · Reenact');
    const untitled = (data: Record<string, unknown>) => {
      delete data['title'];
      delete (data['defaultData'] as Record<string, unknown>)['title'];
    };
    expect(await titleOf('the-last_stand.json', untitled)).toBe('The last stand · Reenact');
  });

  test('without --html, writes a temporary file and prints its path', async () => {
    await recording;
    const { code, stdout } = await reenact(['view', journal]);
    expect(code).toBe(0);
    expect(readFileSync(stdout.trim(), 'utf8')).toMatch(/^<!doctype html>/);
    rmSync(dirname(stdout.trim()), { recursive: true });
  });

  test('if the game of a journal is not found, says how to give its path', async () => {
    const moved = file('moved.json', readFileSync(game, 'utf8'));
    const own = file('moved.rj', '');
    await reenact(['run', moved, '--ticks', '5', '--record', own]);
    rmSync(moved);
    const { code, stderr } = await reenact(['view', own]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      `was recorded with the game ${moved}. If the file has moved, give its path with --game <file>.`,
    );
    expect(await reenact(['view', own, '--game', game])).toMatchObject({ code: 0 });
  });

  test('reports files that cannot be read or written', async () => {
    await recording;
    expect(await reenact(['view', game])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^no-journal: /) });
    const other = join(samplesFolder, 'infection.json');
    const stderr = expect.stringMatching(/^other-definition: /);
    expect(await reenact(['view', journal, '--game', other])).toMatchObject({ code: 2, stderr });
    const nowhere = await reenact(['view', journal, '--html', '/dev/null/page.html']);
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringMatching(/^cannot-write: /) });
  });
});

describe('reenact view draws', () => {
  const folder = dirname(journal);
  const view = (...options: string[]) => reenact(['view', journal, ...options]);

  test('one tick as SVG and PNG, without a page', async () => {
    await recording;
    const [svg, png] = [join(folder, 'moment.svg'), join(folder, 'moment.png')];
    const { code, stdout } = await view('--at', '0.5 s', '--svg', svg, '--png', png);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${svg}\n${png}\n` });
    expect(readFileSync(svg, 'utf8')).toContain('aria-label="Map at tick 10"');
    expect(readFileSync(png).subarray(1, 4).toString()).toBe('PNG');
  });

  test('the end by default', async () => {
    await recording;
    const svg = join(folder, 'end.svg');
    await view('--svg', svg);
    expect(readFileSync(svg, 'utf8')).toContain('aria-label="Map at tick 20"');
  });

  test.each([
    ['a stretch', ['--from', '4 ticks', '--to', '12 ticks'], 5],
    ['what is around a moment', ['--at', '20 ticks'], 11],
    ['all', [], 11],
  ])('%s as a GIF of ten pictures a second', async (_, options, pictures) => {
    await recording;
    const gif = join(folder, 'play.gif');
    expect((await view('--gif', gif, ...options)).code).toBe(0);
    const bytes = readFileSync(gif);
    expect(bytes.subarray(0, 6).toString()).toBe('GIF89a');
    // Each picture has an extension block with its delay in hundredths of a second.
    const mark = '!\u00f9\u0004';
    const text = bytes.toString('latin1');
    const starts: number[] = [];
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) starts.push(at);
    expect(starts).toHaveLength(pictures);
    expect(new Set(starts.map((start) => bytes.readUInt16LE(start + 4)))).toEqual(new Set([10]));
  });

  test('leaves it to the page where to open, if no moment is given', async () => {
    await recording;
    const page = join(folder, 'first.html');
    expect((await view('--html', page)).code).toBe(0);
    expect(readFileSync(page, 'utf8')).toContain('data-tick=""');
  });

  test('opens the page at a moment', async () => {
    await recording;
    const page = join(folder, 'at.html');
    expect((await view('--html', page, '--at', '12 ticks')).code).toBe(0);
    expect(readFileSync(page, 'utf8')).toContain('data-tick="12"');
  });

  test.each([
    [['--png', 'x.png', '--at', 'noon'], 'is not a time'],
    [['--png', 'x.png', '--at', '9 s'], 'goes from 0.00 s to 1.00 s'],
    [['--png', 'x.png', '--from', '0 s'], 'give one moment'],
    [['--gif', 'x.gif', '--from', '1 s', '--to', '0 s'], 'before'],
    [['--gif', 'x.gif', '--from', '0 s', '--at', '1 s'], 'not both'],
    [['--at', '9 s'], 'goes from 0.00 s to 1.00 s'],
  ])('rejects %j', async (options, why) => {
    await recording;
    const { code, stderr } = await view(...options);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/^bad-moment: /) });
    expect(stderr).toContain(why);
  });
});
