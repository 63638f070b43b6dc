import { alteredColor, mapColors } from '../picture/palette.ts';

const variables = (colors: object): string =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';');

const light = `--back:#eef1f5;--card:#fff;--soft:#566070;--line:#d8dde5;--edge:#868f9c;--accent:#1f5fc4;--on-accent:#fff;--bad:#b3263d;--good:#1a7446;
${variables(mapColors.light)}`;
const dark = `--back:#0e1218;--card:#171d25;--soft:#9aa5b5;--line:#2b3440;--edge:#6d7a8c;--accent:#7fb0ff;--on-accent:#0e1218;--bad:#ff8c9b;--good:#5fd096;
${variables(mapColors.dark)}`;

/** `data-theme` overrides the colour scheme of the system. */
const style = `:root{color-scheme:light;${light}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${dark}}}
:root[data-theme=dark]{color-scheme:dark;${dark}}
*{box-sizing:border-box;min-width:0}html{-webkit-text-size-adjust:100%}html,body{height:100%}
body{margin:0;background:var(--back);color:var(--text);font:14px/1.45 system-ui,sans-serif}
#app{height:100%;display:grid;grid-template:auto minmax(0,1fr) auto/minmax(0,1fr) clamp(20rem,30vw,27rem);grid-template-areas:"head head" "stage side" "time side"}
header>button{margin-left:auto}header>button+button{margin-left:0}header{grid-area:head;display:flex;flex-wrap:wrap;align-items:center;gap:.3rem 1rem;padding:.5rem .9rem;background:var(--card);border-bottom:1px solid var(--line)}
h1{font-size:1rem;margin:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.about{color:var(--soft);font-size:.85rem;flex:1 1 8rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.mono,code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}.soft,small{color:var(--soft)}.bad{color:var(--bad)!important}
button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:7px;padding:.25rem .6rem;cursor:pointer;min-height:2rem}
::placeholder{color:var(--soft);opacity:1}a{color:var(--accent)}header>a,.rooms a{color:inherit;text-decoration:none;border:1px solid var(--line);border-radius:7px;padding:.25rem .6rem;line-height:1.5rem}header>a{margin-left:auto}header>a~button{margin-left:0}a:hover,button:hover{border-color:var(--accent)}.operator{margin:1.5rem 0;color:var(--soft)}.operator summary{cursor:pointer}.operator .who{margin:.6rem 0}
button:hover{border-color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
button[aria-pressed=true],button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.search{display:flex;flex-wrap:wrap;gap:.35rem;align-items:center;flex:0 1 30rem}.search input{flex:1 1 9rem;font:13px ui-monospace,Menlo,Consolas,monospace;color:inherit;background:var(--back);border:1px solid var(--line);border-radius:7px;padding:.3rem .6rem;min-height:2rem}
.search output{flex-basis:100%;font-size:.85rem;color:var(--good);white-space:pre-wrap;font-family:ui-monospace,Menlo,Consolas,monospace}.search output:empty{display:none}
.stage{grid-area:stage;display:flex;flex-direction:column;overflow:hidden}.view{position:relative;flex:1;min-height:0;overflow:hidden}.stage canvas{display:block;width:100%;height:100%;touch-action:none;cursor:grab}.stage canvas:active{cursor:grabbing}
.stage canvas:focus-visible{outline-offset:-3px}.tools{position:absolute;right:.6rem;top:.6rem;display:flex;flex-direction:column;gap:.3rem}.tools button{width:2.2rem;padding:.2rem;box-shadow:0 1px 3px #0003}
.legend{flex:none;display:flex;flex-wrap:wrap;gap:.15rem 1rem;max-height:4.2rem;overflow:auto;list-style:none;margin:0;padding:.3rem .9rem;font-size:.82rem;background:var(--card);border-top:1px solid var(--line)}
.legend li{flex:none;display:flex;align-items:center;gap:.35rem;white-space:nowrap}.legend i{flex:none;width:.85rem;height:.85rem;border:1px solid var(--wallEdge);border-radius:2px}.legend i.round{border-radius:50%}.legend i.side{border-width:3px}.legend i.state{border:2px dashed ${alteredColor};outline:1px solid var(--wallEdge)}
.timeline{grid-area:time;background:var(--card);border-top:1px solid var(--line);padding:.5rem .9rem .6rem}
.track{position:relative;padding-bottom:.35rem}.marks{position:relative;height:5px;margin:0 8px}.marks i{position:absolute;width:2px;height:5px;border-radius:1px;background:var(--good)}.marks i.leave{background:var(--bad)}
input[type=range]{width:100%;margin:0;height:1.4rem;appearance:none;background:none;cursor:pointer}
input[type=range]::-webkit-slider-runnable-track{height:6px;border-radius:3px;background:linear-gradient(90deg,var(--accent) var(--share,0%),var(--line) var(--share,0%))}
input[type=range]::-moz-range-track{height:6px;border-radius:3px;background:var(--line)}input[type=range]::-moz-range-progress{height:6px;border-radius:3px;background:var(--accent)}
input[type=range]::-webkit-slider-thumb{appearance:none;width:16px;height:16px;margin-top:-5px;border-radius:50%;background:var(--accent);border:2px solid var(--card)}
input[type=range]::-moz-range-thumb{width:12px;height:12px;border-radius:50%;background:var(--accent);border:2px solid var(--card)}
.controls{display:flex;flex-wrap:wrap;gap:.4rem 1.1rem;align-items:center}.group{display:flex;gap:.25rem;align-items:center}.group button{min-width:2.2rem}.speed{min-width:2.9rem;text-align:center;font-variant-numeric:tabular-nums}
.now{display:flex;flex-wrap:wrap;gap:.1rem 1rem;align-items:baseline;margin-left:auto}.hash{display:flex;flex-wrap:wrap;gap:0 .5rem}.verdict{color:var(--good);font-size:.85rem}
.panels{grid-area:side;display:flex;flex-direction:column;background:var(--card);border-left:1px solid var(--line);overflow:hidden}
.tabs{display:flex;overflow-x:auto;flex:none;border-bottom:1px solid var(--line);padding:.3rem .4rem 0;gap:.1rem}.tabs button{flex:1 0 auto;border:0;border-bottom:3px solid transparent;border-radius:6px 6px 0 0;padding:.3rem .3rem;color:var(--soft);background:none}
.tabs button[aria-selected=true]{color:var(--text);border-bottom-color:var(--accent);font-weight:600}
.body{flex:1;overflow:auto;padding:.6rem .9rem 1.2rem}.body h2{font-size:1.05rem;margin:.1rem 0 .4rem;overflow-wrap:anywhere}.body h3{font-size:.8rem;text-transform:uppercase;letter-spacing:.04em;color:var(--soft);margin:1rem 0 .25rem}
.body h4{margin:.7rem 0 .1rem;font-size:.85rem}.body table{width:100%;border-collapse:collapse}.body th,.body td{text-align:left;vertical-align:top;padding:.16rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}.body th{font-weight:400;color:var(--soft);width:42%;padding-right:.6rem}
.body ul{list-style:none;margin:0;padding:0}.body li{display:flex;gap:.5rem;align-items:baseline;padding:.08rem 0}.body li span{overflow-wrap:anywhere}
.count{margin-left:.4rem;font-weight:400}.id{min-height:1.5rem;padding:0 .4rem;border-radius:5px;font:12px/1.5 ui-monospace,Menlo,Consolas,monospace;color:var(--accent);background:none;flex:none}.id.chosen{background:var(--accent);color:var(--on-accent)}
.list{display:inline-flex;flex-wrap:wrap;gap:.2rem .35rem}.event{margin:.15rem 0;overflow-wrap:anywhere}.event small{display:block;font-size:.8rem}
.attribute{display:flex;gap:.6rem;align-items:center}.meter{flex:1;height:6px;border-radius:3px;background:var(--line);overflow:hidden}.meter i{display:block;height:100%;background:var(--accent)}
.condition{padding:.1rem 0 .1rem .6rem}.condition small{display:block}.graph{display:flex;flex-wrap:wrap;gap:.2rem .8rem;align-items:end;padding-top:.4rem}.graph canvas{flex:1 1 8rem;height:30px;border-bottom:1px solid var(--line)}.graph output{font-size:.78rem}
.filter{flex:none;margin:.5rem .9rem 0;font:inherit;color:inherit;background:var(--back);border:1px solid var(--line);border-radius:7px;padding:.2rem .6rem;min-height:2rem}
.link{min-height:0;border:0;padding:0;background:none;color:var(--accent);text-align:left;overflow-wrap:anywhere;border-radius:3px}.link:hover{text-decoration:underline}.body .link code{overflow-wrap:anywhere}
.small{min-height:1.6rem;padding:0 .5rem;font-size:.82rem;margin:.1rem .3rem .1rem 0}.stepper{display:flex;flex-wrap:wrap;align-items:center;gap:.2rem .4rem;margin:.3rem 0}.body h2 .small{margin-left:.6rem;font-weight:400;vertical-align:middle}
.spark{position:relative;display:block;height:14px;margin:.1rem 0 .2rem;background:color-mix(in srgb,var(--line) 45%,transparent);border-radius:2px;overflow:hidden}.spark.large{height:64px;border-radius:4px;margin:.4rem 0 0}.spark i,.plot>i{position:absolute;inset:0;background:var(--accent);opacity:.75}.spark b{position:absolute;top:0;bottom:0;width:1.5px;background:var(--text)}
.range{margin:0;font-size:.8rem}.answer{margin:.5rem 0 .2rem;overflow-wrap:anywhere}.write{margin:.2rem 0}.note{margin:.2rem 0;white-space:pre-wrap}.body ul.causes{border-left:3px solid var(--line);padding-left:.7rem;margin:.2rem 0 .6rem}.body ul.causes li{display:block;padding:.15rem 0;overflow-wrap:anywhere}.read{display:block;padding-left:.9rem}.part{border-left:3px solid var(--accent);padding-left:.7rem;margin:.3rem 0 .5rem}
.event.current{background:color-mix(in srgb,var(--accent) 16%,transparent);border-radius:4px}.event.later .mono{color:var(--soft)}.body details summary{cursor:pointer;color:var(--soft);padding:.3rem 0}
.code{margin:.5rem 0;border:1px solid var(--line);border-radius:7px;overflow:hidden;font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}.line{display:flex;gap:.4rem;width:100%;min-height:1.6rem;align-items:baseline;text-align:left;border:0;border-radius:0;border-left:3px solid transparent;padding:.12rem .5rem .12rem .2rem;background:none;font:inherit;color:var(--soft);overflow-wrap:anywhere}
.line+.line{border-top:1px solid color-mix(in srgb,var(--line) 50%,transparent)}.line small{flex:0 0 2.1rem;text-align:right;color:var(--good);font-size:11px}.line span{flex:1}.line .word{flex:none;color:var(--soft)}.line.ran{color:var(--text);background:color-mix(in srgb,var(--good) 10%,transparent);border-left-color:var(--good)}.line.off{text-decoration:line-through}.line.note{min-height:0;font-size:11px}.line.false{color:var(--bad);border-left-color:var(--bad)}.line.chosen{outline:1px solid var(--accent);outline-offset:-1px}.line.step{background:color-mix(in srgb,var(--accent) 22%,transparent);color:var(--text);border-left-color:var(--accent)}
.track{--head:7.5rem}.track:has(.lane) .scrub{margin-left:var(--head)}.lanes{position:relative;max-height:26vh;overflow-y:auto}.lanes:empty{display:none}.lanes::after,.failed-at{content:'';position:absolute;top:0;bottom:0;width:1.5px;pointer-events:none;background:var(--text);left:calc(var(--head) + 8px + (100% - var(--head) - 16px)*var(--at,0))}.failed-at{background:var(--bad);width:2px}
.lane{display:grid;grid-template-columns:var(--head) minmax(0,1fr);align-items:center;margin-top:2px}.lane-head{display:flex;align-items:center;gap:.2rem;padding-right:.4rem}.lane-name{flex:1;min-height:1.15rem;line-height:1.15rem;border:0;padding:0;background:none;text-align:left;font-size:.78rem;color:var(--accent);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.lane-name:disabled{color:var(--soft)}.lane-close{min-height:1.15rem;line-height:1;border:0;padding:0 .2rem;background:none;color:var(--soft);font-size:.7rem}
.plot{position:relative;height:1.2rem;margin:0 8px;border-radius:3px;overflow:hidden;background:color-mix(in srgb,var(--line) 40%,transparent);cursor:pointer}.lane:has(.lane-close) .plot:not(.events){height:2.2rem}.plot.events>i{background:var(--bad)}.band{position:absolute;top:0;bottom:0;padding:0 .3rem;font-size:.72rem;line-height:1.2rem;color:#101418;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.failed{order:3;flex:1 1 100%;border-left:4px solid var(--bad);padding:.1rem 0 .1rem .7rem;max-height:30vh;overflow:auto;overflow-wrap:anywhere}.failed p,.found{margin:0;white-space:pre-wrap}.found{padding-left:1.2em}.list{flex-wrap:wrap}.list .id{font-size:13px;white-space:normal;text-align:left}
.failure{padding:1.5rem;max-width:46rem}.failure pre{white-space:pre-wrap}
.lobby{grid-area:1/1/-1/-1;overflow:auto;width:100%;max-width:44rem;margin:0 auto;padding:1.5rem 1rem}.lobby h1{font-size:1.5rem}.who{display:flex;gap:.5rem;margin:1rem 0}
.who input,.chat input,.window input{flex:1;font:inherit;color:inherit;background:var(--back);border:1px solid var(--edge);border-radius:7px;padding:.3rem .6rem;min-height:2rem}
.rooms{list-style:none;padding:0;margin:1rem 0;border:1px solid var(--line);border-radius:9px;background:var(--card)}.rooms li{display:flex;gap:.5rem;align-items:center;padding:.6rem .8rem}.rooms li+li{border-top:1px solid var(--line)}
.admin .rooms li{flex-wrap:wrap}.admin .rooms span{flex:1 1 12rem}.rooms .person{padding-left:1.8rem}.acts{display:flex;flex-wrap:wrap;gap:.5rem}.ask{color:var(--text);background:var(--card);border:1px solid var(--edge);border-radius:10px;width:min(28rem,92vw)}.ask::backdrop{background:#0007}.ask h2{margin:0 0 .6rem;font-size:1.1rem}.ask label{display:block;margin:.7rem 0}.ask span{display:block;color:var(--soft)}.ask input,.ask select{width:100%;font:inherit;color:inherit;background:var(--back);border:1px solid var(--edge);border-radius:7px;padding:.3rem .6rem;min-height:2.4rem}
.rooms span{flex:1;overflow-wrap:anywhere}.rooms small{display:block}button:disabled{color:var(--soft);cursor:default}
.deck{grid-area:time;display:flex;gap:.8rem;align-items:stretch;background:var(--card);border-top:1px solid var(--line);padding:.5rem .9rem}.slots{display:flex;flex-wrap:wrap;gap:.3rem;align-content:start;flex:0 1 auto;max-width:50%}
.slots:empty{display:none}.slots button{min-width:4.2rem;max-width:9rem;min-height:2.9rem;text-align:left;line-height:1.2;font-size:.82rem;overflow:hidden}.slots small{display:block;color:inherit;font-size:.7rem}
.chat{flex:1 1 14rem;display:flex;flex-direction:column;gap:.3rem}.chat-log{height:4.4rem;overflow:auto;font-size:.9rem}.chat-log p{margin:0;overflow-wrap:anywhere}.chat form{display:flex;gap:.4rem}
.areas{position:absolute;inset:0;contain:strict;padding:.6rem 3.4rem .6rem .6rem;display:flex;flex-direction:column;gap:.3rem;align-items:flex-start;pointer-events:none}.said,.window h2,.window .options,.window .soft{contain:layout paint}.game-html{display:block}span.game-html{display:inline-block}
.area{background:color-mix(in srgb,var(--card) 88%,transparent);border-radius:7px;padding:.2rem .6rem;max-width:100%;overflow-wrap:anywhere}.area[data-area^=center]{align-self:center;font-size:1.15rem}.area[data-area=top]{align-self:center}
.heading{display:block}.banner{position:absolute;left:50%;top:40%;transform:translate(-50%,-50%);background:var(--card);border:1px solid var(--edge);border-radius:9px;padding:.7rem 1.1rem;box-shadow:0 3px 14px #0004;max-width:90%}[hidden]{display:none!important}
.window{color:var(--text);background:var(--card);border:1px solid var(--edge);border-radius:10px;padding:0 1rem 1rem;width:min(30rem,92vw);max-height:80vh;overflow:auto}.window::backdrop{background:#0007}.window header{display:flex;background:none;border:0;padding:.7rem 0}.window h2{font-size:1.1rem;margin:0;flex:1}
.offers{list-style:none;margin:0;padding:0}.offers li{display:grid;grid-template-columns:1fr auto auto;gap:.2rem .8rem;align-items:center;padding:.3rem 0;border-top:1px solid var(--line)}.keys table{border-collapse:collapse;width:100%}.keys th,.keys td{text-align:left;font-weight:400;padding:.25rem .6rem .25rem 0;border-top:1px solid var(--line);vertical-align:top}.keys th{width:40%}kbd{display:inline-block;min-width:1.5rem;text-align:center;border:1px solid var(--edge);border-radius:5px;padding:0 .35rem;font:.9em/1.6 ui-monospace,Menlo,Consolas,monospace}.options{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.8rem}.window output{display:block;margin-top:.6rem;min-height:1.4em}
.pad-area{display:none;position:absolute;inset:auto .7rem .7rem;justify-content:space-between;align-items:end;pointer-events:none}.pad{width:8.4rem;height:8.4rem;border-radius:50%;background:color-mix(in srgb,var(--card) 60%,transparent);border:2px solid var(--edge);display:grid;place-items:center;touch-action:none;pointer-events:auto}
.pad i{width:3rem;height:3rem;border-radius:50%;background:var(--accent);opacity:.8;pointer-events:none}.pad-keys{display:flex;flex-wrap:wrap-reverse;justify-content:end;gap:.4rem;max-width:45%}.pad-keys button{min-width:3.2rem;min-height:3.2rem;border-radius:50%;pointer-events:auto;touch-action:none;user-select:none}
@media (max-width:48rem){.track{--head:5rem}.lanes{max-height:6.2rem}}
@media (pointer:coarse){.pad-area{display:flex}button,.id,.search input,.who input,.chat input,.window input,header>a,.rooms a,.operator summary{min-height:2.75rem}button{min-width:2.75rem}header>a,.rooms a,.operator summary{display:inline-flex;align-items:center}
.link,.small,.line,.lane-name,.lane-close,.filter{min-height:2.75rem}.body details summary{min-height:2.75rem;padding:.75rem 0}.track{--head:7.5rem}.plot,.lane:has(.lane-close) .plot:not(.events){height:2.4rem}.band{line-height:2.4rem}.id{padding:0 .6rem}.body li{align-items:center;padding:.12rem 0}input[type=range]{height:2.75rem}.tools button,.group button{width:2.75rem}.view:has(.pad-area) .tools{flex-direction:row}.area{padding:.05rem .5rem;font-size:.9rem}.view:has(.pad-area) .areas{padding:4rem .6rem .6rem}}
@media (max-width:48rem){.admin .rooms span{flex-basis:100%}}
@media (max-width:48rem),(max-height:30rem){.legend{flex-wrap:nowrap;padding:.2rem .6rem;overflow-x:auto}}
@media (max-width:48rem) and (min-height:30.01rem){body,html{height:auto}#app{height:auto;min-height:100%;grid-template:auto 52vh auto auto/minmax(0,1fr);grid-template-areas:"head" "stage" "time" "side"}
#app:has(.failed){grid-template-rows:auto 40vh auto auto}header{padding:.45rem .6rem}.about{flex-basis:100%;order:1}.search{order:2;flex:1 1 100%}.timeline{padding:.4rem .6rem;position:sticky;bottom:0;z-index:1}.now{margin-left:0}.group button{width:2.5rem}.panels{border-left:0;border-top:1px solid var(--line);min-height:16rem}.body{max-height:70vh}.deck{flex-direction:column;padding:.4rem .6rem}.slots{max-width:none;flex-wrap:nowrap;overflow-x:auto}.chat{flex:none}.chat-log{height:4.2rem}}
@media (max-height:30rem){#app{grid-template-columns:minmax(0,1fr) minmax(14rem,30%)}header{padding:.2rem .6rem}.failed{max-height:3.6rem}.search{flex:0 1 20rem}.timeline{padding:.1rem .6rem .3rem}.controls{gap:.2rem .8rem}.group button{width:2.25rem}.graph,#hash,#time{display:none}input[type=range]{height:1.75rem}
.tools{display:grid;grid-template-columns:auto auto}.view:has(.pad-area) .tools{display:flex}.view:has(.pad-area) .areas{padding:.6rem 13.6rem .6rem .6rem}.pad{width:7rem;height:7rem}.deck{padding:.25rem .6rem;align-items:end}.slots{flex-wrap:nowrap;overflow-x:auto}.chat{gap:.1rem}.chat-log{height:1.4rem}}`;

/** Applies the styles. A constructed style sheet is allowed by the content security policy. */
export function adoptStyle(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
}
