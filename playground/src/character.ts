// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One character: hands, feet, elbows, knees, gaze and hips are dragged.

import {
  BoxGeometry, CylinderGeometry, Group, Matrix4, Mesh, MeshLambertMaterial, Object3D, Quaternion, TorusGeometry, Vector3,
} from "three";
import {
  BODY_EFFECTOR_INPUT_POSITION, BodySolverMode, ChainSolver, HumanEffector, IkGoal, IkHint, Status, TRANSFORM_FLOATS,
} from "sinew-ik";
import type { Outcome, Sinew } from "sinew-ik";
import { Character } from "sinew-ik/three";
import type { Chain, CharacterOptions } from "sinew-ik/three";
import { Bones } from "./bones.js";
import { makeMannequin } from "./mannequin.js";
import { manual, millimetres } from "./rig.js";
import { Handle, remove } from "./stage.js";
import type { Stage } from "./stage.js";
import { STATUS, words } from "./status.js";
import { Choices, Readings, choice, element, fileButton, group, slider, toggle } from "./ui.js";
import type { View } from "./view.js";

const LIMBS = [
  { name: "Left foot", goal: IkGoal.LeftFoot, hint: IkHint.LeftKnee, bone: "LeftFoot", mid: "LeftLowerLeg" },
  { name: "Right foot", goal: IkGoal.RightFoot, hint: IkHint.RightKnee, bone: "RightFoot", mid: "RightLowerLeg" },
  { name: "Left hand", goal: IkGoal.LeftHand, hint: IkHint.LeftElbow, bone: "LeftHand", mid: "LeftLowerArm" },
  { name: "Right hand", goal: IkGoal.RightHand, hint: IkHint.RightElbow, bone: "RightHand", mid: "RightLowerArm" },
] as const;

/** What solves the arms. */
const SOLVERS: readonly (readonly [string, ChainSolver | null])[] = [
  ["closed form", null],
  ...Object.entries(ChainSolver).map(([name, solver]) => [`chain: ${words(name)}`, solver] as const),
];

type Place = [number, number, number];
type Grip = [fingers: Place, thumb: Place];

/** Places for the handles of the mannequin, and what stands around it. */
interface Setting {
  name: string;
  hands: [Place, Place];
  feet: [Place, Place];
  gaze: Place;
  hips: Place;
  /** Where the camera is. */
  view: Place;
  /** Where fingers and thumb point, left and right; left out: as the arm leaves them. */
  grips?: [Grip?, Grip?];
  /** Where a second mannequin stands, which faces this one and takes its right hand. */
  partner?: Place;
  props(): Group;
}

const wood = () => new MeshLambertMaterial({ color: 0xb08d57 });
const metal = () => new MeshLambertMaterial({ color: 0x7d8790 });

function solid(mesh: Mesh, at: Place, turn: Place = [0, 0, 0]): Mesh {
  mesh.position.set(...at);
  mesh.rotation.set(...turn);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function box(size: Place, at: Place, material = wood()): Mesh {
  return solid(new Mesh(new BoxGeometry(...size), material), at);
}

const STAND: [Place, Place] = [[0.1, 0.08, -0.01], [-0.1, 0.08, -0.01]];
const SETTINGS: Setting[] = [
  {
    name: "Free", hands: [[0.42, 1.05, 0.28], [-0.4, 1.3, 0.36]], feet: STAND, gaze: [-0.35, 1.6, 0.9], hips: [0, -0.03, 0], view: [1.3, 1.5, 3.5],
    props: () => new Group(),
  },
  {
    name: "Ladder", hands: [[0.15, 1.83, 0.33], [-0.15, 1.53, 0.33]], feet: [[0.12, 0.4, 0.22], [-0.12, 0.7, 0.22]],
    gaze: [0, 2.3, 0.5], hips: [0, 0.28, -0.02], view: [2.5, 1.7, -2.4],
    grips: [[[0, 0.6, 0.8], [-1, 0, 0]], [[0, 0.6, 0.8], [1, 0, 0]]],
    props: () => {
      const props = new Group();
      for (const x of [-0.26, 0.26]) props.add(box([0.05, 2.5, 0.05], [x, 1.25, 0.38]));
      for (let i = 0; i < 8; i++) {
        props.add(solid(new Mesh(new CylinderGeometry(0.018, 0.018, 0.52, 12), wood()), [0, 0.32 + i * 0.3, 0.38], [0, 0, Math.PI / 2]));
      }
      return props;
    },
  },
  {
    name: "Stairs", hands: [[0.42, 1.02, 0.05], [-0.46, 1.15, 0.3]], feet: [[0.1, 0.08, -0.05], [-0.1, 0.44, 0.5]],
    gaze: [-0.2, 1.4, 1.2], hips: [0, 0.02, 0.13], view: [2.9, 1.6, -1.7],
    props: () => {
      const props = new Group();
      for (let i = 0; i < 4; i++) props.add(box([1.1, 0.18 * (i + 1), 0.3], [0, 0.09 * (i + 1), 0.45 + i * 0.3 - 0.15]));
      props.add(solid(new Mesh(new CylinderGeometry(0.02, 0.02, 1.7, 12), metal()), [-0.5, 1.4, 0.75], [Math.PI / 2 - 0.5, 0, 0]));
      for (const z of [0.15, 1.35]) {
        const height = 1.4 + (z - 0.75) * Math.tan(0.5);
        props.add(solid(new Mesh(new CylinderGeometry(0.02, 0.02, height, 12), metal()), [-0.5, height / 2, z]));
      }
      return props;
    },
  },
  {
    name: "Door", hands: [[0.3, 0.95, 0.12], [-0.14, 1.02, 0.36]], feet: [[0.12, 0.08, -0.12], [-0.1, 0.08, 0.1]],
    gaze: [-0.14, 1.05, 0.5], hips: [0, -0.02, 0], view: [-2.5, 1.5, -2.0], grips: [undefined, [[0, 0, 1], [1, 0, 0]]],
    props: () => {
      const props = new Group();
      props.add(box([0.9, 2.05, 0.05], [0.22, 1.025, 0.52]));
      for (const x of [-0.29, 0.73]) props.add(box([0.1, 2.15, 0.1], [x, 1.075, 0.52], metal()));
      props.add(solid(new Mesh(new CylinderGeometry(0.013, 0.013, 0.13, 12), metal()), [-0.12, 1.02, 0.44], [0, 0, Math.PI / 2]));
      return props;
    },
  },
  {
    name: "Cup", hands: [[0.3, 0.98, 0.2], [-0.16, 1.34, 0.24]], feet: STAND, gaze: [-0.08, 1.36, 0.6], hips: [0, -0.01, 0], view: [-1.6, 1.6, 2.9],
    grips: [undefined, [[0.83, 0, 0.55], [0, 1, 0]]],
    props: () => {
      const props = new Group();
      const glaze = new MeshLambertMaterial({ color: 0x3f7f93 });
      props.add(solid(new Mesh(new CylinderGeometry(0.042, 0.036, 0.1, 20, 1, false), glaze), [-0.07, 1.36, 0.3]));
      props.add(solid(new Mesh(new TorusGeometry(0.03, 0.008, 8, 20), glaze), [-0.115, 1.36, 0.3]));
      props.add(box([1.1, 0.04, 0.5], [0, 0.84, 0.55]));
      for (const x of [-0.48, 0.48]) props.add(box([0.05, 0.82, 0.4], [x, 0.41, 0.55]));
      return props;
    },
  },
  {
    name: "Handshake", hands: [[0.25, 0.92, 0.06], [-0.06, 1.12, 0.36]], feet: STAND, gaze: [-0.1, 1.66, 1.0], hips: [0, -0.01, 0],
    view: [3.2, 1.6, 1.4], partner: [-0.12, 0, 0.92], grips: [undefined, [[0, 0, 1], [0, 1, 0]]], props: () => new Group(),
  },
];

/** Rotation of the mannequin's hand; in its rest pose fingers point outward and thumbs forward. */
function gripTurn([fingers, thumb]: Grip, side: 1 | -1): Quaternion {
  const z = new Vector3(...thumb).normalize();
  const x = new Vector3(...fingers).normalize().multiplyScalar(side);
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, z.clone().cross(x), z));
}

const NO_TURN = { x: 0, y: 0, z: 0, w: 1 };

/** What the whole-body solver is told. */
interface BodyChoices {
  mode: BodySolverMode;
  balance: number;
  hips: number;
  spine: number;
  holdsHips: boolean;
}

export class CharacterView implements View {
  readonly name: string;
  readonly readings = new Readings();
  character!: Character;
  readonly handles = new Map<string, Handle>();
  #chains: Chain[] = [];
  /** Of a model that is no humanoid: a chain for each handle. */
  readonly #leaves = new Map<string, Chain>();
  #props = new Group();
  #body: Object3D | undefined;
  /** Of a model without a mesh. */
  #bones: Bones | undefined;
  #isOwn = true;
  #setting = SETTINGS[0]!;
  #scenes: Choices<Setting> | undefined;
  #solver: ChainSolver | null = null;
  #weight = 1;
  #hints = false;
  #limits = true;
  #stretch = 0.05;
  #idle = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  #hipsRest = new Vector3();
  #time = 0;
  #whole: BodyChoices | undefined;
  partner: Character | undefined;
  /** Shows a file of the user's. */
  open: (file: File) => void = () => {};
  readonly #partnerHand = new Object3D();

  /** `wholeBody`: goals are met by the whole body at once, not limb by limb. */
  constructor(readonly sinew: Sinew, readonly stage: Stage, wholeBody = false) {
    this.name = wholeBody ? "Body" : "Character";
    if (wholeBody) this.#whole = { mode: BodySolverMode.Track, balance: 0.5, hips: 0.3, spine: 0.3, holdsHips: false };
  }

  show(panel: HTMLElement): void {
    this.stage.scene.add(this.#props);
    this.#useMannequin();
    const scenes = this.#scenes = new Choices(SETTINGS.map((setting) => [setting.name, setting] as const), this.#setting, (setting) => {
      this.#setting = setting;
      if (!this.#isOwn) this.#useMannequin();
      else this.#place();
    });
    panel.append(
      element("h2", { textContent: this.#whole ? "The whole body" : "Drag anything" }),
      element("p", { textContent: this.#whole
        ? "Pull a hand far away: hips, spine and shoulders come along, the feet stay, the weight stays above them."
        : "Orange: hands and feet. Blue, while poles are on: elbows and knees. Green: the gaze. Red: the hips. Drop a .glb or .vrm file to pose your own character." }),
      ...(this.#whole ? [this.#bodyPanel(this.#whole)] : []),
      group("Scene", scenes.row),
      group("Your character", fileButton("Open a .glb or .vrm file", ".glb,.gltf,.vrm", (file) => this.open(file))),
      group("Solving",
        ...(this.#whole ? [] : [choice("Arms", SOLVERS, this.#solver, (solver) => { this.#solver = solver; this.#setUp(); })]),
        slider("Weight of all goals", { min: 0, max: 1, step: 0.01, value: this.#weight }, (weight) => { this.#weight = weight; this.#setUp(); }),
        toggle("Elbow and knee poles", this.#hints, (on) => { this.#hints = on; this.#setUp(); }),
        toggle("Human joint limits", this.#limits, (on) => { this.#limits = on; this.#setUp(); }),
        slider("Stretch of arms and legs", { min: 0, max: 0.5, step: 0.01, value: this.#stretch }, (stretch) => {
          this.#stretch = stretch;
          this.#rebuild();
        }, (v) => `${Math.round(v * 100)} %`),
        toggle("Idle motion", this.#idle, (on) => { this.#idle = on; }),
      ),
      group("What is left", this.readings.table),
      this.#whole ? manual("the whole body", "body.html") : manual("goals, hints, look-at", "animator.html"),
    );
  }

  #bodyPanel(body: BodyChoices): HTMLElement {
    const share = (title: string, key: "balance" | "hips" | "spine") =>
      slider(title, { min: 0, max: 1, step: 0.01, value: body[key] }, (value) => { body[key] = value; this.#setUp(); });
    return group("Whole body",
      choice("Solver", [
        ["from the last pose", BodySolverMode.Track], ["from the animation", BodySolverMode.Converge], ["off: limb by limb", BodySolverMode.Off],
      ] as const, body.mode, (mode) => { body.mode = mode; this.#setUp(); }),
      share("Balance", "balance"),
      share("Stiffness of the hips", "hips"),
      share("Stiffness of the spine", "spine"),
      toggle("Hold the hips at their handle", body.holdsHips, (on) => { body.holdsHips = on; this.#setUp(); }),
    );
  }

  hide(): void {
    this.#drop();
    remove(this.#props);
    this.#props = new Group();
    this.stage.clear();
    this.handles.clear();
  }

  #drop(): void {
    this.#dropPartner();
    if (!this.#body) return;
    this.character.destroy();
    this.#bones?.destroy();
    this.#bones = undefined;
    remove(this.#body);
    this.#body = undefined;
  }

  #dropPartner(): void {
    if (!this.partner) return;
    remove(this.partner.model);
    this.partner.destroy();
    this.partner = undefined;
  }

  #useMannequin(): void {
    this.#isOwn = true;
    this.use(makeMannequin(), {});
    this.#place();
  }

  /** Another mannequin, which takes the first one's hand. */
  #greet(at: Place): void {
    const model = makeMannequin(0xc9d6e2, 0x7a5536);
    model.position.set(...at);
    model.rotation.y = Math.PI;
    this.stage.scene.add(model);
    this.partner = new Character(this.sinew, model);
    this.partner.rebuild({ armStretch: 0.05 });
    this.#partnerHand.quaternion.copy(gripTurn([[0, 0, -1], [0, 1, 0]], -1));
    this.partner.reach(IkGoal.RightHand, this.#partnerHand, 1, 1);
    this.partner.reach(IkGoal.LeftHand, { x: at[0] - 0.28, y: 0.86, z: at[2] - 0.04 });
    this.partner.lookAt(this.character.bone("Head") ?? this.#partnerHand, { body: 0.2, head: 0.8 });
  }

  /** Shows a model of the user's. */
  load(model: Object3D, options: CharacterOptions): void {
    this.use(model, options);
    this.#isOwn = false;
    this.#setting = SETTINGS[0]!;
    if (this.#scenes) this.#scenes.value = undefined;
    this.stage.look(new Vector3(0, 0.98, 0.1), new Vector3(...this.#setting.view));
    remove(this.#props);
    this.#props = new Group();
  }

  /** Poses a model, whose feet are put on the floor and whose height on 1.75 m. */
  use(model: Object3D, options: CharacterOptions): void {
    const next = new Character(this.sinew, model, options);
    this.#drop();
    this.character = next;
    this.#body = model;
    this.stage.scene.add(model);
    model.updateMatrixWorld(true);
    let hasMesh = false;
    model.traverse((part) => { hasMesh ||= (part as Mesh).isMesh === true; });
    if (!hasMesh) {
      const parents = next.joints.map((joint) => next.joints.indexOf(joint.parent!));
      this.#bones = new Bones(model, parents, 0.025 / model.scale.x);
    }
    this.stage.clear();
    this.handles.clear();
    this.#leaves.clear();
    this.readings.clear();
    const handle = (name: string, bone: Object3D | undefined, color: number, radius = 0.034, label = name) => {
      if (!bone) return;
      const made = new Handle(name, color, radius, label);
      bone.getWorldPosition(made.position);
      this.handles.set(name, made);
      this.stage.add(made);
    };
    for (const limb of LIMBS) {
      handle(limb.name, next.bone(limb.bone), 0xe07b16);
      handle(limb.mid, next.bone(limb.mid), 0x2f7fd6, 0.024, limb.name.replace("foot", "knee").replace("hand", "elbow"));
    }
    handle("Gaze", next.bone("Head"), 0x2f9e5a);
    handle("Hips", next.bone("Hips"), 0xcc3344, 0.04);
    const hips = next.bone("Hips");
    if (hips) {
      hips.getWorldPosition(this.#hipsRest);
      const gaze = this.handles.get("Gaze")!;
      const axes = next.avatar!.getAxes();
      const forward = new Vector3(axes.forward.x, axes.forward.y, axes.forward.z).transformDirection(model.matrixWorld);
      gaze.position.addScaledVector(forward, 1.2);
      for (const limb of LIMBS) {
        const side = limb.goal <= IkGoal.RightFoot ? 0.5 : -0.5;
        this.handles.get(limb.mid)!.position.addScaledVector(forward, side);
      }
    } else {
      this.#addLeafChains();
    }
    this.#rebuild();
  }

  /** A model that is no humanoid: chains to the ends of its longest lines of bones. */
  #addLeafChains(): void {
    const { character } = this;
    const depth = (object: Object3D): number => (character.joints.includes(object) ? 1 + depth(object.parent!) : 0);
    const leaves = character.joints
      .filter((joint) => !joint.children.some((child) => character.joints.includes(child)))
      .sort((a, b) => depth(b) - depth(a))
      .slice(0, 6);
    for (const leaf of leaves) {
      const name = leaf.name || `bone ${character.joint(leaf)}`;
      const made = new Handle(name, 0xe07b16);
      leaf.getWorldPosition(made.position);
      this.handles.set(name, made);
      this.stage.add(made);
      this.#leaves.set(name, character.chain(leaf, made.mesh, { jointCount: Math.min(5, depth(leaf)), flags: 0 }));
    }
  }

  /** Puts handles and props of the setting in place. */
  #place(): void {
    const { hands, feet, gaze, hips, view } = this.#setting;
    this.stage.look(new Vector3(0, 0.98, 0.1), new Vector3(...view));
    remove(this.#props);
    this.#props = this.#setting.props();
    this.stage.scene.add(this.#props);
    this.#dropPartner();
    if (this.#setting.partner) this.#greet(this.#setting.partner);
    const put = (name: string, at: Place) => this.handles.get(name)?.position.set(...at);
    put("Left foot", feet[0]);
    put("Right foot", feet[1]);
    put("Left hand", hands[0]);
    put("Right hand", hands[1]);
    this.#setting.grips?.forEach((grip, i) => {
      if (grip) this.handles.get(i === 0 ? "Left hand" : "Right hand")!.mesh.quaternion.copy(gripTurn(grip, i === 0 ? 1 : -1));
    });
    put("Gaze", gaze);
    this.handles.get("Hips")?.position.copy(this.#hipsRest).add(new Vector3(...hips));
    put("LeftLowerLeg", [0.14, feet[0][1] + 0.45, 0.7]);
    put("RightLowerLeg", [-0.14, feet[1][1] + 0.45, 0.7]);
    put("LeftLowerArm", [0.6, 1.0, -0.25]);
    put("RightLowerArm", [-0.6, 1.0, -0.25]);
    this.#setUp();
  }

  /** A new avatar, for settings that are its own. */
  #rebuild(): void {
    if (this.character.avatar) {
      this.character.rebuild({ armStretch: this.#stretch, legStretch: this.#stretch });
      this.#chains = [];
    }
    this.#setUp();
  }

  /** Goals and switches as the panel has them. */
  #setUp(): void {
    const { character, handles } = this;
    const { animator } = character;
    for (const { constraint } of this.#leaves.values()) animator.setConstraintWeight(constraint, this.#weight);
    if (!character.avatar) return;
    for (const chain of this.#chains.splice(0)) character.removeChain(chain);
    animator.setSettings({ limitsEnabled: this.#limits ? 1 : 0 });
    if (this.#whole) {
      const { mode, balance, hips, spine, holdsHips } = this.#whole;
      animator.setBodySolver({ mode, balanceWeight: balance, hipsStiffness: hips, spineStiffness: spine });
      handles.get("Hips")!.active = holdsHips;
    }
    for (const limb of LIMBS) {
      const hand = limb.goal >= IkGoal.LeftHand;
      const target = handles.get(limb.name)!;
      const asChain = hand && this.#solver !== null;
      const grip = hand ? this.#setting.grips?.[limb.goal - IkGoal.LeftHand] : undefined;
      character.reach(limb.goal, asChain ? null : target.mesh, this.#weight, grip ? this.#weight : 0);
      if (asChain) {
        const chain = character.chain(character.bone(limb.bone)!, target.mesh, {
          jointCount: 4, solver: this.#solver!, flags: 0,
        });
        animator.setConstraintWeight(chain.constraint, this.#weight);
        this.#chains.push(chain);
      }
      animator.setIkHintPositionWeight(limb.hint, this.#hints ? this.#weight : 0);
      handles.get(limb.mid)!.active = this.#hints;
    }
    character.lookAt(handles.get("Gaze")!.mesh, { weight: this.#weight, body: 0.25, head: 0.9 });
  }

  update(dtS: number): void {
    const { character, handles } = this;
    this.#time += dtS;
    if (character.avatar) {
      const { animator } = character;
      if (this.#hints) {
        for (const limb of LIMBS) animator.setIkHintPosition(limb.hint, handles.get(limb.mid)!.position);
      }
      // The hips' handle moves the animation: goals stay where they are. In the whole body it is a
      // goal itself.
      const hips = character.bone("Hips")!;
      const at = character.joint(hips) * TRANSFORM_FLOATS;
      const handle = handles.get("Hips")!.position;
      if (this.#whole) {
        animator.setBodyEffector(HumanEffector.Hips, {
          set: BODY_EFFECTOR_INPUT_POSITION, position: handle, rotation: NO_TURN,
          positionWeight: this.#whole.holdsHips ? this.#weight : 0, rotationWeight: 0,
        });
      }
      const moved = (this.#whole ? this.#hipsRest : handle).clone();
      if (this.#idle) moved.y += 0.006 * Math.sin(this.#time * 1.7);
      const from = hips.parent!.worldToLocal(this.#hipsRest.clone());
      const offset = hips.parent!.worldToLocal(moved).sub(from);
      character.animate = (pose) => offset.toArray().forEach((part, axis) => { pose[at + axis]! += part; });
    }
    const start = performance.now();
    character.update(dtS);
    this.#bones?.draw(character.animator.pose);
    if (this.partner) {
      this.#partnerHand.position.copy(handles.get("Right hand")!.position);
      // Palm to palm.
      this.#partnerHand.position.x += 0.04;
      this.#partnerHand.position.z += 0.196;
      this.partner.update(dtS);
    }
    this.#report(performance.now() - start);
  }

  #report(solveMs: number): void {
    const { animator, avatar } = this.character;
    const show = (name: string, { status, residualM }: Outcome) =>
      this.readings.set(name, `${STATUS[status]}, ${millimetres(residualM)}`,
        status === Status.Reached ? "reached" : status === Status.Inactive ? "" : "missed");
    if (avatar) {
      LIMBS.forEach((limb, i) => {
        const chain = i >= 2 ? this.#chains[i - 2] : undefined;
        show(limb.name, chain === undefined ? animator.getIkOutcome(limb.goal) : animator.getConstraintOutcome(chain.constraint));
      });
      const { status, residualRad } = animator.getLookAtOutcome();
      this.readings.set("Gaze", `${STATUS[status]}, ${((residualRad * 180) / Math.PI).toFixed(1)}°`,
        status === Status.Reached ? "reached" : "");
    }
    for (const [name, { constraint }] of this.#leaves) show(name, animator.getConstraintOutcome(constraint));
    this.readings.set("Update", `${solveMs.toFixed(2)} ms`);
  }
}
