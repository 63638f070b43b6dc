import { Command } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { decimalNumber } from '../../src/cli/options.ts';
import { hostNames, hosts, origins, protocolOption, webSocketUrl } from '../../src/cli/serve/options.ts';

describe('the protocols of a server', () => {
  const parsed = (...words: string[]) =>
    new Command()
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .addOption(protocolOption())
      .parse(words, { from: 'user' })
      .opts();

  test.each([
    [[], ['reenact']],
    [['--protocol', 'moddio'], ['moddio']],
    [
      ['--protocol', 'moddio', 'reenact'],
      ['moddio', 'reenact'],
    ],
    [
      ['--protocol', 'moddio,reenact'],
      ['moddio', 'reenact'],
    ],
    [
      ['--protocol', 'moddio', '--protocol=reenact'],
      ['moddio', 'reenact'],
    ],
  ])('%j are %j', (words, names) => {
    expect(parsed(...words)).toEqual({ protocol: names });
  });

  test.each(['moddio;reenact', 'reenact,', 'colyseus'])('are not %j', (text) => {
    expect(() => parsed('--protocol', text)).toThrow('Allowed choices are reenact, moddio.');
  });
});

test.each([
  ['0.5', 0.5],
  ['.75', 0.75],
  ['2.', 2],
  ['0.4', undefined],
  ['2.1', undefined],
  ['1e0', undefined],
  ['', undefined],
])('a decimal number from 0.5 to 2: %j is %j', (text, number) => {
  const parse = decimalNumber(0.5, 2);
  if (number === undefined) expect(() => parse(text)).toThrow('Expected a number from 0.5 to 2.');
  else expect(parse(text)).toBe(number);
});

describe('an allowed origin', () => {
  test.each([
    ['*', '*'],
    ['https://play.example.org', 'https://play.example.org'],
    ['HTTPS://Play.Example.org:443/', 'https://play.example.org'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:5173'],
    ['capacitor://localhost', 'capacitor://localhost'],
  ])('%s is normalised as browsers send it: %s', (text, origin) => {
    expect(origins(text, ['before'])).toEqual(['before', origin]);
  });

  test.each([
    'play.example.org',
    'https://play.example.org/game',
    'https://',
    '',
    'null',
    'https://a b',
    'ftp://play.example.org',
    'ws://play.example.org',
    'wss://play.example.org:8443',
  ])('is not %j, which no browser would name', (text) => {
    expect(() => origins(text)).toThrow('Expected');
  });
});

test.each(['ws://0.0.0.0:8080', 'wss://0.0.0.0/play', 'ws://[::]:8080'])('clients cannot connect to %s', (text) => {
  expect(() => webSocketUrl(text)).toThrow('Others cannot connect to');
  expect(webSocketUrl('wss://play.example.org/play')).toBe('wss://play.example.org/play');
});

describe('a host name of the server', () => {
  test.each([
    ['Play.Example.org', 'play.example.org'],
    ['spiel.größe.example', 'spiel.xn--gre-6ka8i.example'],
    ['*', '*'],
  ])('%s is normalised as browsers send it: %s', (text, name) => {
    expect(hostNames(text, ['before'])).toEqual(['before', name]);
  });

  test.each(['https://play.example.org', 'play.example.org:8080', '', 'a b'])('is not %j', (text) => {
    expect(() => hostNames(text)).toThrow('Expected a host name');
  });
});

describe('a host that scripts may call', () => {
  test.each([
    ['API.example.org', 'api.example.org'],
    ['api.example.org:8443', 'api.example.org:8443'],
    ['[2001:db8::1]:80', '[2001:db8::1]:80'],
  ])('%s is normalised to %s', (text, host) => {
    expect(hosts(text)).toEqual([host]);
  });

  test.each(['https://api.example.org', 'api.example.org/path', 'api.example.org:x', '', '*:1:2'])(
    'is not %j, which would never be matched',
    (text) => {
      expect(() => hosts(text)).toThrow('Expected a host');
    },
  );
});
