// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Many characters in one call.

import { PoseLayout, WorldCalls, readWorldReport, writeWorldFrame } from "./abi.g.js";
import type { WorldFrame, WorldReport } from "./abi.g.js";
import type { Pointer, SinewError } from "./memory.js";

/** What {@link World.solveRows} did. */
export interface WorldRows {
  /** Numbers of animators by what was done with them. */
  report: WorldReport;
  /** A Result per row; `Result.Ok` for rows that are empty or were not to be solved. */
  results: number[];
  /** A RowState per row. */
  states: number[];
  /** Why the first row that failed was not solved; undefined when none failed. */
  error: SinewError | undefined;
}

const REPORT_BYTES = 20;
const FRAME_BYTES = 84;
const TRANSFORM_BYTES = 40;

/** Animators that are solved together, each with its own pose. */
export class World extends WorldCalls {
  /**
   * Solves all animators in their own poses, with the result of each row (see `getRow`). One that
   * fails does not stop the others, and is no exception.
   *
   * @throws SINEW_ERROR_BUSY: the world is in use.
   */
  solveRows(): WorldRows {
    const rows = this.getRowCount();
    const m = this.memory;
    const mark = m.mark();
    try {
      const [results, states, out, frame] = [m.push(rows * 4), m.push(rows * 4), m.push(REPORT_BYTES), m.push(FRAME_BYTES)];
      m.clear(out, REPORT_BYTES);
      writeWorldFrame(m, frame, { rowCount: rows, outResults: results, outStates: states });
      const error = m.failure(m.exports.sinew_world_solve(this.handle, frame, out));
      const report = readWorldReport(m, out);
      // Without a row that failed the call itself was refused.
      if (error && report.failed === 0) throw error;
      const list = (at: Pointer) => Array.from({ length: rows }, (_, i) => m.data.getInt32(at + i * 4, true));
      return { report, results: list(results), states: list(states), error };
    } finally {
      m.release(mark);
    }
  }

  /**
   * As in the base class; members that are addresses are checked to be inside of the memory.
   *
   * @throws RangeError: an array ends outside of the memory.
   */
  override solve(frame: Partial<WorldFrame> | null = null): WorldReport {
    if (frame) mustBeInside(frame, this.memory.exports.memory.buffer.byteLength);
    return super.solve(frame);
  }
}

/** An access outside of the memory would end the call in the middle, and leave the world locked. */
function mustBeInside(frame: Partial<WorldFrame>, bytes: number): void {
  const { rowCount: rows = 0, layout = PoseLayout.Own } = frame;
  const check = (name: keyof WorldFrame, size: number) => {
    const at = frame[name] ?? 0;
    if (at !== 0 && rows > 0 && !(at >= 0 && at + size <= bytes)) {
      throw new RangeError(`solve: ${name} is ${at} and needs ${size} bytes: the memory has ${bytes}`);
    }
  };
  // The last row may be shorter than the stride.
  const strided = (stride: number | undefined, last: number) => (rows - 1) * (stride ?? 0) + last;
  if (layout === PoseLayout.Records) check("records", strided(frame.recordsStride, TRANSFORM_BYTES));
  if (layout === PoseLayout.Pointers) check("pointers", rows * 4);
  if (layout === PoseLayout.Strided) {
    check("positions", strided(frame.positionsRowStride, 12));
    check("rotations", strided(frame.rotationsRowStride, 16));
    check("scales", strided(frame.scalesRowStride, 12));
  }
  check("roots", strided(frame.rootsStride, TRANSFORM_BYTES));
  check("inputs", strided(frame.inputsStride, 4));
  check("outResults", rows * 4);
  check("outStates", rows * 4);
}
