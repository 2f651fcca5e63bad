// SPDX-License-Identifier: MIT OR Apache-2.0

import { Result } from "./abi.g.js";
import type { Exports } from "./abi.g.js";
import { integer, number, shown, text } from "./check.js";

/** An address in the module's memory; 0 is null. */
export type Pointer = number;

/** A call of the library that failed: its code, and a sentence with function, argument and value. */
export class SinewError extends Error {
  constructor(
    /** A {@link Result}. */
    readonly code: Result,
    message: string,
  ) {
    super(message);
    this.name = "SinewError";
  }
}

/** An object of the library or its bits. */
export type HandleOf<H extends bigint> = H | { readonly handle: H };

// As functions: calls through `super` take twice as long.
const { setFloat32, setFloat64 } = DataView.prototype;

/**
 * A view that writes NaN for what is no number. `DataView` takes null and "" for 0, which would be
 * a valid coordinate; NaN is refused by the library with function and argument.
 */
class NumberView extends DataView<ArrayBuffer> {
  override setFloat32(at: number, value: number, littleEndian?: boolean): void {
    setFloat32.call(this, at, typeof value === "number" ? value : NaN, littleEndian);
  }

  override setFloat64(at: number, value: number, littleEndian?: boolean): void {
    setFloat64.call(this, at, typeof value === "number" ? value : NaN, littleEndian);
  }
}

/** Most bytes of one block: what is beyond has a negative address in 32 bits. */
const MOST_BYTES = 2 ** 31 - 16;

/**
 * The module's memory: views that survive its growth, and a stack for the arguments of one call.
 *
 * A view of `WebAssembly.Memory` ends when the memory grows, which any call that creates an object
 * may cause. {@link data} and {@link floats} are always views of the memory as it is.
 */
export class Memory {
  readonly exports: Exports;
  #data: DataView;
  #bottom: Pointer;
  #top: Pointer;
  #size = 1 << 16;
  /** Blocks for arguments that do not fit the stack: address, bytes, and the mark they are above. */
  #large: { at: Pointer; bytes: number; mark: number }[] = [];
  #depth = 0;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  constructor(exports: Exports) {
    this.exports = exports;
    this.#data = new NumberView(exports.memory.buffer);
    this.#bottom = this.allocate(this.#size);
    this.#top = this.#bottom;
  }

  /**
   * Zeroed bytes that stay until {@link free}; the address is a multiple of 16.
   *
   * @throws RangeError: bytes are no whole number of 0 to 2 GiB; SINEW_ERROR_TOO_MANY_OBJECTS:
   *   there is no memory.
   */
  allocate(bytes: number): Pointer {
    if (!(Number.isInteger(bytes) && bytes >= 0 && bytes <= MOST_BYTES)) throw new RangeError(`room for ${bytes} bytes`);
    // Addresses above 2 GiB come as negative numbers.
    const at = this.exports.sinew_wasm_alloc(bytes) >>> 0;
    if (at === 0) throw new SinewError(Result.ErrorTooManyObjects, `no memory for ${bytes} bytes`);
    return at;
  }

  free(at: Pointer, bytes: number): void {
    this.exports.sinew_wasm_free(at, bytes);
  }

  /** The whole memory. */
  get data(): DataView {
    const buffer = this.exports.memory.buffer;
    if (this.#data.buffer !== buffer) this.#data = new NumberView(buffer);
    return this.#data;
  }

  /** `count` floats at an address. Fetch it anew after any call that may create an object. */
  floats(at: Pointer, count: number): Float32Array {
    return new Float32Array(this.exports.memory.buffer, at, count);
  }

  /** Number of records in a list: of objects, or of `floats` numbers each. */
  count(list: readonly unknown[] | Float32Array, floats: number): number {
    const count = list instanceof Float32Array ? list.length / floats : list.length;
    if (!Number.isInteger(count)) throw new RangeError(`${list.length} floats are no records of ${floats}`);
    return count;
  }

  /** A copy of bytes. */
  bytes(at: Pointer, count: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, at, count).slice();
  }

  /** Zero-terminated UTF-8. */
  text(at: Pointer): string {
    const all = new Uint8Array(this.exports.memory.buffer);
    return this.#decoder.decode(all.subarray(at, all.indexOf(0, at)));
  }

  /** Throws when a call returned anything but {@link Result.Ok}. */
  must(code: number): void {
    if (code !== Result.Ok) throw this.#failure(code as Result);
  }

  /** The error of the last call; undefined when it returned {@link Result.Ok}. */
  failure(code: number): SinewError | undefined {
    return code === Result.Ok ? undefined : this.#failure(code as Result);
  }

  #failure(code: Result): SinewError {
    const mark = this.mark();
    try {
      const at = this.push(4);
      this.exports.sinew_last_error(at);
      return new SinewError(code, this.text(this.data.getUint32(at, true)));
    } finally {
      this.release(mark);
    }
  }

  /** Where the stack is; {@link release} takes it back to there. */
  mark(): number {
    this.#depth++;
    return this.#top;
  }

  release(mark: number): void {
    this.#depth--;
    this.#top = mark;
    while (this.#large.length > 0 && this.#large[this.#large.length - 1]!.mark > this.#depth) {
      const block = this.#large.pop()!;
      this.free(block.at, block.bytes);
    }
  }

  /** Room on the stack; the address is a multiple of 16. What it holds is not defined. */
  push(bytes: number): Pointer {
    // Others would move the stack below what is on it: the sum is rounded in 32 bits.
    if (!(bytes >= 0 && bytes <= MOST_BYTES)) throw new RangeError(`room for ${bytes} bytes`);
    const at = this.#top;
    const next = at + ((bytes + 15) & ~15);
    if (next <= this.#bottom + this.#size) {
      this.#top = next;
      return at;
    }
    const large = this.allocate(bytes);
    this.#large.push({ at: large, bytes, mark: this.#depth });
    return large;
  }

  /** Fills with zeros. */
  clear(at: Pointer, bytes: number): void {
    new Uint8Array(this.exports.memory.buffer, at, bytes).fill(0);
  }

  pushText(value: string, name = "a text"): Pointer {
    const bytes = this.#encoder.encode(text(value, name));
    const at = this.push(bytes.length + 1);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    this.data.setUint8(at + bytes.length, 0);
    return at;
  }

  pushTexts(list: readonly string[]): Pointer {
    const at = this.push(list.length * 4);
    list.forEach((value, i) => this.setAddress(at + i * 4, this.pushText(value, `element ${i} of a list of texts`)));
    return at;
  }

  pushFloat32s(list: ArrayLike<number>): Pointer {
    if (!ArrayBuffer.isView(list)) {
      for (let i = 0; i < list.length; i++) number(list[i]!, `element ${i} of a list of numbers`);
    }
    const at = this.push(list.length * 4);
    this.floats(at, list.length).set(list);
    return at;
  }

  pushInt32s(list: ArrayLike<number>): Pointer {
    checkIntegers(list);
    const at = this.push(list.length * 4);
    new Int32Array(this.exports.memory.buffer, at, list.length).set(list);
    return at;
  }

  pushUint32s(list: ArrayLike<number>): Pointer {
    checkIntegers(list);
    const at = this.push(list.length * 4);
    new Uint32Array(this.exports.memory.buffer, at, list.length).set(list);
    return at;
  }

  pushUint8s(list: ArrayLike<number>): Pointer {
    checkIntegers(list);
    const at = this.push(list.length);
    new Uint8Array(this.exports.memory.buffer, at, list.length).set(list);
    return at;
  }

  pushHandles<H extends bigint>(list: readonly HandleOf<H>[]): Pointer {
    const at = this.push(list.length * 8);
    list.forEach((one, i) => this.setHandle(at + i * 8, one));
    return at;
  }

  /**
   * The bits of an object.
   *
   * @throws TypeError: it is none, or one of another instance, where its bits are another object.
   */
  bits<H extends bigint>(one: HandleOf<H>): H {
    if (typeof one === "bigint") return one as H;
    const object = one as { handle?: unknown; memory?: unknown } | null | undefined;
    if (typeof object?.handle !== "bigint") throw new TypeError(`${shown(one)} is no object of the library`);
    if (object.memory !== undefined && object.memory !== this) {
      throw new TypeError(`${shown(one)} belongs to another instance of the library`);
    }
    return object.handle as H;
  }

  setHandle<H extends bigint>(at: Pointer, one: HandleOf<H>): void {
    this.data.setBigUint64(at, this.bits(one), true);
  }

  /** The value is computed before the memory is looked at, since computing it may make it grow. */
  setAddress(at: Pointer, address: Pointer): void {
    this.data.setUint32(at, address, true);
  }
}

/** A TypeError unless all are integers; those of integer arrays are. */
function checkIntegers(list: ArrayLike<number>): void {
  const isFloats = list instanceof Float32Array || list instanceof Float64Array;
  if (ArrayBuffer.isView(list) && !isFloats) return;
  for (let i = 0; i < list.length; i++) integer(list[i]!, `element ${i} of a list of integers`);
}
