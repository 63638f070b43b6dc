/**
 * The threats that docs/security.md lists, each with its answer and the files whose tests show it (`html/html` is
 * test/html/html.test.ts). `npm run hostile` runs those of servers.
 */
export const threats = {
  'A token of an administrator is guessed, or used beyond its scopes': [
    'Tokens have at least 16 characters and are compared in constant time; an address may send 30 requests a second; each route names its scopes.',
    'server/community',
  ],
  "Another site's page acts as an administrator (CSRF)": [
    'Tokens are sent in a header, never in a cookie, and bodies must be JSON.',
    'server/community',
  ],
  'A banned or muted player returns by another process, name, connection or resume token': [
    'Each join, watch and resume is checked by account and by network, as the proxy names it.',
    'server/community',
  ],
  'The code of a private room is guessed': [
    'Codes have 40 bits; wrong ones use up a limit of the address. Ids open nothing.',
    'server/private-rooms',
  ],
  'A reserved seat is forged, used twice, late, or by somebody else': [
    'Tokens are signed for this purpose, end, name their account, and work once.',
    'server/private-rooms',
  ],
  'A remembered or copied resume token is used with another account, or long after': [
    'A token of an account sent with it must be valid and of the same account. It ends when its client has received a newer one, also after a crash.',
    'server/sessions',
    'server/recovery',
  ],
  'Players fill the server with rooms of invented properties': [
    'Only properties that the operator has given a room can be asked for.',
    'server/private-rooms',
  ],
  'A client pretends to be another process, which speaks for others': [
    'Processes sign what they forward; forged tokens use up limits of the address.',
    'server/limits',
  ],
  'Somebody with access to Redis lists a process that receives players, tokens or requests': [
    'Processes sign what they publish; others get nothing. Tokens of administrators are never forwarded: signed ones name them, each for one request.',
    'cluster/forwarding',
  ],
  'Reports flood the operator, or forge lines': [
    'They are limited by address, IPv6 /48 and room, plain text, and kept one after the other: at most 500, with 256 MB of plays.',
    'server/community',
  ],
  'A flood of reports displaces a real one': [
    'Whoever sent most of the reports that are kept, as an IPv4 address or an IPv6 /48, loses the oldest.',
    'server/community',
  ],
  'Chat or names are blank, or cover what others wrote': [
    'Invisible characters and stacked marks are refused in chat, and removed from names.',
    'server/chat',
  ],
  'A failing or slow chat filter lets messages through, or blocks others': [
    'What it has not checked is refused; only later inputs of the same connection wait, two seconds and a limited number at most.',
    'server/chat',
  ],
  'A game fills the memory of its thread, or its state takes long to store': [
    'Its size and the time of a tick are limited; if a thread still runs out, only the room that was being played ends.',
    'server/threads',
  ],
  'HTML of a game runs code': ['Texts are sanitised by an allow list.', 'html/html'],
  'Styles of a game load from elsewhere': ['Only hosts of `--style-host` are allowed.', 'html/html'],
  'Styles of a game cover or change the page of the server': [
    'Texts are in a shadow root, inside an element that confines positioned content.',
    'viewer/live',
  ],
  "Player input becomes markup in a game's text": [
    '`<`, and quotation marks that could end an attribute, are removed from names, answers, chat and data.',
    'html/html',
  ],
  'A dialogue template inserts a value into a sanitised attribute': [
    "Placeholders in attributes select among the author's words only.",
    'html/html',
  ],
  "The server's page runs or loads foreign content": [
    'Its Content-Security-Policy allows its own files only.',
    'viewer/live',
  ],
  "Sanitising a game's HTML takes too long": [
    'More than 1000 open elements make it plain text; otherwise time is linear and counts as work.',
    'html/html',
  ],
  'Chat is interpreted as HTML': ['It is always text.', 'viewer/live'],
  'A kick message carries HTML': [
    'It is sanitised for clients that show HTML, and text for others.',
    'modd-client/existing-clients',
  ],
  'Names contain terminal escape sequences': ['Control characters are escaped.', 'text/page'],
  'Prototype pollution by keys of a document': [
    '`__proto__`, `constructor` and `prototype` are refused as keys, however they are spelled.',
    'core/json-guard',
  ],
  'The same in scripts': [
    'Such keys are ordinary names; prototypes are compared after each fuzzed game.',
    'fuzz/fuzz',
    'script/values/object',
    'script/actions/cases/variable.ts',
  ],
  'Slow regular expressions (ReDoS)': [
    'Patterns that may backtrack are a fault; others count as work.',
    'script/values/text',
    'script/work',
  ],
  'Path traversal by names of accounts or games': ['File names are hashes.', 'store/persistence-service'],
  'A file in the store belongs to somebody else': [
    'Files name their owner and are refused otherwise.',
    'store/persistence-service',
  ],
  "Scripts request hosts of the operator's network (SSRF)": [
    'Hosts must be allowed; private addresses are refused after name resolution; redirects are not followed.',
    'server/outgoing',
    'server/http',
  ],
  'A token for another purpose, algorithm, server or time': [
    'Algorithm, audience and expiry are required; each kind of token has its own audience.',
    'server/sessions',
  ],
  'A weak secret': ['The server does not start.', 'server/sessions'],
  'Other users of the machine read secrets or data': [
    'The server refuses such secret files; folders it creates are private.',
    'server/secrets',
  ],
  "Guessing administrators' routes": [
    'They need their own token, and do not exist without one.',
    'server/hostile-requests',
    'server/http',
  ],
  "Players or watchers see a room's scripts, hidden variables or addresses": [
    "Only an administrators' route returns them; sockets never carry them. Public are scripts that only move a unit, and the names of those that keys start.",
    'server/hostile-requests',
    'net/protocol/privacy',
  ],
  'Replayed inputs': [
    'Each input has a sequence number; used ones are refused, also after a crash.',
    'server/play',
    'server/recovery',
  ],
  'Oversized messages': [
    'They are not decoded; a message above the limits of all kinds ends the connection.',
    'server/limits',
  ],
  'Malformed bytes': ['They are refused with a code.', 'server/limits'],
  'Request smuggling, path traversal, other protocols': [
    "Refused, and the connection ends. Only the client's folder is served from files.",
    'server/hostile-requests',
    'modd-client/client-page',
  ],
  'Decompression bombs in messages or bodies': [
    'Messages are measured while inflating; bodies are not inflated.',
    'server/hostile-requests',
  ],
  'A flood from one connection or many': [
    'Limits by connection and address, control frames and fragments included; quiet connections are spared.',
    'server/limits',
  ],
  'Seats blocked by lost connections': [
    'They count for their address; guests that cannot resume keep no seat.',
    'modd-client/existing-clients',
    'server/limits',
  ],
  'Clients that never read or answer fill the rooms': [
    'After ten seconds they give their places to newcomers, as players and as watchers.',
    'server/silent-clients',
  ],
  'Many, slow or half-open connections': [
    'Counted by address (IPv6: by network), with time limits to connect, join and answer.',
    'server/limits',
    'server/play',
    'simulation/regressions',
  ],
  'A forged address header': ['It is only read behind a trusted proxy.', 'server/limits'],
  'Deeply nested documents or messages': [
    'Depth is checked before parsing. What cannot be sent to a thread fails only its room.',
    'core/json-guard',
    'net/protocol/messages',
    'server/threads',
  ],
  'A gzip bomb as document': ['Inflating stops at the limit.', 'load/load-file'],
  'Scripts that never end': [
    'Every kind of work has a budget; the script stops with a fault at its place.',
    'script/limits',
  ],
  'Thousands of bodies on one spot': [
    'Physics looks at a limited number of pairs in a tick (`limit-pairs`), and at the others later.',
    'physics/pair-limit',
  ],
  "Another site's page opens a socket as the visitor": ['Its origin is refused.', 'server/play', 'server/http'],
  'DNS rebinding': [
    'The `Host` header is checked (`host-not-allowed`) on loopback, and wherever `--host-name` is set.',
    'server/hosts',
  ],
  'Secrets in the definition sent to clients': ['Only what clients need is included.', 'server/http'],
  'A modified client moves further or shoots more often than the game allows': [
    'The server takes inputs, never positions.',
    'server/cheating',
  ],
  'State that a player may not see': [
    'Frames contain only what the player may see.',
    'net/protocol/privacy',
    'server/cheating',
  ],
  'Names and addresses of players in logs': [
    'They are not logged; other texts cannot forge log lines.',
    'server/hostile-requests',
    'server/http',
  ],
  'Tokens and secrets in logs and in the journal': [
    'They are never written.',
    'server/secrets',
    'store/persistence-service',
  ],
} as const satisfies Readonly<Record<string, readonly [answer: string, ...tests: string[]]>>;
export type Threat = keyof typeof threats;
