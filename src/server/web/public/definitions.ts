import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublicDefinition } from '../../definitions/served.ts';
import type { Handlers } from '../api.ts';
import { refusal } from '../refusals.ts';
import { takesGzip } from '../requests.ts';
import type { Services } from '../services.ts';

/** The definitions of the games that are served, and those of rooms. */
export function definitionRoutes({ library, moddio, styleHosts }: Services): Handlers {
  return {
    definition(request, reply) {
      const definition = library.get(request.params.slug);
      if (definition === undefined) {
        const message = `There is no definition "${request.params.slug}".`;
        return reply.code(404).send({ gameJson: { status: 'error', ...refusal('no-such-definition', message) } });
      }
      return sendDefinition(request, reply, definition.public);
    },
    moddioDefinition:
      moddio &&
      ((request, reply) => {
        // Pages use the id of the game that they were given, which may not be a game of this server; they get the first
        // one then.
        const definition = library.get(request.params.slug) ?? library.all[0]!;
        return sendDefinition(request, reply, definition.forModdio(moddio, styleHosts));
      }),
    definitions: () => ({
      definitions: library.all.map(({ slug, title, hash, version, game }) => {
        const { cover, gamePlayInstructions: instructions } = game.definition.defaultData;
        return { slug, title, hash, version, cover, instructions };
      }),
    }),
  };
}

export function sendDefinition(request: FastifyRequest, reply: FastifyReply, { etag, json, gzip }: PublicDefinition) {
  reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding, origin');
  if (hasTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type('application/json; charset=utf-8');
  if (!takesGzip(request.raw)) return reply.send(json);
  return reply.header('content-encoding', 'gzip').send(gzip);
}

function hasTag(header: string | undefined, etag: string): boolean {
  return (header ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
