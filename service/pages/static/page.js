"use strict";
// The page is whole without this: it swaps answers in, opens sheets, counts, polls, and knows keys.
(() => {
  const $ = (what, within = document) => within.querySelector(what);
  const all = (what, within = document) => [...within.querySelectorAll(what)];
  const parsed = (text) => new DOMParser().parseFromString(text, "text/html");
  // Another page to take something from, with the style that it brings along.
  const other = async (address) => {
    const page = parsed(await (await fetch(address)).text());
    const style = all("link[rel=stylesheet]", page).filter((one) => !$(`link[href="${one.getAttribute("href")}"]`));
    document.head.append(...style);
    await Promise.all(style.map((one) => new Promise((done) => { one.onload = one.onerror = done; })));
    all("main [id]", page).forEach((one) => one.removeAttribute("id"));
    return $("main", page);
  };
  const told = document.body.dataset;
  let busy = false;

  const show = (text, address, focus = true) => {
    const next = parsed(text);
    document.title = next.title;
    for (const id of ["bar", "tracks", "main", "dock"]) {
      const old = $("#" + id), made = $("#" + id, next);
      if (old && made) old.replaceWith(made);
    }
    $("#live").textContent = $("#live", next).textContent;
    if (address) history.pushState(null, "", address);
    ready();
    if (!focus) return;
    scrollTo(0, 0);
    inView();
    $("#q")?.focus({ preventScroll: true });
  };

  // The answers are seen without scrolling, as long as what was said last is, too, from its first word.
  const inView = () => {
    const ask = $("#ask"), dock = $("#dock"), first = all("#main > .said").pop() || ask;
    const top = ask && first.getBoundingClientRect().top - $("#bar").offsetHeight;
    const below = ask && dock && ask.getBoundingClientRect().bottom - dock.getBoundingClientRect().top;
    if (below > 0) scrollBy(0, Math.min(below, top));
  };

  const wrong = (sentence) => {
    $("#failed")?.remove();
    const note = document.createElement("p");
    Object.assign(note, { id: "failed", className: "said illegal", textContent: sentence });
    note.setAttribute("role", "alert");
    $("#main").prepend(note);
    note.scrollIntoView({ block: "nearest" });
  };

  // A wide screen shows the table beside the conversation; a narrow one has it behind its own button.
  const wide = matchMedia("(min-width: 62.5rem)");
  const beside = async () => {
    const at = $("#main").dataset.beside;
    if (!wide.matches || !at) return;
    try {
      const table = await other(at);
      if (!table || at !== $("#main").dataset.beside) return;
      const box = $("#beside") || document.createElement("aside");
      box.id = "beside";
      box.setAttribute("aria-label", $(".go-table").textContent);
      $("h1", table)?.remove();
      box.replaceChildren(...table.childNodes);
      if (!box.parentNode) $("#main").before(box);
    } catch { /* the table is still behind its button */ }
  };
  wide.addEventListener("change", beside);

  const ready = () => {
    beside();
    all(".stepper [hidden]").forEach((one) => { one.hidden = false; });
    all("[data-count]").forEach(count);
  };
  const count = (list) => {
    const on = all(":checked", list), button = $("#ask .main");
    const sum = on.reduce((n, one) => n + +(one.dataset.counts || 1), 0);
    if (button) button.textContent = list.dataset.count + " (" + sum + ")";
  };

  addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("#ask, #dock form") || event.submitter?.formMethod === "get") return;
    event.preventDefault();
    if (busy) return;
    busy = true;
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const off = all("main button, #dock button").filter((one) => !one.disabled);
    off.forEach((one) => { one.disabled = true; });
    const slow = setTimeout(() => document.body.classList.add("slow"), 400);
    try {
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body });
      if (answer.status >= 500) throw new Error(told.wrong);
      show(await answer.text(), answer.redirected && answer.url);
    } catch (error) {
      off.forEach((one) => { one.disabled = false; });
      wrong(error instanceof TypeError ? told.offline : error.message);
    }
    clearTimeout(slow);
    document.body.classList.remove("slow");
    busy = false;
  });

  const sheet = async (address) => {
    let box = $("#sheet");
    if (!box) {
      box = document.body.appendChild(document.createElement("dialog"));
      box.id = "sheet";
    }
    const close = document.createElement("button");
    Object.assign(close, { className: "button decline", textContent: told.close, onclick: () => box.close() });
    try {
      box.replaceChildren(...(await other(address)).childNodes, close);
      if (!box.open) box.showModal();
      box.scrollTop = 0;
    } catch { location.href = address; }
  };

  addEventListener("click", (event) => {
    const link = event.target.closest("a[data-sheet]"), by = event.target.closest("[data-by]");
    if (event.target.id === "sheet") event.target.close();
    if (link && !event.ctrlKey && !event.metaKey) { event.preventDefault(); sheet(link.href); }
    if (by) {
      const field = $("input", by.parentNode), n = +field.value + +by.dataset.by;
      field.value = Math.max(+field.min, Math.min(n, field.max === "" ? n : +field.max));
    }
  });
  addEventListener("change", (event) => {
    const list = event.target.closest("[data-count]"), form = event.target.form, done = form && $("[data-when-all]", form);
    if (list) count(list);
    if (done && event.target.type === "radio" && form.checkValidity()) form.requestSubmit(done);
  });
  addEventListener("popstate", () => location.reload());

  const keys = { u: "#dock .undo", r: "#dock .redo", p: "#dock .go-play", t: "#dock .go-table", c: "#dock .go-chart", "/": ".go-rules", "?": ".go-keys" };
  addEventListener("keydown", (event) => {
    if (!told.keys || event.ctrlKey || event.altKey || event.metaKey || $("dialog[open]")) return;
    if (event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    const answers = all("#ask button[name=answer], #ask .checks input");
    const hit = /^[1-9]$/.test(event.key) ? answers[event.key - 1] : keys[event.key] && $(keys[event.key]);
    if (hit) { event.preventDefault(); hit.click(); }
  });

  setInterval(async () => {
    const at = $("#main").dataset.news;
    if (!at || busy || document.hidden || $("dialog[open]")) return;
    try {
      const news = await fetch(at);
      if (news.status === 200 && !busy && at === $("#main").dataset.news) show(await news.text(), false, false);
    } catch { /* the next answer says that there is no connection */ }
  }, 5000);
  ready();
  if (!location.hash && !scrollY) inView();
})();
