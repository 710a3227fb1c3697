/// The style of the page: light or dark like the reader's system, and light in print.
enum ReportStyle {
    static let css = """
        :root{color-scheme:light dark;--page:#f4f5f3;--card:#fff;--ink:#1c2126;--soft:#5b6670;--line:#dde1e4;\
        --grid:#e9ecee;\
        --off:#d5d9dc;--blind:#c8474f}
        @media(prefers-color-scheme:dark){:root{--page:#14181b;--card:#1d2327;--ink:#e8ebed;--soft:#9aa6af;\
        --line:#333b41;\
        --grid:#2a3136;--off:#3b444b;--blind:#e0656c}}
        @media print{:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;\
        --grid:#e4e4e4;\
        --off:#ddd;--blind:#c8474f}}
        .c0{--c:#2f7ebc}.c1{--c:#d9822b}.c2{--c:#2f9e62}.c3{--c:#c8474f}.c4{--c:#8365c2}.c5{--c:#96703f}\
        .c6{--c:#d067a5}\
        .c7{--c:#64808f}.c8{--c:#98991f}.c9{--c:#1fa3ad}
        *{box-sizing:border-box}
        body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,\
        "Noto Sans","DejaVu Sans",sans-serif;-webkit-print-color-adjust:exact;print-color-adjust:exact}
        main{max-width:1180px;margin:0 auto;padding:32px 20px 48px}
        h1{font-size:27px;line-height:1.25;margin:0 0 4px;letter-spacing:-.01em;overflow-wrap:anywhere}
        h2{font-size:19px;margin:0 0 4px}
        h3{font-size:15px;margin:0;overflow-wrap:anywhere}
        p{margin:0 0 12px;color:var(--soft)}
        header p{font-size:16px;margin-bottom:20px}
        section,.tile{background:var(--card);border:1px solid var(--line);border-radius:12px}
        section{padding:20px 24px;margin:0 0 20px}
        .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(122px,1fr));gap:12px;margin:0 0 20px;\
        padding:0;\
        list-style:none}
        .tile{padding:12px 16px;min-width:0}
        .tile b{display:block;font-size:23px;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums;\
        overflow-wrap:anywhere}.tile b.long{font-size:17px;line-height:1.7}
        .tile span{color:var(--soft);font-size:13px}
        .tile.bad b{color:var(--blind)}
        .two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(420px,100%),1fr));gap:12px 32px}
        .two>*{min-width:0}
        svg{display:block;width:100%;height:auto;overflow:visible}
        svg text{fill:var(--ink);font-size:12.5px}
        svg text.axis{fill:var(--soft);font-size:11.5px}
        .grid{stroke:var(--grid);fill:none;stroke-width:1}.grid.day{stroke:var(--off);stroke-width:1.5}
        .row{fill:transparent}g:hover>.row{fill:var(--grid);fill-opacity:.5}
        .full{fill:var(--c)}.faint{fill:var(--c);fill-opacity:.38}
        .off{fill:var(--off);fill-opacity:.55}.blind{fill:var(--blind);fill-opacity:.22}
        .band{fill:var(--c);fill-opacity:.22}.line{fill:none;stroke:var(--c);stroke-width:1.8;stroke-linejoin:round}
        .way{fill:none;stroke:var(--c);stroke-opacity:.62}.tip{fill:var(--c)}
        .beacon{padding:12px 0 4px;border-top:1px solid var(--line);break-inside:avoid}
        .beacon p{font-size:13px;margin:0 0 6px}
        .beacon h3:before{content:"";display:inline-block;width:11px;height:11px;border-radius:3px;background:var(--c);\
        margin-right:8px}
        .key{display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 12px;padding:0;list-style:none;color:var(--soft);\
        font-size:13px}
        .key i{display:inline-block;width:22px;height:10px;border-radius:2px;margin-right:6px}
        .key .n{background:#2f7ebc}.key .p{background:#2f7ebc;opacity:.38}.key .o{background:var(--off);opacity:.8}\
        .key .b{background:var(--blind);opacity:.35}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums}
        caption{text-align:left;color:var(--soft);padding:0 0 6px}
        th,td{text-align:right;padding:5px 10px;border-bottom:1px solid var(--grid);font-weight:400;white-space:nowrap}
        th:first-child,td.text,th.text{text-align:left}
        td.text{white-space:normal}td.text:last-child{min-width:16em}
        tbody th{font-weight:600;white-space:normal;min-width:11em}
        thead th{color:var(--soft);border-bottom:1px solid var(--line);vertical-align:bottom}
        details{margin-top:12px}summary{cursor:pointer;color:var(--soft);overflow-wrap:anywhere;padding:4px 0}
        .swipe{display:none;font-size:13px;margin:0 0 6px}
        footer{color:var(--soft);font-size:13px}
        @media(max-width:640px){main{padding:20px 10px}section{padding:16px 12px}.wide{min-width:720px}\
        .pan{overflow-x:auto}\
        .swipe{display:block}.scroll{border-right:3px solid var(--line)}th,td{padding:5px 7px}}
        @media print{.swipe{display:none}main{padding:0;max-width:none}section{border:0;padding:0;margin:0 0 24px}\
        .tiles,h2{break-after:avoid}\
        tr,.two>*{break-inside:avoid}.scroll{overflow:visible}table{font-size:10.5px}th,td{padding:3px 5px}}
        """
}
