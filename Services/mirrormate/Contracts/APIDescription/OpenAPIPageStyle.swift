/// The style sheet of ``OpenAPIPage``: colours, sizes and letters of the app page (`infra/web/page.css`; a test compares them). The page
/// carries it itself, because its policy allows no other sheet.
enum OpenAPIPageStyle {
    static let text = """
        :root {
            color-scheme: light dark;
            --paper: #faf7f2; --sheet: #ffffff; --sunken: #f1ece3; --line: #ddd5c8; --strong-line: #8b8274;
            --ink: #1f1b16; --soft: #5c554b;
            --accent: #0b6b61; --accent-ink: #ffffff; --accent-soft: #dcefeb; --accent-deep: #08524a;
            --good: #1d6b34; --good-soft: #e2f1e4; --work: #8a4b00; --work-soft: #fbeed9; --bad: #a8261c; --bad-soft: #fbe6e2;
            --shadow: 0 1px 2px rgb(60 45 20 / .06), 0 8px 24px rgb(60 45 20 / .06);
            --display: ui-serif, "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia, serif;
            --text: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
            --s: .8125rem; --m: 1rem; --l: 1.1875rem; --xl: 1.5rem; --xxl: 2.125rem;
            --r: .875rem;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --paper: #131719; --sheet: #1c2124; --sunken: #252b2e; --line: #363e41; --strong-line: #87908f;
                --ink: #f2eee7; --soft: #b3b0a8;
                --accent: #63d0c1; --accent-ink: #06231f; --accent-soft: #173733; --accent-deep: #8fe3d7;
                --good: #86d79a; --good-soft: #1c3324; --work: #f0b56a; --work-soft: #3a2b15; --bad: #ff9d90; --bad-soft: #42211d;
                --shadow: 0 1px 2px rgb(0 0 0 / .3), 0 8px 24px rgb(0 0 0 / .25);
            }
        }
        *, *::before, *::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 5rem; }
        body { margin: 0; background: var(--paper); color: var(--ink); font: var(--m)/1.55 var(--text); overflow-wrap: break-word; }
        h1, h2, h3 { font-family: var(--display); font-weight: 600; line-height: 1.2; letter-spacing: -.01em; margin: 0; }
        h1 { font-size: var(--xxl); } h2 { font-size: var(--xl); } h3 { font: 600 var(--l)/1.35 var(--text); letter-spacing: 0; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; }
        p { margin: 0; text-wrap: pretty; } ul { margin: 0; padding: 0; list-style: none; }
        .lead, .soft { color: var(--soft); } .lead { font-size: var(--l); max-width: 62ch; }
        a { color: var(--accent); text-underline-offset: .18em; } a:hover { color: var(--accent-deep); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .375rem; } main:focus { outline: none; }
        code { font: .9375em ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
        .skip { position: absolute; left: 1rem; top: -4rem; z-index: 9; background: var(--accent); color: var(--accent-ink); padding: .6rem 1rem; border-radius: .5rem; } .skip:focus { top: .5rem; color: var(--accent-ink); }
        .top { position: sticky; top: 0; z-index: 5; background: color-mix(in srgb, var(--paper) 92%, transparent); backdrop-filter: blur(8px); border-bottom: 1px solid var(--line); }
        .top > div { max-width: 76rem; margin: auto; padding: .5rem 1.25rem; display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 3.75rem; }
        .brand { display: flex; align-items: center; gap: .6rem; font: 600 1.125rem var(--display); color: var(--ink); text-decoration: none; min-height: 2.75rem; }
        .sides { max-width: 76rem; margin: auto; padding: 2rem 1.25rem 4rem; display: grid; gap: 2rem; }
        main, section { display: flex; flex-direction: column; gap: 1.5rem; min-width: 0; } section { padding-top: 1rem; }
        nav { min-width: 0; font-size: var(--s); } nav a { display: block; padding: .3rem 0; color: var(--soft); text-decoration: none; } nav a:hover { color: var(--ink); text-decoration: underline; }
        @media (min-width: 64rem) { .sides { grid-template-columns: 21rem minmax(0, 1fr); gap: 3rem; } nav { position: sticky; top: 5rem; align-self: start; max-height: calc(100svh - 6rem); overflow-y: auto; } }
        article { background: var(--sheet); border: 1px solid var(--line); border-radius: var(--r); box-shadow: var(--shadow); padding: 1.25rem 1.375rem; display: flex; flex-direction: column; gap: .875rem; }
        article:target { border-color: var(--accent); }
        .method { font: 600 .75rem/1 var(--text); letter-spacing: .04em; color: var(--accent-deep); background: var(--accent-soft); border-radius: 99px; padding: .35rem .6rem; } nav .method { padding: .15rem .4rem; font-size: .6875rem; }
        summary { cursor: pointer; min-height: 2.75rem; display: flex; align-items: center; justify-content: space-between; gap: 1rem; list-style: none; font-weight: 600; } summary::-webkit-details-marker { display: none; }
        summary::after { content: ""; flex: none; width: .55rem; height: .55rem; border: solid var(--soft); border-width: 0 2px 2px 0; rotate: 45deg; translate: -.2rem -.15rem; } details[open] > summary::after { rotate: -135deg; translate: -.2rem .1rem; }
        table { border-collapse: collapse; width: 100%; font-size: .9375rem; } th, td { text-align: left; vertical-align: top; padding: .5rem 1rem .5rem 0; border-top: 1px solid var(--line); font-weight: 400; } th { width: 17rem; } tr:first-child > * { border-top: 0; }
        @media (max-width: 40rem) { th, td { display: block; width: auto; padding-right: 0; } td { border-top: 0; padding-top: 0; color: var(--soft); } }
        .small { font-size: var(--s); line-height: 1.45; } .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; } [hidden], div:empty { display: none !important; }
        .caller { background: var(--accent-soft); border-radius: var(--r); padding: 1rem 1.375rem; display: flex; flex-direction: column; gap: .75rem; } .row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
        button, .button { font: 600 var(--m)/1.25 var(--text); min-height: 2.75rem; padding: .5rem 1.25rem; border-radius: 999px; border: 1px solid transparent; background: var(--accent); color: var(--accent-ink); cursor: pointer; display: inline-flex; align-items: center; text-decoration: none; } button:hover, .button:hover { background: var(--accent-deep); color: var(--accent-ink); } button:disabled { opacity: .55; cursor: progress; }
        .quiet, .quiet:hover { background: transparent; color: var(--ink); border-color: var(--strong-line); } .danger, .danger:hover { background: var(--bad); color: var(--paper); }
        .try { border-top: 1px solid var(--line); } form { display: flex; flex-direction: column; gap: 1rem; padding-bottom: .5rem; } .field { display: flex; flex-direction: column; gap: .35rem; } .field label { font-weight: 600; font-size: .9375rem; }
        input, select, textarea { font: inherit; width: 100%; min-height: 2.75rem; padding: .5rem .875rem; color: var(--ink); background: var(--sheet); border: 1px solid var(--strong-line); border-radius: .625rem; } textarea, pre { font: .875rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; } textarea { resize: vertical; }
        .answer { display: flex; flex-direction: column; gap: .75rem; } .note, .warn { border-radius: var(--r); padding: .75rem 1.125rem; background: var(--good-soft); } .warn { background: var(--work-soft); } pre { margin: 0; padding: 1rem 1.125rem; max-height: 30rem; overflow: auto; background: var(--sunken); border-radius: var(--r); white-space: pre-wrap; overflow-wrap: anywhere; }
        @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
        @media print { .top, nav, .skip, .try, .caller { display: none; } article { box-shadow: none; break-inside: avoid; } }
        """
}
