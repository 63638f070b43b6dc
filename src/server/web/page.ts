import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const scriptPath = '/viewer.js';

/** The page runs its own script and speaks to its own server, and nothing else: no image, frame, form or style comes from anywhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>Reenact</title></head>
<body><div id="app"></div><script src="${scriptPath}"></script></body></html>
`;

/** The page on which rooms are watched and played, at `/`, with its script. */
export function addPage(app: FastifyInstance, script: string): void {
  const gzip = gzipSync(script, { level: 9 });
  const etag = `"${createHash('sha256').update(script).digest('hex').slice(0, 32)}"`;
  const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
  app.get('/', (_request, reply) =>
    reply
      .headers({ ...headers, 'content-security-policy': policy, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(html),
  );
  app.get(scriptPath, (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ ...headers, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    reply.type('text/javascript; charset=utf-8');
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(script);
    return reply.header('content-encoding', 'gzip').send(gzip);
  });
}
