// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Bones drawn as cones, from each joint to the next.

import { Color, ConeGeometry, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import type { Object3D } from "three";
import { TRANSFORM_FLOATS } from "sinew-ik";
import { remove } from "./stage.js";

const UP = new Vector3(0, 1, 0);

export class Bones {
  readonly mesh: InstancedMesh;
  readonly #places: Vector3[];
  readonly #turns: Quaternion[];

  /** `thick`: radius of a bone at its root, in the unit of the pose. */
  constructor(into: Object3D, readonly parents: ArrayLike<number>, readonly thick: number) {
    const count = Math.max(1, Array.from(parents).filter((parent) => parent >= 0).length);
    const shape = new ConeGeometry(1, 1, count > 100 ? 6 : 12).translate(0, 0.5, 0);
    this.mesh = new InstancedMesh(shape, new MeshLambertMaterial(), count);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    const color = new Color();
    for (let i = 0; i < count; i++) this.mesh.setColorAt(i, color.setHSL(0.08 + (0.5 * i) / count, 0.55, 0.55));
    this.#places = Array.from(parents, () => new Vector3());
    this.#turns = Array.from(parents, () => new Quaternion());
    into.add(this.mesh);
  }

  /** Moves the cones to a pose: local transforms of all joints. */
  draw(pose: Float32Array): void {
    const [own, along, size, matrix] = [new Quaternion(), new Vector3(), new Vector3(), new Matrix4()];
    let bone = 0;
    for (let joint = 0; joint < this.parents.length; joint++) {
      const parent = this.parents[joint]!;
      const i = joint * TRANSFORM_FLOATS;
      const place = this.#places[joint]!.fromArray(pose, i);
      const turn = this.#turns[joint]!.fromArray(pose, i + 3);
      if (parent < 0) continue;
      place.applyQuaternion(this.#turns[parent]!).add(this.#places[parent]!);
      turn.premultiply(this.#turns[parent]!);
      // A bone points from its joint to the next one, whatever its rotation about itself.
      const length = along.copy(place).sub(this.#places[parent]!).length();
      size.setScalar(this.thick).setY(length);
      own.setFromUnitVectors(UP, along.divideScalar(length || 1));
      this.mesh.setMatrixAt(bone++, matrix.compose(this.#places[parent]!, own, size));
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  destroy(): void {
    remove(this.mesh);
  }
}
