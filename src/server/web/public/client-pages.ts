import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ClientPages, clientPaths, pagePolicy } from '../../../modd-client/index.ts';
import { found } from '../refusals.ts';
import type { HttpOptions } from '../services.ts';

/** Adds the pages of the original client, with their files. */
export function addClientPages(
  app: FastifyInstance,
  client: ClientPages,
  { library, viewer }: Pick<HttpOptions, 'library' | 'viewer'>,
) {
  const page = (request: FastifyRequest<{ Params: { slug?: string } }>, reply: FastifyReply) => {
    const { slug } = request.params;
    const definition = found(slug === undefined ? library.all[0] : library.get(slug), 'no-such-definition');
    reply.header('content-security-policy', pagePolicy).header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff').type('text/html; charset=utf-8');
    return reply.send(client.page(definition.slug, definition.title));
  };
  if (viewer === undefined) app.get('/', page);
  app.get('/play', page);
  app.get('/play/:slug', page);
  for (const path of clientPaths) {
    app.get(`${path}/*`, async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
      const file = found(await client.file(`${path}/${request.params['*']}`), 'not-found');
      reply.header('content-length', file.bytes).header('x-content-type-options', 'nosniff').type(file.type);
      return reply.send(file.read());
    });
  }
}
