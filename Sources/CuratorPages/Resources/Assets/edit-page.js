// The editor of full pages: Tiptap from /vendor/, with exactly the kinds of text that the server knows. A hidden field
// has the text as JSON. The plain-text field is used until the editor's files are loaded, and if they cannot be.
import { element, icon } from "./dom.js";
import { bring, during, pick } from "./edit-media.js";
import { post, say, standIn } from "./edit-server.js";

export function start(root) {
    for (const field of root.querySelectorAll("[data-page-editor]")) enhance(field);
}

async function enhance(field) {
    const plain = field.querySelector("textarea");
    const json = field.querySelector("input[type=hidden][data-json]");
    const form = field.closest("form");
    const known = json.value;
    // Whether the restored text is in the plain field; undefined if none was restored.
    let isKeptPlain;
    form?.addEventListener("keeping", ({ detail }) => { detail.isPlain = json.disabled; });
    form?.addEventListener("restoring", ({ detail }) => { isKeptPlain = detail.extra.isPlain === true; });
    const isPlainNewer = () => isKeptPlain ?? (json.value === known && plain.value !== plain.defaultValue);
    let kit;
    try {
        kit = await import("/vendor/editor/editor.js");
    } catch {
        return;
    }
    // The editor gets what was typed meanwhile. A reader who is still typing continues in the plain field.
    let typed, read;
    while (isPlainNewer() && plain.value !== typed) {
        typed = plain.value;
        read = await readPlain(typed, known, field);
        if (!read) return;
    }
    const isTyped = isPlainNewer();
    const hadFocus = document.activeElement === plain;
    const place = element("div", { class: "page-text" });
    const bar = element("div", { class: "page-tools", role: "toolbar", "aria-label": field.dataset.tools });
    plain.hidden = true;
    plain.disabled = true;
    json.disabled = false;
    const label = field.querySelector("label");
    plain.after(bar, place);
    standIn(plain, place);

    const editor = new kit.Editor({
        element: place,
        extensions: extensions(kit, field.dataset),
        content: isTyped ? read : content(json),
        // The pages' policy allows no style elements. The style sheet has the rules.
        injectCSS: false,
        editorProps: {
            attributes: {
                "aria-label": label?.textContent ?? "",
                "aria-multiline": "true",
                class: "page-area",
                dir: "auto",
                role: "textbox",
                lang: field.dataset.language,
            },
            handlePaste: (view, event) => takeFiles(event, [...event.clipboardData.files]) || takeHTML(event),
            handleDrop: (view, event) => takeFiles(event, [...event.dataTransfer.files]),
        },
        onUpdate: () => write(),
    });
    if (isTyped) write();
    if (hadFocus) editor.commands.focus("end");
    label?.addEventListener("click", () => editor.commands.focus());
    // Restored text is in the fields, which are hidden.
    form?.addEventListener("restored", async () => {
        if (!isKeptPlain) return editor.commands.setContent(content(json));
        const text = plain.value;
        await during(form, async () => {
            editor.commands.setContent(await readPlain(text, known, field) ?? paragraphs(text));
            write();
        });
    });

    function write() {
        json.value = editor.isEmpty ? "" : JSON.stringify(editor.getJSON());
        json.dispatchEvent(new Event("input", { bubbles: true }));
    }

    function takeFiles(event, files) {
        const pictures = files.filter((file) => file.type.startsWith("image/"));
        if (!pictures.length) return false;
        event.preventDefault();
        bring(pictures, field, (items) => items.forEach(insert));
        return true;
    }

    /** The server converts HTML of other programs to what a page can have, by the rules of browsers. */
    function takeHTML(event) {
        const html = event.clipboardData.getData("text/html");
        // HTML that was copied from an editor like this needs no conversion.
        if (!html || html.includes("data-pm-slice")) return false;
        event.preventDefault();
        const plain = event.clipboardData.getData("text/plain");
        const insertText = () => editor.chain().focus().insertContent({ type: "text", text: plain || " " }).run();
        during(field.closest("form"), () => post("/paste", { html, language: field.dataset.language ?? "" })
            .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer)))
            .then(({ content }) => {
                // A single paragraph is inserted into the line of the cursor.
                const isLine = content.length === 1 && content[0].type === "paragraph";
                editor.chain().focus().insertContent(isLine ? content[0].content ?? [] : content).run();
            })
            .catch(insertText));
        return true;
    }

    function insert(item) {
        // A cancelled question leaves it open. An empty answer means that the picture is decorative.
        const alt = prompt(field.dataset.askAlt, "")?.trim();
        const attributes = { media: item.id, alt: alt ?? "", decorative: alt === "", picture: item.picture };
        editor.chain().focus().insertContent({ type: "picture", attrs: attributes }).run();
    }

    tools(editor, bar, field, async () => {
        const [item] = await pick("picture", false, field.dataset);
        if (item) insert(item);
    });
}

function content(json) {
    return json.value ? JSON.parse(json.value) : { type: "doc", content: [{ type: "paragraph" }] };
}

/** Plain text as the server reads it. Unchanged parts keep their format. Null if the server does not answer. */
async function readPlain(plain, known, field) {
    try {
        const answer = await post("/paste", { plain, known, language: field.dataset.language ?? "" });
        return answer.ok ? await answer.json() : null;
    } catch {
        return null;
    }
}

/** The same without the server: the format is lost, but no text. */
function paragraphs(plain) {
    const parts = plain.split(/\n\s*\n/).map((each) => each.replace(/\s+/g, " ").trim()).filter(Boolean);
    return { type: "doc", content: parts.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })) };
}

/** The schema: exactly that of PageText. */
function extensions(kit, texts) {
    const picture = kit.Node.create({
        name: "picture",
        group: "block",
        atom: true,
        draggable: true,
        addAttributes: () => ({
            media: { default: "" }, alt: { default: "" }, decorative: { default: false }, picture: { default: null },
        }),
        parseHTML: () => [],
        renderHTML: ({ node }) => ["figure", { class: "page-picture" }, [
            "img", { src: node.attrs.picture ?? `/media/${node.attrs.media}/picture`, alt: node.attrs.alt ?? "" },
        ]],
    });
    return [
        kit.Document, kit.Paragraph, kit.Text, kit.HardBreak, kit.Bold, kit.Italic, kit.Underline, kit.Subscript,
        kit.Superscript, kit.BulletList, kit.OrderedList, kit.ListItem, kit.Blockquote, kit.HorizontalRule,
        kit.Heading.configure({ levels: [2, 3, 4] }), link(kit), picture, kit.Dropcursor, kit.Gapcursor, kit.History,
    ].filter(Boolean);
}

/** Addresses that the server accepts. Pasted text with another scheme loses its link. */
function link(kit) {
    const isGood = (address) => /^(https:\/\/|mailto:|tel:)/i.test(address ?? "");
    return kit.Mark.create({
        name: "link",
        inclusive: false,
        addAttributes: () => ({ href: { default: null } }),
        parseHTML: () => [{ tag: "a[href]", getAttrs: (node) => isGood(node.getAttribute("href")) && null }],
        renderHTML: ({ mark }) => ["a", { href: mark.attrs.href, rel: "noopener" }, 0],
    });
}

function tools(editor, bar, field, addPicture) {
    const texts = field.dataset;
    const chain = () => editor.chain().focus();
    const entries = [
        ["bold", "B", () => chain().toggleMark("bold").run(), () => editor.isActive("bold")],
        ["italic", "I", () => chain().toggleMark("italic").run(), () => editor.isActive("italic")],
        ["underline", "U", () => chain().toggleMark("underline").run(), () => editor.isActive("underline")],
        ["heading2", "H2", () => chain().toggleHeading({ level: 2 }).run(), () => editor.isActive("heading", { level: 2 })],
        ["heading3", "H3", () => chain().toggleHeading({ level: 3 }).run(), () => editor.isActive("heading", { level: 3 })],
        ["bullets", "•", () => chain().toggleBulletList().run(), () => editor.isActive("bulletList")],
        ["numbers", "1.", () => chain().toggleOrderedList().run(), () => editor.isActive("orderedList")],
        ["quote", "❝", () => chain().toggleBlockquote().run(), () => editor.isActive("blockquote")],
        ["link", icon("link"), () => setLink(editor, texts), () => editor.isActive("link")],
        ["picture", icon("image"), addPicture, () => false],
        ["rule", "―", () => chain().setHorizontalRule().run(), () => false],
        ["undo", "↶", () => chain().undo().run(), () => false],
        ["redo", "↷", () => chain().redo().run(), () => false],
    ];
    const buttons = entries.map(([name, sign, run, isActive], index) => {
        const text = texts[name] ?? name;
        const button = element("button", { type: "button", title: text, "aria-label": text, tabindex: index ? "-1" : "0" }, sign);
        button.addEventListener("click", run);
        bar.append(button);
        return { button, isActive };
    });
    // A toolbar is one stop of the Tab key. The arrow keys move within it.
    bar.addEventListener("keydown", (event) => {
        const all = buttons.map((each) => each.button);
        const at = all.indexOf(event.target);
        const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        const target = all[(next + all.length) % all.length];
        for (const each of all) each.tabIndex = each === target ? 0 : -1;
        target.focus();
    });
    const draw = () => {
        for (const { button, isActive } of buttons) button.setAttribute("aria-pressed", isActive());
    };
    editor.on("transaction", draw);
    draw();
}

function setLink(editor, texts) {
    const old = editor.getAttributes("link").href ?? "";
    const text = prompt(texts.askLink, old || "https://");
    if (text === null) return;
    const address = text.trim();
    const chain = editor.chain().focus().extendMarkRange("link");
    if (!address) return chain.unsetMark("link").run();
    const full = /^[a-z]+:/i.test(address) ? address
        : address.includes("@") ? `mailto:${address}` : `https://${address}`;
    if (!/^(https:\/\/|mailto:|tel:)/i.test(full)) return say(texts.badLink);
    chain.setMark("link", { href: full }).run();
}
