import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Dictionary } from '../../../engine/core/index.ts';
import type { StyleHosts } from '../../html/index.ts';
import { digest, ownPackage } from '../../machine/index.ts';
import { takesGzip } from './requests.ts';

/** The built scripts of the viewer pages. */
export interface ViewerScripts {
  /**
   * The page on which rooms are watched and played, by file name: its entry `live.js`, and the scripts that the entry
   * loads later.
   */
  readonly live: Dictionary<string>;
  /** The operator's page, which inspects one room. */
  readonly insight: string;
  /** The page of administrators. */
  readonly admin: string;
  /** The page that shows a journal. */
  readonly journal: string;
  /** Whether pages load the pictures and sounds that definitions refer to, from any host. Default false. */
  readonly images?: boolean | undefined;
}

/** The built scripts; undefined if nothing was built. */
export function viewerScripts(): ViewerScripts | undefined {
  // When running from source, the server is a folder of the checkout.
  const folder = ownPackage('@reenact/server')?.folder ?? join(ownPackage()?.folder ?? '', 'src/server');
  const built = join(folder, 'dist/viewer');
  const names = existsSync(built) ? readdirSync(built).filter((name) => name.endsWith('.js')) : [];
  const scripts = Object.fromEntries(names.map((name) => [name, readFileSync(join(built, name), 'utf8')]));
  const { 'insight.js': insight, 'admin.js': admin, 'page.js': journal, ...live } = scripts;
  const isBuilt = insight !== undefined && admin !== undefined && journal !== undefined && 'live.js' in live;
  return isBuilt ? { live, insight, admin, journal } : undefined;
}

/**
 * The content security policy. The page may only run its own script and connect to its own server; frames, forms and
 * external style sheets are forbidden. Pictures and sounds are loaded as the operator allows: everything that
 * definitions refer to (`images`), and pictures in games' styles from certain hosts.
 */
const policy = (images: boolean, hosts: StyleHosts) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `connect-src 'self' data:${images ? ' https: http:' : ''}`,
    `img-src ${["'self'", 'data:', ...(images || hosts === 'any' ? ['https:', 'http:'] : hosts)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const html = (script: string, images: boolean) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>Reenact</title></head>
<body><div id="app"${images ? ' data-images="yes"' : ''}><main class="lobby">Loading… If this message stays, JavaScript is disabled or the browser is too old.</main></div><script type="module" src="${script}"></script></body></html>
`;

/** The page for browsers that request a path that does not exist. */
const missing = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>Not found · Reenact</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:15vh auto;padding:0 1rem}</style></head>
<body><main><h1>There is nothing at this path</h1><p>The address may have a typing mistake, or the room may be gone.</p><p><a href="/">See the games of this server</a></p></main></body></html>
`;

/** Answers a browser that requests a path that does not exist. */
export function sendMissingPage(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers({ ...headers, 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" })
    .type('text/html; charset=utf-8')
    .send(missing);
}

/**
 * The files that a host of static files needs to serve the pages, besides their scripts: the pages, and their HTTP
 * headers.
 */
export function pageFiles(): Dictionary<string> {
  const all = { ...headers, 'content-security-policy': policy(false, []) };
  return {
    'index.html': html('/live.js', false),
    'insight.html': html('/insight.js', false),
    'admin.html': html('/admin.js', false),
    _headers: ['/*', ...Object.entries(all).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n'),
  };
}

/** Adds the page on which rooms are watched and played, at `/`, with its scripts. */
export function addPage(app: FastifyInstance, { live, images }: ViewerScripts, styleHosts: StyleHosts = []) {
  addHtml(app, '/', '/live.js', images, styleHosts);
  // The name of a script that the page loads later contains a hash of its content, so that a page that is open during
  // an upgrade does not mix two builds.
  for (const [name, script] of Object.entries(live)) addScript(app, `/${name}`, script);
}

/**
 * Adds the page on which an operator inspects a room, at `/insight`, and the page of administrators, at `/admin`. The
 * pages themselves are public; they request all data with a token.
 */
export function addAdminPages(app: FastifyInstance, { insight, admin, images }: ViewerScripts) {
  for (const [name, script] of Object.entries({ insight, admin })) {
    addHtml(app, `/${name}`, `/${name}.js`, images);
    addScript(app, `/${name}.js`, script);
  }
}

const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache' };

function addHtml(app: FastifyInstance, path: string, script: string, images = false, hosts: StyleHosts = []) {
  const page = html(script, images);
  const all = { ...headers, 'content-security-policy': policy(images, hosts) };
  app.get(path, (_request, reply) => reply.headers(all).type('text/html; charset=utf-8').send(page));
}

function addScript(app: FastifyInstance, path: string, script: string) {
  const gzip = gzipSync(script, { level: 9 });
  const etag = `"${digest(script, 32)}"`;
  app.get(path, (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ ...headers, etag, vary: 'accept-encoding' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    reply.type('text/javascript; charset=utf-8');
    if (!takesGzip(request.raw)) return reply.send(script);
    return reply.header('content-encoding', 'gzip').send(gzip);
  });
}
