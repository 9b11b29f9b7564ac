// The search box of the pages. It works on pages opened from a disk too: the index is a script, search-index.js, which is loaded
// when the box is first used. build/build-site.mjs writes it, and checks that every page is found by its title.

/** The entries that contain every word, the best first: a title counts most, and a page more than a name of the API. */
const find = (entries, query) => {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const score = (entry) => {
    const title = entry.title.toLowerCase();
    const headings = entry.headings.toLowerCase();
    const text = entry.text.toLowerCase();
    const of = (word) => {
      const at = title.indexOf(word);
      if (at >= 0) return at === 0 || /\W/.test(title[at - 1]) ? 8 : 5;
      return headings.includes(word) ? 3 : text.includes(word) ? 1 : -Infinity;
    };
    const kind = entry.kind === "page" ? 2 : entry.kind === "kernel" ? -3 : 0;
    const exact = title === words.join(" ") || title.endsWith(`.${words.join(" ")}`) ? 6 : 0;
    return words.reduce((sum, word) => sum + of(word), 0) / words.length + kind + exact;
  };
  return entries
    .map((entry) => ({ entry, score: score(entry) }))
    .filter((found) => found.score > -Infinity)
    .sort((a, b) => b.score - a.score || a.entry.title.length - b.entry.title.length)
    .map((found) => found.entry);
};

/** The part of a text around the first word that is in it. */
const excerpt = (text, query) => {
  const word = query.toLowerCase().split(/\s+/).find((word) => word !== "" && text.toLowerCase().includes(word)) ?? "";
  const start = Math.max(0, text.toLowerCase().indexOf(word) - 50);
  const part = text.slice(start === 0 ? 0 : text.indexOf(" ", start) + 1, start + 150);
  return (start === 0 ? "" : "… ") + part + (start + 150 < text.length ? " …" : "");
};

if (globalThis.document !== undefined) {
  const root = new URL("..", document.currentScript.src);
  const search = document.querySelector(".search");
  const box = search.querySelector("input");
  const found = search.querySelector(".found");

  const show = () => {
    const entries = find(globalThis.searchIndex ?? [], box.value).slice(0, 12);
    found.hidden = box.value.trim() === "" || globalThis.searchIndex === undefined;
    found.textContent = entries.length === 0 ? "Nothing contains all of these words." : "";
    for (const entry of entries) {
      const link = document.createElement("a");
      link.href = new URL(entry.link, root);
      for (const [name, text] of [["b", entry.title], ["small", excerpt(entry.text, box.value)]]) {
        const part = document.createElement(name);
        part.textContent = text;
        link.append(part);
      }
      found.append(link);
    }
  };

  const load = () => {
    const script = document.createElement("script");
    script.src = new URL("content/search-index.js", root);
    script.onload = show;
    document.head.append(script);
  };

  const close = () => (found.hidden = true);

  box.addEventListener("focus", load, { once: true });
  box.addEventListener("focus", show);
  box.addEventListener("input", show);
  search.addEventListener("focusout", (event) => search.contains(event.relatedTarget) || close());
  search.addEventListener("keydown", (event) => {
    const stops = [box, ...found.querySelectorAll("a")];
    const at = stops.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      stops[to]?.focus();
    } else if (event.key === "Escape") {
      box.focus();
      close();
    } else if (event.key === "Enter" && at === 0) stops[1]?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || document.activeElement === box) return;
    event.preventDefault();
    box.focus();
  });
  search.hidden = false;
}
