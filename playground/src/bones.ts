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
  /** Space of each joint, scale above it included. */
  readonly #spaces: Matrix4[];

  /** `thick`: radius of a bone at its root, in the unit of the pose. */
  constructor(into: Object3D, readonly parents: ArrayLike<number>, readonly thick: number) {
    const count = Math.max(1, Array.from(parents).filter((parent) => parent >= 0).length);
    const shape = new ConeGeometry(1, 1, count > 100 ? 6 : 12).translate(0, 0.5, 0);
    this.mesh = new InstancedMesh(shape, new MeshLambertMaterial(), count);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    const color = new Color();
    for (let i = 0; i < count; i++) this.mesh.setColorAt(i, color.setHSL(0.08 + (0.5 * i) / count, 0.55, 0.55));
    this.#spaces = Array.from(parents, () => new Matrix4());
    into.add(this.mesh);
  }

  /** Moves the cones to a pose: local transforms of all joints. */
  draw(pose: Float32Array): void {
    const [own, along, size, matrix] = [new Quaternion(), new Vector3(), new Vector3(), new Matrix4()];
    const [from, to] = [new Vector3(), new Vector3()];
    let bone = 0;
    for (let joint = 0; joint < this.parents.length; joint++) {
      const parent = this.parents[joint]!;
      const i = joint * TRANSFORM_FLOATS;
      const space = this.#spaces[joint]!.compose(to.fromArray(pose, i), own.fromArray(pose, i + 3), size.fromArray(pose, i + 7));
      if (parent < 0) continue;
      space.premultiply(this.#spaces[parent]!);
      // A bone points from its joint to the next one, whatever its rotation about itself.
      from.setFromMatrixPosition(this.#spaces[parent]!);
      const length = along.setFromMatrixPosition(space).sub(from).length();
      size.setScalar(this.thick).setY(length);
      own.setFromUnitVectors(UP, along.divideScalar(length || 1));
      this.mesh.setMatrixAt(bone++, matrix.compose(from, own, size));
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  destroy(): void {
    remove(this.mesh);
  }
}
