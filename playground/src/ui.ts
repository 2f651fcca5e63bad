// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Controls of the panel.

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Partial<HTMLElementTagNameMap[K]> = {}, children: (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function group(title: string, ...children: Node[]): HTMLFieldSetElement {
  return element("fieldset", {}, [element("legend", { textContent: title }), ...children]);
}

export function choice<T extends string | number | null>(
  title: string, options: readonly (readonly [string, T])[], value: T, changed: (value: T) => void,
): HTMLLabelElement {
  const select = element("select", {}, options.map(([text], i) => element("option", { textContent: text, value: String(i) })));
  select.selectedIndex = Math.max(0, options.findIndex(([, v]) => v === value));
  select.onchange = () => changed(options[select.selectedIndex]![1]);
  return element("label", {}, [title, select]);
}

export function toggle(title: string, value: boolean, changed: (value: boolean) => void): HTMLLabelElement {
  const box = element("input", { type: "checkbox", checked: value });
  box.onchange = () => changed(box.checked);
  return element("label", {}, [title, box]);
}

export function slider(
  title: string, range: { min: number; max: number; step: number; value: number }, changed: (value: number) => void,
  show: (value: number) => string = (value) => value.toFixed(2),
): HTMLLabelElement {
  // Its value is no part of its name.
  const text = element("span", { ariaHidden: "true" });
  const input = element("input", { type: "range" });
  Object.assign(input, { min: String(range.min), max: String(range.max), step: String(range.step), value: String(range.value) });
  const display = () => {
    text.textContent = input.ariaValueText = show(Number(input.value));
  };
  display();
  input.oninput = () => {
    display();
    changed(Number(input.value));
  };
  return element("label", { className: "wide" }, [title, text, input]);
}

export function button(title: string, clicked: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", textContent: title });
  made.onclick = clicked;
  return made;
}

/** Buttons of which one is chosen. */
export class Choices<T> {
  readonly row: HTMLElement;
  readonly #buttons: readonly (readonly [T, HTMLButtonElement])[];

  constructor(options: readonly (readonly [string, T])[], value: T | undefined, chosen: (value: T) => void) {
    this.#buttons = options.map(([title, option]) => [option, button(title, () => {
      this.value = option;
      chosen(option);
    })]);
    this.row = element("div", { className: "row" }, this.#buttons.map(([, made]) => made));
    this.value = value;
  }

  /** The one that is marked; undefined: none. */
  set value(value: T | undefined) {
    for (const [option, made] of this.#buttons) made.ariaPressed = String(option === value);
  }
}

/** A button that asks for a file: what dropping is on a phone. */
export function fileButton(title: string, kinds: string, chosen: (file: File) => void): HTMLElement {
  const input = element("input", { type: "file", accept: kinds, hidden: true });
  input.onchange = () => {
    const file = input.files?.[0];
    if (file) chosen(file);
    input.value = "";
  };
  return element("div", { className: "row" }, [button(title, () => input.click()), input]);
}

/** Time between two changes of a number on the page: laying out text costs more than a solve. */
const READING_MS = 100;

/** A table whose rows change in place, a few times a second. */
export class Readings {
  readonly table = element("table");
  readonly #rows = new Map<string, HTMLTableCellElement>();
  readonly #times = new Map<string, number>();

  /** Takes all rows out. */
  clear(): void {
    this.table.replaceChildren();
    this.#rows.clear();
    this.#times.clear();
  }

  set(name: string, value: string, state: "reached" | "missed" | "" = ""): void {
    let cell = this.#rows.get(name);
    if (!cell) {
      cell = element("td");
      this.#rows.set(name, cell);
      this.table.append(element("tr", {}, [element("th", { textContent: name, scope: "row" }), cell]));
    }
    const now = performance.now();
    if (cell.className === state && now - (this.#times.get(name) ?? -READING_MS) < READING_MS) return;
    this.#times.set(name, now);
    if (cell.textContent !== value) cell.textContent = value;
    if (cell.className !== state) cell.className = state;
  }
}

/** The last times of a frame, as bars; the line is 1/60 s. */
export class Meter {
  readonly canvas = element("canvas", {
    className: "meter", width: 280, height: 72, role: "img", ariaLabel: "Times of the last frames",
  });
  readonly #times: number[] = [];

  add(frameMs: number, solveMs: number): void {
    this.#times.push(frameMs, solveMs);
    if (this.#times.length > 280) this.#times.splice(0, 2);
    const draw = this.canvas.getContext("2d");
    if (!draw) return;
    const style = getComputedStyle(this.canvas);
    draw.clearRect(0, 0, 280, 72);
    for (let i = 0; i < this.#times.length; i += 2) {
      draw.fillStyle = style.getPropertyValue("--line");
      const frame = Math.min(this.#times[i]! * 1.5, 72);
      draw.fillRect(i, 72 - frame, 2, frame);
      draw.fillStyle = style.getPropertyValue("--accent");
      const solve = Math.min(Math.max(this.#times[i + 1]! * 1.5, 1), 72);
      draw.fillRect(i, 72 - solve, 2, solve);
    }
    draw.fillStyle = style.getPropertyValue("--soft");
    draw.fillRect(0, 72 - 25, 280, 1);
  }
}
