"use strict";
// Suggestions while typing: the same search, its answer put below the field. Without script the button does it.
for (const field of document.querySelectorAll("[data-suggest]")) {
  let waiting, asked = 0;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const mine = ++asked, address = `${field.form.action}?q=${encodeURIComponent(field.value)}`;
      try {
        const answer = await fetch(address);
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const found = page.querySelector(field.dataset.suggest);
        if (mine === asked && answer.ok && found) document.querySelector(field.dataset.suggest).replaceWith(found);
      } catch { /* the button still searches */ }
    }, 200);
  });
}
