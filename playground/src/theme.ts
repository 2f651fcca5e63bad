// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Light and dark.

const KEY = "sinew-theme";

function set(theme: string): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch { /* some browsers keep nothing for files: it lasts as long as the page */ }
}

/** The theme of the last visit, or the system's; `changed` is called when the button changes it. */
export function startTheme(toggle: HTMLElement, changed: () => void): void {
  let last: string | null = null;
  try {
    last = localStorage.getItem(KEY);
  } catch { /* as above */ }
  set(last ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  toggle.onclick = () => {
    set(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    changed();
  };
}
