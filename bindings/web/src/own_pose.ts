// SPDX-License-Identifier: MIT OR Apache-2.0

import { Result } from "./abi.g.js";
import { SinewError } from "./memory.js";
import type { Memory, Pointer } from "./memory.js";

/** Floats of one transform: position x y z, rotation x y z w, scale x y z. */
export const TRANSFORM_FLOATS = 10;

/** A pose of this side, for objects that have none of their own. @internal */
export class OwnPose {
  #at: Pointer;

  constructor(readonly memory: Memory, readonly jointCount: number, readonly owner: string) {
    this.#at = memory.allocate(jointCount * TRANSFORM_FLOATS * 4);
  }

  /** Its address. */
  get at(): Pointer {
    if (this.#at === 0) throw new SinewError(Result.ErrorInvalidHandle, `${this.owner}.pose: the object is destroyed`);
    return this.#at;
  }

  get floats(): Float32Array {
    return this.memory.floats(this.at, this.jointCount * TRANSFORM_FLOATS);
  }

  free(): void {
    this.memory.free(this.at, this.jointCount * TRANSFORM_FLOATS * 4);
    this.#at = 0;
  }
}

/** The size that a call writes which has no room for what it returns. @internal */
export function sizeOf(m: Memory, call: (size: Pointer) => number): number {
  const mark = m.mark();
  try {
    const at = m.push(4);
    m.data.setUint32(at, 0, true);
    const code = call(at);
    const size = m.data.getUint32(at, true);
    if (size === 0) m.must(code);
    return size;
  } finally {
    m.release(mark);
  }
}
