// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Sinew for three.js: a character made of bones gets goals, a gaze and chains.

import { Quaternion, Vector3 } from "three";
import type { Matrix4, Object3D } from "three";
import { HUMAN_BONE_COUNT, HumanBone } from "./abi.g.js";
import type { AvatarDef, ConstraintHandle, IkGoal, LookAtWeight } from "./abi.g.js";
import { SinewError, TRANSFORM_FLOATS } from "./sinew.js";
import type { Animator, Avatar, ChainInput, HumanMap, Sinew, Skeleton } from "./sinew.js";

/** A point in world space, or an object whose origin is followed every frame. */
export type Target = Object3D | { readonly x: number; readonly y: number; readonly z: number };

export interface CharacterOptions {
  /**
   * Which bone is which human bone. Default: found by names and shape where that is possible; false:
   * the character is no humanoid.
   */
  humanoid?: HumanMap | ((joint: (bone: string | Object3D) => number) => HumanMap) | false;
}

interface Followed {
  readonly target: Target;
  readonly set: (at: Vector3) => void;
  readonly turn?: (to: Quaternion) => void;
}

const point = new Vector3();
const rotation = new Quaternion();

function isObject(target: Target): target is Object3D {
  return (target as Object3D).isObject3D === true;
}

/** A chain of a character: what {@link Character.chain} returns. */
export interface Chain {
  readonly constraint: ConstraintHandle;
  /** The last joint of the chain. */
  readonly end: Object3D;
}

/**
 * A skinned model, or any tree of bones, with an animator.
 *
 * Each frame: move the bones (an `AnimationMixer`), call {@link update}, draw. Bones that nothing
 * has moved since the last update start from where the animation last had them, so a model without
 * animation keeps its rest pose.
 */
export class Character {
  readonly skeleton: Skeleton;
  /** Changes the animation of a frame, ten floats per joint, before it is solved. */
  animate: ((pose: Float32Array) => void) | undefined;
  /** Why the model is no humanoid, for example the names of the bones that are missing. */
  readonly humanoidError: string | undefined;
  /** The joints, parents before children. */
  readonly joints: readonly Object3D[];

  #animator: Animator;
  #avatar: Avatar | undefined;
  readonly #index = new Map<Object3D, number>();
  readonly #written: Float32Array;
  readonly #animated: Float32Array;
  readonly #followed = new Map<string, Followed>();
  readonly #chains = new Set<Chain>();

  /**
   * @param model - the object with the bones below it, in the pose in which it was bound, best a
   *   T-pose: `gltf.scene`, or a `SkinnedMesh` with its bones.
   */
  constructor(readonly sinew: Sinew, readonly model: Object3D, options: CharacterOptions = {}) {
    this.joints = jointsOf(model);
    if (this.joints.length === 0) throw new RangeError(`${model.name || "the model"} has no bones`);
    this.joints.forEach((joint, i) => this.#index.set(joint, i));
    const parents = this.joints.map((joint) => this.#index.get(joint.parent!) ?? -1);
    const floats = this.joints.length * TRANSFORM_FLOATS;
    this.#animated = new Float32Array(floats);
    this.#written = new Float32Array(floats);
    this.joints.forEach((joint, i) => read(joint, this.#animated, i * TRANSFORM_FLOATS));
    this.#written.set(this.#animated);
    const names = this.joints.map((joint) => joint.name);
    this.skeleton = sinew.createSkeleton({ parents, rest: this.#animated, names });
    if (options.humanoid !== false) {
      try {
        const { humanoid } = options;
        const map = typeof humanoid === "function" ? humanoid((bone) => this.joint(bone)) : humanoid;
        this.#avatar = sinew.createAvatar(this.skeleton, map);
      } catch (error) {
        // A map of the caller's own must be right; one that was looked for may not be there.
        if (options.humanoid !== undefined || !(error instanceof SinewError)) {
          this.skeleton.destroy();
          throw error;
        }
        this.humanoidError = error.message;
      }
    }
    this.#animator = sinew.createAnimator(this.skeleton, this.#avatar);
  }

  get animator(): Animator {
    return this.#animator;
  }

  /** The human bones; undefined when the model is no humanoid. */
  get avatar(): Avatar | undefined {
    return this.#avatar;
  }

  /**
   * Gives a humanoid an avatar with other options. All goals, chains and settings are cleared: chains
   * that were made before are refused from then on.
   */
  rebuild(options: Partial<AvatarDef>): void {
    const old = this.#avatar;
    if (!old) throw new RangeError(this.humanoidError ?? "the model is no humanoid");
    const joints = Int32Array.from({ length: HUMAN_BONE_COUNT }, (_, bone) => old.getBoneJoint(bone as HumanBone));
    const avatar = this.sinew.createAvatar(this.skeleton, joints, options);
    const animator = this.sinew.createAnimator(this.skeleton, avatar);
    this.#animator.destroy();
    old.destroy();
    [this.#avatar, this.#animator] = [avatar, animator];
    this.#followed.clear();
    this.#chains.clear();
  }

  /** Index of a joint, by its object or its name. */
  joint(bone: string | Object3D): number {
    const index = typeof bone === "string" ? this.joints.findIndex((j) => j.name === bone) : this.#index.get(bone);
    if (index === undefined || index < 0) {
      throw new RangeError(`${typeof bone === "string" ? bone : bone.name} is no joint of ${this.model.name || "the model"}`);
    }
    return index;
  }

  /** The joint of a human bone; undefined when it is not mapped. */
  bone(name: keyof typeof HumanBone): Object3D | undefined {
    return this.avatar && this.joints[this.avatar.getBoneJoint(HumanBone[name])];
  }

  /**
   * Brings a hand or foot to a target, with a weight of 0 (animation) to 1. `turn`: the weight of the
   * target's rotation, which then is that of the hand's or foot's bone; default 0. A point has no
   * rotation: `turn` does not count.
   */
  reach(goal: IkGoal, target: Target | null, weight = 1, turn = 0): void {
    const { animator } = this;
    animator.setIkPositionWeight(goal, target ? weight : 0);
    const turns = target && isObject(target) ? turn : 0;
    animator.setIkRotationWeight(goal, turns);
    this.#follow(`goal ${goal}`, target && {
      target,
      set: (at) => animator.setIkPosition(goal, at),
      ...(turns > 0 && { turn: (to: Quaternion) => animator.setIkRotationBone(goal, to) }),
    });
  }

  /** Turns the head, and with it spine and eyes, to a target. Default weights: head 1, body 0.2. */
  lookAt(target: Target | null, weights: Partial<LookAtWeight> = {}): void {
    const { animator } = this;
    const { weight = 1, body = 0.2, head = 1, eyes = 0, clamp = 0.5 } = weights;
    animator.setLookAtWeight(target ? weight : 0, body, head, eyes, clamp);
    this.#follow("look", target && { target, set: (at) => animator.setLookAtPosition(at) });
  }

  /**
   * A chain of joints, on any rig, whose end follows a target. `jointCount`: how many joints from the
   * end upwards.
   */
  chain(end: string | Object3D, target: Target | null, options: ChainInput = {}): Chain {
    const index = this.joint(end);
    const constraint = this.animator.createChain({ ...options, end: index });
    const chain = { constraint, end: this.joints[index]! };
    this.#chains.add(chain);
    this.setChainTarget(chain, target);
    return chain;
  }

  /** Removes a chain. A RangeError for one that is removed already, or was made before a rebuild. */
  removeChain(chain: Chain): void {
    this.#mustHave(chain);
    this.animator.removeConstraint(chain.constraint);
    this.#chains.delete(chain);
    this.#follow(`chain ${chain.constraint}`, null);
  }

  /** Gives a chain another target; null: none. Errors as those of {@link removeChain}. */
  setChainTarget(chain: Chain, target: Target | null): void {
    this.#mustHave(chain);
    const { animator } = this;
    if (target === null) animator.clearConstraintGoal(chain.constraint, 0);
    this.#follow(`chain ${chain.constraint}`, target && {
      target,
      set: (at) => animator.setConstraintPosition(chain.constraint, 0, at),
    });
  }

  #mustHave(chain: Chain): void {
    if (this.#chains.has(chain)) return;
    const name = this.model.name || "the model";
    throw new RangeError(`the chain of ${chain.end?.name || "a bone"} is none of ${name}: it was removed, or a rebuild has cleared it`);
  }

  #follow(key: string, followed: Followed | null): void {
    if (followed) this.#followed.set(key, followed);
    else this.#followed.delete(key);
  }

  /** Solves: reads the bones, follows the targets, writes the bones. `dtS`: seconds since the last. */
  update(dtS = 0): void {
    const { animator, joints } = this;
    const animated = this.#animated;
    const written = this.#written;
    for (let i = 0; i < joints.length; i++) {
      readMoved(joints[i]!, written, animated, i * TRANSFORM_FLOATS);
    }
    this.model.updateWorldMatrix(true, false);
    animator.setRoot(rootOf(this.model.matrixWorld));
    for (const { target, set, turn } of this.#followed.values()) {
      if (isObject(target)) {
        set(target.getWorldPosition(point));
        turn?.(target.getWorldQuaternion(rotation));
      } else {
        set(point.set(target.x, target.y, target.z));
      }
    }
    const pose = animator.pose;
    pose.set(animated);
    this.animate?.(pose);
    if (dtS > 0) animator.advance(dtS);
    animator.solve();
    written.set(pose);
    for (let i = 0; i < joints.length; i++) {
      const joint = joints[i]!;
      const at = i * TRANSFORM_FLOATS;
      joint.position.fromArray(pose, at);
      joint.quaternion.fromArray(pose, at + 3);
      joint.scale.fromArray(pose, at + 7);
      joint.matrixWorldNeedsUpdate = true;
    }
    this.model.updateMatrixWorld(true);
  }

  /** Ends animator, avatar and skeleton; the bones stay as they are. */
  destroy(): void {
    this.animator.destroy();
    this.avatar?.destroy();
    this.skeleton.destroy();
  }
}

/** The human bones that a VRM file (0 or 1) names, for {@link CharacterOptions.humanoid}. */
export function vrmHumanMap(gltf: {
  scene: Object3D;
  parser: { json: any; associations: Map<any, any> };
}): CharacterOptions["humanoid"] {
  const { extensions } = gltf.parser.json;
  const bones: [string, number][] = [];
  const is1 = extensions?.VRMC_vrm !== undefined;
  if (is1) {
    for (const [bone, { node }] of Object.entries<any>(extensions.VRMC_vrm.humanoid?.humanBones ?? {})) bones.push([bone, node]);
  } else {
    for (const { bone, node } of extensions?.VRM?.humanoid?.humanBones ?? []) bones.push([bone, node]);
  }
  if (bones.length === 0) return undefined;
  const objects = new Map<number, Object3D>();
  gltf.scene.traverse((object) => {
    const node = gltf.parser.associations.get(object)?.nodes;
    if (node !== undefined) objects.set(node, object);
  });
  return (joint) => {
    const map: HumanMap = {};
    for (const [bone, node] of bones) {
      // VRM 1 counts the thumb from its metacarpal.
      const name = !is1 ? bone : bone.replace("ThumbProximal", "ThumbIntermediate").replace("ThumbMetacarpal", "ThumbProximal");
      const human = (name[0]!.toUpperCase() + name.slice(1)) as keyof typeof HumanBone;
      const object = objects.get(node);
      if (human in HumanBone && object) map[human] = joint(object);
    }
    return map;
  };
}

/**
 * The bones below an object, and what is between them and it, parents before children. A model
 * without bones is made of rigid parts: each object is a joint.
 */
function jointsOf(model: Object3D): Object3D[] {
  const kept = new Set<Object3D>();
  const keep = (bone: Object3D) => {
    for (let at: Object3D | null = bone; at && at !== model && !kept.has(at); at = at.parent) kept.add(at);
  };
  model.traverse((object) => {
    if ((object as any).isBone) keep(object);
    for (const bone of (object as any).skeleton?.bones ?? []) if (isBelow(bone, model)) keep(bone);
  });
  const joints: Object3D[] = [];
  model.traverse((object) => {
    if (kept.has(object) || (kept.size === 0 && object !== model)) joints.push(object);
  });
  return joints;
}

function isBelow(object: Object3D, model: Object3D): boolean {
  for (let at = object.parent; at; at = at.parent) if (at === model) return true;
  return false;
}

function read(joint: Object3D, into: Float32Array, at: number): void {
  joint.position.toArray(into as unknown as number[], at);
  joint.quaternion.toArray(into as unknown as number[], at + 3);
  joint.scale.toArray(into as unknown as number[], at + 7);
}

/**
 * Reads of a joint what is not where the last update left it, bit for bit. An animation may write its
 * position and leave its rotation, which then still is that of the last result.
 */
function readMoved(joint: Object3D, written: Float32Array, into: Float32Array, at: number): void {
  const { position: p, quaternion: q, scale: s } = joint;
  const list = into as unknown as number[];
  if (p.x !== written[at] || p.y !== written[at + 1] || p.z !== written[at + 2]) p.toArray(list, at);
  if (q.x !== written[at + 3] || q.y !== written[at + 4] || q.z !== written[at + 5] || q.w !== written[at + 6]) {
    q.toArray(list, at + 3);
  }
  if (s.x !== written[at + 7] || s.y !== written[at + 8] || s.z !== written[at + 9]) s.toArray(list, at + 7);
}

const root = { position: new Vector3(), rotation: new Quaternion(), scale: new Vector3() };

function rootOf(matrix: Matrix4): typeof root {
  matrix.decompose(root.position, root.rotation, root.scale);
  return root;
}
