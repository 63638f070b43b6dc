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
    'Each join, watch and resume is checked by account and by network; the network is that of the address that the proxy reports.',
    'server/community',
  ],
  'The code of a private room is guessed': [
    'Codes have 40 bits; wrong codes count towards a limit of the IP address. The id of a private room does not open it.',
    'server/private-rooms',
  ],
  'A reserved seat is forged, used twice, late, or by somebody else': [
    'Tokens are signed for this purpose only, expire, name their account, and work once.',
    'server/private-rooms',
  ],
  'A remembered or copied resume token is used with another account, or long after': [
    'An account token that is sent with a resume token must be valid and belong to the same account. A resume token becomes invalid when its client has received a newer one, even after a crash.',
    'server/sessions',
    'server/recovery',
  ],
  'Players fill the server with rooms of invented properties': [
    'Players can only ask for properties that the operator has given a room.',
    'server/private-rooms',
  ],
  'A client pretends to be another process, to act for other players': [
    'Processes sign what they forward; forged tokens count towards limits of the IP address.',
    'server/limits',
  ],
  'Somebody with access to Redis lists a process that receives players, tokens or requests': [
    'Processes sign what they publish; a process without a valid signature gets nothing. Tokens of administrators are never forwarded: a signed token names the administrator, for one request.',
    'cluster/forwarding',
  ],
  'Reports flood the operator, or forge lines': [
    'Reports are plain text, are limited by IP address, IPv6 /48 and room, and are stored as separate records: at most 500, with at most 256 MB of recordings.',
    'server/community',
  ],
  'A flood of reports displaces a real one': [
    'If there are too many reports, the oldest report from the IPv4 address or IPv6 /48 with the most reports is deleted.',
    'server/community',
  ],
  'Chat or names are blank, or cover what others wrote': [
    'Invisible characters and stacked marks are refused in chat, and removed from names.',
    'server/chat',
  ],
  'A failing or slow chat filter lets messages through, or blocks others': [
    'Messages that the filter has not checked are refused. Only later inputs of the same connection wait for the filter, for two seconds at most, and only a limited number of them.',
    'server/chat',
  ],
  'A game fills the memory of its thread, or its state takes long to store': [
    "The size of a room's state and the time of a tick are limited. If a thread still runs out of memory, only the room whose tick was running ends.",
    'server/threads',
  ],
  'HTML of a game runs code': ['Texts are sanitised by an allow list.', 'html/html'],
  'Styles of a game load from elsewhere': ['Styles load files only from hosts of `--style-host`.', 'html/html'],
  'Styles of a game cover or change the page of the server': [
    'Texts of the game are in a shadow root, inside an element that confines positioned content.',
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
    'HTML with more than 1000 open elements becomes plain text; otherwise, the time is linear in the length and counts as work.',
    'html/html',
  ],
  'Chat is interpreted as HTML': ['Chat is always shown as text.', 'viewer/live'],
  'A kick message carries HTML': [
    'The message is sanitised for clients that show HTML, and is plain text for others.',
    'modd-client/existing-clients',
  ],
  'Names contain terminal escape sequences': ['Control characters are escaped.', 'text/page'],
  'Prototype pollution by keys of a document': [
    '`__proto__`, `constructor` and `prototype` are refused as keys, however they are spelled.',
    'core/json-guard',
  ],
  'Prototype pollution by scripts': [
    'In scripts, `__proto__`, `constructor` and `prototype` are ordinary names; the prototypes of JavaScript are compared after each fuzzed game.',
    'fuzz/fuzz',
    'script/values/object',
    'script/actions/cases/variable.ts',
  ],
  'Slow regular expressions (ReDoS)': [
    'A pattern that may backtrack is a fault. The time of other patterns counts as work of the script.',
    'script/values/text',
    'script/work',
  ],
  'Path traversal by names of accounts or games': ['File names are hashes.', 'store/persistence-service'],
  'A file in the store belongs to somebody else': [
    'Each file names its owner; a file that names another owner is refused.',
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
  'A weak secret': ['The server does not start with a secret that is too short.', 'server/sessions'],
  'Other users of the machine read secrets or data': [
    'The server refuses secret files that other users can read; folders that the server creates are private.',
    'server/secrets',
  ],
  "Guessing administrators' routes": [
    'The routes need a token of an administrator, and exist only if the operator has set such tokens.',
    'server/hostile-requests',
    'server/http',
  ],
  "Players or watchers see a room's scripts, hidden variables or addresses": [
    'Only a route for administrators returns these; they are never sent over sockets. Clients do receive scripts that only move a unit, and the names of scripts that keys start.',
    'server/hostile-requests',
    'net/protocol/privacy',
  ],
  'Replayed inputs': [
    'Each input has a sequence number. An input whose number was already used is refused, even after a crash.',
    'server/play',
    'server/recovery',
  ],
  'Oversized messages': [
    'Messages above the limit of their kind are not decoded; a message above the limits of all kinds ends the connection.',
    'server/limits',
  ],
  'Malformed bytes': ['Messages with malformed bytes are refused with a code.', 'server/limits'],
  'Request smuggling, path traversal, other protocols': [
    "Such requests are refused, and their connection ends. Only the client's folder is served from files.",
    'server/hostile-requests',
    'modd-client/client-page',
  ],
  'Decompression bombs in messages or bodies': [
    'Messages are measured while inflating; bodies are not inflated.',
    'server/hostile-requests',
  ],
  'A flood from one connection or many': [
    'There are limits per connection and IP address, which include control frames and fragments. Messages of the busiest connections are dropped first.',
    'server/limits',
  ],
  'Seats blocked by lost connections': [
    'Such seats count towards the limit of their IP address; guests that cannot resume keep no seat.',
    'modd-client/existing-clients',
    'server/limits',
  ],
  'Clients that never read or answer fill the rooms': [
    'After ten seconds without an acknowledgement, players and watchers lose their places to new ones.',
    'server/silent-clients',
  ],
  'Many, slow or half-open connections': [
    'Connections are counted by IP address (IPv6: by network), and have time limits to connect, join and respond.',
    'server/limits',
    'server/play',
    'simulation/regressions',
  ],
  'A forged address header': ['The header is read only with `--trust-proxy`.', 'server/limits'],
  'Deeply nested documents or messages': [
    'Depth is checked before parsing. A message that cannot be sent to a thread fails only its room.',
    'core/json-guard',
    'net/protocol/messages',
    'server/threads',
  ],
  'A gzip bomb as document': ['Inflating stops at the limit.', 'load/load-file'],
  'Scripts that never end': [
    'Every kind of work has a budget. A script that exceeds a budget stops, with a fault at its source location.',
    'script/limits',
  ],
  'Thousands of bodies on one spot': [
    'Physics processes a limited number of pairs in a tick (`limit-pairs`), and the others in later ticks.',
    'physics/pair-limit',
  ],
  "Another site's page opens a socket as the visitor": ['Its origin is refused.', 'server/play', 'server/http'],
  'DNS rebinding': [
    'The `Host` header is checked (`host-not-allowed`) on loopback, and wherever `--host-name` is set.',
    'server/hosts',
  ],
  'Secrets in the definition sent to clients': ['Only what clients need is included.', 'server/http'],
  'A modified client moves further or shoots more often than the game allows': [
    'The server accepts only inputs from clients, never positions.',
    'server/cheating',
  ],
  'State that a player may not see': [
    'Frames contain only what the player may see.',
    'net/protocol/privacy',
    'server/cheating',
  ],
  'Names and addresses of players in logs': [
    'Names and addresses are not logged; other texts cannot forge log lines.',
    'server/hostile-requests',
    'server/http',
  ],
  'Tokens and secrets in logs and in the journal': [
    'Tokens and secrets are never written to logs or to the journal.',
    'server/secrets',
    'store/persistence-service',
  ],
} as const satisfies Readonly<Record<string, readonly [answer: string, ...tests: string[]]>>;
export type Threat = keyof typeof threats;
