// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Light and dark.

const KEY = "sinew-theme";

function set(theme: string): void {
  document.documentElement.dataset.theme = theme;
}

/**
 * The theme that was chosen on the last visit, or the system's; `changed` is called when the button
 * or the system changes it.
 */
export function startTheme(toggle: HTMLElement, changed: () => void): void {
  let last: string | null = null;
  try {
    last = localStorage.getItem(KEY);
  } catch { /* some browsers refuse it for files */ }
  const system = matchMedia("(prefers-color-scheme: dark)");
  set(last ?? (system.matches ? "dark" : "light"));
  system.onchange = () => {
    if (last !== null) return;
    set(system.matches ? "dark" : "light");
    changed();
  };
  toggle.onclick = () => {
    last = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    set(last);
    try {
      localStorage.setItem(KEY, last);
    } catch { /* some browsers keep nothing for files: it lasts as long as the page */ }
    changed();
  };
}
