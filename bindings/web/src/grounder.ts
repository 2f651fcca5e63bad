// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Feet on the ground: queries that are answered by a function, one grounder or many at once.

import {
  GroundContact, GrounderCalls, pushGroundHits, pushGrounderFrames, pushGrounderLegs, readGroundQuery, readGrounderBody, readGrounderLegResult,
} from "./abi.g.js";
import type { GroundHit, GroundQuery, GrounderBody, GrounderFrame, GrounderLeg, GrounderLegResult, SteppingSettings } from "./abi.g.js";
import { mustHave } from "./counts.js";

/**
 * The answer to a query: where the ground is; null or undefined: there is none within its length.
 * Where they are left out, `hit` is 1, `body` 0 (ground that never moves), and velocities are zero.
 */
export type GroundAnswer = (Pick<GroundHit, "point" | "normal"> & Partial<GroundHit>) | { readonly hit: 0 } | null | undefined;

/**
 * A leg of a frame. Where they are left out, `weight` is 1, `contact` is left to the library, and
 * the landing is not known.
 */
export type LegInput = Pick<GrounderLeg, "hip" | "knee" | "ankle" | "ball" | "foot"> & Partial<GrounderLeg>;

/** Most queries of a leg: a GroundQuality is 1, 3 or 5. */
const MOST_QUERIES = 5;

const QUERY_BYTES = 40;
const BODY_BYTES = 48;
const LEG_BYTES = 104;

const ZERO = { x: 0, y: 0, z: 0 };

/** Unlike the library's record an answer has members that may be left out. */
function hitOf(answer: GroundAnswer): GroundHit {
  if (!answer || !("point" in answer)) {
    return { hit: 0, body: 0, point: ZERO, normal: ZERO, velocity: ZERO, angularVelocity: ZERO };
  }
  return { hit: 1, body: 0, velocity: ZERO, angularVelocity: ZERO, ...answer };
}

function legOf(leg: LegInput): GrounderLeg {
  return { weight: 1, contact: GroundContact.Auto, hasLanding: 0, landingTimeS: 0, landing: ZERO, ...leg };
}

/** Feet on the ground, of any number of legs. */
export class Grounder extends GrounderCalls {
  /** As in the base class; members of a leg may be left out. */
  override begin(frame: Partial<GrounderFrame>, legs: readonly LegInput[]): number {
    return super.begin(frame, legs.map(legOf));
  }

  /** As in the base class; null for the settings: the defaults; no groups: around the body. */
  override setStepping(settings: Partial<SteppingSettings> | null = null, groups: ArrayLike<number> | null = null): void {
    super.setStepping(settings, groups ?? []);
  }

  /**
   * Solves the frame under way with one answer per query, in their order.
   *
   * @throws SINEW_ERROR_LENGTH_MISMATCH: more or fewer answers than queries;
   *   SINEW_ERROR_INVALID_ARGUMENT: no frame is under way, or a normal without length. The frame
   *   stays under way.
   */
  override finish(hits: readonly GroundAnswer[]): void {
    super.finish(hits.map(hitOf));
  }

  /**
   * Solves a frame in one call; {@link getBody} and {@link getLegs} have the result.
   *
   * @param frame - what is left out is as in `grounderFrameDefault`.
   * @param legs - the animated legs, one per foot model, world space.
   * @param cast - answers a query: called once for each, before this method returns.
   * @throws as `begin` and {@link finish}, and what `cast` throws; the frame stays under way.
   */
  solve(frame: Partial<GrounderFrame>, legs: readonly LegInput[], cast: (query: GroundQuery) => GroundAnswer): void {
    const { queries } = this.getQueries(this.begin(frame, legs));
    this.finish(queries.map((query) => cast(query)));
  }

  /**
   * Starts a frame of many grounders: with {@link finishBatch} two calls in place of many. The
   * result has the bits of single calls.
   *
   * @param grounders - each at most once, all of one module.
   * @param frames - one per grounder.
   * @param legs - the legs of each grounder.
   * @returns the queries of each grounder.
   * @throws as `begin`. When one grounder fails, those before it have begun their frames.
   */
  static beginBatch(
    grounders: readonly GrounderCalls[], frames: readonly Partial<GrounderFrame>[], legs: readonly (readonly LegInput[])[],
  ): GroundQuery[][] {
    const m = grounders[0]?.memory;
    mustHave("beginBatch: frames", frames, grounders.length, "one per grounder");
    mustHave("beginBatch: legs", legs, grounders.length, "a list per grounder");
    if (!m) return [];
    const mark = m.mark();
    try {
      const all = legs.flat().map(legOf);
      const capacity = all.length * MOST_QUERIES;
      const handles = m.pushHandles(grounders);
      const [frameList, legList] = [pushGrounderFrames(m, frames), pushGrounderLegs(m, all)];
      const [queries, first] = [m.push(capacity * QUERY_BYTES), m.push((grounders.length + 1) * 4)];
      m.must(m.exports.sinew_grounder_begin_batch(handles, grounders.length, frameList, legList, all.length, queries, capacity, first));
      const start = (i: number) => m.data.getUint32(first + i * 4, true);
      return grounders.map((_, i) => Array.from({ length: start(i + 1) - start(i) }, (_, k) =>
        readGroundQuery(m, queries + (start(i) + k) * QUERY_BYTES)));
    } finally {
      m.release(mark);
    }
  }

  /**
   * Solves the frames under way of many grounders.
   *
   * @param grounders - as for {@link beginBatch}.
   * @param hits - the answers of each grounder, in the order of its queries.
   * @returns what is to be done with the body and the legs of each grounder.
   * @throws as {@link finish}. When one grounder fails, those before it are finished.
   */
  static finishBatch(
    grounders: readonly GrounderCalls[], hits: readonly (readonly GroundAnswer[])[],
  ): { body: GrounderBody; legs: GrounderLegResult[] }[] {
    const m = grounders[0]?.memory;
    mustHave("finishBatch: hits", hits, grounders.length, "a list per grounder");
    if (!m) return [];
    const counts = grounders.map((grounder) => grounder.getLegCount());
    const legCount = counts.reduce((sum, count) => sum + count, 0);
    const mark = m.mark();
    try {
      const all = hits.flat();
      const handles = m.pushHandles(grounders);
      const list = pushGroundHits(m, all.map(hitOf));
      const [bodies, legs] = [m.push(grounders.length * BODY_BYTES), m.push(legCount * LEG_BYTES)];
      m.must(m.exports.sinew_grounder_finish_batch(handles, grounders.length, list, all.length, bodies, legs, legCount));
      let next = legs;
      return counts.map((count, i) => {
        const from = next;
        next += count * LEG_BYTES;
        return {
          body: readGrounderBody(m, bodies + i * BODY_BYTES),
          legs: Array.from({ length: count }, (_, leg) => readGrounderLegResult(m, from + leg * LEG_BYTES)),
        };
      });
    } finally {
      m.release(mark);
    }
  }
}
