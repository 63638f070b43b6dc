import type { Dictionary } from '../../engine/core/index.ts';

/*
 * The elements and attributes that the HTML of games may use: those that DOMPurify allows, as on servers of the
 * original engine. Everything that sends data, loads documents or shadows a property of the document is excluded:
 * `action`, `use`, `feImage`, `foreignObject`, and the `name` of images and forms.
 */

const words = (text: string) => text.trim().split(/\s+/);

const html = words(`
  a abbr acronym address area article aside audio b bdi bdo big blink blockquote br button caption center cite code col colgroup data datalist dd del
  details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend
  li main map mark marquee menu meter nav nobr ol optgroup option output p picture pre progress q rp rt ruby s samp section select small source span
  strike strong sub summary sup table tbody td tfoot th thead time tr track tt u ul var video wbr`);
const svg = words(`
  svg animatemotion animatetransform circle clippath defs desc ellipse filter g image line lineargradient marker mask metadata mpath path pattern
  polygon polyline radialgradient rect stop switch symbol text textpath title tspan view
  feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood
  fefunca fefuncb fefuncg fefuncr fegaussianblur femerge femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile
  feturbulence`);
const math = words(`
  math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup
  mtable mtd mtext mtr munder munderover`);

export const allowedTags: readonly string[] = [...html, ...svg, ...math];

const htmlAttributes = words(`
  accept align alt autocapitalize autocomplete autoplay bgcolor border cellpadding cellspacing checked cite class clear color cols colspan controls
  coords datetime decoding default dir disabled draggable enterkeyhint face for headers height hidden high href hreflang id inputmode ismap kind label
  lang list loading loop low max maxlength media min minlength multiple muted noshade nowrap open optimum pattern placeholder playsinline poster
  preload radiogroup readonly required rev reversed role rows rowspan scope selected shape size sizes span spellcheck src srclang srcset start
  step style summary tabindex title translate type usemap valign value width xmlns data-* aria-*`);
/**
 * SVG attributes whose values are CSS, so they are sanitised like `style`. They may refer to a fragment of the same
 * page, such as `url(#gradient)`.
 */
const painted = words(`
  clip clip-path cursor fill filter flood-color lighting-color marker-end marker-mid marker-start mask stop-color stroke`);
const svgAttributes = words(`
  accumulate additive alignment-baseline attributename attributetype azimuth basefrequency baseline-shift begin bias by calcmode clip-rule
  clippathunits color-interpolation color-interpolation-filters color-rendering cx cy d diffuseconstant direction display divisor dominant-baseline dur
  dx dy edgemode elevation end exponent fill-opacity fill-rule filterunits flood-opacity font-family font-size font-size-adjust font-stretch
  font-style font-variant font-weight from fx fy gradienttransform gradientunits image-rendering in in2 intercept k1 k2 k3 k4 kernelmatrix
  kernelunitlength kerning keypoints keysplines keytimes lengthadjust letter-spacing limitingconeangle markerheight markerunits markerwidth
  maskcontentunits maskunits mode numoctaves offset opacity operator order orient orientation origin overflow paint-order path pathlength
  patterncontentunits patterntransform patternunits points preservealpha preserveaspectratio primitiveunits r radius refx refy repeatcount repeatdur
  restart result rotate rx ry scale seed shape-rendering slope specularconstant specularexponent spreadmethod startoffset stddeviation stitchtiles
  stop-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width surfacescale
  systemlanguage tablevalues targetx targety text-anchor text-decoration text-rendering textlength to transform transform-origin values version
  viewbox visibility word-spacing writing-mode x x1 x2 xchannelselector xlink:href xlink:title xml:space xmlns:xlink y y1 y2 ychannelselector z`);
const mathAttributes = words(`
  accent accentunder close columnalign columnlines columnspacing columnspan denomalign depth displaystyle fence frame linethickness lspace lquote
  mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation numalign open rowalign rowlines rowspacing rowspan rspace rquote
  scriptlevel separator separators stretchy subscriptshift supscriptshift symmetric voffset`);

export const allowedAttributes: Dictionary<string[]> = {
  '*': [...new Set([...htmlAttributes, ...svgAttributes, ...painted, ...mathAttributes])],
  // The attribute `name` is missing for images and forms, where it would shadow a property of the document.
  ...Object.fromEntries(words('button fieldset input map output select').map((tag) => [tag, ['name']])),
  a: ['rel', 'target'],
  area: ['rel', 'target'],
};

/** Attributes whose value is a list of style declarations, or a single style value. */
export const styleAttributes: ReadonlySet<string> = new Set(['style', ...painted]);
/** Attributes whose values are URLs. */
export const addressAttributes: readonly string[] = 'href xlink:href src cite poster'.split(' ');
/** Elements that may use `data:` URLs. */
export const dataTags: readonly string[] = 'audio image img source track video'.split(' ');
