import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import type { Dictionary } from '../../engine/core/index.ts';
import { escapeHtml } from '../text/index.ts';

/**
 * Serves the page of the original browser client from the operator's checkout. The page's template is rendered with a
 * few changes, so that it works without CDNs and on any host and port (reference: client-protocol#page).
 */

/** The files that the template loads from CDNs, and the npm packages that contain them. */
const libraries = [
  lib(/\/jquery@[\d.]+\/dist\/jquery\.min\.js/, 'jquery', '3.6.0', 'dist/jquery.min.js'),
  lib(/\/jqueryui\/[\d.]+\/jquery-ui\.min\.js/, 'jquery-ui-dist', '1.12.1', 'jquery-ui.min.js'),
  lib(/jquery\.contextMenu\.min\.css/, 'jquery-contextmenu', '2.9.2', 'dist/jquery.contextMenu.min.css'),
  lib(/jquery\.contextMenu\.min\.js/, 'jquery-contextmenu', '2.9.2', 'dist/jquery.contextMenu.min.js'),
  lib(/jquery\.ui\.position\.min\.js/, 'jquery-contextmenu', '2.9.2', 'dist/jquery.ui.position.min.js'),
  lib(/\/popper\.js\/[\d.]+\/umd\/popper\.min\.js/, 'popper.js', '1.14.0', 'dist/umd/popper.min.js'),
  lib(/bootstrap\/4[\d.]+\/css\/bootstrap\.min\.css/, 'bootstrap', '4.1.3', 'dist/css/bootstrap.min.css'),
  lib(/bootstrap\/4[\d.]+\/js\/bootstrap\.min\.js/, 'bootstrap', '4.1.3', 'dist/js/bootstrap.min.js'),
  lib(/\/lz-string@[\d.]+\//, 'lz-string', '1.4.4', 'libs/lz-string.min.js'),
  lib(/\/lodash@[\d.]+\//, 'lodash', '4.17.21', 'lodash.min.js'),
  lib(/sweetalert2(?:\.min)?\.js/, 'sweetalert2', '11.4.0', 'dist/sweetalert2.min.js'),
  lib(/\/axios\//, 'axios', '1', 'dist/axios.min.js'),
  lib(/\/nipplejs@[\d.]+\//, 'nipplejs', '0.10.1', 'dist/nipplejs.js'),
  lib(/dompurify\/[\d.]+\//, 'dompurify', '3.4.18', 'dist/purify.min.js'),
  lib(/handlebars\.js\/[\d.]+\//, 'handlebars', '4.7.7', 'dist/handlebars.min.js'),
];

/** `address` matches the file's URL in the template. */
function lib(address: RegExp, name: string, version: string, file: string) {
  return { address, name, version, file };
}

const types: Dictionary<string> = {
  // The page declares no charset, and one of the scripts must be read as UTF-8.
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.cur': 'image/x-icon',
  '.ico': 'image/x-icon',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.glb': 'model/gltf-binary',
  '.wasm': 'application/wasm',
};

/** The path under which the libraries are served. */
const librariesPath = '/libraries';
/** The paths of all files of the page: three folders of the checkout, and the libraries. */
export const clientPaths: readonly string[] = ['/engine', '/src', '/assets', librariesPath];

/** The content security policy of the page: only pictures, sounds and connections to other sites are allowed. */
export const pagePolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  'img-src * data: blob:',
  'media-src * data: blob:',
  // The client loads pictures with `fetch`, from any host.
  'connect-src * ws: wss: data: blob:',
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  // Forms in the HTML of games cannot be submitted.
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

export class ClientPages {
  private readonly template: string;

  /** Opens a checkout. Rejects if the folder has no client, or lacks files that its page needs. */
  static async open(folder: string): Promise<ClientPages> {
    const root = resolve(folder);
    const template = await includeAll(join(root, 'src'), 'index.ejs');
    demandBuilt(root);
    return new ClientPages(root, template, findPackages(root));
  }

  private constructor(
    private readonly folder: string,
    template: string,
    /** The folders of npm packages, by name. */
    private readonly packages: ReadonlyMap<string, string>,
  ) {
    this.template = withLocalLibraries(withoutConditionalParts(template));
  }

  /**
   * The page of a game. Each page gets a ticket of its own, by which the server recognizes its player after a
   * reconnection; a browser tab keeps the ticket of its first page.
   */
  page(slug: string, title: string): string {
    const values: Dictionary<string> = {
      token: '',
      guestUserToken: randomBytes(24).toString('hex'),
      gameId: slug,
      gameSlug: slug,
    };
    const page = this.template.replace(/<%[=-]\s*(\w+)\s*-?%>/g, (_, name: string) => values[name] ?? '');
    return page
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
      .replace(/<head[^>]*>/, (head) => `${head}\n<meta charset="utf-8">\n${pageStyle}\n<script>${beforeAll}</script>`)
      .replace(
        /<body[^>]*>/,
        (body) => `${body}\n${serverList(slug)}\n${missingParts(page)}\n<script>${beforeClient}</script>`,
      )
      .replace(/window\.isStandalone\s*=\s*true/, 'window.isStandalone = false');
  }

  /** A file of the checkout or of a library; undefined if it does not exist or must not be served. */
  async file(path: string) {
    const found = this.pathOf(path);
    const type = types[extname(path).toLowerCase()];
    if (found === undefined || type === undefined) return undefined;
    const { isFile, bytes } = await stat(found).then(
      (about) => ({ isFile: about.isFile(), bytes: about.size }),
      () => ({ isFile: false, bytes: 0 }),
    );
    return isFile ? { type, bytes, read: () => createReadStream(found) } : undefined;
  }

  private pathOf(path: string) {
    const parts = path.split('/').filter((part) => part !== '');
    // Parent folders and hidden files are not served.
    if (parts.some((part) => part.startsWith('.') || part.includes('\\') || part.includes('\0'))) return undefined;
    const [first, ...rest] = parts;
    if (`/${first}` === librariesPath) {
      const used = libraries.find(({ name, file }) => `${name}/${file}` === rest.join('/'));
      return used && join(this.packages.get(used.name)!, used.file);
    }
    if (!clientPaths.includes(`/${first}`)) return undefined;
    const found = resolve(this.folder, ...parts);
    return found.startsWith(this.folder + sep) ? found : undefined;
  }
}

/** Reads a template and expands its includes. */
async function includeAll(folder: string, name: string) {
  const path = join(folder, name.endsWith('.ejs') ? name : `${name}.ejs`);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(
      `${path}: this template of the client is missing. The folder must be a checkout of https://github.com/moddio/moddio2, prepared as docs/existing-clients.md says.`,
    );
  });
  const parts = text.split(/<%-\s*include\(\s*['"]([\w./-]+)['"]\s*\)\s*;?\s*-?%>/);
  const whole: string[] = [];
  for (const [i, part] of parts.entries()) whole.push(i % 2 === 0 ? part : await includeAll(folder, part));
  return whole.join('');
}

/** Checks that the client has been compiled. */
function demandBuilt(root: string) {
  for (const path of ['engine/loader.js', 'src/ClientConfig.js', 'src/renderer/phaser/PhaserRenderer.js']) {
    if (!existsSync(join(root, path))) throw new Error(`${root} has no ${path}. Run "npm ci" and "npm run tsc" there.`);
  }
}

function findPackages(root: string) {
  const found = new Map<string, string>();
  const missing = new Set<string>();
  for (const { name, version, file } of libraries) {
    for (const folder of [join(root, 'libraries/node_modules', name), join(root, 'node_modules', name)]) {
      if (!found.has(name) && existsSync(join(folder, file))) found.set(name, folder);
    }
    if (!found.has(name)) missing.add(`${name}@${version}`);
  }
  if (missing.size === 0) return found;
  const command = `npm install --legacy-peer-deps --prefix ${join(root, 'libraries')} ${[...missing].join(' ')}`;
  throw new Error(`${root} lacks libraries that its page needs. Run: ${command}`);
}

/** Replaces scripts and styles of other sites with those from npm packages, and removes all remaining ones. */
function withLocalLibraries(template: string) {
  const local = (address: string) => {
    const found = libraries.find((library) => library.address.test(address));
    return found && `${librariesPath}/${found.name}/${found.file}`;
  };
  return template
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<script\b[^>]*\bsrc="(https?:\/\/[^"]+)"[^>]*>\s*<\/script>/g, (_, address: string) => {
      const path = local(address);
      return path === undefined ? '' : `<script src="${path}"></script>`;
    })
    .replace(/<link\b[^>]*\bhref="(https?:\/\/[^"]+)"[^>]*>/g, (_, address: string) => {
      const path = local(address);
      return path === undefined ? '' : `<link rel="stylesheet" href="${path}">`;
    });
}

/** Removes the conditional blocks (`<% if … %>`), which are for features of the original site, such as video chat. */
function withoutConditionalParts(template: string) {
  return template.replace(/<%\s*if\b[^%]*%>[\s\S]*?<%\s*\}\s*%>/g, '');
}

function serverList(slug: string) {
  const about = 'data-name="local.1" player-count="0" max-players="32" owner="" data-ws-port="0"';
  return `<select id="server-list" style="display:none"><option value="${slug}" ${about}></option></select>`;
}

/**
 * The page puts the leaderboard above the map, because the client does so only in its standalone mode, which is not
 * used here.
 */
const pageStyle = '<style>#leaderboard { z-index: 1 }</style>';

/**
 * The client tries to reconnect only once, half a second after it has lost its server. A restart takes longer, on a
 * busy machine more than a minute, and players keep their seats for `--grace` seconds after it. So the page retries for
 * much longer than any restart takes.
 */
const retriesMs = 600_000;
const retryEveryMs = 500;

/** The notice that is shown while the page retries. */
const retryNotice = 'Connection lost. Reconnecting \u2026';
const retryNoticeStyle =
  'position:fixed;top:0;left:0;right:0;z-index:99999;padding:6px;text-align:center;font:16px sans-serif;color:#fff;background:#b3261e';

/**
 * Runs before the client is loaded, and defines what the client expects from its page. Retries the client's
 * reconnections until the server is available, and shows the player a notice in the meantime.
 */
const beforeAll = `
window.WebSocket = new Proxy(window.WebSocket, {
  construct(Socket, args) {
    if (![args[1]].flat().includes('reconnect')) return new Socket(...args);
    const endMs = Date.now() + ${retriesMs};
    let socket;
    const notice = document.createElement('div');
    notice.id = 'reconnecting';
    notice.setAttribute('role', 'status');
    notice.style.cssText = '${retryNoticeStyle}';
    notice.textContent = '${retryNotice}';
    document.body.append(notice);
    const shown = {
      get readyState() { return socket.readyState; },
      send: (data) => socket.send(data),
      close: (...how) => socket.close(...how),
    };
    const open = () => {
      let isFinal = false;
      socket = new Socket(...args);
      socket.onopen = (event) => { isFinal = true; notice.remove(); shown.onopen?.(event); };
      socket.onmessage = (event) => shown.onmessage?.(event);
      socket.onerror = (event) => { isFinal ||= Date.now() >= endMs; if (isFinal) shown.onerror?.(event); };
      socket.onclose = (event) => { if (isFinal) { notice.remove(); shown.onclose?.(event); } else setTimeout(open, ${retryEveryMs}); };
    };
    open();
    return shown;
  },
});
window.noAds = true;
window.sanitizeString = (text) => window.DOMPurify === undefined ? '' : DOMPurify.sanitize(String(text ?? ''));
`;
/**
 * An unsigned token with an empty payload. When a client gives up reconnecting, it first parses its token, and fails if
 * there is no payload.
 */
const noToken = '.e30.';

/**
 * Makes the client connect to the host and port of its page. The account's token is a parameter of the page's URL. A
 * reloaded page gets its ticket from the tab's storage, which not every browser allows.
 */
const beforeClient = `
try { guestUserToken = sessionStorage.reenactTicket ??= guestUserToken; } catch {}
BASE_URL = window.location.origin;
gsAuthToken = encodeURIComponent(new URLSearchParams(window.location.search).get('token') || '${noToken}');
document.querySelector('#server-list option').setAttribute('data-url', window.location.origin.replace(/^http/, 'ws'));
document.addEventListener('DOMContentLoaded', () => {
  if (window.defaultUI) defaultUI.dialogueview ??= defaultUI.defaultDialogueTemplate;
});
`;

/** Elements that the client uses but that its public page lacks (reference: client-protocol#page). */
const parts: Dictionary<string> = {
  'player-input-modal': clientWindow(
    'player-input-modal',
    `<div class="modal-body">
<button type="button" class="close" id="player-input-modal-dismiss-button" data-dismiss="modal" aria-label="Close">&times;</button>
<label id="player-input-field-label" for="player-input-field"></label>
<input id="player-input-field" class="form-control" autocomplete="off">
</div>
<div class="modal-footer">
<span id="player-input-cancel-container"><button type="button" class="btn btn-light" id="player-input-cancel">Cancel</button></span>
<button type="button" class="btn btn-success" id="player-input-submit">OK</button>
</div>`,
  ),
  'custom-modal': clientWindow(
    'custom-modal',
    `<div class="modal-header"><h5 class="modal-title"></h5>
<button type="button" class="close" id="custom-modal-dismiss-button" data-dismiss="modal" aria-label="Close">&times;</button>
</div>
<div class="modal-body content"></div>
<div class="modal-footer" id="custom-modal-cancel-container">
<button type="button" class="btn btn-light" id="custom-modal-cancel" data-dismiss="modal">Close</button>
</div>`,
  ),
  // This window is for selling skins, which are not sold here; but without the element, the game's own shops do not
  // work.
  'modd-shop-modal': clientWindow('modd-shop-modal', ''),
  // The container of the virtual joysticks on phones.
  'default-ingame-ui-container': '<div id="default-ingame-ui-container"></div>',
};

function clientWindow(id: string, content: string) {
  return `<div class="modal" id="${id}" tabindex="-1"><div class="modal-dialog modal-dialog-centered w-100">
<div class="modal-content">${content}</div></div></div>`;
}

function missingParts(page: string) {
  return Object.entries(parts)
    .flatMap(([id, html]) => (new RegExp(`\\bid=["']${id}["']`).test(page) ? [] : [html]))
    .join('\n');
}
