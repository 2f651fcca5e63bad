using System;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    // The legs: those of a humanoid, whose goals are set, or those of the list, which have a limb
    // of their own in the animator.
    public sealed unsafe partial class SinewGrounder
    {
        private struct LegBones
        {
            internal int Hip, Knee, Ankle, Ball; // -1: no toes
            internal SinewConstraint Limb; // of listed legs
        }

        private struct Landing
        {
            internal bool IsKnown, IsNew;
            internal float Seconds;
            internal Vector3 Place;
        }

        private LegBones[] bones = new LegBones[0];
        private SinewGrounderLeg[] poses = new SinewGrounderLeg[0];
        private SinewGrounderLegResult[] results = new SinewGrounderLegResult[0];
        private SinewGroundQuery[] queries = new SinewGroundQuery[0];
        private SinewGroundHit[] hits = new SinewGroundHit[0];
        private Quaternion[] toes = new Quaternion[0];
        private Landing[] landings = new Landing[2];
        private uint[] groups;
        private bool isListed; // the legs are those of the list
        private int pelvisJoint = -1;
        private SinewGroundLeg[] builtFrom = new SinewGroundLeg[0]; // what Build has taken of the list
        private Transform builtPelvis;

        /// <summary>Number of legs; 0 before the first pass.</summary>
        public int legCount
        {
            get { return bones.Length; }
        }

        /// <summary>Whether a foot is locked to the ground.</summary>
        /// <param name="leg">0 left and 1 right of a humanoid; else the place in <see cref="legs"/>.
        /// Others are never planted.</param>
        public bool IsPlanted(int leg)
        {
            return Has(leg) && results[leg].planted != 0;
        }

        /// <summary>The contact point of a foot after the last pass, world space: the root of its
        /// toes, or the last joint of a leg without toes.</summary>
        public Vector3 GetFootPosition(int leg)
        {
            return Has(leg) ? From(results[leg].ball) : Vector3.zero;
        }

        /// <summary>Where a swinging foot is expected to land, world space, at the height of the
        /// animated foot.</summary>
        public Vector3 GetLandingPosition(int leg)
        {
            return Has(leg) ? From(results[leg].landing) : Vector3.zero;
        }

        /// <summary>Seconds until a swinging foot lands, as far as is known; 0 for a planted
        /// one.</summary>
        public float GetTimeToLanding(int leg)
        {
            return Has(leg) ? results[leg].time_to_landing_s : 0f;
        }

        /// <summary>
        /// Says when and where a swinging foot lands, where the animation knows it (an event at the
        /// begin of a step, a curve): without it the landing is expected as the last ones were.
        /// Counts from the next pass on until the seconds are over; a later call replaces it.
        /// </summary>
        /// <param name="leg">0 left and 1 right of a humanoid; else the place in <see
        /// cref="legs"/>.</param>
        /// <param name="seconds">Until the foot lands, 0 or more.</param>
        /// <param name="position">Where the animated ball (the last joint, without toes) is then,
        /// seen from this object as it is then, in its own space.</param>
        /// <exception cref="ArgumentOutOfRangeException">There is no such leg, the seconds are below
        /// 0, or a number is not finite.</exception>
        public void SetLanding(int leg, float seconds, Vector3 position)
        {
            if (leg < 0 || leg >= (HasLegs ? legs.Count : 2)) throw new ArgumentOutOfRangeException("leg", "leg is " + leg);
            if (!(seconds >= 0f) || float.IsInfinity(seconds)) throw new ArgumentOutOfRangeException("seconds", "seconds is " + seconds);
            float sum = position.x * 0f + position.y * 0f + position.z * 0f;
            if (sum != 0f) throw new ArgumentOutOfRangeException("position", "position is " + position);
            if (leg >= landings.Length) Array.Resize(ref landings, leg + 1);
            landings[leg] = new Landing { IsKnown = true, IsNew = true, Seconds = seconds, Place = position };
        }

        /// <summary>Takes back what <see cref="SetLanding"/> said.</summary>
        public void ClearLanding(int leg)
        {
            if (leg >= 0 && leg < landings.Length) landings[leg] = default(Landing);
        }

        /// <summary>Takes over a changed list of <see cref="legs"/>, their joints and groups, the
        /// pelvis and foot sizes. Feet start anew. Allocates.</summary>
        public void Refresh()
        {
            RemoveLimbs();
            knownRig = null;
            ForgetContacts();
            isSolved = false;
            problems.Clear();
            if (animator != null) animator.GroundingChanged();
        }

        internal bool HasLegs
        {
            get { return legs != null && legs.Count > 0; }
        }

        // In the Inspector during play: other legs start anew, other sizes do not.
        private void OnValidate()
        {
            ListElements.Fill(legs);
            if (knownRig == null) return;
            if (IsListChanged()) Refresh();
            else size = -1f;
        }

        private bool IsListChanged()
        {
            if (HasLegs != isListed) return true;
            if (!isListed) return false;
            if (legs.Count != builtFrom.Length || pelvis != builtPelvis) return true;
            for (int i = 0; i < builtFrom.Length; i++)
            {
                SinewGroundLeg now = legs[i] ?? new SinewGroundLeg(), was = builtFrom[i];
                bool isSame = now.ankle == was.ankle && now.knee == was.knee && now.hip == was.hip && now.ball == was.ball && now.group == was.group;
                if (!isSame) return true;
            }
            return false;
        }

        private void NoteList()
        {
            builtPelvis = pelvis;
            builtFrom = new SinewGroundLeg[isListed ? legs.Count : 0];
            for (int i = 0; i < builtFrom.Length; i++)
            {
                SinewGroundLeg of = legs[i] ?? new SinewGroundLeg();
                builtFrom[i] = new SinewGroundLeg(of.ankle, of.ball) { knee = of.knee, hip = of.hip, group = of.group };
            }
        }

        private bool Has(int leg)
        {
            return isSolved && leg >= 0 && leg < results.Length;
        }

        private float Size()
        {
            return Mathf.Abs(transform.lossyScale.y);
        }

        // Anew for another rig. What is missing is said once, until the rig or the list changes.
        private void Build()
        {
            RemoveLimbs();
            if (native != null) native.Dispose();
            native = null;
            knownRig = animator.Native;
            isListed = HasLegs;
            NoteList();
            int count = isListed ? legs.Count : 2;
            bones = new LegBones[count];
            poses = new SinewGrounderLeg[count];
            results = new SinewGrounderLegResult[count];
            queries = new SinewGroundQuery[count * (int)GroundQuality.Five];
            hits = new SinewGroundHit[queries.Length];
            toes = new Quaternion[count];
            planted = new bool[count];
            changes = new bool[count];
            Array.Resize(ref landings, Mathf.Max(landings.Length, count));
            groups = null;
            if (isListed) FindListed();
            else FindHuman();
            frame = NativeGrounder.DefaultFrame();
            settings = NativeGrounder.DefaultSettings();
            steps = NativeGrounder.DefaultStepping();
            isStepping = false;
            SinewFootModel[] feet = new SinewFootModel[count];
            size = Size();
            legScale = LegScale();
            for (int leg = 0; leg < count; leg++) feet[leg] = Foot(leg);
            native = new NativeGrounder(feet);
            SinewRuntime.Add(this);
        }

        // The character has another size: lengths and feet follow, locks stay.
        private void Measure(float now)
        {
            size = now;
            legScale = LegScale();
            for (int leg = 0; leg < bones.Length; leg++) native.SetFoot(leg, Foot(leg));
        }

        private void FindHuman()
        {
            bones[0] = Human(HumanBodyBones.LeftUpperLeg, HumanBodyBones.LeftLowerLeg, HumanBodyBones.LeftFoot, HumanBodyBones.LeftToes);
            bones[1] = Human(HumanBodyBones.RightUpperLeg, HumanBodyBones.RightLowerLeg, HumanBodyBones.RightFoot, HumanBodyBones.RightToes);
            pelvisJoint = animator.IndexOf(animator.GetBoneTransform(HumanBodyBones.Hips));
        }

        private LegBones Human(HumanBodyBones hip, HumanBodyBones knee, HumanBodyBones ankle, HumanBodyBones ball)
        {
            return new LegBones
            {
                Hip = animator.IndexOf(animator.GetBoneTransform(hip)), Knee = animator.IndexOf(animator.GetBoneTransform(knee)),
                Ankle = animator.IndexOf(animator.GetBoneTransform(ankle)), Ball = animator.IndexOf(animator.GetBoneTransform(ball)),
            };
        }

        private void FindListed()
        {
            bool isGrouped = true;
            for (int i = 0; i < bones.Length; i++)
            {
                SinewGroundLeg leg = legs[i];
                if (leg == null) throw new SinewException(SinewResult.ErrorInvalidArgument, "legs[" + i + "] is null");
                if (leg.ankle == null) throw new SinewException(SinewResult.ErrorJointNotFound, "the ankle of legs[" + i + "] is None");
                Transform knee = leg.knee != null ? leg.knee : leg.ankle.parent;
                Transform hip = leg.hip != null ? leg.hip : knee != null ? knee.parent : null;
                bones[i].Ankle = (int)animator.JointOf(leg.ankle);
                bones[i].Knee = (int)animator.JointOf(knee);
                bones[i].Hip = (int)animator.JointOf(hip);
                bones[i].Ball = leg.ball == null ? -1 : (int)animator.JointOf(leg.ball);
                isGrouped &= leg.group >= 0;
            }
            pelvisJoint = pelvis != null ? (int)animator.JointOf(pelvis) : JointAboveAll();
            if (isGrouped)
            {
                groups = new uint[bones.Length];
                for (int i = 0; i < groups.Length; i++) groups[i] = (uint)legs[i].group;
            }
            for (int i = 0; i < bones.Length; i++)
            {
                SinewTwoBoneDef def = NativeAnimator.DefaultTwoBone();
                def.end = (uint)bones[i].Ankle;
                def.mid = bones[i].Knee;
                def.root = bones[i].Hip;
                bones[i].Limb = animator.AddLimb(def);
            }
        }

        // The nearest joint above all hips; -1: the hips are at the top, and nothing moves for all.
        private int JointAboveAll()
        {
            for (int joint = animator.ParentOf(bones[0].Hip); joint >= 0; joint = animator.ParentOf(joint))
            {
                bool isAbove = true;
                for (int i = 1; i < bones.Length && isAbove; i++)
                {
                    int up = animator.ParentOf(bones[i].Hip);
                    while (up >= 0 && up != joint) up = animator.ParentOf(up);
                    isAbove = up >= 0;
                }
                if (!isAbove) continue;
                animator.NeedJoint(joint);
                return joint;
            }
            return -1;
        }

        private void RemoveLimbs()
        {
            for (int i = 0; i < bones.Length; i++)
            {
                if (animator != null && animator.Native != null && ReferenceEquals(knownRig, animator.Native) && !bones[i].Limb.IsNull)
                    animator.Native.RemoveConstraint(bones[i].Limb);
                bones[i].Limb = default(SinewConstraint);
            }
            if (isListed) knownRig = null;
        }

        // By the longest leg at rest, world units, which have the world scale of this object.
        private float LegScale()
        {
            float longest = 0f;
            for (int i = 0; i < bones.Length; i++)
            {
                Vector3 hip = animator.RestPlace(bones[i].Hip), knee = animator.RestPlace(bones[i].Knee), ankle = animator.RestPlace(bones[i].Ankle);
                longest = Mathf.Max(longest, Vector3.Distance(hip, knee) + Vector3.Distance(knee, ankle));
            }
            return Mathf.Max(1e-4f, longest * size / UsualLeg);
        }

        private SinewFootModel Foot(int leg)
        {
            SinewFootModel foot = isListed ? ListedFoot(leg) : HumanFoot(leg);
            SinewFootSize own = isListed ? legs[leg].size : leg == 0 ? leftFootSize : rightFootSize;
            if (own != null) own.Apply(ref foot, size);
            return foot;
        }

        // The goal frame of a foot stands upright when the foot stands flat: heights of ankle and
        // ball are lengths along its Y.
        private SinewFootModel HumanFoot(int leg)
        {
            float sole = Mathf.Max(0f, (leg == 0 ? animator.leftFeetBottomHeight : animator.rightFeetBottomHeight) * size);
            SinewFootModel foot = NativeGrounder.DefaultFoot();
            foot.heel_height = sole;
            if (bones[leg].Ball < 0)
            {
                foot.has_sole = 0;
                foot.ball_height = sole;
                foot.toe_length = foot.heel_length = 0f;
                return foot;
            }
            Vector3 ankle, ball;
            Quaternion turned;
            animator.Animated(bones[leg].Ankle, out ankle, out turned);
            animator.Animated(bones[leg].Ball, out ball, out turned);
            Vector3 local = Quaternion.Inverse(animator.AnimatedGoalFrame((AvatarIKGoal)leg)) * (ball - ankle);
            float instep = Mathf.Sqrt(local.x * local.x + local.z * local.z);
            foot.ball_height = Mathf.Max(0f, sole + local.y);
            foot.toe_length = 0.55f * instep;
            foot.heel_length = 0.3f * instep;
            return foot;
        }

        // From the rest pose. Joints of a standing rest pose are near the ground, which is at this
        // object; another rest pose says nothing about it.
        private SinewFootModel ListedFoot(int leg)
        {
            Vector3 hip = animator.RestPlace(bones[leg].Hip) * size, knee = animator.RestPlace(bones[leg].Knee) * size;
            Vector3 ankle = animator.RestPlace(bones[leg].Ankle) * size;
            bool hasToes = bones[leg].Ball >= 0;
            Vector3 low = hasToes ? animator.RestPlace(bones[leg].Ball) * size : ankle;
            float whole = Vector3.Distance(hip, knee) + Vector3.Distance(knee, ankle);
            bool stands = low.y >= -0.02f * whole && low.y < 0.25f * whole;
            Vector3 ground = stands ? Vector3.zero : low - Vector3.up * (hasToes ? 0.035f * whole : 0f);
            return NativeGrounder.FootFromRest(To(ankle), hasToes ? To(low) : (SinewVec3?)null, null, To(ground), To(Vector3.up));
        }

        private Vector3 PelvisPlace()
        {
            Vector3 place = Vector3.zero;
            Quaternion turned;
            if (pelvisJoint >= 0)
            {
                animator.Animated(pelvisJoint, out place, out turned);
                return place;
            }
            for (int i = 0; i < poses.Length; i++) place += From(poses[i].hip) * (1f / poses.Length);
            return place;
        }

        private void FillLeg(int leg)
        {
            Vector3 hip, knee, ankle, ball;
            Quaternion turned, foot;
            animator.Animated(bones[leg].Hip, out hip, out turned);
            animator.Animated(bones[leg].Knee, out knee, out turned);
            animator.Animated(bones[leg].Ankle, out ankle, out foot);
            ball = ankle;
            if (bones[leg].Ball >= 0) animator.Animated(bones[leg].Ball, out ball, out toes[leg]);
            poses[leg].hip = To(hip);
            poses[leg].knee = To(knee);
            poses[leg].ankle = To(ankle);
            poses[leg].ball = To(ball);
            poses[leg].foot = To(foot);
            SinewGroundLeg listed = isListed && leg < legs.Count ? legs[leg] : null;
            poses[leg].weight = Mathf.Clamp01(listed != null ? listed.weight : leg == 0 ? leftFootWeight : rightFootWeight);
            poses[leg].contact = (int)(listed != null ? listed.contact : leg == 0 ? leftFootContact : rightFootContact);
            FillLanding(leg);
        }

        private void FillLanding(int leg)
        {
            poses[leg].has_landing = 0;
            if (!landings[leg].IsKnown) return;
            if (!landings[leg].IsNew) landings[leg].Seconds -= animator.PassSeconds;
            landings[leg].IsNew = false;
            landings[leg].IsKnown = landings[leg].Seconds >= 0f;
            if (!landings[leg].IsKnown) return;
            poses[leg].has_landing = 1;
            poses[leg].landing_time_s = landings[leg].Seconds;
            poses[leg].landing = To(Vector3.Scale(landings[leg].Place, transform.lossyScale));
        }

        /// <summary>Puts the answer for listed legs into the pose and the limbs' goals, after
        /// scripts and before the solve. A mistake in it leaves the legs as animated.</summary>
        internal void TryApplyLegs()
        {
            if (!isListed || native == null || !ReferenceEquals(knownRig, animator.Native)) return;
            try
            {
                ApplyLegs();
            }
            catch (Exception e)
            {
                Fail(e);
            }
        }

        private void ApplyLegs()
        {
            NativeAnimator to = animator.Native;
            bool isMoved = isSolved && MovePelvis(to);
            for (int i = 0; i < bones.Length; i++)
            {
                SinewGrounderLegResult now = results[i];
                SinewGrounderLeg was = poses[i];
                Quaternion before = From(was.foot), after = From(now.foot);
                // A foot in the air over flat ground is the animation, bit for bit.
                bool isChanged = isSolved && (isMoved || From(now.ankle) != From(was.ankle) || !before.Equals(after));
                if (isChanged)
                {
                    SinewConstraintGoal goal = NativeAnimator.DefaultConstraintGoal();
                    goal.set = SinewConstants.SINEW_CONSTRAINT_POSITION | SinewConstants.SINEW_CONSTRAINT_ROTATION;
                    goal.position = now.ankle;
                    goal.rotation = now.foot;
                    goal.position_weight = goal.rotation_weight = 1f;
                    to.SetConstraintGoal(bones[i].Limb, 0, goal);
                }
                to.SetConstraintWeight(bones[i].Limb, isChanged ? 1f : 0f);
                int ball = bones[i].Ball;
                if (!isChanged || ball < 0 || animator.ParentOf(ball) != bones[i].Ankle) continue;
                Quaternion local = Quaternion.Inverse(after) * From(now.toes_turn) * toes[i];
                Quaternion carried = Quaternion.Inverse(before) * toes[i];
                if (Mathf.Abs(Quaternion.Dot(local, carried)) < 0.999999f) to.Pose[ball].rotation = To(local.normalized);
            }
        }

        private bool MovePelvis(NativeAnimator to)
        {
            Vector3 offset = From(body.offset);
            Quaternion turn = From(body.turn);
            if (pelvisJoint < 0 || (offset == Vector3.zero && turn.w >= 1f)) return false;
            Vector3 at;
            Quaternion turned, above;
            animator.Animated(pelvisJoint, out at, out turned);
            int parent = animator.ParentOf(pelvisJoint);
            if (parent >= 0) animator.Animated(parent, out at, out above);
            else above = transform.rotation;
            Vector3 local = Quaternion.Inverse(above) * offset, stretch = animator.ScaleAbove(pelvisJoint);
            SinewTransform* pose = to.Pose + pelvisJoint;
            pose->position.x += local.x / Whole(stretch.x);
            pose->position.y += local.y / Whole(stretch.y);
            pose->position.z += local.z / Whole(stretch.z);
            if (turn.w < 1f) pose->rotation = To((Quaternion.Inverse(above) * turn * turned).normalized);
            return true;
        }

        private static float Whole(float scale)
        {
            return Mathf.Abs(scale) < 1e-6f ? 1f : scale;
        }
    }
}
