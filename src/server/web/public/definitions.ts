import { needsAccount, needsOwnAddress } from '../../../../engine/tools.ts';
import type { PublicDefinition } from '../../definitions/served.ts';
import type { ApiRequest, Handlers } from '../api.ts';
import { refusal } from '../refusals.ts';
import { takesGzip } from '../requests.ts';
import type { Services } from '../services.ts';

/** The definitions of the games that are served, and those of rooms. */
export function definitionRoutes({
  library,
  moddio,
  styleHosts,
}: Pick<Services, 'library' | 'moddio' | 'styleHosts'>): Handlers {
  return {
    definition(request) {
      const definition = library.get(request.params.slug);
      if (definition === undefined) {
        const message = `There is no definition "${request.params.slug}".`;
        const content = { gameJson: { status: 'error', ...refusal('no-such-definition', message) } };
        return Response.json(content, { status: 404 });
      }
      return definitionAnswer(request, definition.public);
    },
    moddioDefinition:
      moddio &&
      ((request) => {
        // A page may have been given an id that is not the slug of a game of this server. Such a page gets the first
        // game.
        const definition = library.get(request.params.slug) ?? library.all[0]!;
        return definitionAnswer(request, definition.forModdio(moddio, styleHosts));
      }),
    definitions: () => ({
      definitions: library.all.map(({ slug, title, hash, version, game }) => {
        const { cover, gamePlayInstructions: instructions } = game.definition.defaultData;
        const needs = { account: needsAccount(game), ownAddress: needsOwnAddress(game) };
        return { slug, title, hash, version, cover, instructions, needs };
      }),
    }),
  };
}

/** The answer to a request for a definition. */
export function definitionAnswer({ headers }: ApiRequest, { etag, json, gzip }: PublicDefinition): Response {
  const known = { etag, 'cache-control': 'no-cache', vary: 'accept-encoding, origin' };
  if (hasTag(headers['if-none-match'], etag)) return new Response(null, { status: 304, headers: known });
  const coding = takesGzip({ headers }) ? { 'content-encoding': 'gzip' } : undefined;
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return new Response(coding === undefined ? json : gzip, { headers: { ...known, ...type, ...coding } });
}

function hasTag(header: string | undefined, etag: string) {
  return (header ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
