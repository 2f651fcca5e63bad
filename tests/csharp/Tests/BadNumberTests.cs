using System;
using System.Collections.Generic;
using System.Reflection;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Numbers that are none, from scripts, in constraints and joint limits: logged once
    /// with component, member and value, not taken, and no exception.</summary>
    public sealed class BadNumberTests
    {
        private const float Step = 1f / 60f;
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);
        private static readonly float[] bads = { float.NaN, float.PositiveInfinity, float.NegativeInfinity };

        private static Transform At(Vector3 place)
        {
            Transform made = new GameObject("Target").transform;
            made.position = place;
            return made;
        }

        private static void AssertLogged(int lines, string part, string why)
        {
            Assert.AreEqual(lines, Debug.Lines.Count, why + ": " + string.Join(" | ", Debug.Lines.ToArray()));
            for (int i = 0; i < lines; i++) Assert.IsTrue(Debug.Lines[i].Contains(part), why + " should have " + part + ": " + Debug.Lines[i]);
            Debug.Lines.Clear();
        }

        private static void AssertRefused(SinewAnimator animator, string member, string argument, string why, Action set)
        {
            for (int i = 0; i < 3; i++) set();
            Assert.AreEqual(1, Debug.Lines.Count, why + ": " + string.Join(" | ", Debug.Lines.ToArray()));
            string line = Debug.Lines[0];
            Assert.IsTrue(line.StartsWith("error: SinewAnimator on 'Character'"), line);
            Assert.IsTrue(line.Contains(member + ":") && line.Contains(argument), why + " should have " + member + " and " + argument + ": " + line);
            Assert.IsTrue(ReferenceEquals(animator, Debug.LastContext), why + ", the object it is about");
            Debug.Lines.Clear();
        }

        [Test]
        public void SettersOfConstraintsRefuseWhatIsNoNumberAndKeepWhatWasSet()
        {
            foreach (float bad in bads)
            {
                TestRig rig = new TestRig().Start();
                rig.PoseIdle();
                SinewAnimator animator = rig.Animator;
                SinewConstraint chain = animator.AddChain(rig["RightHand"], 3);
                Quaternion turn = Quaternion.Euler(0f, 30f, 0f);
                SinewConstraintGoal whole = NativeAnimator.DefaultConstraintGoal();
                whole.set = SinewConstants.SINEW_CONSTRAINT_POSITION | SinewConstants.SINEW_CONSTRAINT_ROTATION;
                whole.position = new SinewVec3 { x = goal.x, y = goal.y, z = goal.z };
                whole.rotation = new SinewQuat { x = turn.x, y = turn.y, z = turn.z, w = turn.w };
                animator.SetConstraintGoal(chain, whole);
                animator.SetConstraintPole(chain, new Vector3(2f, 0f, -1f));
                animator.SetConstraintWeight(chain, 1f);
                SinewJointLimitsDef limits = NativeAnimator.DefaultJointLimits();
                animator.SetJointLimits(rig["RightLowerArm"], limits);
                Player.Frame(Step);
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "the hand before");
                TransformData[] before = rig.Snapshot();

                Vector3 place = new Vector3(0f, bad, 0f);
                string why = "with " + bad;
                AssertRefused(animator, "SetConstraintWeight", "value is " + bad, why, delegate { animator.SetConstraintWeight(chain, bad); });
                AssertRefused(animator, "SetConstraintPosition", "position is " + place, why, delegate { animator.SetConstraintPosition(chain, place); });
                AssertRefused(animator, "SetConstraintRotation", "rotation is ", why, delegate { animator.SetConstraintRotation(chain, new Quaternion(0f, bad, 0f, 1f)); });
                AssertRefused(animator, "SetConstraintAxis", "direction is " + place, why, delegate { animator.SetConstraintAxis(chain, Vector3.up, place); });
                AssertRefused(animator, "SetConstraintPositionWeight", "value is " + bad, why, delegate { animator.SetConstraintPositionWeight(chain, bad); });
                AssertRefused(animator, "SetConstraintRotationWeight", "value is " + bad, why, delegate { animator.SetConstraintRotationWeight(chain, bad); });
                AssertRefused(animator, "SetConstraintDistance", "radius is " + bad, why, delegate { animator.SetConstraintDistance(chain, SinewDistanceMode.Inside, bad); });
                AssertRefused(animator, "SetConstraintPole", "position is " + place, why, delegate { animator.SetConstraintPole(chain, place); });
                SinewConstraintGoal wrong = whole;
                wrong.position.y = bad;
                AssertRefused(animator, "SetConstraintGoal", "goal.position.y is ", why, delegate { animator.SetConstraintGoal(chain, wrong); });
                SinewJointLimitsDef soft = limits;
                soft.soft_rad = bad;
                AssertRefused(animator, "SetJointLimits", "limits.soft_rad is ", why, delegate { animator.SetJointLimits(rig["RightLowerArm"], soft); });
                Player.Frame(Step);
                rig.AssertPose(before, "what was set before counts, " + why);

                // Enabling again: each is logged again. A pole with all its settings is no other
                // member.
                animator.enabled = false;
                animator.enabled = true;
                chain = animator.AddChain(rig["RightHand"], 3);
                SinewPole pole = NativeAnimator.DefaultPole();
                pole.angle_rad = bad;
                AssertRefused(animator, "SetConstraintPole", "pole.angle_rad is ", why, delegate { animator.SetConstraintPole(chain, pole); });
                AssertRefused(animator, "SetConstraintAxis", "axis is " + place, why, delegate { animator.SetConstraintAxis(chain, place, Vector3.up); });
                Player.Clear();
            }
        }

        [Test]
        public void UnsetRotationsAndAxesAreRefusedAndOthersAreTakenAsTheyAre()
        {
            TestRig rig = new TestRig().Start();
            SinewAnimator animator = rig.Animator;
            SinewConstraint chain = animator.AddChain(rig["RightHand"], 3);
            AssertRefused(animator, "SetConstraintRotation", "rotation is ", "an unset rotation", delegate { animator.SetConstraintRotation(chain, default(Quaternion)); });
            AssertRefused(animator, "SetConstraintAxis", "axis is ", "an axis of length 0", delegate { animator.SetConstraintAxis(chain, Vector3.zero, Vector3.up); });
            // Any length is a rotation; a radius below 0 is 0, as in the Inspector.
            animator.SetConstraintRotation(chain, new Quaternion(0f, 0f, 0f, 1e8f));
            animator.SetConstraintRotation(chain, new Quaternion(0f, 1e-5f, 0f, 0f));
            animator.SetConstraintDistance(chain, SinewDistanceMode.Inside, -1f);
            AssertLogged(0, "", "numbers");
            // What is no constraint or end of it is a mistake of the script.
            foreach (Action mistake in new Action[]
            {
                delegate { animator.SetConstraintPosition(default(SinewConstraint), goal); },
                delegate { animator.SetConstraintPosition(chain, goal, 7); },
                delegate { animator.SetConstraintWeight(default(SinewConstraint), 1f); },
            })
            {
                bool isThrown = false;
                try
                {
                    mistake();
                }
                catch (SinewException)
                {
                    isThrown = true;
                }
                Assert.IsTrue(isThrown, "a constraint or end that is none");
            }
        }

        // A script sets a field of a component to a number that is none: each float, vector and
        // list of floats of each kind of constraint.
        [Test]
        public void FieldsOfConstraintsThatAreNoNumbersStopNothingElse()
        {
            List<string> mistakes = new List<string>();
            foreach (Type type in new[] { typeof(SinewAim), typeof(SinewChain), typeof(SinewTwoBone), typeof(SinewSpline), typeof(SinewCopyRotation), typeof(SinewJointLimits) })
            foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Instance))
            foreach (float bad in bads)
            {
                object wrong = field.FieldType == typeof(float) ? bad
                    : field.FieldType == typeof(Vector3) ? new Vector3(0f, bad, 0f)
                    : field.FieldType == typeof(float[]) ? new[] { bad, bad, bad } : (object)null;
                if (wrong == null) continue;
                string why = type.Name + "." + field.Name + " = " + bad;
                TestRig rig = new TestRig();
                rig.PoseIdle();
                TransformData[] idle = rig.Snapshot();
                Player.Animation = delegate { rig.Apply(idle); };
                rig.Start();
                MonoBehaviour component = Make(type, rig);
                Player.Frame(Step);
                TransformData[] solved = rig.Snapshot();
                if (Debug.Lines.Count > 0) mistakes.Add(why + ", before: " + Debug.Lines[0]);
                Debug.Lines.Clear();
                object right = field.GetValue(component);
                field.SetValue(component, wrong);
                Refresh(component);
                for (int i = 0; i < 3; i++)
                {
                    rig.Animator.SetIKPosition(AvatarIKGoal.LeftHand, new Vector3(-0.3f, 1.1f, 0.3f));
                    rig.Animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
                    Player.Frame(Step);
                    for (int j = 0; j < rig.Joints.Length; j++)
                        if (!(rig.Joints[j].localRotation.w * 0f == 0f) || !(rig.Joints[j].localPosition.x * 0f == 0f)) mistakes.Add(why + ": a joint is no number");
                }
                if (type != typeof(SinewSpline) && Vector3.Distance(new Vector3(-0.3f, 1.1f, 0.3f), rig["LeftHand"].position) > 1e-3f) mistakes.Add(why + ": the other hand stands still");
                if (Debug.Lines.Count > 1) mistakes.Add(why + ", lines: " + string.Join(" | ", Debug.Lines.ToArray()));
                foreach (string line in Debug.Lines)
                    if (!line.Contains(type.Name) || !line.StartsWith("error")) mistakes.Add(why + " says: " + line);
                Debug.Lines.Clear();
                rig.Animator.ResetIK();
                field.SetValue(component, right);
                Refresh(component);
                Player.Frame(Step);
                for (int i = 0; i < solved.Length; i++)
                    if (!TestRig.Same(solved[i], TransformData.Of(rig.Joints[i])))
                    {
                        mistakes.Add(why + ": it does not work again afterwards");
                        break;
                    }
                if (Debug.Lines.Count > 0) mistakes.Add(why + ", afterwards: " + Debug.Lines[0]);
                Debug.Lines.Clear();
                Player.Clear();
            }
            Assert.AreEqual(0, mistakes.Count, string.Join("\n", mistakes.ToArray()));
        }

        private static MonoBehaviour Make(Type type, TestRig rig)
        {
            if (type == typeof(SinewAim))
            {
                SinewAim aim = rig["Head"].gameObject.AddComponent<SinewAim>();
                aim.target = At(new Vector3(1f, 1.6f, 3f));
                aim.pole = At(new Vector3(0f, 5f, 0f));
                return aim;
            }
            if (type == typeof(SinewChain))
            {
                SinewChain chain = rig["RightHand"].gameObject.AddComponent<SinewChain>();
                chain.target = At(goal);
                chain.pole = At(new Vector3(2f, 0f, -1f));
                chain.endRotation = EndRotation.AlignAxis;
                return chain;
            }
            if (type == typeof(SinewTwoBone))
            {
                SinewTwoBone limb = rig["RightHand"].gameObject.AddComponent<SinewTwoBone>();
                limb.target = At(goal);
                limb.pole = At(new Vector3(2f, 0f, -1f));
                limb.endRotation = EndRotation.AlignAxis;
                limb.distanceMode = SinewDistanceMode.Inside;
                return limb;
            }
            if (type == typeof(SinewSpline))
            {
                SinewSpline spline = rig["UpperChest"].gameObject.AddComponent<SinewSpline>();
                spline.jointCount = 3;
                spline.points = new[] { At(new Vector3(0f, 1.02f, 0f)), At(new Vector3(0.02f, 1.15f, 0f)), At(new Vector3(0.03f, 1.2f, 0f)), At(new Vector3(0.05f, 1.27f, 0f)) };
                return spline;
            }
            if (type == typeof(SinewCopyRotation))
            {
                SinewCopyRotation copy = rig["LeftUpperLeg"].gameObject.AddComponent<SinewCopyRotation>();
                copy.source = rig["RightLowerLeg"];
                return copy;
            }
            SinewChain limited = rig["RightHand"].gameObject.AddComponent<SinewChain>();
            limited.target = At(goal);
            return rig["RightLowerArm"].gameObject.AddComponent<SinewJointLimits>();
        }

        private static void Refresh(MonoBehaviour component)
        {
            ConstraintBehaviour constraint = component as ConstraintBehaviour;
            if (constraint != null) constraint.Refresh();
            else ((SinewJointLimits)component).Refresh();
        }
    }
}
